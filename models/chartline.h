// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/history/historystore.h>

#include <QList>
#include <QPointF>
#include <QString>

#include <optional>

namespace models {

// How a chart's values are written.
enum class Unit { Count, Milliseconds, Share };
[[nodiscard]] QString unitText(double value, Unit unit); // "1,482", "4.2 s", "3 %"

// One line of a chart: points in order of time, and how far apart they are where none is missing.
struct ChartLine
{
    QString name; // translated, or a queue's
    std::vector<engine::history::Point> points;
    qint64 stepMs = 0;

    // The runs of points without a gap between them, as (ms since 1970, value). A step without a sample is a gap, never
    // a line to 0 nor across.
    [[nodiscard]] QList<QList<QPointF>> runs() const;
    // The point that stands for `atMs`; absent in a gap.
    [[nodiscard]] std::optional<engine::history::Point> at(qint64 atMs) const;
    [[nodiscard]] double highest() const;
};

// The line of `name` in an answer of the history; without points if it has none.
[[nodiscard]] ChartLine lineOf(const engine::history::HistoryStore::Answer &answer, const QByteArray &name,
                               const QString &title);
// The `most` queues with the highest depths of the answer, deepest first.
[[nodiscard]] QList<ChartLine> deepestQueues(const engine::history::HistoryStore::Answer &answer, int most);
// Adds what was seen since the history answered.
void append(ChartLine &line, qint64 atMs, std::optional<double> value);

} // namespace models
