// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reader.h"

// The parts of statements that list rows: what is read of a row, where a page goes on, which rows a filter lets through.
namespace engine::outbox::rowsql {

// With these a page is one range of the (status, scheduledAt) index per status, merged. With old statistics the
// planner would rather collect all rows of a status and sort them.
inline constexpr char byIndex[] = "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off";

// What toSummary() reads, and behind it the row's own schedule as a PageKey has it.
[[nodiscard]] QByteArray summaryColumns(const Layout &layout);
inline constexpr int summaryColumnCount = 12;
// The scheduledAt column as a PageKey has it.
[[nodiscard]] QByteArray sortKey(const Layout &layout);

// Of the columns that begin at `first`.
[[nodiscard]] RowSummary toSummary(const sql::Rows &rows, int row, const Layout &layout, int first = 0);

// " AND ..." for rows beyond the key, in the order -infinity, times, infinity, null, and by id among equals.
[[nodiscard]] QByteArray beyondKey(const Layout &layout, const PageKey &key, bool older, sql::Params &params);
// " AND ..." for rows scheduled at `at` or earlier.
[[nodiscard]] QByteArray notAfter(const Layout &layout, EpochMicros at, sql::Params &params);
// " AND ..." for the filter's texts.
[[nodiscard]] QByteArray textConditions(const Layout &layout, const RowFilter &filter, sql::Params &params);
// The filter's statuses; all of the layout if it names none.
[[nodiscard]] std::vector<QByteArray> statusesOf(const Layout &layout, const RowFilter &filter);
[[nodiscard]] QByteArray statusIs(const Layout &layout, const QByteArray &status);

} // namespace engine::outbox::rowsql
