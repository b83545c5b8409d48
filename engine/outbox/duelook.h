// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reader.h"

namespace engine::outbox {

// What a table says about its own backlog, at the cost of a few index ranges.
struct DueLook
{
    Count due; // claimable now; stops at 100,000
    std::optional<qint64> oldestAgeMs; // since its schedule; absent: nothing is due
    // Since it became claimable: a retry since its next attempt, an abandoned row since the end of its lease. What
    // tells a backlog that nobody works on from one that is worked on. Absent: nothing is due.
    std::optional<qint64> longestWaitMs;

    bool operator==(const DueLook &) const = default;
};

// One read of at most five seconds, in a READ ONLY transaction. `lease` is how long a claim is valid.
[[nodiscard]] Result<DueLook> lookAtDue(sql::Connection &connection, const Layout &layout, std::chrono::seconds lease);

} // namespace engine::outbox
