// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "busywatch.h"

#include <QAbstractEventDispatcher>
#include <QEventLoop>
#include <QTimer>

#include <ctime>

namespace test {

namespace {

double threadCpuMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

} // namespace

BusyWatch::BusyWatch(QObject *parent)
    : QObject(parent)
{
    const auto *dispatcher = QAbstractEventDispatcher::instance();
    connect(dispatcher, &QAbstractEventDispatcher::awake, this, [this] {
        if (std::exchange(m_awake, true))
            return;
        m_clock.start();
        m_cpuMs = threadCpuMs();
    });
    connect(dispatcher, &QAbstractEventDispatcher::aboutToBlock, this, [this] {
        if (!std::exchange(m_awake, false))
            return;
        m_mostMs = qMax(m_mostMs, static_cast<double>(m_clock.nsecsElapsed()) / 1e6);
        m_mostCpuMs = qMax(m_mostCpuMs, threadCpuMs() - m_cpuMs);
    });
}

void BusyWatch::watch(int milliseconds)
{
    m_awake = false;
    QEventLoop loop;
    QTimer::singleShot(milliseconds, &loop, &QEventLoop::quit);
    loop.exec();
    m_awake = false;
}

} // namespace test
