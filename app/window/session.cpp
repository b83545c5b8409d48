// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

namespace app {

using engine::watch::ExecutionFeed;
using engine::watch::OutboxFeed;
using engine::watch::QueueFeed;
using engine::watch::TraceFeed;

namespace {

constexpr qint64 costWindowMs = 30'000;

} // namespace

Session::Session(const engine::config::ConnectionProfile &profile, QObject *parent)
    : QObject(parent)
    , m_profile(profile)
    , m_outbox(std::make_unique<OutboxFeed>(profile))
    , m_queues(std::make_unique<QueueFeed>(profile))
    , m_executions(std::make_unique<ExecutionFeed>(profile))
    , m_trace(std::make_unique<TraceFeed>(profile))
{
    m_clock.start();
    connect(m_outbox.get(), &OutboxFeed::tableFound, this, [this] { m_tablePending = false; });
    connect(m_outbox.get(), &OutboxFeed::snapshotReady, this, [this] { m_statsPending = false; });
    connect(m_outbox.get(), &OutboxFeed::pageReady, this, [this] { m_pagePending = false; });
    connect(m_outbox.get(), &OutboxFeed::failed, this, [this] {
        m_tablePending = false;
        m_statsPending = false;
        m_pagePending = false;
    });
    const auto redisAnswered = [this] {
        --m_redisPending;
        finishRetiring();
    };
    connect(m_queues.get(), &QueueFeed::snapshotReady, this, redisAnswered);
    connect(m_queues.get(), &QueueFeed::latencyReady, this, redisAnswered);
    connect(m_queues.get(), &QueueFeed::failed, this, redisAnswered);
    connect(m_executions.get(), &ExecutionFeed::snapshotReady, this, [this] { m_executionStatsPending = false; });
    connect(m_executions.get(), &ExecutionFeed::pageReady, this, [this] { m_executionsPending = false; });
    connect(m_executions.get(), &ExecutionFeed::failed, this, [this] {
        m_executionStatsPending = false;
        m_executionsPending = false;
    });
    connect(m_trace.get(), &TraceFeed::becameIdle, this, &Session::finishRetiring);
}

void Session::askTable()
{
    if (!std::exchange(m_tablePending, true))
        m_outbox->connectToTable();
}

void Session::askStats()
{
    if (!std::exchange(m_statsPending, true))
        m_outbox->requestSnapshot();
}

void Session::askPage(const engine::outbox::PageRequest &request)
{
    m_pagePending = true;
    m_outbox->requestPage(request);
}

void Session::askPageAgain(const engine::outbox::PageRequest &request)
{
    if (!m_pagePending)
        askPage(request);
}

void Session::askQueues()
{
    if (m_redisPending > 0)
        return;
    ++m_redisPending;
    m_queues->requestSnapshot();
}

void Session::askRedisLatency()
{
    if (m_redisPending > 0)
        return;
    ++m_redisPending;
    m_queues->requestLatency();
}

void Session::askExecutionStats()
{
    if (!std::exchange(m_executionStatsPending, true))
        m_executions->requestSnapshot();
}

void Session::askExecutionsAgain(const engine::workflow::ExecutionRequest &request)
{
    if (!std::exchange(m_executionsPending, true))
        m_executions->requestPage(request);
}

double Session::questionsPerSecond()
{
    const qint64 now = m_clock.elapsed();
    m_asked.emplace_back(now,
                         m_outbox->questionsAsked() + m_queues->questionsAsked() + m_executions->questionsAsked()
                             + m_trace->questionsAsked());
    while (m_asked.size() > 2 && m_asked.front().first < now - costWindowMs)
        m_asked.pop_front();
    const qint64 span = now - m_asked.front().first;
    if (span < 1000)
        return 0;
    return static_cast<double>(m_asked.back().second - m_asked.front().second) * 1000.0 / static_cast<double>(span);
}

void Session::retire()
{
    m_retired = true;
    m_outbox.reset(); // interrupts its question
    m_executions.reset();
    m_trace->interrupt();
    finishRetiring();
}

void Session::finishRetiring()
{
    if (m_retired && m_redisPending <= 0 && m_trace->isIdle())
        deleteLater();
}

} // namespace app
