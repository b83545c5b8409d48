// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

namespace engine::sandbox {

// Makes what is missing of the sandbox's tables, and writes the sample events if the database never had them, all in
// one transaction, before whose end the jobs of those handed over are in Redis. True: the events were written just now.
[[nodiscard]] Result<bool> ensureSampleData(sql::Connection &connection, redis::Client &redis);

} // namespace engine::sandbox
