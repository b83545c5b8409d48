// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"

#include "expressions.h"

#include <algorithm>

namespace engine::outbox {

using namespace expressions;

namespace {

// The sub-select picks and locks through the (status, time) index; ANY(ARRAY(...)) makes it run once, so that the
// outer update goes straight to the rows by primary key.
QByteArray claimStatement(const Layout &layout, const QByteArray &condition, const Column &order,
                          std::chrono::seconds lease)
{
    const QByteArray id = layout.id.quoted();
    const bool event = layout.kind == LayoutKind::Event;
    const Column &token = event ? layout.lockedUntil : layout.updatedAt;

    QByteArray assignments = layout.status.quoted() + " = " + literal(layout.statusFor(Phase::InFlight));
    if (event)
        assignments += ", " + layout.lockedUntil.quoted() + " = " + now(layout.lockedUntil) + " + interval '"
            + QByteArray::number(qlonglong(lease.count())) + " seconds'";
    if (layout.updatedAt.exists())
        assignments += ", " + layout.updatedAt.quoted() + " = " + now(layout.updatedAt);

    QByteArray columns = id + "::text, " + layout.tenantId.quoted() + "::text, " + layout.eventType.quoted()
        + "::text, " + layout.payload.quoted() + "::text, " + layout.retries.quoted() + ", "
        + epochMicros(layout.scheduledAt) + ", " + epochMicros(token);
    if (!event) {
        columns += ", " + layout.aggregateType.quoted() + "::text, " + layout.aggregateId.quoted() + "::text, "
            + layout.eventVersion.quoted() + "::text, "
            + (layout.metadata.exists() ? layout.metadata.quoted() + "::text" : QByteArray("NULL"));
    }
    return "UPDATE " + layout.quotedTable() + " SET " + assignments + " WHERE " + id + " = ANY(ARRAY(SELECT " + id
        + " FROM " + layout.quotedTable() + " WHERE " + condition + " ORDER BY " + order.quoted()
        + " LIMIT $1::bigint FOR UPDATE SKIP LOCKED)) RETURNING " + columns;
}

} // namespace

Claims::Claims(sql::Connection &connection, const Layout &layout, std::chrono::seconds lease)
    : m_connection(connection)
    , m_kind(layout.kind)
{
    const std::vector<QByteArray> conditions = dueConditions(layout, lease);
    for (size_t i = 0; i < conditions.size(); ++i) {
        const bool isExpired = i + 1 == conditions.size();
        const Column &order = layout.kind == LayoutKind::Message && i == 1 ? layout.nextRetryAt : layout.scheduledAt;
        const QByteArray statement = claimStatement(layout, conditions[i], order, lease);
        if (isExpired)
            m_expiredStatement = statement;
        else
            m_dueStatements.push_back(statement);
    }
}

Result<ClaimBatch> Claims::claimDue(int limit)
{
    // Statements of one call would make batches with two tokens, so the first that finds something decides. The
    // waiting rows of a busy table must not starve the retries: the order alternates.
    std::rotate(m_dueStatements.begin(), m_dueStatements.begin() + 1, m_dueStatements.end());
    for (const QByteArray &statement : m_dueStatements) {
        auto batch = claim(statement, limit);
        if (!batch || !batch->rows.empty())
            return batch;
    }
    return ClaimBatch{};
}

Result<ClaimBatch> Claims::claimExpired(int limit)
{
    return claim(m_expiredStatement, limit);
}

Result<ClaimBatch> Claims::claim(const QByteArray &statement, int limit)
{
    sql::Params params;
    params.integer(limit);
    auto rows = m_connection.execute(statement, params);
    if (!rows)
        return fail(rows.error());

    ClaimBatch batch;
    batch.rows.reserve(static_cast<size_t>(rows->count()));
    for (int row = 0; row < rows->count(); ++row) {
        ClaimedRow claimed;
        claimed.id = rows->bytes(row, 0).toByteArray();
        claimed.tenantId = rows->bytes(row, 1).toByteArray();
        claimed.eventType = rows->bytes(row, 2).toByteArray();
        claimed.payload = rows->bytes(row, 3).toByteArray();
        claimed.retries = static_cast<int>(rows->integer(row, 4));
        claimed.scheduledAt = rows->integer(row, 5);
        batch.token = rows->integer(row, 6);
        if (m_kind == LayoutKind::Message) {
            claimed.aggregateType = rows->bytes(row, 7).toByteArray();
            claimed.aggregateId = rows->bytes(row, 8).toByteArray();
            claimed.eventVersion = rows->bytes(row, 9).toByteArray();
            claimed.metadata = rows->bytes(row, 10).toByteArray();
        }
        batch.rows.push_back(std::move(claimed));
    }
    // RETURNING has no order of its own.
    std::ranges::sort(batch.rows, [](const ClaimedRow &a, const ClaimedRow &b) {
        return std::tie(a.scheduledAt, a.id) < std::tie(b.scheduledAt, b.id);
    });
    return batch;
}

} // namespace engine::outbox
