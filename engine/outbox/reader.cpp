// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader.h"

#include "estimates.h"
#include "expressions.h"
#include "rowsql.h"

#include <QCoreApplication>

#include <algorithm>

namespace engine::outbox {

using namespace expressions;
using namespace rowsql;

namespace {

constexpr std::chrono::seconds readLimit{10};
constexpr std::chrono::seconds documentLimit{100};
constexpr qint64 boundedCountLimit = 50'000;
constexpr qint64 largeStatusLook = 10'000;
constexpr qint64 payloadLimit = 4 * 1024 * 1024;

// Bounded counts stop at a LIMIT, which only the index's order reaches early.
QByteArray planner(CountMode mode, const Layout &layout)
{
    return mode == CountMode::Bounded && layout.hasDueIndex ? QByteArray(byIndex) : QByteArray();
}

} // namespace

PageKey keyOf(const RowSummary &row)
{
    return {row.orderAt, row.id};
}

Reader::Reader(sql::Connection &connection, Layout layout)
    : m_connection(connection)
    , m_layout(std::move(layout))
{ }

Result<RowPage> Reader::page(const PageRequest &request)
{
    const bool older = request.direction == PageDirection::Older;
    const QByteArray scheduledAt = m_layout.scheduledAt.quoted();
    const QByteArray id = m_layout.id.quoted();
    const QByteArray order = older ? " DESC" : " ASC";

    // One range of the (status, scheduledAt) index per status, merged: a few milliseconds at any table size.
    sql::Params params;
    QByteArray conditions;
    if (request.from)
        conditions += beyondKey(m_layout, *request.from, older, params);
    else if (request.at)
        conditions += notAfter(m_layout, *request.at, params);
    conditions += textConditions(m_layout, request.filter, params);

    const int limit = std::clamp(request.limit, 1, 10'000);
    const QByteArray limitText = QByteArray::number(limit + 1);
    QByteArray branches;
    for (const QByteArray &status : statusesOf(m_layout, request.filter)) {
        if (!branches.isEmpty())
            branches += " UNION ALL ";
        branches += "(SELECT * FROM " + m_layout.quotedTable() + " WHERE " + statusIs(m_layout, status) + conditions
            + " ORDER BY " + scheduledAt + order + ", " + id + order + " LIMIT " + limitText + ")";
    }
    auto rows =
        m_connection.read("SELECT " + summaryColumns(m_layout) + " FROM (" + branches + ") AS page ORDER BY "
                              + scheduledAt + order + ", " + id + order + " LIMIT " + limitText,
                          params, readLimit,
                          // A filter's own index, if there is one, is the planner's to find.
                          m_layout.hasDueIndex && !request.filter.hasTexts() ? QByteArray(byIndex) : QByteArray());
    if (!rows)
        return fail(rows.error());

    RowPage page;
    const bool more = rows->count() > limit;
    for (int row = 0; row < std::min(rows->count(), limit); ++row)
        page.rows.push_back(toSummary(*rows, row, m_layout));
    if (!page.rows.empty()) {
        page.newest = keyOf(page.rows.front());
        page.oldest = keyOf(page.rows.back());
    }
    if (!older) {
        std::reverse(page.rows.begin(), page.rows.end());
        std::swap(page.newest, page.oldest);
    }
    const bool fromWithin = request.from || request.at;
    page.hasOlder = older ? more : fromWithin;
    page.hasNewer = older ? fromWithin : more;
    return page;
}

// One row by its id.
Result<sql::Rows> Reader::readRow(const QByteArray &columns, const QByteArray &id, std::chrono::milliseconds limit)
{
    auto rows = m_connection.read(
        "SELECT " + columns + " FROM " + m_layout.quotedTable() + " WHERE " + m_layout.id.quoted()
            + "::text = $1"
            // The cast above would hide the primary key; this repeats the question in the key's own type.
            + (m_layout.id.type == "text" ? QByteArray()
                                          : " AND " + m_layout.id.quoted() + " = $1::text::" + m_layout.id.type),
        sql::Params().text(id), limit);
    if (!rows && rows.error().code != ErrorCode::BadInput)
        return rows;
    if (!rows || rows->count() == 0) // no uuid or number, so no id of this table; or no row
        return fail(ErrorCode::NotFound,
                    QCoreApplication::translate("engine::outbox::Reader", "%1 has no row with id %2 (any more).")
                        .arg(m_layout.displayName(), QString::fromUtf8(id)));
    return rows;
}

Result<QByteArray> Reader::payload(const QByteArray &id)
{
    auto rows = readRow(m_layout.payload.quoted() + "::text", id, documentLimit);
    if (!rows)
        return fail(rows.error());
    return rows->bytes(0, 0).toByteArray();
}

Result<RowDetail> Reader::detail(const QByteArray &id)
{
    const auto optionalText = [](const Column &column) {
        return column.exists() ? column.quoted() + "::text" : QByteArray("NULL::text");
    };
    const QByteArray payload = m_layout.payload.quoted() + "::text";
    auto rows = readRow(summaryColumns(m_layout) + ", left(" + payload + ", " + QByteArray::number(payloadLimit)
                            + "), octet_length(" + payload + "), " + m_layout.lastError.quoted() + ", "
                            + optionalText(m_layout.dispatchKey) + ", " + optionalText(m_layout.aggregateType) + ", "
                            + optionalText(m_layout.aggregateId) + ", " + optionalText(m_layout.eventVersion) + ", "
                            + optionalText(m_layout.metadata) + ", " + optionalText(m_layout.maxRetries),
                        id, readLimit);
    if (!rows)
        return fail(rows.error());

    RowDetail detail;
    detail.row = toSummary(*rows, 0, m_layout);
    int column = summaryColumnCount - 1;
    detail.payload = rows->bytes(0, ++column).toByteArray();
    detail.payloadBytes = rows->integer(0, ++column);
    detail.lastError = rows->text(0, ++column);
    detail.dispatchKey = rows->bytes(0, ++column).toByteArray();
    detail.aggregateType = rows->bytes(0, ++column).toByteArray();
    detail.aggregateId = rows->bytes(0, ++column).toByteArray();
    detail.eventVersion = rows->bytes(0, ++column).toByteArray();
    detail.metadata = rows->bytes(0, ++column).toByteArray();
    detail.maxRetries = static_cast<int>(rows->integer(0, ++column));
    detail.payloadType = m_layout.payload.type;
    return detail;
}

Result<Stats> Reader::stats(CountMode mode)
{
    Stats stats;
    const QByteArray limit = QByteArray::number(boundedCountLimit + 1);
    const std::chrono::seconds serverTimeout = mode == CountMode::Exact ? std::chrono::seconds(120) : readLimit;
    QHash<QByteArray, qint64> estimated;
    if (mode == CountMode::Bounded) {
        auto found = estimatedCounts(m_connection, m_layout);
        if (!found)
            return fail(found.error());
        estimated = std::move(*found);
    }
    // A status that ought to be far beyond the limit is not counted up to it again and again; but that it is still
    // large is looked at each time, since a backlog may be gone long before the statistics know.
    const auto limitOf = [&](const QByteArray &status) {
        return estimated.value(status) > boundedCountLimit ? largeStatusLook : boundedCountLimit;
    };
    QByteArray countStatement;
    if (mode == CountMode::Exact) {
        countStatement =
            "SELECT " + m_layout.status.quoted() + "::text, count(*) FROM " + m_layout.quotedTable() + " GROUP BY 1";
    } else {
        for (const QByteArray &status : m_layout.statuses) {
            if (!countStatement.isEmpty())
                countStatement += " UNION ALL ";
            countStatement += "SELECT " + literal(status) + ", (SELECT count(*) FROM (SELECT 1 FROM "
                + m_layout.quotedTable() + " WHERE " + statusIs(m_layout, status) + " LIMIT "
                + QByteArray::number(limitOf(status) + 1) + ") AS counted)";
        }
    }
    auto counted = m_connection.read(countStatement, {}, serverTimeout, planner(mode, m_layout));
    if (!counted)
        return fail(counted.error());
    for (const QByteArray &status : m_layout.statuses)
        stats.counts.emplace_back(status, Count{0, Count::Kind::Exact});
    for (int row = 0; row < counted->count(); ++row) {
        const QByteArray status = counted->bytes(row, 0).toByteArray();
        const qint64 value = counted->integer(row, 1);
        const qint64 most = limitOf(status);
        const bool capped = mode == CountMode::Bounded && value > most;
        const Count count{capped ? most : value, capped ? Count::Kind::AtLeast : Count::Kind::Exact};
        const auto known = std::find_if(stats.counts.begin(), stats.counts.end(),
                                        [&](const auto &entry) { return entry.first == status; });
        if (known == stats.counts.end())
            stats.counts.emplace_back(status, count);
        else
            known->second = count;
    }
    for (auto &[status, count] : stats.counts) {
        if (count.kind == Count::Kind::AtLeast && estimated.value(status) > count.value)
            count = {estimated.value(status), Count::Kind::Estimated};
    }

    // Per way of being due: a count that may stop early, and the oldest schedule from the index's own order.
    const Column &scheduledAt = m_layout.scheduledAt;
    QByteArray dueCounts;
    QByteArray oldest;
    for (const QByteArray &condition : dueConditions(m_layout, std::chrono::minutes(5))) {
        const QByteArray rowsThatFit = " FROM " + m_layout.quotedTable() + " WHERE " + condition;
        // Infinity is due, or not, like any other time, but has no age.
        const QByteArray datedRows = rowsThatFit + " AND isfinite(" + scheduledAt.quoted() + ")";
        dueCounts += (dueCounts.isEmpty() ? "" : " + ") + QByteArray("(SELECT count(*) FROM (SELECT 1") + rowsThatFit
            + (mode == CountMode::Bounded ? " LIMIT " + limit : QByteArray()) + ") AS due)";
        oldest += (oldest.isEmpty() ? "" : ", ") + ("(SELECT min(" + scheduledAt.quoted() + ")" + datedRows + ")");
    }
    auto due = m_connection.read("SELECT " + dueCounts + ", (extract(epoch FROM " + now(scheduledAt) + " - least("
                                     + oldest + ")) * 1000)::bigint, (extract(epoch FROM now()) * 1000000)::bigint",
                                 {}, serverTimeout, planner(mode, m_layout));
    if (!due)
        return fail(due.error());
    const qint64 dueCount = due->integer(0, 0);
    const bool capped = mode == CountMode::Bounded && dueCount > boundedCountLimit;
    stats.due = {capped ? boundedCountLimit : dueCount, capped ? Count::Kind::AtLeast : Count::Kind::Exact};
    stats.oldestDueAgeMs = due->optionalInteger(0, 1);
    stats.databaseTime = due->integer(0, 2);
    return stats;
}

} // namespace engine::outbox
