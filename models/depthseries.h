// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QPointF>

namespace models {

// How deep a queue was over the last minutes, at most `mostPoints` readings.
class DepthSeries final
{
public:
    static constexpr int mostPoints = 120;

    explicit DepthSeries(qint64 spanMs = 15 * 60'000);

    // `depth` at `nowMs` (any steady clock). Readings that are closer together than span / mostPoints become one, the
    // deepest.
    void add(qint64 depth, qint64 nowMs);
    // x: age in seconds, negative, the newest 0. y: jobs.
    [[nodiscard]] QList<QPointF> points() const;

private:
    qint64 m_span;
    QList<std::pair<qint64, qint64>> m_readings; // time in ms, depth
};

} // namespace models
