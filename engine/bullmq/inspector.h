// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "workers.h"

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

#include <QByteArray>

#include <optional>
#include <vector>

namespace engine::bullmq {

// One queue as it stands, in the figures BullMQ itself counts.
struct QueueState
{
    QByteArray name;
    qint64 waiting = 0; // ready jobs, paused or not; marker elements left out
    qint64 active = 0;
    qint64 delayed = 0;
    qint64 prioritized = 0;
    qint64 failed = 0;
    qint64 completed = 0;
    qint64 waitingChildren = 0;
    qint64 stalled = 0; // active without a live lock
    bool stalledAtLeast = false; // more jobs are active than were looked at
    qint64 suspected = 0; // in BullMQ's own stalled set: active at the last check and not renewed since
    qint64 schedulers = 0; // repeatable jobs and job schedulers
    bool paused = false;
    std::optional<int> workers; // absent: the server does not let us see its clients
    std::optional<qint64> oldestWaitingMs; // of the jobs that run next; absent: nothing waits, or it has no time
    QByteArray version; // what the queue's meta says, for instance 5.81.5; may be empty or stale
    QString problem; // why the figures of this queue could not be read; empty: they could
};

// Queues and their workers at one moment.
struct QueueOverview
{
    std::vector<QueueState> queues; // in the order asked for
    std::optional<std::vector<WorkerState>> workers; // of any queue below the prefix; absent: we may not see clients
};

// Reads queues without writing anything. Blocking; belongs to the thread of `client`.
class Inspector final
{
public:
    // `client` outlives the inspector.
    Inspector(redis::Client &client, QByteArray prefix);

    // The names of all queues under the prefix, sorted. Scans the whole key space in steps, so ask rarely; Discovery
    // can be interrupted.
    [[nodiscard]] Result<std::vector<QByteArray>> discover();
    // These queues as they stand, in three round trips at most. A queue that cannot be read is there with its problem
    // and never hides the others.
    [[nodiscard]] Result<QueueOverview> overview(const std::vector<QByteArray> &names);
    [[nodiscard]] Result<std::vector<QueueState>> states(const std::vector<QByteArray> &names);
    // Whether the queue holds a job with this id, in whatever state.
    [[nodiscard]] Result<bool> hasJob(const QByteArray &queue, const QByteArray &jobId);
    // discover() and states() in one.
    [[nodiscard]] Result<std::vector<QueueState>> queues();

private:
    redis::Client &m_client;
    const QByteArray m_prefix;
};

} // namespace engine::bullmq
