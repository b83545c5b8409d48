// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

#include <span>
#include <utility>
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
    // Rows whose outcome the database refuses to store (a constraint or a trigger of the user's). They stay in flight
    // until their lease ends.
    std::vector<std::pair<QByteArray, Error>> refused{};
};

// Writes outcomes, one statement per kind for a whole batch, each only for rows that still carry the claim's
// token. Belongs to the connection's thread.
class Settler final
{
public:
    // `maxRetries` is used by the event layout; message rows carry their own.
    Settler(sql::Connection &connection, const Layout &layout, int maxRetries);

    // All outcomes in one transaction, for rows under any of the `tokens` (more than one while a renewal's answer is
    // missing). Settling twice is harmless: the second time counts as leaseLost. A row that makes the statement fail
    // is found by settling one by one and does not hold back the others.
    [[nodiscard]] Result<SettleCounts> settle(const std::vector<qint64> &tokens, const std::vector<Outcome> &outcomes);
    [[nodiscard]] Result<SettleCounts> settle(qint64 token, const std::vector<Outcome> &outcomes);

private:
    [[nodiscard]] Result<SettleCounts> write(const QByteArray &tokens, std::span<const Outcome> outcomes);
    [[nodiscard]] Result<SettleCounts> writeTogether(const QByteArray &tokens, std::span<const Outcome> outcomes);
    [[nodiscard]] Result<SettleCounts> writeSingly(const QByteArray &tokens, std::span<const Outcome> outcomes);

    sql::Connection &m_connection;
    const LayoutKind m_kind;
    QByteArray m_handedOver;
    QByteArray m_failedAttempt;
    QByteArray m_undeliverable;
    QByteArray m_release;
};

} // namespace engine::outbox
