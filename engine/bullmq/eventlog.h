// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

#include <QByteArray>

#include <optional>
#include <vector>

namespace engine::bullmq {

// One entry of a queue's event stream. Payloads are left out: a return value may be large.
struct QueueEvent
{
    qint64 at = 0; // microseconds since 1970 UTC, by the Redis server's clock; whole milliseconds
    QByteArray kind; // added, waiting, active, delayed, stalled, completed, failed, removed ...
    QByteArray jobId; // empty: it is about the queue
    QByteArray previous; // the state before, where the entry says so
    QString reason; // of failed: its text, cut at 2,000 characters
    std::optional<qint64> dueAt; // of delayed

    bool operator==(const QueueEvent &) const = default;
};

// What a stretch of the stream says, oldest entry first.
struct EventWindow
{
    std::vector<QueueEvent> events;
    // The stream tells of everything from here on; absent: it is empty or not there.
    std::optional<qint64> knownFrom;
    bool cutShort = false; // a limit ended the reading before the stream did: `knownFrom` is where it stopped

    // Whether the stream would tell of something that happened then.
    [[nodiscard]] bool covers(qint64 at) const { return knownFrom && *knownFrom <= at; }
};

struct EventLimits
{
    int mostEntries = 10'000; // as many as BullMQ keeps by default
    qint64 mostBytes = 16 * 1024 * 1024; // of replies; completed entries carry their return value
};

// Reads a queue's events back from the newest until `since` (microseconds), in steps of 200 entries, so that no command
// holds up the server. Only of this job, unless `jobId` is empty. Blocking; belongs to the thread of `client`.
[[nodiscard]] Result<EventWindow> readEvents(redis::Client &client, const QByteArray &prefix, const QByteArray &queue,
                                             qint64 since, const QByteArray &jobId = {},
                                             const EventLimits &limits = {});

} // namespace engine::bullmq
