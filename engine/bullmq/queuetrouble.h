// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inspector.h"

namespace engine::bullmq {

// What may be wrong with a queue, worst first.
enum class QueueTrouble { Unreadable, NoWorker, Stalled, Failed, Paused };

[[nodiscard]] std::vector<QueueTrouble> troublesOf(const QueueState &queue);
// As scripts read it: unreadable, no-worker, stalled, failed, paused.
[[nodiscard]] QByteArrayView troubleName(QueueTrouble trouble);

} // namespace engine::bullmq
