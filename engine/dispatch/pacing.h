// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <chrono>

namespace engine::dispatch {

// Decides how long a dispatcher that found nothing waits before it looks again, and whether it wants to be woken.
// Times are milliseconds of any steady clock, given by the caller.
//
// Under traffic it looks often: after a twentieth of the time since the last event, at least every 10 ms at first, so
// that an event waits little and a quiet table costs little. At more than some sixty events a second it looks every few
// milliseconds and does not want to be woken: notifications would make the producers' commits wait for each other, and
// the next look is about to come anyway.
//
// Producers whose rows are not due yet would wake it for nothing. After a burst of such wake-ups it wants none for two
// seconds, twice as long after each further burst, half a minute at most, and meanwhile looks ten times a second.
class Pacing final
{
public:
    // Not `adaptive`: always the interval.
    Pacing(std::chrono::milliseconds interval, bool adaptive);

    void claimed(qint64 rows, qint64 now);
    void woken(qint64 now);

    [[nodiscard]] bool wantsToBeWoken(qint64 now);
    [[nodiscard]] std::chrono::milliseconds pause(bool willBeWoken, qint64 now);

private:
    // Arrivals in the current and the previous half second.
    class Rate
    {
    public:
        void add(qint64 count, qint64 now);
        [[nodiscard]] double perSecond(qint64 now);

    private:
        void moveTo(qint64 now);
        qint64 m_slot = 0;
        qint64 m_current = 0;
        qint64 m_previous = 0;
    };
    [[nodiscard]] double traffic(qint64 now);
    [[nodiscard]] bool isMuted(qint64 now) const { return now < m_mutedUntil; }

    const std::chrono::milliseconds m_interval;
    const bool m_adaptive;
    Rate m_rows;
    Rate m_wakeUps;
    qint64 m_lastEvent;
    int m_wokenEarly = 0; // looks that a wake-up without any row may still have
    bool m_busy = false; // so much traffic that wake-ups are unwanted
    int m_fruitless = 0; // wake-ups since the last row
    std::chrono::milliseconds m_muteLength{0}; // the last one's, since the last row
    qint64 m_mutedUntil = 0;
};

} // namespace engine::dispatch
