// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/config/profile.h>
#include <engine/transport/sql/connection.h>

#include <memory>

namespace engine::watch {

// A window's way to read the profile's database, counted in `traffic`. Errors: BadInput for a URL that cannot be read.
[[nodiscard]] inline Result<sql::ConnectOptions> readingOptions(const config::ConnectionProfile &profile,
                                                                std::shared_ptr<Traffic> traffic)
{
    auto url = sql::DatabaseUrl::parse(profile.databaseUrl);
    if (!url)
        return fail(url.error());
    sql::ConnectOptions options;
    options.url = std::move(*url);
    options.access = sql::Access::ReadOnly;
    options.applicationName = "outbox-console window";
    options.traffic = std::move(traffic);
    return options;
}

} // namespace engine::watch
