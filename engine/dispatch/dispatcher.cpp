// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dispatcher.h"

#include "dailyretention.h"
#include "dispatchloop.h"

namespace engine::dispatch {

Dispatcher::Dispatcher(QObject *parent)
    : QObject(parent)
{ }

Dispatcher::~Dispatcher()
{
    if (!m_thread)
        return;
    // Nobody listens any more, but rows in flight still deserve their outcome: the loop ends its thread itself.
    m_loop->disconnect(this);
    stop();
    m_thread->wait();
}

void Dispatcher::start(const DispatcherConfig &config)
{
    if (m_thread)
        return;
    m_thread = std::make_unique<QThread>();
    m_thread->setObjectName(QStringLiteral("outbox dispatch"));
    m_loop = new DispatchLoop(config);
    m_loop->moveToThread(m_thread.get());
    m_retention = {};
    if (config.mode == RunMode::Continuous)
        startRetention(config);
    connect(m_thread.get(), &QThread::started, m_loop, &DispatchLoop::start);
    connect(m_thread.get(), &QThread::finished, m_loop, &QObject::deleteLater);
    connect(m_loop, &DispatchLoop::progressed, this, [this](const Progress &progress) {
        m_progress = progress;
        emit progressed(progress);
    });
    connect(m_loop, &DispatchLoop::logged, this, &Dispatcher::logged);
    connect(m_loop, &DispatchLoop::ended, this, [this](const std::optional<Error> &failure) { m_failure = failure; });
    // Its connections end with the loop, which may take as long as a name look-up: nobody waits for that here.
    connect(m_loop, &QObject::destroyed, this, &Dispatcher::finishRun);
    // Direct: quits the loop's own thread even when this object's thread is waiting for it.
    connect(m_loop, &DispatchLoop::ended, m_thread.get(), &QThread::quit, Qt::DirectConnection);
    m_thread->start();
}

void Dispatcher::startRetention(const DispatcherConfig &config)
{
    auto *daily = new DailyRetention(config);
    daily->moveToThread(m_thread.get());
    connect(m_loop, &DispatchLoop::progressed, daily, &DailyRetention::follow);
    connect(daily, &DailyRetention::logged, this, &Dispatcher::logged);
    connect(daily, &DailyRetention::changed, this, [this](const RetentionStatus &status) {
        m_retention = status;
        emit retentionChanged(status);
    });
    // Connected before the loop's own end, so gone before finishRun() waits for the thread.
    connect(m_thread.get(), &QThread::finished, daily, &QObject::deleteLater);
}

void Dispatcher::stop()
{
    if (m_thread)
        QMetaObject::invokeMethod(m_loop, &DispatchLoop::stop, Qt::QueuedConnection);
}

void Dispatcher::finishRun()
{
    m_thread->wait(); // the loop is gone, the thread is on its way out
    m_thread.reset();
    m_loop = nullptr;
    m_retention.nextRun.reset();
    emit retentionChanged(m_retention);
    emit finished(std::exchange(m_failure, std::nullopt));
}

} // namespace engine::dispatch
