// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace test {

// How long the event loop of the current thread is busy at a stretch: another thread knocks every millisecond and sees
// how long the answer takes.
class BusyWatch final
{
public:
    BusyWatch() = default;
    Q_DISABLE_COPY_MOVE(BusyWatch)

    // Runs the event loop for so long.
    void watch(int milliseconds);
    [[nodiscard]] double mostMs() const { return m_mostMs; } // by the clock: what other programs take included
    [[nodiscard]] double mostCpuMs() const { return m_mostCpuMs; } // of this thread's own work
    [[nodiscard]] qint64 knocks() const { return m_knocks; } // that were answered

private:
    double m_mostMs = 0;
    double m_mostCpuMs = 0;
    qint64 m_knocks = 0;
};

} // namespace test
