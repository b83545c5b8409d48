// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/layout.h>
#include <engine/transport/sql/connectionthread.h>

#include <QObject>
#include <QTimer>

namespace engine::dispatch {

// Listens for producers' notifications on a connection of its own. A hint only: whatever goes wrong here costs latency,
// the dispatcher looks by itself anyway. The connection is probed every half minute, so that one that died silently is
// noticed and replaced.
class WakeUp final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WakeUp)

public:
    WakeUp(const sql::ConnectOptions &options, const outbox::Layout &layout, QObject *parent);

    void start();
    void interrupt() { m_thread.interrupt(); }

    // The table has the trigger, and its notifications would arrive now.
    [[nodiscard]] bool canWake() const { return m_state == State::Listening && m_hasBell; }

    // SQL expressions for Claims::isAnythingDue(): ask the trigger to notify for a time, or not to. Empty without
    // canWake().
    [[nodiscard]] QByteArray asking(std::chrono::milliseconds time) const;
    [[nodiscard]] QByteArray declining() const;

signals:
    void woken();
    void changed(); // canWake()
    void pooled(); // a pooler stands in between, which swallows notifications

private:
    enum class State { Off, Listening, Pooled };
    struct Round
    {
        State state = State::Off;
        bool hasBell = false;
        bool notified = false;
    };
    void listen(bool probe);
    void set(State state, bool hasBell);

    const QByteArray m_bell; // the trigger's sequence, qualified
    State m_state = State::Off;
    bool m_hasBell = false;
    QTimer m_retry;
    sql::ConnectionThread m_thread; // last, so that it ends first
};

} // namespace engine::dispatch
