// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "router.h"

#include <engine/base/error.h>
#include <engine/config/dispatchersettings.h>
#include <engine/outbox/layout.h>
#include <engine/outbox/orderrule.h>
#include <engine/transport/redis/endpoint.h>
#include <engine/transport/sql/databaseurl.h>

#include <QDateTime>
#include <QObject>
#include <QThread>

#include <memory>
#include <optional>

namespace engine::dispatch {

enum class DispatcherState {
    Stopped,
    Starting, // connecting
    Running, // handing over, or waiting for the next due row
    Recovering, // PostgreSQL or Redis is away; trying again, nothing is charged
    Stopping, // no new claims; what is in flight is being settled
};

enum class RunMode {
    Continuous, // until stop()
    Drain, // until nothing is due; does not wait for other dispatchers' leases
};

// Totals since start() and what is going on now.
struct Progress
{
    DispatcherState state = DispatcherState::Stopped;
    qint64 claimed = 0;
    qint64 handedOver = 0; // settled as DONE or sent, duplicates included
    qint64 duplicates = 0; // of these, the job was there already
    qint64 retried = 0;
    qint64 dead = 0;
    qint64 leaseLost = 0; // settled too late: somebody else holds the row, nothing was changed
    qint64 released = 0; // given back unattempted
    qint64 unclaimable = 0; // due, but the database refuses to let them be claimed
    int inFlight = 0; // claimed and not settled yet
    qint64 lastLook = -1; // when the database last answered, in milliseconds since start(); -1: never
    double seconds = 0; // since start()
    QString trouble; // what keeps it from working now; empty: nothing
};

struct LogEntry
{
    enum class Level { Info, Warning, Error };

    QDateTime at; // UTC
    Level level = Level::Info;
    QString text;
};

struct DispatcherConfig
{
    sql::DatabaseUrl database;
    redis::Endpoint redis;
    outbox::Layout layout;
    Router router;
    outbox::OrderRule order;
    config::DispatcherSettings settings;
    QByteArray queuePrefix = "bull";
    QByteArray jobIdTemplate = "outbox:{id}"; // must hold {id} exactly once
    std::chrono::seconds lease{300};
    std::chrono::seconds stopGrace{10};
    RunMode mode = RunMode::Continuous;
    bool allowEviction = false; // run although Redis may evict keys and so lose jobs
};

class DispatchLoop;

// The dispatcher as its owner sees it: start it, watch it, stop it. The work runs in threads of its own; signals
// arrive in the thread of this object. Used the same by the window and the command line.
class Dispatcher final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Dispatcher)

public:
    explicit Dispatcher(QObject *parent = nullptr);
    ~Dispatcher() override; // stops and waits, at most the grace time

    // One run at a time; a call while not Stopped does nothing.
    void start(const DispatcherConfig &config);
    // Graceful: no new claims, in-flight work settles within the grace time, the rest is released.
    void stop();

    [[nodiscard]] const Progress &progress() const { return m_progress; }

signals:
    void progressed(const engine::dispatch::Progress &progress); // at every change of state, else twice a second
    void logged(const engine::dispatch::LogEntry &entry);
    // The run ended: after a drain, after stop(), or because it could not start (failure set).
    void finished(const std::optional<engine::Error> &failure);

private:
    void finishRun();

    std::unique_ptr<QThread> m_thread; // null while stopped
    DispatchLoop *m_loop = nullptr; // lives in m_thread
    std::optional<Error> m_failure; // why the run ended, until it is told
    Progress m_progress;
};

} // namespace engine::dispatch
