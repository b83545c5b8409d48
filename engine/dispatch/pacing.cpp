// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pacing.h"

#include <algorithm>
#include <utility>

namespace engine::dispatch {

using std::chrono::milliseconds;

namespace {

constexpr qint64 slotLength = 500;
// Events a second above which wake-ups are unwanted, and below which they are wanted again.
constexpr double busyAbove = 60;
constexpr double quietBelow = 30;
constexpr milliseconds shortest{1};
constexpr milliseconds shortestWithoutWakeUp{10};
constexpr milliseconds shortestWithWakeUp{100}; // for wake-ups that were lost
// Wake-ups in a row without any row that are a burst.
constexpr int fruitlessBurst = 30;
constexpr milliseconds shortestMute{2'000};
constexpr milliseconds longestMute{32'000};
constexpr milliseconds longestWhileMuted{100};

} // namespace

Pacing::Pacing(milliseconds interval, bool adaptive)
    : m_interval(interval)
    , m_adaptive(adaptive)
    , m_lastEvent(-20 * interval.count())
{ }

void Pacing::claimed(qint64 rows, qint64 now)
{
    if (rows == 0)
        return;
    m_wokenEarly = 0;
    m_fruitless = 0;
    m_muteLength = milliseconds(0);
    m_rows.add(rows, now);
    m_lastEvent = now;
}

void Pacing::woken(qint64 now)
{
    m_wakeUps.add(1, now);
    m_wokenEarly = 2;
    ++m_fruitless;
}

double Pacing::traffic(qint64 now)
{
    return std::max(m_rows.perSecond(now), m_wakeUps.perSecond(now));
}

bool Pacing::wantsToBeWoken(qint64 now)
{
    const double rate = traffic(now);
    const bool wasBusy = std::exchange(m_busy, rate > (m_busy ? quietBelow : busyAbove));
    if (m_busy && !wasBusy && m_fruitless >= fruitlessBurst) {
        m_muteLength = std::clamp(2 * m_muteLength, shortestMute, longestMute);
        m_mutedUntil = now + m_muteLength.count();
        m_fruitless = 0;
    }
    return !m_busy && !isMuted(now);
}

milliseconds Pacing::pause(bool willBeWoken, qint64 now)
{
    // The schedule of a row may lie up to half a millisecond ahead, as timestamp(3) rounds: a wake-up that found nothing
    // may have come too early.
    if (m_wokenEarly > 0) {
        --m_wokenEarly;
        return shortest;
    }
    if (!m_adaptive)
        return m_interval;
    const double rate = traffic(now);
    if (rate > quietBelow && !willBeWoken)
        return std::min(m_interval, std::max(shortest, milliseconds(static_cast<qint64>(250 / rate))));
    milliseconds relaxed{(now - m_lastEvent) / 20};
    if (isMuted(now))
        relaxed = std::min(relaxed, longestWhileMuted);
    return std::min(m_interval, std::max(relaxed, willBeWoken ? shortestWithWakeUp : shortestWithoutWakeUp));
}

void Pacing::Rate::moveTo(qint64 now)
{
    const qint64 slot = now / slotLength;
    if (slot == m_slot)
        return;
    m_previous = slot == m_slot + 1 ? m_current : 0;
    m_current = 0;
    m_slot = slot;
}

void Pacing::Rate::add(qint64 count, qint64 now)
{
    moveTo(now);
    m_current += count;
}

double Pacing::Rate::perSecond(qint64 now)
{
    moveTo(now);
    const double rest = 1.0 - static_cast<double>(now % slotLength) / slotLength;
    return (static_cast<double>(m_current) + rest * static_cast<double>(m_previous)) * 1000 / slotLength;
}

} // namespace engine::dispatch
