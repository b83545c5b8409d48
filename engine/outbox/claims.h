// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"
#include "orderrule.h"

#include <engine/transport/sql/connection.h>

#include <chrono>
#include <memory>
#include <vector>

namespace engine::outbox {

// One claimed row with everything a destination needs. Bytes are those the table holds.
struct ClaimedRow
{
    QByteArray id;
    QByteArray tenantId;
    QByteArray eventType;
    QByteArray payload; // text of the payload column; see payloadPending. Valid while the batch's `source` lives
    // Not 0: the payload is too big to come with the claim. It has so many bytes, or fewer; Claims::payloads() has it.
    qint64 payloadPending = 0;
    int retries = 0;
    qint64 scheduledAt = 0; // microseconds since 1970 UTC
    // Message layout only; empty otherwise.
    QByteArray aggregateType, aggregateId, eventVersion, metadata;
};

// A due row that cannot be claimed: the database refuses to update it (a constraint or a trigger of the user's).
struct UnclaimableRow
{
    QByteArray id;
    Error error;
};

// The rows of one claim. They share the lease value that it wrote: the token that every later write of this claim has
// to show.
struct ClaimBatch
{
    qint64 token = 0; // microseconds since 1970 UTC, exactly as stored
    std::vector<qint64> otherTokens{}; // a user's trigger may have given each row a value of its own
    std::vector<ClaimedRow> rows; // oldest schedule first
    std::vector<UnclaimableRow> unclaimable; // left alone from now on, see Claims
    // The server's answer, which the payloads point into: copying each would cost as much as handing it over.
    sql::Rows source{};
};

// The id of a row and its payload.
using Payload = std::pair<QByteArray, QByteArray>;

struct ClaimOptions
{
    std::chrono::seconds lease{300};
    OrderRule order{};
    bool fromNewest = true; // usually begin near the newest schedule already claimed, see Claims
};

// Settings for a connection that claims: they keep the planner on the (status, scheduledAt) index when the statistics
// of a queue-like table are stale, and let a claim's commit not wait for the disk. Losing a claim in a crash of the
// server means that the row is due again, which its job's id makes harmless.
[[nodiscard]] std::vector<std::pair<QByteArray, QByteArray>> claimSettings();

// What claims remember from one to the next (claimmemory.h). Lives in the thread that claims.
class ClaimMemory;

// Takes due rows for this process: one atomic statement per kind of row, locked rows of others are skipped.
// Belongs to the connection's thread.
//
// Handed-over rows leave dead entries at the begin of the index, which PostgreSQL cannot clean up while any transaction
// holds an old snapshot. So a claim begins near the newest schedule already claimed and only now and then, the more
// seldom the dearer it was, at the very beginning: rows that committed late or were released are found then.
//
// A row that makes the claim statement fail is found by claiming one by one, reported once, and left alone for five
// minutes, so that it holds back no other.
class Claims final
{
public:
    // `connection` outlives this. Without a memory of its own every call looks at everything.
    Claims(sql::Connection &connection, const Layout &layout, std::chrono::seconds lease);
    Claims(sql::Connection &connection, std::shared_ptr<ClaimMemory> memory);

    // One for all claims of a dispatcher's connection.
    [[nodiscard]] static std::shared_ptr<ClaimMemory> memory(const Layout &layout, const ClaimOptions &options);

    // At most `limit` rows that are due (waiting, or a retry in the message layout).
    [[nodiscard]] Result<ClaimBatch> claimDue(int limit);
    // At most `limit` rows whose dispatcher let the lease run out.
    [[nodiscard]] Result<ClaimBatch> claimExpired(int limit);

    enum class Thoroughness {
        Usual, // may overlook for some seconds rows that committed late, were released or lost their dispatcher
        Complete, // an empty answer means that nothing is due
    };
    // The next rows of either kind.
    [[nodiscard]] Result<ClaimBatch> claimNext(int limit, Thoroughness thoroughness);

    // Whether claimNext() would find something; one statement, which locks nothing. `askToBeWoken`, if not empty, is
    // called in the same statement.
    [[nodiscard]] Result<bool> isAnythingDue(const QByteArray &askToBeWoken = {});

    // Payloads that did not come with the claim, in any order; a row that is gone is absent.
    [[nodiscard]] Result<std::vector<Payload>> payloads(const std::vector<QByteArray> &ids);

private:
    enum class Reach { Recent, Whole };
    [[nodiscard]] Result<ClaimBatch> claimWaiting(int limit, Reach reach);
    [[nodiscard]] Result<ClaimBatch> claimRetrying(int limit);
    [[nodiscard]] Result<ClaimBatch> run(const QByteArray &condition, const QByteArray &order, int limit);
    [[nodiscard]] Result<sql::Rows> runGuarded(const QByteArray &statement, const sql::Params &params);
    [[nodiscard]] Result<ClaimBatch> runSingly(const QByteArray &condition, const QByteArray &order, int limit);

    sql::Connection &m_connection;
    std::shared_ptr<ClaimMemory> m_memory;
};

} // namespace engine::outbox
