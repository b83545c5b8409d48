// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "readiness.h"

namespace engine::watch {

using namespace Qt::StringLiterals;
using dispatch::DispatcherState;

Readiness::Readiness(std::chrono::milliseconds drainLimit)
    : m_drainLimit(drainLimit.count())
{ }

void Readiness::setProgress(const dispatch::Progress &progress, qint64 now)
{
    const bool runsAnew = progress.state == DispatcherState::Running && !m_drainedAt;
    if (runsAnew || progress.handedOver != m_progress.handedOver) {
        m_drainedAt = now;
        m_look.reset(); // older than that, so it says nothing about what is left
    }
    m_everStarted = m_everStarted || progress.state != DispatcherState::Stopped;
    m_progress = progress;
    m_heardAt = now;
}

void Readiness::setDue(const Result<outbox::DueLook> &look, qint64 now)
{
    if (look) {
        m_look = *look;
        m_unseenSince.reset();
        return;
    }
    m_look.reset();
    m_lookTrouble = look.error().text();
    if (!m_unseenSince)
        m_unseenSince = now;
}

void Readiness::setEviction(const Result<void> &policy)
{
    if (policy)
        m_eviction.reset();
    else if (policy.error().code == ErrorCode::Refused)
        m_eviction = policy.error();
}

bool Readiness::isAlive(qint64 now) const
{
    return m_progress.state == DispatcherState::Stopped || !m_heardAt
        || now - *m_heardAt < std::chrono::milliseconds(silenceLimit).count();
}

QList<HealthReason> Readiness::reasons(qint64 now) const
{
    QList<HealthReason> reasons;
    switch (m_progress.state) {
    case DispatcherState::Stopped:
        reasons << HealthReason{"not-started",
                                m_everStarted ? u"The dispatcher has stopped."_s
                                              : u"The dispatcher has not been started."_s};
        break;
    case DispatcherState::Starting:
        reasons << HealthReason{"starting", u"The dispatcher is connecting."_s};
        break;
    case DispatcherState::Recovering:
        reasons << HealthReason{"recovering", u"The dispatcher cannot work now: "_s + m_progress.trouble};
        break;
    case DispatcherState::Stopping:
        reasons << HealthReason{"stopping", u"The dispatcher is stopping."_s};
        break;
    case DispatcherState::Running:
        break;
    }
    if (!isAlive(now))
        reasons << HealthReason{
            "loop-stuck", u"The dispatcher's loop has not been heard of for %1 s."_s.arg((now - *m_heardAt) / 1000)};
    // Also while it recovers: then it is not only away, rows are waiting for it.
    const qint64 undrained = m_drainedAt ? now - *m_drainedAt : 0;
    if (m_look && m_look->longestWaitMs && *m_look->longestWaitMs > m_drainLimit && undrained >= m_drainLimit)
        reasons << HealthReason{
            "nothing-drains",
            u"%1%2 rows are due, the oldest claimable for %3 s, and nothing has been handed over for %4 s."_s
                .arg(m_look->due.kind == outbox::Count::Kind::AtLeast ? u"At least "_s : QString())
                .arg(m_look->due.value)
                .arg(*m_look->longestWaitMs / 1000)
                .arg(undrained / 1000)};
    if (m_unseenSince && now - *m_unseenSince >= std::chrono::milliseconds(sightLimit).count())
        reasons << HealthReason{
            "table-unknown",
            u"The table could not be looked at for %1 s: %2"_s.arg((now - *m_unseenSince) / 1000).arg(m_lookTrouble)};
    if (m_eviction)
        reasons << HealthReason{"redis-may-evict", m_eviction->text()};
    return reasons;
}

} // namespace engine::watch
