// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wakeup.h"

#include <engine/outbox/expressions.h>

#include <QRandomGenerator>

namespace engine::dispatch {

using std::chrono::milliseconds;

namespace {

constexpr std::chrono::seconds probeInterval{30};

QByteArray setBell(const QByteArray &bell, const QByteArray &until)
{
    return "setval(" + outbox::expressions::literal(bell) + ", " + until + ')';
}

} // namespace

WakeUp::WakeUp(const sql::ConnectOptions &options, const outbox::Layout &layout, QObject *parent)
    : QObject(parent)
    , m_bell(sql::quotedIdentifier(layout.schema) + ".outbox_wakeup_until")
    , m_retry(this)
    , m_thread(options, QStringLiteral("outbox listen"))
{
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &WakeUp::start);
}

void WakeUp::start()
{
    listen(true);
}

void WakeUp::listen(bool probe)
{
    m_thread
        .run([bell = m_bell, known = Round{m_state, m_hasBell, false},
              probe](sql::Connection &connection) -> Result<Round> {
            Round round = known;
            round.state = State::Listening;
            if (probe) {
                auto direct = connection.isDirect();
                if (!direct)
                    return fail(direct.error());
                if (!*direct)
                    return Round{State::Pooled, false, false};
                sql::Params params;
                params.text(bell);
                auto found = connection.execute("SELECT to_regclass($1) IS NOT NULL", params);
                if (!found)
                    return fail(found.error());
                round.hasBell = found->boolean(0, 0);
                if (auto listening = connection.execute("LISTEN outbox_wakeup"); !listening)
                    return fail(listening.error());
                // The first round tells at once that it listens; later ones have told.
                if (known.state != State::Listening || known.hasBell != round.hasBell)
                    return round;
            }
            auto notified = connection.waitForNotification(probeInterval);
            if (!notified)
                return fail(notified.error());
            round.notified = *notified;
            return round;
        })
        .then(this, [this](const Result<Round> &round) {
            if (!round || round->state != State::Listening) {
                if (round)
                    emit pooled();
                set(round ? round->state : State::Off, false);
                const milliseconds pause = round ? milliseconds(60'000) : milliseconds(5'000);
                m_retry.start(pause + milliseconds(QRandomGenerator::global()->bounded(2'500)));
                return;
            }
            const bool isNew = m_state != State::Listening || m_hasBell != round->hasBell;
            set(State::Listening, round->hasBell);
            listen(!round->notified && !isNew);
            if (round->notified)
                emit woken();
        });
}

void WakeUp::set(State state, bool hasBell)
{
    const bool could = canWake();
    m_state = state;
    m_hasBell = hasBell;
    if (could != canWake())
        emit changed();
}

QByteArray WakeUp::asking(milliseconds time) const
{
    if (!canWake())
        return {};
    return setBell(m_bell,
                   "extract(epoch FROM clock_timestamp())::bigint + "
                       + QByteArray::number(qlonglong(time.count()) / 1000 + 2));
}

QByteArray WakeUp::declining() const
{
    return canWake() ? setBell(m_bell, "0") : QByteArray();
}

} // namespace engine::dispatch
