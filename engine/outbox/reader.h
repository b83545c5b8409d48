// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

#include <QList>

#include <optional>

namespace engine::outbox {

// A point in time as microseconds since 1970-01-01 UTC, computed by the database.
using EpochMicros = qint64;

struct RowFilter
{
    QList<QByteArray> statuses{}; // the table's own words; empty: all
    QString typePrefix{}; // event type starts with
    QString tenant{}; // exact
    QString errorText{}; // last error contains, case-insensitive

    [[nodiscard]] bool hasTexts() const { return !typePrefix.isEmpty() || !tenant.isEmpty() || !errorText.isEmpty(); }
    bool operator==(const RowFilter &) const = default;
};

// What a list shows of a row. Times the table holds as null or infinite are absent.
struct RowSummary
{
    QByteArray id;
    QByteArray tenantId;
    QByteArray eventType;
    QByteArray status; // the table's own word
    Phase phase = Phase::Unknown;
    int retries = 0;
    std::optional<EpochMicros> scheduledAt; // of a failed message row: its next attempt
    std::optional<EpochMicros> lockedUntil; // event layout, while PROCESSING
    std::optional<EpochMicros> processedAt;
    std::optional<EpochMicros> createdAt;
    std::optional<EpochMicros> updatedAt;
    QString lastError; // first 500 characters
    // The row's own schedule, whatever its status, as a PageKey has it: what lists are ordered by.
    std::optional<EpochMicros> orderAt{};

    bool operator==(const RowSummary &) const = default;
};

struct RowDetail
{
    RowSummary row;
    QByteArray payload; // the stored bytes; cut at 4 MiB
    qint64 payloadBytes = 0; // the full size
    QByteArray payloadType; // jsonb, json or text
    QString lastError; // in full
    QByteArray dispatchKey;
    QByteArray aggregateType, aggregateId, eventVersion, metadata; // message layout
    int maxRetries = 0; // message layout; 0: the dispatcher's setting decides
};

// Where a page starts or ends: rows are ordered by schedule, newest first, ties broken by id.
struct PageKey
{
    // Of the row's own schedule, whatever its status. The least and the greatest value stand for -infinity and
    // infinity; absent: null, which counts as later than everything.
    std::optional<EpochMicros> scheduledAt;
    QByteArray id;

    bool operator==(const PageKey &) const = default;
};

[[nodiscard]] PageKey keyOf(const RowSummary &row);

enum class PageDirection { Older, Newer };

struct PageRequest
{
    RowFilter filter;
    std::optional<PageKey> from; // exclusive; absent: the newest rows (Older) or the oldest (Newer)
    PageDirection direction = PageDirection::Older;
    int limit = 200;
    // Instead of `from`: the newest rows scheduled then or earlier, for a jump. Older only.
    std::optional<EpochMicros> at{};

    bool operator==(const PageRequest &) const = default;
};

struct RowPage
{
    std::vector<RowSummary> rows; // newest schedule first, whatever the direction
    bool hasOlder = false;
    bool hasNewer = false;
    // Keys of the first and the last row, to go on from; absent: there are no rows.
    std::optional<PageKey> newest{}, oldest{};
};

// A number that says how it was found.
struct Count
{
    enum class Kind { Exact, AtLeast, Estimated, Unavailable };

    qint64 value = 0;
    Kind kind = Kind::Unavailable;

    bool operator==(const Count &) const = default;
};

struct Stats
{
    std::vector<std::pair<QByteArray, Count>> counts; // per status of the layout, then unknown ones
    Count due; // claimable now: waiting and due, retry due, or past its lease
    std::optional<qint64> oldestDueAgeMs; // absent: nothing is due
    EpochMicros databaseTime = 0;
};

enum class CountMode {
    Exact, // reads every row's index entry; for the command line
    Bounded, // stops at 50,000 per status and estimates beyond; for a window that refreshes
};

// Read-only questions about one outbox table, each one bounded statement with a server-side time limit.
// Belongs to the connection's thread.
class Reader final
{
public:
    // `connection` outlives the reader.
    Reader(sql::Connection &connection, Layout layout);

    [[nodiscard]] const Layout &layout() const { return m_layout; }
    [[nodiscard]] Result<RowPage> page(const PageRequest &request);
    // Errors: NotFound when there is no such row (any more).
    [[nodiscard]] Result<RowDetail> detail(const QByteArray &id);
    // The whole payload as stored, however long; up to a gigabyte in memory. Errors as detail().
    [[nodiscard]] Result<QByteArray> payload(const QByteArray &id);
    [[nodiscard]] Result<Stats> stats(CountMode mode);

private:
    [[nodiscard]] Result<sql::Rows> readRow(const QByteArray &columns, const QByteArray &id,
                                            std::chrono::milliseconds limit);

    sql::Connection &m_connection;
    const Layout m_layout;
};

} // namespace engine::outbox
