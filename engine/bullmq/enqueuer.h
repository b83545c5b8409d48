// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

#include <QByteArray>
#include <QHash>

#include <functional>
#include <vector>

namespace engine::bullmq {

struct NewJob
{
    QByteArray id;
    QByteArray name;
    QByteArray data; // one JSON document, stored byte for byte
};

enum class AddResult {
    Added,
    Duplicate, // a job with this id exists, in whatever state; nothing was changed
    KeyTaken, // the job's key holds something that is no job
};

// Refuses ids that BullMQ keeps for itself or that would share a key with another job: empty, a whole number,
// beginning with 0: or like a key of the queue's own (repeat:, de:, metrics:), names of these keys, or ending like a
// job's sub-key (:lock, :logs ...).
[[nodiscard]] Result<void> checkJobId(QByteArrayView id);

// Adds jobs to BullMQ queues, a batch in one script call. Non-blocking; lives in the client's thread.
class Enqueuer final
{
public:
    using Callback = std::function<void(const Result<std::vector<AddResult>> &)>;
    static constexpr size_t mostJobsPerCall = 250; // keeps one call well below 20 ms of the server's time

    // `client` outlives this. `prefix` is BullMQ's key prefix, usually bull.
    Enqueuer(redis::Client &client, QByteArray prefix);

    // 1..mostJobsPerCall jobs. The callback gets one result per job in order. Errors: as redis::replyError; after
    // Unavailable or Timeout it is unknown whether the jobs were added, and adding them again is safe.
    void add(const QByteArray &queue, const std::vector<NewJob> &jobs, Callback callback);

private:
    void call(redis::Command command, size_t jobCount, QByteArray markerKey, Callback callback);
    [[nodiscard]] std::vector<AddResult> interpret(const redis::Reply &reply, size_t jobCount) const;

    redis::Client &m_client;
    const QByteArray m_prefix;
    const QByteArray m_script;
    const QByteArray m_sha;
};

} // namespace engine::bullmq
