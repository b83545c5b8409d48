// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <deque>
#include <optional>

namespace models {

// Turns a growing total into a rate per second over the last minutes.
class RateSeries final
{
public:
    struct Point
    {
        qint64 atMs = 0;
        double perSecond = 0;
    };

    explicit RateSeries(qint64 spanMs = 300000);

    // `total` at `nowMs` (any steady clock). A total that fell counts from zero: a new run began.
    void add(qint64 total, qint64 nowMs);
    void clear();
    [[nodiscard]] const std::deque<Point> &points() const { return m_points; }
    [[nodiscard]] std::optional<double> latest() const;

private:
    const qint64 m_span;
    std::optional<std::pair<qint64, qint64>> m_last; // total, time
    std::deque<Point> m_points;
};

} // namespace models
