// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "pacing.h"
#include "wakeup.h"

#include <engine/outbox/claims.h>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>

namespace engine::dispatch {

// Waits for the next due row while there is none: looks at the table at a suitable pace, and is woken by producers where
// the table's trigger does that. Whether producers notify at all is asked for here ("the bell"): on while there is
// little traffic, off while the next look is about to come anyway.
class DueWatch final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DueWatch)

public:
    // `claimThread` outlives this; `memory` is used in it only.
    DueWatch(sql::ConnectionThread &claimThread, std::shared_ptr<outbox::ClaimMemory> memory, const Pacing &pacing,
             QObject *parent);

    void listen(const sql::ConnectOptions &options, const outbox::Layout &layout);

    // A claim found so many rows.
    void claimed(size_t rows);
    // Nothing is due: wait. Ends with due(), or with cancel().
    void rest();
    void cancel();
    void interrupt();
    [[nodiscard]] bool isResting() const { return m_timer.isActive() || m_lookPending; }

signals:
    void due(); // perhaps: claim
    void looked(); // the database answered
    void failed(const engine::Error &error);
    void pooled(); // notifications cannot be had, a pooler swallows them

private:
    void look();
    void onLooked(const Result<bool> &found);
    void onWoken();
    [[nodiscard]] QByteArray bell();

    sql::ConnectionThread &m_claimThread;
    const std::shared_ptr<outbox::ClaimMemory> m_memory;
    Pacing m_pacing;
    QElapsedTimer m_clock;
    QTimer m_timer;
    bool m_lookPending = false;
    bool m_resting = false;
    bool m_lookTwice = false; // producers were just asked to notify: one may have committed meanwhile
    bool m_bellIsOn = false;
    bool m_wakeUpMissed = false; // woken while a claim or a look was on its way
    std::unique_ptr<WakeUp> m_wakeUp;
};

} // namespace engine::dispatch
