// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandline.h"

#include <engine/config/handoversettings.h>
#include <engine/config/profile.h>
#include <engine/dispatch/router.h>
#include <engine/outbox/layout.h>
#include <engine/sandbox/sandbox.h>
#include <engine/trace/stores.h>
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <memory>

namespace cli {

// An outbox table and the connection it was found over.
struct OpenTable
{
    std::unique_ptr<engine::sql::Connection> connection;
    engine::outbox::Layout layout;
};

// What a sub-command works on, as the user named it. Holds the sandbox's servers while it lives.
class Target
{
public:
    // Errors: BadInput when nothing is named, NotFound for an unknown connection, those of the sandbox.
    [[nodiscard]] static engine::Result<Target> resolve(const CommandLine &line);
    // The private sandbox, started if it is not running.
    [[nodiscard]] static engine::Result<Target> sandbox();

    [[nodiscard]] const engine::config::ConnectionProfile &profile() const { return m_profile; }
    // Errors: Refused when a saved read-only connection is to be written to without --write.
    [[nodiscard]] engine::Result<void> allowWriting(const CommandLine &line) const;

    [[nodiscard]] engine::Result<std::unique_ptr<engine::sql::Connection>>
    openDatabase(engine::sql::Access access) const;
    [[nodiscard]] engine::Result<std::unique_ptr<engine::redis::Client>> openRedis() const;
    [[nodiscard]] engine::Result<OpenTable> openTable(engine::sql::Access access) const;

    // All stores, for reading; one of them may be away. Reads --routes, --job-id and --executions.
    // Errors: CannotConnect when none can be reached, BadInput for what those options say.
    [[nodiscard]] engine::Result<std::unique_ptr<engine::trace::Stores>> openStores(const CommandLine &line) const;

private:
    engine::config::ConnectionProfile m_profile;
    std::shared_ptr<engine::sandbox::Sandbox> m_sandbox;
};

// What the environment says about routes, job ids and executions, and what --routes, --job-id and --executions say
// instead.
[[nodiscard]] engine::config::HandoverSettings handoverFor(const CommandLine &line);

// The routes of --routes or OUTBOX_ROUTES if one is given, else the built-in ones of the layout.
[[nodiscard]] engine::Result<engine::dispatch::Router> routerFor(const CommandLine &line,
                                                                 const engine::outbox::Layout &layout);

} // namespace cli
