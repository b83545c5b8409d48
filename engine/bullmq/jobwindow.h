// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs.h"

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

namespace engine::bullmq {

// The ids of jobs in one state, a window of them.
struct JobWindow
{
    struct Entry
    {
        QByteArray id;
        QByteArray score; // of a sorted set; empty: it is a list
    };
    std::vector<Entry> entries;
    qint64 total = 0;
};

// Jobs `offset` .. `offset + limit` of the state, from the end that `request` names. The cost of the commands is that
// of the window plus the skip of a list's packed nodes: a few dozen microseconds in the middle of a million.
// Errors: BadInput for Unknown, Failed where a key has the wrong type, those of the connection.
[[nodiscard]] Result<JobWindow> readWindow(redis::Client &client, const QByteArray &prefix, const QByteArray &queue,
                                           JobState state, qint64 offset, int limit, bool oldestFirst);

} // namespace engine::bullmq
