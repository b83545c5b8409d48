// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowsearch.h"

#include "expressions.h"
#include "rowsql.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>

namespace engine::outbox {

using namespace Qt::StringLiterals;
using namespace rowsql;

namespace {

constexpr std::chrono::seconds serverLimit{10};
constexpr int firstPiece = 1000;
constexpr int largestPiece = 20'000; // all of a piece may fit the filter, and travels then

// Whether a node of the plan goes into an index by one of the columns.
bool usesIndexOf(const QJsonObject &plan, const QStringList &columns)
{
    const QString condition = plan.value(u"Index Cond"_s).toString();
    for (const QString &column : columns) {
        // Not a type's name behind a cast.
        const QRegularExpression mention(u"(?<![:\\w])%1(?!\\w)"_s.arg(QRegularExpression::escape(column)));
        if (condition.contains(mention))
            return true;
    }
    const QJsonArray children = plan.value(u"Plans"_s).toArray();
    return std::ranges::any_of(children,
                               [&](const QJsonValue &child) { return usesIndexOf(child.toObject(), columns); });
}

Result<QJsonObject> explain(sql::Connection &connection, const QByteArray &statement, const sql::Params &params)
{
    auto rows = connection.read("EXPLAIN (FORMAT JSON) " + statement, params, serverLimit);
    if (!rows)
        return fail(rows.error());
    QByteArray text;
    for (int row = 0; row < rows->count(); ++row)
        text += rows->bytes(row, 0).toByteArray() + '\n';
    return QJsonDocument::fromJson(text).array().at(0).toObject().value(u"Plan"_s).toObject();
}

QByteArray anyOf(const Layout &layout, const RowFilter &filter)
{
    QByteArray words;
    for (const QByteArray &status : statusesOf(layout, filter))
        words += (words.isEmpty() ? "" : ", ") + expressions::literal(status);
    return layout.status.quoted() + " IN (" + words + ")";
}

} // namespace

Result<FilterCost> filterCost(sql::Connection &connection, const Layout &layout, const RowFilter &filter)
{
    const QByteArray rows = "SELECT 1 FROM "
        + layout.quotedTable()
        // Without a choice of statuses all rows are looked at: the condition would only spoil the estimate.
        + (filter.statuses.isEmpty() ? QByteArray(" WHERE true") : " WHERE " + anyOf(layout, filter));
    auto all = explain(connection, rows, {});
    if (!all)
        return fail(all.error());
    sql::Params params;
    const QByteArray conditions = textConditions(layout, filter, params);
    auto fitting = explain(connection, rows + conditions, params);
    if (!fitting)
        return fail(fitting.error());
    QStringList columns;
    if (!filter.typePrefix.isEmpty())
        columns << QString::fromUtf8(layout.eventType.name);
    if (!filter.tenant.isEmpty())
        columns << QString::fromUtf8(layout.tenantId.name);
    if (!filter.errorText.isEmpty())
        columns << QString::fromUtf8(layout.lastError.name);
    FilterCost cost;
    cost.looks = all->value(u"Plan Rows"_s).toInteger();
    cost.matches = fitting->value(u"Plan Rows"_s).toInteger();
    cost.byIndex = usesIndexOf(*fitting, columns);
    if (cost.byIndex)
        cost.looks = cost.matches;
    return cost;
}

RowSearch::RowSearch(sql::Connection &connection, const Layout &layout)
    : m_connection(connection)
    , m_layout(layout)
    , m_pieceRows(firstPiece)
{ }

Result<RowSearchStep> RowSearch::step(const RowFilter &filter, const RowSearchCursor &cursor)
{
    if (!m_layout.hasDueIndex)
        return wholeTable(filter, cursor);
    const QByteArray at = m_layout.scheduledAt.quoted();
    const QByteArray id = m_layout.id.quoted();
    const QByteArray limit = " LIMIT " + QByteArray::number(m_pieceRows);
    sql::Params params;
    const QByteArray beyond = cursor.from ? beyondKey(m_layout, *cursor.from, true, params) : QByteArray();
    // "AND a AND b" as a value.
    const QByteArray fits = "(true" + textConditions(m_layout, filter, params) + ") IS TRUE";
    QByteArray branches;
    for (const QByteArray &status : statusesOf(m_layout, filter))
        branches += (branches.isEmpty() ? "(SELECT " : " UNION ALL (SELECT ") + id + ", " + at + ", " + fits
            + " AS piece_fits FROM " + m_layout.quotedTable() + " WHERE " + statusIs(m_layout, status) + beyond
            + " ORDER BY " + at + " DESC, " + id + " DESC" + limit + ")";
    const QByteArray order = " ORDER BY " + at + " DESC, " + id + " DESC";
    const QByteArray last = "(SELECT {} FROM piece ORDER BY " + at + " ASC, " + id + " ASC LIMIT 1)";
    // One row at least, without a found one in it, tells how far the piece went.
    const QByteArray statement = "WITH piece AS MATERIALIZED (SELECT * FROM (" + branches + ") AS candidates" + order
        + limit + ") SELECT (SELECT count(*) FROM piece), " + QByteArray(last).replace("{}", id + "::text") + ", "
        + QByteArray(last).replace("{}", sortKey(m_layout)) + ", found_row.* FROM (SELECT 1) AS one LEFT JOIN (SELECT "
        + summaryColumns(m_layout) + ", " + at + " AS found_at, " + id + " AS found_id FROM " + m_layout.quotedTable()
        + " WHERE " + id + " = ANY(ARRAY(SELECT " + id
        + " FROM piece WHERE piece_fits))) AS found_row ON true ORDER BY found_at DESC, found_id DESC";
    QElapsedTimer timer;
    timer.start();
    auto rows = m_connection.read(statement, params, serverLimit, byIndex);
    if (!rows)
        return fail(rows.error());
    RowSearchStep step;
    step.looked = rows->integer(0, 0);
    step.done = step.looked < m_pieceRows;
    step.next = cursor;
    if (step.looked > 0)
        step.next.from = PageKey{rows->optionalInteger(0, 2), rows->bytes(0, 1).toByteArray()};
    for (int row = 0; row < rows->count(); ++row) {
        if (!rows->isNull(row, 3))
            step.found.push_back(toSummary(*rows, row, m_layout, 3));
    }
    if (timer.elapsed() < pieceTime.count() / 2)
        m_pieceRows = std::min(m_pieceRows * 2, largestPiece);
    else if (timer.elapsed() > pieceTime.count() * 2)
        m_pieceRows = std::max(m_pieceRows / 2, firstPiece / 4);
    return step;
}

Result<RowSearchStep> RowSearch::wholeTable(const RowFilter &filter, const RowSearchCursor &cursor)
{
    sql::Params params;
    const QByteArray beyond = cursor.from ? beyondKey(m_layout, *cursor.from, true, params) : QByteArray();
    const QByteArray order =
        " ORDER BY " + m_layout.scheduledAt.quoted() + " DESC, " + m_layout.id.quoted() + " DESC LIMIT ";
    auto rows = m_connection.read("SELECT " + summaryColumns(m_layout) + " FROM " + m_layout.quotedTable() + " WHERE "
                                      + anyOf(m_layout, filter) + beyond + textConditions(m_layout, filter, params)
                                      + order + QByteArray::number(mostFoundAtOnce),
                                  params, wholeTableLimit);
    if (!rows)
        return fail(rows.error());
    RowSearchStep step;
    for (int row = 0; row < rows->count(); ++row)
        step.found.push_back(toSummary(*rows, row, m_layout));
    step.done = step.found.size() < mostFoundAtOnce;
    step.next = cursor;
    if (!step.found.empty())
        step.next.from = keyOf(step.found.back());
    return step;
}

} // namespace engine::outbox
