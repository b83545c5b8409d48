// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

#include <vector>

namespace engine::outbox {

// How one attempt ended.
struct Outcome
{
    enum class Kind {
        HandedOver,
        FailedAttempt, // tried again later, or dead when its retries are used up
        Undeliverable, // no attempt can succeed: dead at once
        Release, // not attempted, or the infrastructure failed: given back uncharged
    };

    QByteArray id;
    Kind kind = Kind::HandedOver;
    QByteArray error; // why; of HandedOver and Release: empty
};

struct SettleCounts
{
    qint64 handedOver = 0;
    qint64 retried = 0;
    qint64 dead = 0;
    qint64 released = 0;
    qint64 leaseLost = 0; // not ours any more: nothing was changed
};

// Writes outcomes, one statement per kind for a whole batch, each only for rows that still carry the claim's
// token. Belongs to the connection's thread.
class Settler final
{
public:
    // `maxRetries` is used by the event layout; message rows carry their own.
    Settler(sql::Connection &connection, const Layout &layout, int maxRetries);

    // All outcomes in one transaction. Settling twice is harmless: the second time counts as leaseLost.
    [[nodiscard]] Result<SettleCounts> settle(qint64 token, const std::vector<Outcome> &outcomes);

private:
    sql::Connection &m_connection;
    const LayoutKind m_kind;
    QByteArray m_handedOver;
    QByteArray m_failedAttempt;
    QByteArray m_undeliverable;
    QByteArray m_release;
};

} // namespace engine::outbox
