// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

#include <chrono>
#include <vector>

namespace engine::outbox {

// One claimed row with everything a destination needs. Bytes are those the table holds.
struct ClaimedRow
{
    QByteArray id;
    QByteArray tenantId;
    QByteArray eventType;
    QByteArray payload; // text of the payload column
    int retries = 0;
    qint64 scheduledAt = 0; // microseconds since 1970 UTC
    // Message layout only; empty otherwise.
    QByteArray aggregateType, aggregateId, eventVersion, metadata;
};

// The rows of one claim statement. They share the lease value that it wrote: the token that every later write of
// this claim has to show.
struct ClaimBatch
{
    qint64 token = 0; // microseconds since 1970 UTC, exactly as stored
    std::vector<ClaimedRow> rows; // oldest schedule first
};

// Takes due rows for this process: one atomic statement per kind of row, locked rows of others are skipped.
// Belongs to the connection's thread.
class Claims final
{
public:
    // `connection` outlives this.
    Claims(sql::Connection &connection, const Layout &layout, std::chrono::seconds lease);

    // At most `limit` rows that are due (waiting, or a retry in the message layout).
    [[nodiscard]] Result<ClaimBatch> claimDue(int limit);
    // At most `limit` rows whose dispatcher let the lease run out.
    [[nodiscard]] Result<ClaimBatch> claimExpired(int limit);

private:
    [[nodiscard]] Result<ClaimBatch> claim(const QByteArray &statement, int limit);

    sql::Connection &m_connection;
    const LayoutKind m_kind;
    std::vector<QByteArray> m_dueStatements;
    QByteArray m_expiredStatement;
};

} // namespace engine::outbox
