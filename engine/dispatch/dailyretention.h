// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "dispatcher.h"

#include <engine/outbox/retention.h>
#include <engine/transport/sql/connectionthread.h>

#include <QTimer>

namespace engine::dispatch {

// The daily removal of old handed-over rows beside a running dispatcher: one bounded run (outbox::Retention) soon
// after the start and then every day, at times that differ from dispatcher to dispatcher. While another runner is at
// work on the table the day's run is left to it. A failed run changes nothing for the dispatcher; it is logged and
// tried again in an hour.
// Lives in the dispatch thread and only keeps the time there: the database is asked in a thread of its own.
class DailyRetention final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DailyRetention)

public:
    explicit DailyRetention(const DispatcherConfig &config);

    // The first run is scheduled when the dispatcher runs for the first time; none begins while it is away or stops.
    void follow(const engine::dispatch::Progress &progress);

signals:
    void changed(const engine::dispatch::RetentionStatus &status);
    void logged(const engine::dispatch::LogEntry &entry);

private:
    void schedule(std::chrono::milliseconds after, std::chrono::milliseconds spread);
    void runNow();
    void onRun(const Result<outbox::RetentionRun> &run);
    void log(LogEntry::Level level, const QString &text);

    const outbox::Layout m_layout;
    const outbox::RetentionRule m_rule;
    const RetentionSchedule m_schedule;
    bool m_isWorking = false; // the dispatcher
    bool m_isDue = false; // the time came while the dispatcher was not working
    outbox::RetentionPosition m_position;
    RetentionStatus m_status;
    QTimer m_timer;
    sql::ConnectionThread m_thread; // last, so that it ends first
};

} // namespace engine::dispatch
