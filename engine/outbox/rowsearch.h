// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reader.h"

#include <chrono>
#include <memory>

namespace engine::outbox {

// What a filter by texts asks of the database, by the planner's estimate before anything is read.
struct FilterCost
{
    qint64 looks = 0; // rows to be looked at, about
    qint64 matches = 0; // rows that fit, about; for texts within an error little more than a guess
    bool byIndex = false; // an index leads to the rows that fit

    // Answered like any page; else it is a search, in pieces.
    [[nodiscard]] bool isCheap() const { return byIndex || looks <= 20'000; }
};

// Some milliseconds at any table size: EXPLAIN, nothing runs.
[[nodiscard]] Result<FilterCost> filterCost(sql::Connection &connection, const Layout &layout, const RowFilter &filter);

// Where a search goes on.
struct RowSearchCursor
{
    std::optional<PageKey> from; // exclusive; absent: at the newest row
};

struct RowSearchStep
{
    std::vector<RowSummary> found; // newest schedule first
    qint64 looked = 0; // rows of the wanted statuses looked at; 0 where only the server knows, without the index
    RowSearchCursor next;
    bool done = false; // the oldest row was looked at
};

// Looks through a table for rows that no index finds: along the (status, scheduledAt) index, newest first, a piece at
// a time. Each piece is one statement of about `pieceTime`, so that any of them can be the last. A table without that
// index is read from end to end by each statement, with a longer limit, until `mostFoundAtOnce` rows are found. Blocking, for the connection's thread.
class RowSearch final
{
public:
    static constexpr int mostFoundAtOnce = 2000; // by one step without the index
    static constexpr std::chrono::milliseconds pieceTime{150};
    static constexpr std::chrono::seconds wholeTableLimit{120};

    // `connection` and `layout` outlive the search.
    RowSearch(sql::Connection &connection, const Layout &layout);

    // Errors: those of the connection; Timeout when even a small piece takes longer than the server-side limit, or
    // somebody cancelled the statement.
    [[nodiscard]] Result<RowSearchStep> step(const RowFilter &filter, const RowSearchCursor &cursor);

private:
    [[nodiscard]] Result<RowSearchStep> wholeTable(const RowFilter &filter, const RowSearchCursor &cursor);

    sql::Connection &m_connection;
    const Layout &m_layout;
    int m_pieceRows; // follows how long pieces take
};

} // namespace engine::outbox
