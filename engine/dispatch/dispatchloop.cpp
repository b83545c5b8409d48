// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dispatchloop.h"

#include <engine/base/crashpoint.h>
#include <engine/base/logging.h>
#include <engine/bullmq/serverpolicy.h>

#include <QRandomGenerator>

#include <algorithm>

namespace engine::dispatch {

namespace {

// With a backlog the next claim is asked for before the last one is answered, so that its connection never idles.
constexpr size_t claimsInBacklog = 2;
// Claimed batches that may wait behind each other: one being settled, one being delivered, and those in reserve.
constexpr size_t mostBatches = 2 + claimsInBacklog;
// A drain that cannot work for this long gives up.
constexpr std::chrono::seconds drainPatience{60};
// Big payloads that may be in memory at once, unless a single one is bigger.
constexpr qint64 fetchBudget = 16'000'000;
// Each call is about a megabyte at most.
constexpr int mostCallsInDelivery = 16;

sql::ConnectOptions connectOptions(const DispatcherConfig &config, const QByteArray &role)
{
    sql::ConnectOptions options;
    options.url = config.database;
    options.access = sql::Access::ReadWrite;
    options.applicationName = "outbox-console " + role;
    return options;
}

sql::ConnectOptions claimOptions(const DispatcherConfig &config)
{
    sql::ConnectOptions options = connectOptions(config, "claim");
    options.settings = outbox::claimSettings();
    return options;
}

} // namespace

DispatchLoop::DispatchLoop(const DispatcherConfig &config)
    : m_config(config)
    , m_redis(config.redis, this)
    , m_enqueuer(m_redis, config.queuePrefix)
    , m_destination(m_enqueuer, config.layout, config.jobIdTemplate)
    , m_retryTimer(this)
    , m_reportTimer(this)
    , m_graceTimer(this)
    , m_claimMemory(outbox::Claims::memory(config.layout, {config.lease, config.order, true}))
    , m_claimThread(claimOptions(config), QStringLiteral("outbox claim"))
    , m_settleThread(connectOptions(config, "settle"), QStringLiteral("outbox settle"))
    , m_leaseKeeper(connectOptions(config, "renew"), config.layout, config.lease, m_batches, this)
    , m_watch(m_claimThread, m_claimMemory, Pacing(config.settings.interval, config.settings.adaptivePolling), this)
{
    connect(&m_redis, &redis::Client::ready, this, &DispatchLoop::onRedisReady);
    connect(&m_redis, &redis::Client::closed, this, &DispatchLoop::onRedisClosed);
    m_retryTimer.setSingleShot(true);
    connect(&m_retryTimer, &QTimer::timeout, this, &DispatchLoop::retryNow);
    m_reportTimer.setInterval(std::chrono::milliseconds(500));
    connect(&m_reportTimer, &QTimer::timeout, this, &DispatchLoop::report);
    m_graceTimer.setSingleShot(true);
    m_graceTimer.setInterval(config.stopGrace);
    connect(&m_graceTimer, &QTimer::timeout, this, [this] {
        log(LogEntry::Level::Warning,
            tr("The grace time is over; rows that stay claimed until their lease ends: %1.").arg(m_progress.inFlight));
        end(std::nullopt);
    });
    connect(&m_leaseKeeper, &LeaseKeeper::rowsLost, this, [this](int rows) {
        log(LogEntry::Level::Warning,
            tr("Rows that somebody else has taken over before they were handed over: %1.").arg(rows));
        workSoon();
    });
    connect(&m_leaseKeeper, &LeaseKeeper::failed, this, [this](const Error &error) {
        log(LogEntry::Level::Warning, tr("A lease could not be renewed: %1").arg(error.text()));
    });
    connect(&m_watch, &DueWatch::due, this, &DispatchLoop::work);
    connect(&m_watch, &DueWatch::looked, this, &DispatchLoop::onDatabaseWorks);
    connect(&m_watch, &DueWatch::failed, this, [this](const Error &error) { recover(error, false); });
    connect(&m_watch, &DueWatch::pooled, this, [this] {
        if (!std::exchange(m_pooledLogged, true))
            log(LogEntry::Level::Info,
                tr("The database is reached through a pooler, which keeps notifications to itself: new rows are found "
                   "by looking."));
    });
}

DispatchLoop::~DispatchLoop()
{
    m_redis.disconnect(this);
}

void DispatchLoop::start()
{
    m_runTime.start();
    m_reportTimer.start();
    setState(DispatcherState::Starting);
    for (const auto &good :
         {QueueDestination::checkTemplate(m_config.jobIdTemplate), m_config.order.checkAgainst(m_config.layout)}) {
        if (!good) {
            end(good.error());
            return;
        }
    }
    m_redis.open();
}

void DispatchLoop::onRedisReady()
{
    bullmq::checkEvictionPolicy(m_redis, [this](const Result<void> &policy) {
        if (!policy && policy.error().code == ErrorCode::Refused && !m_config.allowEviction) {
            end(policy.error());
            return;
        }
        if (!policy && policy.error().code != ErrorCode::Refused)
            return; // the connection went away again: onRedisClosed() has it
        m_redisReady = true;
        if (m_troubled) {
            retryNow();
        } else if (m_progress.state == DispatcherState::Starting) {
            log(LogEntry::Level::Info,
                tr("Started on %1, handing over to the queues at %2.")
                    .arg(m_config.layout.displayName(), m_config.redis.display));
            setState(DispatcherState::Running);
            m_leaseKeeper.start();
            if (!isDrain())
                m_watch.listen(connectOptions(m_config, "listen"), m_config.layout);
        }
        work();
    });
}

void DispatchLoop::onRedisClosed(const Error &error)
{
    m_redisReady = false;
    if (m_ended)
        return;
    if (m_progress.state == DispatcherState::Starting || (isDrain() && !error.retryable)) {
        end(error);
        return;
    }
    recover(error, true);
}

void DispatchLoop::work()
{
    if (m_ended)
        return;
    deliver();
    settleComplete();
    while (mayClaim())
        claim();
    const bool idle = m_batches.empty() && m_pendingClaims == 0;
    const bool drained = isDrain() && m_nothingDue && !m_troubled;
    if (idle && (isStopping() || drained))
        end(std::nullopt);
}

void DispatchLoop::workSoon()
{
    QMetaObject::invokeMethod(this, &DispatchLoop::work, Qt::QueuedConnection);
}

void DispatchLoop::deliver()
{
    for (const BatchPointer &batch : m_batches) {
        // A stop, or a Redis that is away: what was not sent goes back to the table, for whoever can take it. So does
        // the rest of a batch whose lease could not be renewed: its settling might come too late.
        if (batch->undelivered() > 0 && (isStopping() || !m_redisReady || !batch->isHeld()))
            batch->releaseUndelivered();
        deliver(batch);
        if (m_inDelivery >= m_config.settings.concurrency)
            break;
    }
}

void DispatchLoop::deliver(const BatchPointer &batch)
{
    while (batch->undelivered() > 0 && m_inDelivery < m_config.settings.concurrency
           && m_callsInDelivery < mostCallsInDelivery) {
        const size_t room = static_cast<size_t>(m_config.settings.concurrency - m_inDelivery);
        const InFlightBatch::Slice slice = batch->takeSlice(std::min(room, QueueDestination::mostRowsPerCall));
        if (slice.rows.empty()) {
            fetchPayloads(batch);
            return;
        }
        m_inDelivery += static_cast<int>(slice.rows.size());
        ++m_callsInDelivery;
        m_destination.deliver(
            slice.queue, slice.rows,
            [this, batch, slice](const QueueDestination::Delivery &delivery) { onDelivered(batch, slice, delivery); });
    }
}

void DispatchLoop::onDelivered(const BatchPointer &batch, const InFlightBatch::Slice &slice,
                               const QueueDestination::Delivery &delivery)
{
    crashPoint("after_enqueue");
    m_inDelivery -= static_cast<int>(slice.rows.size());
    --m_callsInDelivery;
    m_fetchedBytes -= slice.fetchedBytes;
    m_progress.duplicates += delivery.duplicates;
    batch->record(slice, delivery.outcomes);
    if (m_ended)
        return;
    if (delivery.trouble && m_redisReady)
        recover(*delivery.trouble, false);
    workSoon();
}

void DispatchLoop::fetchPayloads(const BatchPointer &batch)
{
    if (!batch->waitsForPayload() || m_fetchedBytes >= fetchBudget)
        return;
    const InFlightBatch::Pending pending = batch->takePending(fetchBudget - m_fetchedBytes);
    m_fetchedBytes += pending.bytes;
    m_claimThread
        .run([memory = m_claimMemory, ids = pending.ids](sql::Connection &connection) {
            return outbox::Claims(connection, memory).payloads(ids);
        })
        .then(this, [this, batch, bytes = pending.bytes](Result<std::vector<outbox::Payload>> payloads) {
            m_fetchedBytes -= bytes;
            if (m_ended)
                return;
            if (payloads) {
                m_fetchedBytes += batch->payloadsArrived(std::move(*payloads));
                work();
                return;
            }
            batch->payloadsFailed();
            batch->releaseUndelivered();
            recover(payloads.error(), false);
            workSoon();
        });
}

bool DispatchLoop::mayClaim() const
{
    if (m_ended || m_troubled || isStopping() || !m_redisReady || m_watch.isResting() || (isDrain() && m_nothingDue))
        return false;
    if (m_batches.size() + m_pendingClaims >= mostBatches || (m_probing && (m_pendingClaims > 0 || m_settlePending)))
        return false;
    const size_t ahead = m_backlog ? claimsInBacklog : 1;
    if (m_pendingClaims >= ahead)
        return false;
    // No more in reserve than that: a claimed row that waits here ages its lease.
    const auto batchSize = static_cast<size_t>(m_config.settings.batchSize);
    size_t undelivered = m_pendingClaims * batchSize;
    for (const BatchPointer &batch : m_batches)
        undelivered += batch->undelivered();
    return undelivered < ahead * batchSize;
}

void DispatchLoop::claim()
{
    ++m_pendingClaims;
    QElapsedTimer requested;
    requested.start();
    const auto thoroughness = isDrain() ? outbox::Claims::Thoroughness::Complete : outbox::Claims::Thoroughness::Usual;
    m_claimThread
        .run([memory = m_claimMemory, limit = m_config.settings.batchSize,
              thoroughness](sql::Connection &connection) -> Result<std::shared_ptr<outbox::ClaimBatch>> {
            auto batch = outbox::Claims(connection, memory).claimNext(limit, thoroughness);
            if (!batch)
                return fail(batch.error());
            return std::make_shared<outbox::ClaimBatch>(std::move(*batch));
        })
        .then(this, [this, requested](const Result<std::shared_ptr<outbox::ClaimBatch>> &claimed) {
            --m_pendingClaims;
            if (!m_ended)
                onClaimed(claimed, requested);
        });
}

void DispatchLoop::onClaimed(const Result<std::shared_ptr<outbox::ClaimBatch>> &claimed, const QElapsedTimer &requested)
{
    if (!claimed) {
        if (!m_everWorked || endsRun(claimed.error()))
            end(claimed.error());
        else
            recover(claimed.error(), false);
        return;
    }
    m_everWorked = true;
    onDatabaseWorks();
    const outbox::ClaimBatch &found = **claimed;
    const bool hasUnclaimable = !found.unclaimable.empty();
    logUnclaimable(found.unclaimable);
    const size_t rows = found.rows.size();
    m_backlog = rows >= static_cast<size_t>(m_config.settings.batchSize);
    m_nothingDue = rows == 0 && !hasUnclaimable && m_pendingClaims == 0;
    m_watch.claimed(rows);
    if (rows > 0) {
        crashPoint("after_claim");
        m_progress.claimed += static_cast<qint64>(rows);
        m_progress.inFlight += static_cast<int>(rows);
        auto batch = std::make_shared<InFlightBatch>(std::move(**claimed), m_config.router, m_config.layout.kind,
                                                     requested, std::chrono::milliseconds(m_config.lease));
        for (const QByteArray &type : batch->unroutedTypes()) {
            if (m_unroutedLogged.contains(type) || m_unroutedLogged.size() > 1000)
                continue;
            m_unroutedLogged.insert(type);
            log(LogEntry::Level::Error, tr("No route takes the event type %1.").arg(QString::fromUtf8(type)));
        }
        m_batches.push_back(std::move(batch));
    }
    const bool mayBeMore = m_backlog || m_pendingClaims > 0 || hasUnclaimable;
    if (!isDrain() && !isStopping() && !m_troubled && !mayBeMore)
        m_watch.rest();
    work();
}

void DispatchLoop::logUnclaimable(const std::vector<outbox::UnclaimableRow> &rows)
{
    m_progress.unclaimable += static_cast<qint64>(rows.size());
    for (const outbox::UnclaimableRow &row : rows)
        log(LogEntry::Level::Error,
            tr("The row %1 cannot be claimed and is left alone for a while: %2")
                .arg(QString::fromUtf8(row.id), row.error.text()));
}

void DispatchLoop::settleComplete()
{
    if (m_settlePending || m_settleBlocked || (m_probing && m_pendingClaims > 0))
        return;
    const auto complete =
        std::ranges::find_if(m_batches, [](const BatchPointer &batch) { return batch->isComplete(); });
    if (complete != m_batches.end())
        settle(*complete);
}

void DispatchLoop::settle(const BatchPointer &batch)
{
    crashPoint("before_done");
    m_settlePending = true;
    batch->setSettling(true);
    m_settleThread
        .run([layout = m_config.layout, maxRetries = m_config.settings.maxRetries, tokens = batch->tokens(),
              outcomes = batch->outcomes()](sql::Connection &connection) {
            return outbox::Settler(connection, layout, maxRetries).settle(tokens, outcomes);
        })
        .then(this, [this, batch](const Result<outbox::SettleCounts> &settled) {
            m_settlePending = false;
            batch->setSettling(false);
            if (!m_ended)
                onSettled(batch, settled);
        });
}

void DispatchLoop::onSettled(const BatchPointer &batch, const Result<outbox::SettleCounts> &settled)
{
    if (!settled) {
        // The batch stays: settling again later is safe, the fence turns a late one into leaseLost.
        m_settleBlocked = true;
        if (endsRun(settled.error()))
            end(settled.error());
        else
            recover(settled.error(), false);
        return;
    }
    crashPoint("after_done");
    onDatabaseWorks();
    m_progress.inFlight -= static_cast<int>(batch->size());
    m_progress.handedOver += settled->handedOver;
    m_progress.retried += settled->retried;
    m_progress.dead += settled->dead;
    m_progress.released += settled->released;
    m_progress.leaseLost += settled->leaseLost;
    if (settled->leaseLost > 0)
        log(LogEntry::Level::Warning,
            tr("Rows settled too late, so that nothing was changed: %1.").arg(settled->leaseLost));
    if (settled->dead > 0)
        log(LogEntry::Level::Error, tr("New dead letters: %1.").arg(settled->dead));
    for (const auto &[id, error] : settled->refused)
        log(LogEntry::Level::Error,
            tr("The outcome of row %1 cannot be stored; it stays claimed until its lease ends: %2")
                .arg(QString::fromUtf8(id), error.text()));
    if (settled->released > 0)
        m_nothingDue = false; // they are due again
    std::erase(m_batches, batch);
    work();
}

bool DispatchLoop::endsRun(const Error &error) const
{
    // A service outlives even a dropped table or a changed password: whoever mends it finds it running, and not ready.
    return isDrain() && !error.retryable;
}

void DispatchLoop::onDatabaseWorks()
{
    m_probing = false;
    m_progress.lastLook = m_runTime.elapsed();
}

void DispatchLoop::recover(const Error &error, bool redisIsDown)
{
    if (!m_troubled) {
        m_troubled = true;
        m_troubledSince.start();
        m_retryCount = 0;
        log(LogEntry::Level::Error, error.text());
    }
    m_progress.trouble = error.text();
    m_probing = true;
    m_watch.cancel();
    if (!isStopping())
        setState(DispatcherState::Recovering);
    if (m_config.mode == RunMode::Drain
        && m_troubledSince.hasExpired(std::chrono::milliseconds(drainPatience).count())) {
        end(error);
        return;
    }
    if (!m_retryTimer.isActive()) {
        // 1, 2, 4, 5, 5 ... seconds, each with up to half of it more: many dispatchers do not come back in step.
        const int base = std::min(1000 << std::min(m_retryCount++, 4), 5000);
        m_retryTimer.start(base + static_cast<int>(QRandomGenerator::global()->bounded(base / 2)));
    }
    if (redisIsDown)
        work(); // releases what cannot be delivered now
}

void DispatchLoop::retryNow()
{
    if (m_ended)
        return;
    m_settleBlocked = false;
    if (!m_redisReady) {
        m_redis.open(); // then onRedisReady() or onRedisClosed()
        work(); // outcomes are written all the same
        return;
    }
    m_retryTimer.stop();
    m_troubled = false;
    m_nothingDue = false;
    if (!m_progress.trouble.isEmpty()) {
        log(LogEntry::Level::Info, tr("Trying again."));
        m_progress.trouble.clear();
    }
    if (!isStopping())
        setState(DispatcherState::Running);
    work();
}

void DispatchLoop::stop()
{
    if (m_ended || isStopping())
        return;
    log(LogEntry::Level::Info, tr("Stopping: no new claims, what is in flight is settled."));
    setState(DispatcherState::Stopping);
    m_watch.cancel();
    m_graceTimer.start();
    if (m_troubled)
        retryNow();
    work();
}

void DispatchLoop::end(const std::optional<Error> &failure)
{
    if (m_ended)
        return;
    m_ended = true;
    for (QTimer *timer : {&m_retryTimer, &m_reportTimer, &m_graceTimer})
        timer->stop();
    m_redis.close();
    m_claimThread.interrupt();
    m_settleThread.interrupt();
    m_leaseKeeper.interrupt();
    m_watch.interrupt();
    report();
    if (failure)
        log(LogEntry::Level::Error, failure->text());
    else
        log(LogEntry::Level::Info, tr("Stopped."));
    m_progress.trouble.clear();
    setState(DispatcherState::Stopped);
    emit ended(failure);
}

void DispatchLoop::setState(DispatcherState state)
{
    m_progress.state = state;
    m_progress.seconds = static_cast<double>(m_runTime.nsecsElapsed()) / 1e9;
    emit progressed(m_progress);
}

void DispatchLoop::report()
{
    m_progress.seconds = static_cast<double>(m_runTime.nsecsElapsed()) / 1e9;
    emit progressed(m_progress);
    const qint64 handedOver = m_progress.handedOver - m_reported.handedOver;
    const qint64 duplicates = m_progress.duplicates - m_reported.duplicates;
    if (handedOver > 0) {
        const QString text = duplicates > 0
            ? tr("Handed over: %1, of which %2 had their job already.").arg(handedOver).arg(duplicates)
            : tr("Handed over: %1.").arg(handedOver);
        log(LogEntry::Level::Info, text);
    }
    m_reported = m_progress;
}

void DispatchLoop::log(LogEntry::Level level, const QString &text)
{
    switch (level) {
    case LogEntry::Level::Info:
        qCInfo(lcDispatch).noquote() << text;
        break;
    case LogEntry::Level::Warning:
        qCWarning(lcDispatch).noquote() << text;
        break;
    case LogEntry::Level::Error:
        qCCritical(lcDispatch).noquote() << text;
        break;
    }
    emit logged({QDateTime::currentDateTimeUtc(), level, text});
}

} // namespace engine::dispatch
