// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dispatcher.h"
#include "duewatch.h"
#include "inflightbatch.h"
#include "leasekeeper.h"
#include "queuedestination.h"

#include <engine/bullmq/enqueuer.h>
#include <engine/outbox/claims.h>
#include <engine/outbox/settler.h>
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connectionthread.h>

#include <QElapsedTimer>
#include <QSet>
#include <QTimer>

#include <deque>
#include <memory>

namespace engine::dispatch {

// The run of a dispatcher: claim, deliver and settle overlap. Claims and settles each have a connection and a
// thread; deliveries are pipelined over one Redis connection in this object's thread. Nothing here waits.
//
//   claim thread ──batch──► this thread ──jobs──► Redis ──replies──► this thread ──outcomes──► settle thread
class DispatchLoop final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DispatchLoop)

public:
    explicit DispatchLoop(const DispatcherConfig &config);
    ~DispatchLoop() override;

    void start();
    void stop();

signals:
    void progressed(const engine::dispatch::Progress &progress);
    void logged(const engine::dispatch::LogEntry &entry);
    void ended(const std::optional<engine::Error> &failure); // once; nothing runs any more

private:
    using BatchPointer = std::shared_ptr<InFlightBatch>;
    void onRedisReady();
    void onRedisClosed(const Error &error);
    void work(); // does whatever can be done now; called after everything that changes something
    void workSoon();
    void deliver();
    void deliver(const BatchPointer &batch);
    void onDelivered(const BatchPointer &batch, const InFlightBatch::Slice &slice,
                     const QueueDestination::Delivery &delivery);
    void fetchPayloads(const BatchPointer &batch);
    [[nodiscard]] bool mayClaim() const;
    void claim();
    void onClaimed(const Result<std::shared_ptr<outbox::ClaimBatch>> &claimed, const QElapsedTimer &requested);
    void logUnclaimable(const std::vector<outbox::UnclaimableRow> &rows);
    void settleComplete();
    void settle(const BatchPointer &batch);
    void onSettled(const BatchPointer &batch, const Result<outbox::SettleCounts> &settled);
    void recover(const Error &error, bool redisIsDown);
    void retryNow();
    void onDatabaseWorks();
    [[nodiscard]] bool endsRun(const Error &error) const;
    void end(const std::optional<Error> &failure);
    void setState(DispatcherState state);
    void report();
    void log(LogEntry::Level level, const QString &text);
    [[nodiscard]] bool isStopping() const { return m_progress.state == DispatcherState::Stopping; }
    [[nodiscard]] bool isDrain() const { return m_config.mode == RunMode::Drain; }

    const DispatcherConfig m_config;
    redis::Client m_redis;
    bullmq::Enqueuer m_enqueuer;
    QueueDestination m_destination;

    std::deque<BatchPointer> m_batches; // claimed and not settled, oldest first
    int m_inDelivery = 0; // rows sent to Redis without a reply
    int m_callsInDelivery = 0;
    qint64 m_fetchedBytes = 0; // big payloads in memory or on their way into it
    size_t m_pendingClaims = 0; // asked for and not answered
    bool m_settlePending = false;
    bool m_redisReady = false;
    bool m_backlog = false; // the last claim was full
    bool m_nothingDue = false; // the last look found nothing; for a drain: time to end
    bool m_troubled = false; // Recovering: no claims before m_retryTimer
    bool m_probing = false; // after a trouble: one database call at a time until one succeeds
    bool m_settleBlocked = false; // the last settle failed: none before m_retryTimer
    bool m_ended = false;
    bool m_pooledLogged = false;
    bool m_everWorked = false; // a claim succeeded: failures from now on are passing ones
    int m_retryCount = 0;
    QElapsedTimer m_troubledSince;
    QElapsedTimer m_runTime;
    QTimer m_retryTimer;
    QTimer m_reportTimer;
    QTimer m_graceTimer;
    Progress m_progress;
    Progress m_reported; // as of the last log line
    QSet<QByteArray> m_unroutedLogged;

    // Last, so that their threads end first.
    const std::shared_ptr<outbox::ClaimMemory> m_claimMemory; // used in m_claimThread
    sql::ConnectionThread m_claimThread;
    sql::ConnectionThread m_settleThread;
    LeaseKeeper m_leaseKeeper;
    DueWatch m_watch; // a drain does not use it
};

} // namespace engine::dispatch
