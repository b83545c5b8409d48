// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reader.h"

#include <engine/transport/sql/connection.h>

#include <chrono>

namespace engine::outbox {

// Which rows may go: those handed over (DONE, sent) whose processedAt is older than `olderThan` by the database's
// clock. Rows in any other status stay, and so do rows whose processedAt is null or infinite.
struct RetentionRule
{
    std::chrono::seconds olderThan{std::chrono::hours(720)};
    int batchSize = 1000; // most rows removed by one run, 1..10000

    bool operator==(const RetentionRule &) const = default;
};

// Where a run ended, for the next one. Valid for the table and the connection's user it came from.
struct RetentionPosition
{
    struct Mark
    {
        QByteArray scheduledAt; // as the server prints it; empty: the beginning
        QByteArray id;

        bool operator==(const Mark &) const = default;
    };
    Mark ordinary; // among the rows scheduled before the age limit
    Mark odd; // among those scheduled after it

    bool operator==(const RetentionPosition &) const = default;
};

struct RetentionRun
{
    qint64 removed = 0;
    qint64 locked = 0; // old enough, but another session holds them just now; they stay
    bool isComplete = false; // every row was looked at since the position was at the beginning
    bool isBusy = false; // another runner is at work and `alone` was asked for: nothing was done
    RetentionPosition next;
};

struct RetentionPreview
{
    Count removable;
    std::optional<EpochMicros> oldest; // processedAt of the oldest one seen; absent: there is none
    EpochMicros databaseTime = 0;
};

enum class RetentionCompany {
    Shared, // works beside other runners: they skip each other's rows
    Alone, // does nothing while another runner asked the same
};

// Removes old rows, a bounded number at a time. Belongs to the connection's thread.
//
// Users' tables have no index on processedAt, so rows are found through (status, scheduledAt). A row is handed over
// after it was due: old by processedAt means old by scheduledAt too, and the rows that may go stand at the beginning
// of the status's range. A run walks that range and stops at the first of: a full batch, the age limit, or 100,000
// rows looked at. Rows there that stay (due long ago but handed over lately, or without processedAt) are passed once
// and not again: the next run goes on where this one ended and starts over when it reaches the limit. What room is
// left for looking goes to the rows scheduled after the limit, since somebody may have handed over a row before it
// was due; that walk has a position of its own. So a run costs a few milliseconds on a table of any size, and every
// old row is found after enough runs. A row whose scheduledAt is null stays.
//
// A run is one transaction. Rows that another session holds are skipped, never waited for; any other lock is waited
// for at most `lockLimit`, the statement may take `statementLimit`, both set for the transaction alone.
class Retention final
{
public:
    static constexpr std::chrono::seconds lockLimit{2};
    static constexpr std::chrono::seconds statementLimit{20};

    // `connection` outlives this object.
    Retention(sql::Connection &connection, const Layout &layout);

    // For tests: how many rows a run may look at.
    void setLookLimit(int rows) { m_lookLimit = rows; }

    // Errors: Conflict (a lock was not had in time) and Timeout are retryable; nothing was removed then.
    [[nodiscard]] Result<RetentionRun> run(const RetentionRule &rule, const RetentionPosition &from,
                                           RetentionCompany company);

    // What run() would remove in the end. Exact reads every handed-over row (at most two minutes); Bounded stops at
    // 100,000 rows that may go or a million looked at, and then says "at least".
    [[nodiscard]] Result<RetentionPreview> preview(std::chrono::seconds olderThan, CountMode mode);

private:
    enum class Part { Ordinary, Odd };
    struct Step
    {
        qint64 removed = 0;
        qint64 locked = 0;
        qint64 looked = 0;
        bool atEnd = false;
        RetentionPosition::Mark next;
    };

    [[nodiscard]] QByteArray rangeOf(Part part, const QByteArray &seconds) const;
    [[nodiscard]] QByteArray isOld(const QByteArray &row, const QByteArray &seconds) const;
    [[nodiscard]] Result<Step> step(Part part, const RetentionRule &rule, const RetentionPosition::Mark &from,
                                    qint64 mostRemoved, qint64 mostLooked);

    sql::Connection &m_connection;
    const Layout m_layout;
    int m_lookLimit = 100'000;
};

} // namespace engine::outbox
