// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartline.h"

#include "counttext.h"
#include "timetext.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace models {

using engine::history::HistoryStore;
using engine::history::Point;
using engine::history::Series;

namespace {

// Samples come a little early or late; two missing ones are a gap.
bool isGap(qint64 from, qint64 to, qint64 step)
{
    return to - from > step * 5 / 2;
}

const QByteArray depthPrefix = "queue.depth/";

} // namespace

QString unitText(double value, Unit unit)
{
    switch (unit) {
    case Unit::Milliseconds:
        return durationText(value < 10'000 ? std::llround(value) : std::llround(value / 1000) * 1000);
    case Unit::Share:
        return QCoreApplication::translate("models::ChartLine", "%1 %")
            .arg(QLocale().toString(value * 100, 'f', value > 0 && value < 0.1 ? 1 : 0));
    case Unit::Count:
        break;
    }
    return value < 10 && value != std::floor(value) ? QLocale().toString(value, 'f', 1)
                                                    : numberText(std::llround(value));
}

QList<QList<QPointF>> ChartLine::runs() const
{
    QList<QList<QPointF>> all;
    qint64 previous = 0;
    for (const Point &point : points) {
        if (all.isEmpty() || isGap(previous, point.atMs, stepMs))
            all << QList<QPointF>();
        all.last() << QPointF(static_cast<double>(point.atMs), point.value);
        previous = point.atMs;
    }
    return all;
}

std::optional<Point> ChartLine::at(qint64 atMs) const
{
    const auto after = std::ranges::upper_bound(points, atMs, {}, &Point::atMs);
    if (after == points.begin())
        return std::nullopt;
    const Point &point = *(after - 1);
    return isGap(point.atMs, atMs, stepMs) ? std::nullopt : std::optional(point);
}

double ChartLine::highest() const
{
    double value = 0;
    for (const Point &point : points)
        value = std::max(value, point.value);
    return value;
}

ChartLine lineOf(const HistoryStore::Answer &answer, const QByteArray &name, const QString &title)
{
    ChartLine line;
    line.name = title;
    line.stepMs = answer.stepMs;
    for (const Series &series : answer.series) {
        if (series.name == name)
            line.points = series.points;
    }
    return line;
}

QList<ChartLine> deepestQueues(const HistoryStore::Answer &answer, int most)
{
    QList<ChartLine> lines;
    for (const Series &series : answer.series) {
        if (!series.name.startsWith(depthPrefix))
            continue;
        ChartLine line;
        line.name = QString::fromUtf8(series.name.mid(depthPrefix.size()));
        line.points = series.points;
        line.stepMs = answer.stepMs;
        lines << line;
    }
    std::ranges::stable_sort(lines, std::ranges::greater(), &ChartLine::highest);
    if (lines.size() > most)
        lines.resize(most);
    return lines;
}

void append(ChartLine &line, qint64 atMs, std::optional<double> value)
{
    if (value && (line.points.empty() || atMs >= line.points.back().atMs + line.stepMs))
        line.points.push_back({atMs, *value, *value});
}

} // namespace models
