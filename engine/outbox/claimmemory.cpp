// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "claimmemory.h"

#include "expressions.h"

namespace engine::outbox {

using namespace expressions;

namespace {

// Payloads stored in more bytes than this do not come with the claim: a hundred rows may hold gigabytes.
constexpr auto inlinePayloadBytes = "8192";
// How many bytes of text a stored byte can become, in practice. The true length would cost unpacking each payload twice.
constexpr auto mostInflation = "50";
// With no backlog, rows of transactions that took up to this long are found at once.
constexpr qint64 commitSlackMicros = 2'000'000;
constexpr std::chrono::minutes unclaimableRest{5};
constexpr int mostUnclaimable = 1000;

} // namespace

ClaimMemory::ClaimMemory(const Layout &l, const ClaimOptions &o)
    : layout(l)
    , options(o)
{
    const bool event = layout.kind == LayoutKind::Event;
    const Column &token = event ? layout.lockedUntil : layout.updatedAt;
    const QByteArray seconds = QByteArray::number(qlonglong(options.lease.count()));

    const std::vector<QByteArray> conditions = dueConditions(layout, options.lease);
    const QByteArray order = options.order.condition(layout, "row");
    waiting = conditions.front() + order;
    if (!event)
        retrying = conditions.at(1) + order;
    expired = conditions.back();

    assignments = layout.status.quoted() + " = " + literal(layout.statusFor(Phase::InFlight));
    if (event)
        assignments += ", " + layout.lockedUntil.quoted() + " = " + now(layout.lockedUntil) + " + interval '" + seconds
            + " seconds'";
    if (layout.updatedAt.exists())
        assignments += ", " + layout.updatedAt.quoted() + " = " + now(layout.updatedAt);

    const QByteArray payload = layout.payload.quoted();
    const QByteArray isBig = "pg_column_size(" + payload + ") > " + inlinePayloadBytes;
    columns = layout.id.quoted() + "::text, " + layout.tenantId.quoted() + "::text, " + layout.eventType.quoted()
        + "::text, CASE WHEN " + isBig + " THEN NULL ELSE " + payload + "::text END, CASE WHEN " + isBig
        + " THEN pg_column_size(" + payload + ")::bigint * " + mostInflation + " END, " + layout.retries.quoted() + ", "
        + epochMicros(layout.scheduledAt) + ", " + epochMicros(token);
    if (!event)
        columns += ", " + layout.aggregateType.quoted() + "::text, " + layout.aggregateId.quoted() + "::text, "
            + layout.eventVersion.quoted() + "::text, "
            + (layout.metadata.exists() ? layout.metadata.quoted() + "::text" : QByteArray("NULL"));
}

std::optional<qint64> ClaimMemory::begin() const
{
    if (!options.fromNewest || !m_newest || wholeNext || wholePace.isDue())
        return std::nullopt;
    // In the middle of a backlog nobody waits for a late row in particular; without one, every row matters.
    return m_lastWasFull ? *m_newest : *m_newest - commitSlackMicros;
}

void ClaimMemory::claimedWaiting(const ClaimBatch &batch, int limit, bool fromTheBeginning)
{
    m_lastWasFull = batch.rows.size() >= static_cast<size_t>(limit);
    if (batch.rows.empty())
        return;
    const qint64 last = batch.rows.back().scheduledAt;
    // A full batch from the very beginning means that there may be more where it ended, before what was newest so far.
    m_newest = fromTheBeginning && m_lastWasFull ? last : std::max(last, m_newest.value_or(last));
}

QByteArray ClaimMemory::waitingFrom(std::optional<qint64> begin) const
{
    if (!begin)
        return waiting;
    return waiting + " AND row." + layout.scheduledAt.quoted()
        + " >= " + fromEpochMicros(layout.scheduledAt, QByteArray::number(*begin) + "::bigint");
}

QByteArray ClaimMemory::withoutUnclaimable(const QByteArray &condition)
{
    if (m_unclaimableCount > 0 && m_unclaimableSince.hasExpired(std::chrono::milliseconds(unclaimableRest).count())) {
        m_unclaimable.clear();
        m_unclaimableCount = 0;
    }
    if (m_unclaimableCount == 0)
        return condition;
    return condition + " AND row." + layout.id.quoted() + "::text NOT IN (" + m_unclaimable + ')';
}

void ClaimMemory::leaveAlone(const QByteArray &id)
{
    if (m_unclaimableCount == 0)
        m_unclaimableSince.start();
    if (m_unclaimableCount >= mostUnclaimable)
        return;
    m_unclaimable += (m_unclaimableCount++ > 0 ? ", " : "") + literal(id);
}

} // namespace engine::outbox
