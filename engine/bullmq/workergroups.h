// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inspector.h"

namespace engine::bullmq {

// The health of one group of workers: those that are deployed, and fail, together.
struct WorkerGroupState
{
    enum class Kind { General, Mail }; // workflow and everything else; mail, webhooks, marketing

    Kind kind = Kind::General;
    std::vector<QByteArray> queues; // of the group that exist
    std::vector<QByteArray> unserved; // ready jobs and no worker
    int served = 0; // queues with a worker
    std::optional<int> workers; // absent: the server does not let us see its clients
    qint64 ready = 0; // waiting and prioritized
    qint64 active = 0;
    qint64 failed = 0;
    qint64 stalled = 0;
    int paused = 0; // queues
    int unreadable = 0; // queues whose figures could not be read; they are in none of the sums
    std::optional<qint64> oldestWaitingMs;
};

[[nodiscard]] WorkerGroupState::Kind workerGroupOf(QByteArrayView queue);
// Both groups, general first.
[[nodiscard]] std::vector<WorkerGroupState> workerGroups(const std::vector<QueueState> &queues);

} // namespace engine::bullmq
