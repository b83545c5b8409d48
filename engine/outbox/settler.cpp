// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "settler.h"

#include "expressions.h"

#include <engine/transport/sql/sqlerror.h>
#include <engine/transport/sql/transaction.h>

#include <QString>

#include <algorithm>
#include <array>

namespace engine::outbox {

using namespace expressions;

namespace {

constexpr qsizetype errorTextLimit = 8 * 1024;

// PostgreSQL refuses NUL bytes and broken UTF-8 in text; an error text may hold either.
QByteArray storable(const QByteArray &error)
{
    QByteArray text = QString::fromUtf8(error.left(errorTextLimit)).toUtf8();
    text.replace('\0', "\\0");
    return text;
}

QByteArray assign(const Column &column, const QByteArray &value)
{
    return column.exists() ? ", " + column.quoted() + " = " + value : QByteArray();
}

} // namespace

Settler::Settler(sql::Connection &connection, const Layout &layout, int maxRetries)
    : m_connection(connection)
    , m_kind(layout.kind)
{
    const bool event = layout.kind == LayoutKind::Event;
    const QByteArray status = layout.status.quoted();
    const auto word = [&](Phase phase) { return literal(layout.statusFor(phase)); };
    const QByteArray fence = " AND " + heldUnder(layout, "$1");
    const QByteArray touch = assign(layout.updatedAt, now(layout.updatedAt)) + assign(layout.lockedUntil, "NULL");
    const QByteArray update = "UPDATE " + layout.quotedTable() + " AS row SET " + status + " = ";
    const QByteArray byId = " WHERE row." + layout.id.quoted() + " = ANY($2::" + layout.id.type + "[])" + fence;
    const QByteArray byIdWithError = " FROM unnest($2::" + layout.id.type
        + "[], $3::text[]) AS outcome(id, error) WHERE row." + layout.id.quoted() + " = outcome.id" + fence;

    m_handedOver =
        update + word(Phase::HandedOver) + assign(layout.processedAt, now(layout.processedAt)) + touch + byId;
    // A message row released while it was on a retry becomes pending with its old schedule: due at once, as it was.
    m_release = update + word(Phase::Waiting) + touch + byId;
    m_undeliverable = update + word(Phase::Dead) + assign(layout.lastError, "outcome.error")
        + (event ? QByteArray() : assign(layout.processedAt, now(layout.processedAt))) + touch + byIdWithError;

    const QByteArray failures = "row." + layout.retries.quoted() + " + 1";
    if (event) {
        // 1, 2, 4 ... minutes before the 1st, 2nd, 3rd ... retry. An untyped CASE would be text, so the enum is named.
        const QByteArray exhausted = failures + " > " + QByteArray::number(maxRetries);
        m_failedAttempt = update + "CASE WHEN " + exhausted + " THEN " + word(Phase::Dead) + "::" + layout.status.type
            + " ELSE " + word(Phase::Waiting) + "::" + layout.status.type + " END" + assign(layout.retries, failures)
            + assign(layout.lastError, "outcome.error")
            + assign(layout.scheduledAt,
                     "CASE WHEN " + exhausted + " THEN row." + layout.scheduledAt.quoted() + " ELSE "
                         + now(layout.scheduledAt) + " + interval '1 minute' * power(2, least(row."
                         + layout.retries.quoted() + ", 20)) END")
            + touch + byIdWithError + " RETURNING row." + status + "::text";
    } else {
        // 1 s x 2^failures and up to a second of jitter; the row's own maximum decides.
        const QByteArray exhausted = failures + " >= row." + layout.maxRetries.quoted();
        m_failedAttempt = update + "CASE WHEN " + exhausted + " THEN " + word(Phase::Dead) + "::" + layout.status.type
            + " ELSE " + word(Phase::Retrying) + "::" + layout.status.type + " END" + assign(layout.retries, failures)
            + assign(layout.lastError, "outcome.error")
            + assign(layout.processedAt, "CASE WHEN " + exhausted + " THEN " + now(layout.processedAt) + " END")
            + assign(layout.nextRetryAt,
                     "CASE WHEN NOT " + exhausted + " THEN " + now(layout.nextRetryAt)
                         + " + interval '1 second' * (power(2, least(" + failures + ", 20)) + random()) END")
            + touch + byIdWithError + " RETURNING row." + status + "::text";
    }
}

Result<SettleCounts> Settler::settle(qint64 token, const std::vector<Outcome> &outcomes)
{
    return settle(std::vector<qint64>{token}, outcomes);
}

Result<SettleCounts> Settler::settle(const std::vector<qint64> &tokens, const std::vector<Outcome> &outcomes)
{
    sql::ArrayText tokenTexts;
    for (const qint64 token : tokens)
        tokenTexts.append(QByteArrayView(QByteArray::number(token)));
    const QByteArray held = tokenTexts.take();
    // The common case, everything handed over, is a single statement and needs no transaction around it.
    const bool oneKind =
        std::ranges::all_of(outcomes, [&](const Outcome &outcome) { return outcome.kind == outcomes.front().kind; });
    auto counts = oneKind ? write(held, outcomes) : writeTogether(held, outcomes);
    if (counts || !sql::blamesTheRow(counts.error()) || m_connection.isBroken())
        return counts;
    return writeSingly(held, outcomes);
}

Result<SettleCounts> Settler::writeTogether(const QByteArray &tokens, std::span<const Outcome> outcomes)
{
    auto transaction = sql::Transaction::begin(m_connection);
    if (!transaction)
        return fail(transaction.error());
    auto counts = write(tokens, outcomes);
    if (!counts)
        return counts;
    if (auto committed = transaction->commit(); !committed)
        return fail(committed.error());
    return counts;
}

Result<SettleCounts> Settler::writeSingly(const QByteArray &tokens, std::span<const Outcome> outcomes)
{
    SettleCounts sum;
    for (const Outcome &outcome : outcomes) {
        auto counts = write(tokens, std::span(&outcome, 1));
        if (counts) {
            sum.handedOver += counts->handedOver;
            sum.retried += counts->retried;
            sum.dead += counts->dead;
            sum.released += counts->released;
            sum.leaseLost += counts->leaseLost;
        } else if (sql::blamesTheRow(counts.error()) && !m_connection.isBroken()) {
            sum.refused.emplace_back(outcome.id, counts.error());
        } else {
            return counts;
        }
    }
    return sum;
}

Result<SettleCounts> Settler::write(const QByteArray &tokens, std::span<const Outcome> outcomes)
{
    struct Group
    {
        sql::ArrayText ids;
        sql::ArrayText errors;
        qint64 size = 0;
    };
    std::array<Group, 4> groups;
    for (const Outcome &outcome : outcomes) {
        Group &group = groups[static_cast<size_t>(outcome.kind)];
        group.ids.append(QByteArrayView(outcome.id));
        if (outcome.kind == Outcome::Kind::FailedAttempt || outcome.kind == Outcome::Kind::Undeliverable)
            group.errors.append(QByteArrayView(storable(outcome.error)));
        ++group.size;
    }

    SettleCounts counts;
    const auto writeGroup = [&](Outcome::Kind kind, const QByteArray &statement, bool withErrors) -> Result<sql::Rows> {
        Group &group = groups[static_cast<size_t>(kind)];
        if (group.size == 0)
            return sql::Rows();
        sql::Params params;
        params.text(tokens).text(group.ids.take());
        if (withErrors)
            params.text(group.errors.take());
        auto rows = m_connection.execute(statement, params);
        if (rows)
            counts.leaseLost += group.size - rows->affected();
        return rows;
    };

    auto handedOver = writeGroup(Outcome::Kind::HandedOver, m_handedOver, false);
    if (!handedOver)
        return fail(handedOver.error());
    counts.handedOver = handedOver->affected();

    auto failed = writeGroup(Outcome::Kind::FailedAttempt, m_failedAttempt, true);
    if (!failed)
        return fail(failed.error());
    const QByteArrayView deadWord = m_kind == LayoutKind::Event ? "FAILED" : "dead_letter";
    for (int row = 0; row < failed->count(); ++row)
        ++(failed->bytes(row, 0) == deadWord ? counts.dead : counts.retried);

    auto undeliverable = writeGroup(Outcome::Kind::Undeliverable, m_undeliverable, true);
    if (!undeliverable)
        return fail(undeliverable.error());
    counts.dead += undeliverable->affected();

    auto released = writeGroup(Outcome::Kind::Release, m_release, false);
    if (!released)
        return fail(released.error());
    counts.released = released->affected();
    return counts;
}

} // namespace engine::outbox
