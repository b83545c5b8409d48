// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/transport/redis/client.h>

#include <QHash>

namespace engine::bullmq {

// How many kept jobs of each queue failed for good within the last `span`, in one round trip. A queue whose figure
// cannot be read is left out. Blocking; belongs to the thread of `client`.
[[nodiscard]] Result<QHash<QByteArray, qint64>> failedWithin(redis::Client &client, const QByteArray &prefix,
                                                             const std::vector<QByteArray> &queues,
                                                             std::chrono::milliseconds span);

} // namespace engine::bullmq
