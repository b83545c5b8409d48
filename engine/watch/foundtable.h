// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/config/profile.h>
#include <engine/outbox/discovery.h>
#include <engine/transport/sql/connection.h>

#include <optional>

namespace engine::watch {

// The profile's outbox table, found once over any of its connections; every question needs it.
[[nodiscard]] inline Result<outbox::Layout> tableOf(sql::Connection &connection, std::optional<outbox::Layout> &known,
                                                    const config::ConnectionProfile &profile)
{
    if (!known) {
        auto found = outbox::discover(connection, profile.table, connection.options().url.schema);
        if (!found)
            return fail(found.error());
        known = std::move(*found);
    }
    return *known;
}

} // namespace engine::watch
