// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/watch/executionfeed.h>
#include <engine/watch/outboxfeed.h>
#include <engine/watch/queuefeed.h>
#include <engine/watch/tracefeed.h>

#include <QElapsedTimer>
#include <QObject>

#include <deque>
#include <memory>

namespace app {

// One open connection: its feeds, and which questions are on their way, so that a slow server is never asked twice.
class Session final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Session)

public:
    explicit Session(const engine::config::ConnectionProfile &profile, QObject *parent = nullptr);

    [[nodiscard]] const engine::config::ConnectionProfile &profile() const { return m_profile; }
    [[nodiscard]] engine::watch::OutboxFeed &outbox() { return *m_outbox; }
    [[nodiscard]] engine::watch::QueueFeed &queues() { return *m_queues; }
    [[nodiscard]] engine::watch::ExecutionFeed &executions() { return *m_executions; }
    [[nodiscard]] engine::watch::TraceFeed &trace() { return *m_trace; }

    // Asked unless the same is still on its way. A new page is always asked for.
    void askTable();
    void askStats();
    void askPage(const engine::outbox::PageRequest &request);
    void askPageAgain(const engine::outbox::PageRequest &request);
    void askQueues();
    void askRedisLatency();
    void askExecutionStats();
    void askExecutionsAgain(const engine::workflow::ExecutionRequest &request);

    // Questions per second to both servers, over the last half minute.
    [[nodiscard]] double questionsPerSecond();

    // Silent from now on; deletes itself when no answer is awaited any more, so that nobody waits for a server.
    void retire();

private:
    void finishRetiring();

    const engine::config::ConnectionProfile m_profile;
    std::unique_ptr<engine::watch::OutboxFeed> m_outbox;
    std::unique_ptr<engine::watch::QueueFeed> m_queues;
    std::unique_ptr<engine::watch::ExecutionFeed> m_executions;
    std::unique_ptr<engine::watch::TraceFeed> m_trace;
    bool m_executionStatsPending = false;
    bool m_executionsPending = false;
    bool m_tablePending = false;
    bool m_statsPending = false;
    bool m_pagePending = false;
    int m_redisPending = 0;
    bool m_retired = false;
    QElapsedTimer m_clock;
    std::deque<std::pair<qint64, quint64>> m_asked; // time in ms, questions so far
};

} // namespace app
