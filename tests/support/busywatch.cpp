// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "busywatch.h"

#include <QEventLoop>
#include <QSemaphore>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <ctime>
#include <pthread.h>
#include <thread>

namespace test {

namespace {

double milliseconds(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

} // namespace

void BusyWatch::watch(int duration)
{
    clockid_t cpu = CLOCK_THREAD_CPUTIME_ID;
    pthread_getcpuclockid(pthread_self(), &cpu);
    QObject here;
    QSemaphore answered;
    std::atomic_bool ends = false;
    std::thread knocker([&] {
        while (!ends) {
            const double since = milliseconds(CLOCK_MONOTONIC);
            const double cpuSince = milliseconds(cpu);
            QMetaObject::invokeMethod(
                &here,
                [&, since, cpuSince] {
                    m_mostMs = std::max(m_mostMs, milliseconds(CLOCK_MONOTONIC) - since);
                    m_mostCpuMs = std::max(m_mostCpuMs, milliseconds(cpu) - cpuSince);
                    ++m_knocks;
                    answered.release();
                },
                Qt::QueuedConnection);
            while (!answered.tryAcquire(1, 100) && !ends) { }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    QEventLoop loop;
    QTimer::singleShot(duration, &loop, &QEventLoop::quit);
    loop.exec();
    ends = true;
    knocker.join(); // a knock that comes too late goes with `here`
}

} // namespace test
