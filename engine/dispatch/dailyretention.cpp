// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dailyretention.h"

#include <engine/base/logging.h>

#include <QRandomGenerator>

namespace engine::dispatch {

namespace {

sql::ConnectOptions connectOptions(const DispatcherConfig &config)
{
    sql::ConnectOptions options;
    options.url = config.database;
    options.access = sql::Access::ReadWrite;
    options.applicationName = "outbox-console retention";
    return options;
}

} // namespace

DailyRetention::DailyRetention(const DispatcherConfig &config)
    : m_layout(config.layout)
    , m_rule{config.settings.doneRetention, config.settings.doneRetentionBatchSize}
    , m_schedule(config.retention)
    , m_timer(this)
    , m_thread(connectOptions(config), QStringLiteral("outbox retention"))
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::VeryCoarseTimer);
    connect(&m_timer, &QTimer::timeout, this, &DailyRetention::runNow);
}

void DailyRetention::follow(const Progress &progress)
{
    m_isWorking = progress.state == DispatcherState::Running;
    if (m_isWorking && !m_status.nextRun)
        schedule(m_schedule.firstAfter, m_schedule.spread);
    if (m_isWorking && std::exchange(m_isDue, false))
        runNow();
}

void DailyRetention::schedule(std::chrono::milliseconds after, std::chrono::milliseconds spread)
{
    const qint64 most = std::max<qint64>(1, spread.count());
    const std::chrono::milliseconds wait = after + std::chrono::milliseconds(QRandomGenerator::global()->bounded(most));
    m_timer.start(wait);
    m_status.nextRun = QDateTime::currentDateTimeUtc().addMSecs(wait.count());
    emit changed(m_status);
}

void DailyRetention::runNow()
{
    if (!m_isWorking) {
        m_isDue = true; // when the dispatcher works again
        return;
    }
    m_thread
        .run([layout = m_layout, rule = m_rule, position = m_position](sql::Connection &connection) {
            return outbox::Retention(connection, layout).run(rule, position, outbox::RetentionCompany::Alone);
        })
        .then(this, [this](const Result<outbox::RetentionRun> &run) { onRun(run); });
}

void DailyRetention::onRun(const Result<outbox::RetentionRun> &run)
{
    if (!run) {
        ++m_status.failures;
        m_status.trouble = run.error().text();
        log(LogEntry::Level::Warning, tr("Retention removed nothing: %1").arg(run.error().text()));
        schedule(m_schedule.again, m_schedule.spread);
        return;
    }
    m_status.trouble.clear();
    if (run->isBusy) {
        log(LogEntry::Level::Info, tr("Retention is at work in another dispatcher; today's run is left to it."));
    } else {
        m_position = run->next;
        m_status.lastRun = QDateTime::currentDateTimeUtc();
        m_status.lastRemoved = run->removed;
        m_status.removed += run->removed;
        if (run->removed >= m_rule.batchSize)
            log(LogEntry::Level::Warning,
                tr("Retention removed %1 rows, the most one run may remove; there may be more "
                   "(OUTBOX_DONE_RETENTION_BATCH_SIZE).")
                    .arg(run->removed));
        else
            log(LogEntry::Level::Info, tr("Retention removed rows: %1.").arg(run->removed));
    }
    schedule(m_schedule.every, m_schedule.spread);
}

void DailyRetention::log(LogEntry::Level level, const QString &text)
{
    if (level == LogEntry::Level::Info)
        qCInfo(lcDispatch).noquote() << text;
    else
        qCWarning(lcDispatch).noquote() << text;
    emit logged({QDateTime::currentDateTimeUtc(), level, text});
}

} // namespace engine::dispatch
