// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <vector>

namespace engine::outbox {

// The two ways in which users' tables spell an outbox (see resources/help for both).
enum class LayoutKind { Event, Message };

// What a status means, whatever the table calls it.
enum class Phase {
    Waiting, // PENDING, pending
    InFlight, // PROCESSING, processing
    HandedOver, // DONE, sent: handed to the destination, not "the side effect happened"
    Retrying, // failed in the message layout: waits for its next attempt
    Dead, // FAILED in the event layout, dead_letter
    Cancelled,
    Unknown, // a status this layout does not know
};

struct Column
{
    QByteArray name; // as in the catalogue, unquoted; empty: the table has no such column
    // As format_type() prints it, for instance timestamp(3) without time zone; of a domain the type behind it.
    QByteArray type;
    bool hasDefault = false;
    bool nullable = false;

    [[nodiscard]] bool exists() const { return !name.isEmpty(); }
    [[nodiscard]] QByteArray quoted() const;
    [[nodiscard]] bool isZoned() const { return type.contains("with time zone"); }
    // text and its relatives, which take any text by assignment and refuse what is too long.
    [[nodiscard]] bool isText() const;
};

// One user's outbox table: which column plays which part. A value; made by discovery.
struct Layout
{
    LayoutKind kind = LayoutKind::Event;
    QByteArray schema;
    QByteArray table;
    std::vector<QByteArray> statuses; // the statuses this table can hold, in the order of an event's life

    // Both layouts. dispatchKey and lockedUntil exist in the event layout only.
    Column id, tenantId, eventType, payload, status, retries, scheduledAt, processedAt, lastError, createdAt, updatedAt;
    Column dispatchKey, lockedUntil;
    // Message layout only.
    Column aggregateId, aggregateType, eventVersion, metadata, maxRetries, nextRetryAt;

    bool dispatchKeyIsUnique = false; // a unique index on exactly that column
    bool hasDueIndex = false; // an index that begins (status, scheduledAt)

    [[nodiscard]] QByteArray quotedTable() const; // "schema"."table"
    [[nodiscard]] QString displayName() const; // schema.table, quoted where PostgreSQL needs it
    [[nodiscard]] QString kindName() const; // event or message
    [[nodiscard]] Phase phaseOf(QByteArrayView word) const;
    // The table's word for a phase; empty if it has none.
    [[nodiscard]] QByteArray statusFor(Phase phase) const;
};

} // namespace engine::outbox
