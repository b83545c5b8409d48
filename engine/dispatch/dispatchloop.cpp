// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dispatchloop.h"

#include <engine/base/logging.h>
#include <engine/bullmq/serverpolicy.h>

#include <QRandomGenerator>

#include <algorithm>

namespace engine::dispatch {

namespace {

// Claimed batches that may wait behind each other: one being delivered, one being settled, one in reserve.
constexpr size_t mostBatches = 3;
// How often a busy dispatcher looks for rows whose dispatcher died.
constexpr std::chrono::seconds expiredLookInterval{5};
// A drain that cannot work for this long gives up.
constexpr std::chrono::seconds drainPatience{60};

sql::ConnectOptions connectOptions(const DispatcherConfig &config, const QByteArray &role)
{
    sql::ConnectOptions options;
    options.url = config.database;
    options.access = sql::Access::ReadWrite;
    options.applicationName = "outbox-console " + role;
    return options;
}

} // namespace

DispatchLoop::DispatchLoop(const DispatcherConfig &config)
    : m_config(config)
    , m_redis(config.redis, this)
    , m_enqueuer(m_redis, config.queuePrefix)
    , m_destination(m_enqueuer, config.layout, config.jobIdTemplate)
    , m_idleTimer(this)
    , m_retryTimer(this)
    , m_reportTimer(this)
    , m_graceTimer(this)
    , m_claimThread(connectOptions(config, "claim"), QStringLiteral("outbox claim"))
    , m_settleThread(connectOptions(config, "settle"), QStringLiteral("outbox settle"))
{
    connect(&m_redis, &redis::Client::ready, this, &DispatchLoop::onRedisReady);
    connect(&m_redis, &redis::Client::closed, this, &DispatchLoop::onRedisClosed);
    m_idleTimer.setSingleShot(true);
    m_idleTimer.setInterval(config.settings.interval);
    connect(&m_idleTimer, &QTimer::timeout, this, &DispatchLoop::work);
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
    if (auto good = QueueDestination::checkTemplate(m_config.jobIdTemplate); !good) {
        end(good.error());
        return;
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
            if (m_config.mode == RunMode::Continuous)
                listenForWakeUps();
        }
        work();
    });
}

void DispatchLoop::onRedisClosed(const Error &error)
{
    m_redisReady = false;
    if (m_ended)
        return;
    if (m_progress.state == DispatcherState::Starting || !error.retryable) {
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
    requestClaim();
    const bool idle = m_batches.empty() && !m_claimPending;
    const bool drained = m_config.mode == RunMode::Drain && m_nothingDue && !m_troubled;
    if (idle && (isStopping() || drained))
        end(std::nullopt);
}

void DispatchLoop::deliver()
{
    for (const BatchPointer &batch : m_batches) {
        // A stop, or a Redis that is away: what was not sent goes back to the table, for whoever can take it.
        if (isStopping() || !m_redisReady)
            batch->releaseUndelivered();
        while (batch->undelivered() > 0 && m_inDelivery < m_config.settings.concurrency) {
            const size_t room = static_cast<size_t>(m_config.settings.concurrency - m_inDelivery);
            const InFlightBatch::Slice slice = batch->takeSlice(std::min(room, QueueDestination::mostRowsPerCall));
            const int rows = static_cast<int>(slice.rows.size());
            m_inDelivery += rows;
            m_destination.deliver(slice.queue, slice.rows,
                                  [this, batch, rows](const QueueDestination::Delivery &delivery) {
                                      m_inDelivery -= rows;
                                      m_progress.duplicates += delivery.duplicates;
                                      batch->record(delivery.outcomes);
                                      if (m_ended)
                                          return;
                                      if (delivery.trouble && m_redisReady)
                                          recover(*delivery.trouble, false);
                                      QMetaObject::invokeMethod(this, &DispatchLoop::work, Qt::QueuedConnection);
                                  });
        }
        if (m_inDelivery >= m_config.settings.concurrency)
            break;
    }
}

void DispatchLoop::requestClaim()
{
    if (m_claimPending || m_troubled || isStopping() || !m_redisReady || m_idleTimer.isActive()
        || (m_config.mode == RunMode::Drain && m_nothingDue) || m_batches.size() >= mostBatches)
        return;
    // Reserve one batch beyond what is being delivered, no more: a claimed row that waits here ages its lease.
    size_t undelivered = 0;
    for (const BatchPointer &batch : m_batches)
        undelivered += batch->undelivered();
    if (undelivered >= static_cast<size_t>(m_config.settings.batchSize))
        return;

    m_claimPending = true;
    const bool lookAtExpired = m_nothingDue || !m_lastExpiredLook.isValid()
        || m_lastExpiredLook.hasExpired(std::chrono::milliseconds(expiredLookInterval).count());
    const int limit = m_config.settings.batchSize;
    m_claimThread
        .run([layout = m_config.layout, lease = m_config.lease, lookAtExpired,
              limit](sql::Connection &connection) -> Result<outbox::ClaimBatch> {
            outbox::Claims claims(connection, layout, lease);
            if (lookAtExpired) {
                auto expired = claims.claimExpired(limit);
                if (!expired || !expired->rows.empty())
                    return expired;
            }
            auto due = claims.claimDue(limit);
            // Nothing waits: a last look at what others left behind, so that "nothing due" is the truth.
            return due && due->rows.empty() && !lookAtExpired ? claims.claimExpired(limit) : due;
        })
        .then(this, [this, lookAtExpired](const Result<outbox::ClaimBatch> &claimed) {
            if (lookAtExpired || (claimed && claimed->rows.empty()))
                m_lastExpiredLook.start();
            onClaimed(claimed);
        });
}

void DispatchLoop::onClaimed(const Result<outbox::ClaimBatch> &claimed)
{
    m_claimPending = false;
    if (m_ended)
        return;
    if (!claimed) {
        const Error &error = claimed.error();
        if (!error.retryable || !m_everWorked)
            end(error);
        else
            recover(error, false);
        return;
    }
    m_everWorked = true;
    m_nothingDue = claimed->rows.empty();
    if (m_nothingDue) {
        if (m_config.mode == RunMode::Continuous && !std::exchange(m_wakeUpMissed, false))
            m_idleTimer.start();
    } else {
        m_progress.claimed += static_cast<qint64>(claimed->rows.size());
        m_progress.inFlight += static_cast<int>(claimed->rows.size());
        auto batch = std::make_shared<InFlightBatch>(*claimed, m_config.router, m_config.layout.kind);
        for (const QByteArray &type : batch->unroutedTypes()) {
            if (m_unroutedLogged.contains(type) || m_unroutedLogged.size() > 1000)
                continue;
            m_unroutedLogged.insert(type);
            log(LogEntry::Level::Error, tr("No route takes the event type %1.").arg(QString::fromUtf8(type)));
        }
        m_batches.push_back(std::move(batch));
    }
    work();
}

void DispatchLoop::settleComplete()
{
    if (m_settlePending || m_settleBlocked)
        return;
    const auto complete =
        std::ranges::find_if(m_batches, [](const BatchPointer &batch) { return batch->isComplete(); });
    if (complete != m_batches.end())
        settle(*complete);
}

void DispatchLoop::settle(const BatchPointer &batch)
{
    m_settlePending = true;
    m_settleThread
        .run([layout = m_config.layout, maxRetries = m_config.settings.maxRetries, token = batch->token(),
              outcomes = batch->outcomes()](sql::Connection &connection) {
            return outbox::Settler(connection, layout, maxRetries).settle(token, outcomes);
        })
        .then(this, [this, batch](const Result<outbox::SettleCounts> &settled) { onSettled(batch, settled); });
}

void DispatchLoop::onSettled(const BatchPointer &batch, const Result<outbox::SettleCounts> &settled)
{
    m_settlePending = false;
    if (m_ended)
        return;
    if (!settled) {
        // The batch stays: settling again later is safe, the fence turns a late one into leaseLost.
        m_settleBlocked = true;
        if (!settled.error().retryable)
            end(settled.error());
        else
            recover(settled.error(), false);
        return;
    }
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
    if (settled->released > 0)
        m_nothingDue = false; // they are due again
    std::erase(m_batches, batch);
    work();
}

void DispatchLoop::listenForWakeUps()
{
    if (!m_listenThread)
        m_listenThread = std::make_unique<sql::ConnectionThread>(connectOptions(m_config, "listen"),
                                                                 QStringLiteral("outbox listen"));
    // A hint only: whatever goes wrong here costs latency, the idle timer looks anyway.
    m_listenThread
        ->run([](sql::Connection &connection) -> Result<bool> {
            if (auto listening = connection.execute("LISTEN outbox_wakeup"); !listening)
                return fail(listening.error());
            return connection.waitForNotification(std::chrono::seconds(30));
        })
        .then(this, [this](const Result<bool> &notified) {
            if (m_ended || isStopping())
                return;
            if (!notified) {
                QTimer::singleShot(std::chrono::seconds(5), this, &DispatchLoop::listenForWakeUps);
                return;
            }
            listenForWakeUps();
            if (!*notified)
                return;
            m_wakeUpMissed = m_claimPending;
            m_idleTimer.stop();
            work();
        });
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
    m_idleTimer.stop();
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
    m_idleTimer.stop();
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
    for (QTimer *timer : {&m_idleTimer, &m_retryTimer, &m_reportTimer, &m_graceTimer})
        timer->stop();
    m_redis.close();
    m_claimThread.interrupt();
    m_settleThread.interrupt();
    if (m_listenThread)
        m_listenThread->interrupt();
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
