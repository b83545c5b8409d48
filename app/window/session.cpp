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

Session::Session(const engine::config::ConnectionProfile &profile, const engine::config::HandoverSettings &handover,
                 QObject *parent)
    : QObject(parent)
    , m_profile(profile)
    , m_outbox(std::make_unique<OutboxFeed>(profile))
    , m_rowSearch(std::make_unique<engine::watch::RowSearchFeed>(profile))
    , m_queues(std::make_unique<QueueFeed>(profile))
    , m_jobs(std::make_unique<engine::watch::JobFeed>(profile))
    , m_executions(std::make_unique<ExecutionFeed>(profile, handover.executionsTable))
    , m_trace(std::make_unique<TraceFeed>(profile, handover))
    , m_documents(std::make_unique<engine::watch::DocumentFeed>(profile, handover.executionsTable))
{
    m_clock.start();
    m_looks.emplace_back(); // nothing was asked yet
    connect(m_outbox.get(), &OutboxFeed::tableFound, this, [this] { m_tablePending = false; });
    connect(m_outbox.get(), &OutboxFeed::snapshotReady, this, [this] { m_statsPending = false; });
    connect(m_outbox.get(), &OutboxFeed::vitalsReady, this, [this] { m_vitalsPending = false; });
    connect(m_outbox.get(), &OutboxFeed::failed, this, [this] {
        m_tablePending = false;
        m_statsPending = false;
    });
    connect(m_outbox.get(), &OutboxFeed::vitalsFailed, this, [this] { m_vitalsPending = false; });
    const auto redisAnswered = [this] {
        // A failure may be that of either question; with the last answer none is on its way.
        if (--m_redisPending <= 0)
            m_queuesPending = false;
        finishRetiring();
    };
    connect(m_queues.get(), &QueueFeed::snapshotReady, this, [this, redisAnswered] {
        m_queuesPending = false;
        redisAnswered();
    });
    connect(m_queues.get(), &QueueFeed::latencyReady, this, redisAnswered);
    connect(m_queues.get(), &QueueFeed::failed, this, redisAnswered);
    connect(m_jobs.get(), &engine::watch::JobFeed::idle, this, &Session::finishRetiring);
    connect(m_executions.get(), &ExecutionFeed::snapshotReady, this, [this] { m_executionStatsPending = false; });
    connect(m_executions.get(), &ExecutionFeed::pageReady, this, [this] { m_executionsPending = false; });
    connect(m_executions.get(), &ExecutionFeed::failed, this, [this] {
        m_executionStatsPending = false;
        m_executionsPending = false;
    });
    connect(m_trace.get(), &TraceFeed::becameIdle, this, &Session::finishRetiring);
}

engine::watch::OutboxFeed &Session::outbox()
{
    return *m_outbox;
}

engine::watch::RowSearchFeed &Session::rowSearch()
{
    return *m_rowSearch;
}

engine::watch::QueueFeed &Session::queues()
{
    return *m_queues;
}

engine::watch::JobFeed &Session::jobs()
{
    return *m_jobs;
}

ExecutionFeed &Session::executions()
{
    return *m_executions;
}

TraceFeed &Session::trace()
{
    return *m_trace;
}

engine::watch::DocumentFeed &Session::documents()
{
    return *m_documents;
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

void Session::askVitals(const engine::outbox::VitalsRequest &request)
{
    if (!std::exchange(m_vitalsPending, true))
        m_outbox->requestVitals(request);
}

void Session::askQueues()
{
    if (std::exchange(m_queuesPending, true))
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

void Session::askJobsAgain(const engine::bullmq::JobPageRequest &request)
{
    if (!m_jobs->isPagePending())
        m_jobs->requestPage(request);
}

Session::Costs Session::costs()
{
    const auto sum = [](std::initializer_list<const engine::Traffic *> all) {
        Asked asked;
        for (const engine::Traffic *traffic : all) {
            asked.questions += traffic->questions;
            asked.micros += traffic->waitedMicros;
        }
        return asked;
    };
    const qint64 now = m_clock.elapsed();
    m_looks.push_back({now,
                       sum({&m_outbox->traffic(), &m_rowSearch->traffic(), &m_executions->traffic(),
                            &m_trace->databaseTraffic(), &m_documents->traffic()}),
                       sum({&m_queues->traffic(), &m_jobs->traffic(), &m_trace->redisTraffic()})});
    while (m_looks.size() > 2 && m_looks.front().atMs < now - costWindowMs)
        m_looks.pop_front();
    const Look &first = m_looks.front();
    const Look &last = m_looks.back();
    const double seconds = static_cast<double>(last.atMs - first.atMs) / 1000.0;
    if (seconds < 1)
        return {};
    const auto rate = [seconds](const Asked &from, const Asked &to) {
        return Cost{static_cast<double>(to.questions - from.questions) / seconds,
                    static_cast<double>(to.micros - from.micros) / 1000.0 / seconds};
    };
    return {rate(first.database, last.database), rate(first.redis, last.redis), seconds};
}

void Session::retire()
{
    m_retired = true;
    m_outbox.reset(); // interrupts its question
    m_rowSearch.reset();
    m_jobs->stopSearch();
    m_executions.reset();
    m_documents.reset();
    m_trace->interrupt();
    finishRetiring();
}

void Session::finishRetiring()
{
    if (m_retired && m_redisPending <= 0 && m_jobs->isIdle() && m_trace->isIdle())
        deleteLater();
}

} // namespace app
