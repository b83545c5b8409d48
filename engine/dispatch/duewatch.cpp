// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "duewatch.h"

namespace engine::dispatch {

DueWatch::DueWatch(sql::ConnectionThread &claimThread, std::shared_ptr<outbox::ClaimMemory> memory,
                   const Pacing &pacing, QObject *parent)
    : QObject(parent)
    , m_claimThread(claimThread)
    , m_memory(std::move(memory))
    , m_pacing(pacing)
    , m_timer(this)
{
    m_clock.start();
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &DueWatch::look);
}

void DueWatch::listen(const sql::ConnectOptions &options, const outbox::Layout &layout)
{
    m_wakeUp = std::make_unique<WakeUp>(options, layout, this);
    connect(m_wakeUp.get(), &WakeUp::woken, this, &DueWatch::onWoken);
    connect(m_wakeUp.get(), &WakeUp::pooled, this, &DueWatch::pooled);
    connect(m_wakeUp.get(), &WakeUp::changed, this, [this] {
        m_bellIsOn = false;
        if (m_wakeUp->canWake() && m_timer.isActive()) {
            m_timer.stop(); // it may be long: the bell is put on now
            rest();
        }
    });
    m_wakeUp->start();
}

void DueWatch::interrupt()
{
    cancel();
    if (m_wakeUp)
        m_wakeUp->interrupt();
}

void DueWatch::cancel()
{
    m_timer.stop();
    m_resting = false;
    m_bellIsOn = false;
}

void DueWatch::claimed(size_t rows)
{
    m_pacing.claimed(static_cast<qint64>(rows), m_clock.elapsed());
}

void DueWatch::rest()
{
    if (std::exchange(m_wakeUpMissed, false)) {
        emit due();
        return;
    }
    m_resting = true;
    const qint64 now = m_clock.elapsed();
    const bool canBeWoken = m_wakeUp && m_wakeUp->canWake();
    const bool wanted = canBeWoken && m_pacing.wantsToBeWoken(now);
    if (wanted && !m_bellIsOn) {
        // A row whose producer committed before the bell was on has rung nothing: look once more after it is.
        m_bellIsOn = true;
        m_lookTwice = true;
        look();
        return;
    }
    m_timer.start(m_pacing.pause(wanted, now));
}

QByteArray DueWatch::bell()
{
    if (!m_wakeUp || !m_bellIsOn)
        return {};
    const qint64 now = m_clock.elapsed();
    if (m_pacing.wantsToBeWoken(now))
        return m_wakeUp->asking(m_pacing.pause(true, now));
    m_bellIsOn = false;
    return m_wakeUp->declining();
}

void DueWatch::look()
{
    if (m_lookPending)
        return;
    m_lookPending = true;
    m_claimThread
        .run([memory = m_memory, ring = bell()](sql::Connection &connection) {
            return outbox::Claims(connection, memory).isAnythingDue(ring);
        })
        .then(this, [this](const Result<bool> &found) {
            m_lookPending = false;
            onLooked(found);
        });
}

void DueWatch::onLooked(const Result<bool> &found)
{
    if (!found) {
        m_bellIsOn = false;
        if (m_resting)
            emit failed(found.error());
        return;
    }
    emit looked();
    if (!m_resting)
        return;
    const bool again = std::exchange(m_lookTwice, false);
    if (*found || std::exchange(m_wakeUpMissed, false)) {
        m_resting = false;
        emit due();
    } else if (again) {
        look();
    } else {
        rest();
    }
}

void DueWatch::onWoken()
{
    m_pacing.woken(m_clock.elapsed());
    if (!m_timer.isActive()) {
        m_wakeUpMissed = true; // whoever asks now may have asked too early
        return;
    }
    m_timer.stop();
    m_resting = false;
    emit due();
}

} // namespace engine::dispatch
