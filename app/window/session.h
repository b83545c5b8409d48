// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/watch/documentfeed.h>
#include <engine/watch/executionfeed.h>
#include <engine/watch/jobfeed.h>
#include <engine/watch/outboxfeed.h>
#include <engine/watch/queuefeed.h>
#include <engine/watch/rowsearchfeed.h>
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
    Session(const engine::config::ConnectionProfile &profile, const engine::config::HandoverSettings &handover,
            QObject *parent = nullptr);

    [[nodiscard]] const engine::config::ConnectionProfile &profile() const { return m_profile; }
    [[nodiscard]] engine::watch::OutboxFeed &outbox();
    [[nodiscard]] engine::watch::RowSearchFeed &rowSearch();
    [[nodiscard]] engine::watch::QueueFeed &queues();
    [[nodiscard]] engine::watch::JobFeed &jobs();
    [[nodiscard]] engine::watch::ExecutionFeed &executions();
    [[nodiscard]] engine::watch::TraceFeed &trace();
    [[nodiscard]] engine::watch::DocumentFeed &documents();

    // Asked unless the same is still on its way.
    void askTable();
    void askStats();
    void askVitals(const engine::outbox::VitalsRequest &request);
    void askQueues();
    void askRedisLatency();
    void askJobsAgain(const engine::bullmq::JobPageRequest &request);
    void askExecutionStats();
    void askExecutionsAgain(const engine::workflow::ExecutionRequest &request);

    // What this session asks of one server over the last half minute, or since it is open.
    struct Cost
    {
        double perSecond = 0; // statements or commands
        double msPerSecond =
            0; // until they were answered, the way there and back included: more than the server's work
    };
    struct Costs
    {
        Cost database, redis;
        double seconds = 0; // measured over; 0: not yet
    };
    [[nodiscard]] Costs costs();

    // Silent from now on; deletes itself when no answer is awaited any more, so that nobody waits for a server.
    void retire();

private:
    void finishRetiring();

    const engine::config::ConnectionProfile m_profile;
    std::unique_ptr<engine::watch::OutboxFeed> m_outbox;
    std::unique_ptr<engine::watch::RowSearchFeed> m_rowSearch;
    std::unique_ptr<engine::watch::QueueFeed> m_queues;
    std::unique_ptr<engine::watch::JobFeed> m_jobs;
    std::unique_ptr<engine::watch::ExecutionFeed> m_executions;
    std::unique_ptr<engine::watch::TraceFeed> m_trace;
    std::unique_ptr<engine::watch::DocumentFeed> m_documents;
    bool m_executionStatsPending = false;
    bool m_executionsPending = false;
    bool m_tablePending = false;
    bool m_statsPending = false;
    bool m_vitalsPending = false;
    bool m_queuesPending = false;
    int m_redisPending = 0; // queues and latency
    bool m_retired = false;
    QElapsedTimer m_clock;
    struct Asked // so far
    {
        quint64 questions = 0;
        qint64 micros = 0; // until they were answered
    };
    struct Look
    {
        qint64 atMs = 0;
        Asked database, redis;
    };
    std::deque<Look> m_looks;
};

} // namespace app
