// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>

namespace test {

// How long the event loop of the current thread is kept busy at a stretch, from one rest to the next. Measures only
// while an event loop runs that waits for events, as QEventLoop::exec() does.
class BusyWatch final : public QObject
{
    Q_DISABLE_COPY_MOVE(BusyWatch)

public:
    explicit BusyWatch(QObject *parent = nullptr);

    // Runs the event loop for so long.
    void watch(int milliseconds);
    [[nodiscard]] double mostMs() const { return m_mostMs; } // by the clock: other programs' share included
    [[nodiscard]] double mostCpuMs() const { return m_mostCpuMs; } // of this thread's own work

private:
    bool m_awake = false;
    QElapsedTimer m_clock;
    double m_cpuMs = 0;
    double m_mostMs = 0;
    double m_mostCpuMs = 0;
};

} // namespace test
