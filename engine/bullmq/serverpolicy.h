// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

namespace engine::bullmq {

// Asks whether the server may evict keys: it would drop jobs without a word. BullMQ's own requirement is
// maxmemory-policy noeviction. The callback gets Refused if it may, or the error of asking.
void checkEvictionPolicy(redis::Client &client, std::function<void(const Result<void> &)> callback);

// The same judgement over the text of INFO memory.
[[nodiscard]] Result<void> judgeEvictionPolicy(const QByteArray &infoMemory, const QString &server);

} // namespace engine::bullmq
