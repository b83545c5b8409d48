// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowsql.h"

#include "expressions.h"

#include <algorithm>
#include <limits>

namespace engine::outbox::rowsql {

using namespace expressions;

namespace {

// PageKey's values for the times that have no number.
constexpr char infinityKey[] = "9223372036854775807";
constexpr char minusInfinityKey[] = "'-9223372036854775808'::bigint"; // unquoted it would be a negated numeric

QByteArray add(sql::Params &params, const QByteArray &value)
{
    params.text(value);
    return "$" + QByteArray::number(params.count());
}

// An enum has no text operators; a cast of what is text already would cost its index.
QByteArray asText(const Column &column)
{
    return column.isText() ? column.quoted() : column.quoted() + "::text";
}

QByteArray optionalEpoch(const Column &column)
{
    return column.exists() ? epochMicros(column) : QByteArray("NULL::bigint");
}

QByteArray timeValue(const Layout &layout, EpochMicros micros, sql::Params &params)
{
    using Limits = std::numeric_limits<EpochMicros>;
    if (micros == Limits::max() || micros == Limits::min())
        return micros > 0 ? "'infinity'" : "'-infinity'";
    return fromEpochMicros(layout.scheduledAt, add(params, QByteArray::number(micros)) + "::bigint");
}

QByteArray likePrefix(const QString &prefix)
{
    QByteArray pattern = prefix.toUtf8();
    pattern.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    return pattern + '%';
}

} // namespace

QByteArray sortKey(const Layout &layout)
{
    return "CASE " + layout.scheduledAt.quoted() + " WHEN 'infinity' THEN " + infinityKey + " WHEN '-infinity' THEN "
        + minusInfinityKey + " ELSE " + epochMicros(layout.scheduledAt) + " END";
}

QByteArray summaryColumns(const Layout &layout)
{
    const QByteArray retryAware = layout.kind == LayoutKind::Message
        ? "CASE WHEN " + layout.status.quoted() + "::text = 'failed' THEN " + epochMicros(layout.nextRetryAt) + " ELSE "
            + epochMicros(layout.scheduledAt) + " END"
        : epochMicros(layout.scheduledAt);
    return layout.id.quoted() + "::text, " + layout.tenantId.quoted() + "::text, " + layout.eventType.quoted()
        + "::text, " + layout.status.quoted() + "::text, " + layout.retries.quoted() + ", " + retryAware + ", "
        + optionalEpoch(layout.lockedUntil) + ", " + optionalEpoch(layout.processedAt) + ", "
        + optionalEpoch(layout.createdAt) + ", " + optionalEpoch(layout.updatedAt) + ", left("
        + layout.lastError.quoted() + ", 500), " + sortKey(layout);
}

RowSummary toSummary(const sql::Rows &rows, int row, const Layout &layout, int first)
{
    int column = first;
    RowSummary summary;
    summary.id = rows.bytes(row, column).toByteArray();
    summary.tenantId = rows.bytes(row, ++column).toByteArray();
    summary.eventType = rows.bytes(row, ++column).toByteArray();
    summary.status = rows.bytes(row, ++column).toByteArray();
    summary.phase = layout.phaseOf(summary.status);
    // A bigint column may hold what no int does.
    summary.retries = static_cast<int>(std::clamp<qint64>(rows.integer(row, ++column), std::numeric_limits<int>::min(),
                                                          std::numeric_limits<int>::max()));
    summary.scheduledAt = rows.optionalInteger(row, ++column);
    summary.lockedUntil = rows.optionalInteger(row, ++column);
    summary.processedAt = rows.optionalInteger(row, ++column);
    summary.createdAt = rows.optionalInteger(row, ++column);
    summary.updatedAt = rows.optionalInteger(row, ++column);
    summary.lastError = rows.text(row, ++column);
    summary.orderAt = rows.optionalInteger(row, ++column);
    return summary;
}

QByteArray beyondKey(const Layout &layout, const PageKey &key, bool older, sql::Params &params)
{
    const QByteArray column = layout.scheduledAt.quoted();
    const QByteArray beyondId =
        layout.id.quoted() + (older ? " < " : " > ") + add(params, key.id) + "::text::" + layout.id.type;
    if (!key.scheduledAt)
        return older ? " AND (" + column + " IS NOT NULL OR " + beyondId + ")"
                     : " AND " + column + " IS NULL AND " + beyondId;
    const QByteArray time = timeValue(layout, *key.scheduledAt, params);
    // The first comparison is the one that an index range answers.
    const QByteArray among = column + (older ? " <= " : " >= ") + time + " AND (" + column + (older ? " < " : " > ")
        + time + " OR " + beyondId + ")";
    return older || !layout.scheduledAt.nullable ? " AND " + among : " AND (" + among + " OR " + column + " IS NULL)";
}

QByteArray notAfter(const Layout &layout, EpochMicros at, sql::Params &params)
{
    return " AND " + layout.scheduledAt.quoted() + " <= " + timeValue(layout, at, params);
}

QByteArray textConditions(const Layout &layout, const RowFilter &filter, sql::Params &params)
{
    QByteArray conditions;
    if (!filter.typePrefix.isEmpty())
        conditions += " AND " + asText(layout.eventType) + " LIKE " + add(params, likePrefix(filter.typePrefix));
    if (!filter.tenant.isEmpty())
        conditions += " AND " + layout.tenantId.quoted() + "::text = " + add(params, filter.tenant.toUtf8());
    if (!filter.errorText.isEmpty())
        conditions += " AND strpos(lower(" + layout.lastError.quoted() + "), lower("
            + add(params, filter.errorText.toUtf8()) + ")) > 0";
    return conditions;
}

std::vector<QByteArray> statusesOf(const Layout &layout, const RowFilter &filter)
{
    return filter.statuses.isEmpty() ? layout.statuses
                                     : std::vector<QByteArray>(filter.statuses.cbegin(), filter.statuses.cend());
}

QByteArray statusIs(const Layout &layout, const QByteArray &status)
{
    return layout.status.quoted() + " = " + literal(status);
}

} // namespace engine::outbox::rowsql
