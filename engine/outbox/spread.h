// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reader.h"

#include <vector>

namespace engine::outbox {

// How rows are spread over their schedules, so that a position in a list of millions can be turned into a time and
// back without counting. An estimate: from the planner's histogram where there is one, else as if they were spread
// evenly from the oldest to the newest.
class Spread
{
public:
    struct Knot
    {
        EpochMicros at;
        double newer; // share of the rows that are scheduled later, 0..1
    };

    Spread() = default;
    // Newest first; `newer` grows from 0 to 1. Several knots of one time: that share of the rows has it.
    explicit Spread(std::vector<Knot> knots, bool fromStatistics = false);

    [[nodiscard]] bool isKnown() const { return m_knots.size() > 1; }
    [[nodiscard]] bool isFromStatistics() const { return m_fromStatistics; }
    // Share of rows that come before this time in a list, newest first; absent: not known.
    [[nodiscard]] std::optional<double> shareAt(EpochMicros at) const;
    [[nodiscard]] std::optional<EpochMicros> timeAt(double share) const;

private:
    std::vector<Knot> m_knots;
    bool m_fromStatistics = false;
};

// Of rows in these statuses; none: all. The newest and the oldest schedule come from the ends of index ranges, what is
// between from pg_stats: a millisecond or two at any table size.
[[nodiscard]] Result<Spread> readSpread(sql::Connection &connection, const Layout &layout,
                                        const QList<QByteArray> &statuses);

} // namespace engine::outbox
