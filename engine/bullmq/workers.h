// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/transport/redis/reply.h>

#include <QByteArray>

#include <optional>
#include <vector>

namespace engine::bullmq {

// One worker as the server sees it: the connection on which it waits for jobs. BullMQ names that connection only, one
// per Worker object, so a program with three workers is there three times.
struct WorkerState
{
    QByteArray queue;
    QByteArray name; // what the worker calls itself; may be empty, and always is before version 5
    QByteArray clientId; // Redis' number for the connection
    QByteArray address; // host:port, or the path of a unix socket
    qint64 connectedMs = 0; // age of the connection
    qint64 quietMs = 0; // since its last command
    bool waits = false; // blocked on an empty queue: it has room and there is no job for it
    QByteArray command; // the last one
    std::optional<int> jobs; // active jobs that carry its name; absent: it has none, so nobody can tell
};

// The workers below the prefix in a reply to CLIENT LIST. Nothing: the server does not let us see its clients.
[[nodiscard]] std::optional<std::vector<WorkerState>> workersIn(const redis::Reply &clientList,
                                                                const QByteArray &prefix);

} // namespace engine::bullmq
