// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

#include <QByteArray>
#include <QSet>

#include <chrono>
#include <vector>

namespace engine::bullmq {

// Finds the queues below a prefix in one pass over the key space that may be interrupted at any point, so that millions
// of keys neither block the server nor hold up what is known already. Blocking; belongs to the thread of `client`.
class Discovery final
{
public:
    // `client` outlives the discovery.
    Discovery(redis::Client &client, QByteArray prefix);

    // Names that are likely to exist, such as those of the last time: looked at first.
    [[nodiscard]] Result<void> tryFirst(const std::vector<QByteArray> &names);
    // Goes on for about `budget`, at least one round trip.
    [[nodiscard]] Result<void> step(std::chrono::milliseconds budget);
    [[nodiscard]] bool isComplete() const { return m_complete; }
    // The queues found so far, sorted.
    [[nodiscard]] std::vector<QByteArray> names() const;

private:
    // A key that belongs to a queue if it has the right type.
    struct Trace
    {
        QByteArray queue;
        QByteArray suffix;
    };
    [[nodiscard]] Result<void> judge(const std::vector<Trace> &traces);

    redis::Client &m_client;
    const QByteArray m_prefix;
    QByteArray m_cursor = "0";
    bool m_complete = false;
    QSet<QByteArray> m_certain;
    QSet<QByteArray> m_counterOnly; // only a string called id speaks for them
};

} // namespace engine::bullmq
