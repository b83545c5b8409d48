// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reader.h"

#include "expressions.h"

#include <QCoreApplication>

#include <algorithm>
#include <limits>

namespace engine::outbox {

using namespace expressions;

namespace {

constexpr std::chrono::seconds readLimit{10};
constexpr std::chrono::seconds documentLimit{100};
constexpr qint64 boundedCountLimit = 100'000;
constexpr qint64 payloadLimit = 4 * 1024 * 1024;

// PageKey's values for the times that have no number.
constexpr char infinityKey[] = "9223372036854775807";
constexpr char minusInfinityKey[] = "'-9223372036854775808'::bigint"; // unquoted it would be a negated numeric

// An enum has no text operators; a cast of what is text already would cost its index.
QByteArray asText(const Column &column)
{
    return column.isText() ? column.quoted() : column.quoted() + "::text";
}

QByteArray optionalEpoch(const Column &column)
{
    return column.exists() ? epochMicros(column) : QByteArray("NULL::bigint");
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
        + layout.lastError.quoted() + ", 500), CASE " + layout.scheduledAt.quoted() + " WHEN 'infinity' THEN "
        + infinityKey + " WHEN '-infinity' THEN " + minusInfinityKey + " ELSE " + epochMicros(layout.scheduledAt)
        + " END";
}

constexpr int sortKeyColumn = 11; // scheduledAt as a PageKey has it, the last of summaryColumns()

PageKey toKey(const sql::Rows &rows, int row)
{
    return {rows.optionalInteger(row, sortKeyColumn), rows.bytes(row, 0).toByteArray()};
}

// Rows beyond the key: in the order -infinity, times, infinity, null, and by id among equals.
// `time` is the key's schedule, absent for null.
QByteArray beyondKey(const Column &scheduledAt, const QByteArray &id, const std::optional<QByteArray> &time,
                     const QByteArray &idParameter, bool older)
{
    const QByteArray column = scheduledAt.quoted();
    const QByteArray beyondId = id + (older ? " < " : " > ") + idParameter;
    if (!time)
        return older ? "(" + column + " IS NOT NULL OR " + beyondId + ")" : column + " IS NULL AND " + beyondId;
    // The first comparison is the one that an index range answers.
    const QByteArray among = column + (older ? " <= " : " >= ") + *time + " AND (" + column + (older ? " < " : " > ")
        + *time + " OR " + beyondId + ")";
    return older || !scheduledAt.nullable ? among : "(" + among + " OR " + column + " IS NULL)";
}

RowSummary toSummary(const sql::Rows &rows, int row, const Layout &layout)
{
    RowSummary summary;
    summary.id = rows.bytes(row, 0).toByteArray();
    summary.tenantId = rows.bytes(row, 1).toByteArray();
    summary.eventType = rows.bytes(row, 2).toByteArray();
    summary.status = rows.bytes(row, 3).toByteArray();
    summary.phase = layout.phaseOf(summary.status);
    // A bigint column may hold what no int does.
    summary.retries = static_cast<int>(
        std::clamp<qint64>(rows.integer(row, 4), std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
    summary.scheduledAt = rows.optionalInteger(row, 5);
    summary.lockedUntil = rows.optionalInteger(row, 6);
    summary.processedAt = rows.optionalInteger(row, 7);
    summary.createdAt = rows.optionalInteger(row, 8);
    summary.updatedAt = rows.optionalInteger(row, 9);
    summary.lastError = rows.text(row, 10);
    return summary;
}

QByteArray likePrefix(const QString &prefix)
{
    QByteArray pattern = prefix.toUtf8();
    pattern.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
    return pattern + '%';
}

} // namespace

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
    const auto add = [&](const QByteArray &value) {
        params.text(value);
        return "$" + QByteArray::number(params.count());
    };
    if (request.from) {
        const QByteArray idParameter = add(request.from->id) + "::text::" + m_layout.id.type;
        std::optional<QByteArray> time;
        if (const auto micros = request.from->scheduledAt) {
            using Limits = std::numeric_limits<EpochMicros>;
            if (*micros == Limits::max() || *micros == Limits::min())
                time = *micros > 0 ? "'infinity'" : "'-infinity'";
            else
                time = fromEpochMicros(m_layout.scheduledAt, add(QByteArray::number(*micros)) + "::bigint");
        }
        conditions += " AND " + beyondKey(m_layout.scheduledAt, id, time, idParameter, older);
    }
    if (!request.filter.typePrefix.isEmpty())
        conditions += " AND " + asText(m_layout.eventType) + " LIKE " + add(likePrefix(request.filter.typePrefix));
    if (!request.filter.tenant.isEmpty())
        conditions += " AND " + m_layout.tenantId.quoted() + "::text = " + add(request.filter.tenant.toUtf8());
    if (!request.filter.errorText.isEmpty())
        conditions += " AND strpos(lower(" + m_layout.lastError.quoted() + "), lower("
            + add(request.filter.errorText.toUtf8()) + ")) > 0";

    const int limit = std::clamp(request.limit, 1, 10'000);
    const QByteArray limitText = QByteArray::number(limit + 1);
    const std::vector<QByteArray> statuses = request.filter.statuses.isEmpty()
        ? m_layout.statuses
        : std::vector<QByteArray>(request.filter.statuses.cbegin(), request.filter.statuses.cend());
    QByteArray branches;
    for (const QByteArray &status : statuses) {
        if (!branches.isEmpty())
            branches += " UNION ALL ";
        branches += "(SELECT * FROM " + m_layout.quotedTable() + " WHERE " + m_layout.status.quoted() + " = "
            + literal(status) + conditions + " ORDER BY " + scheduledAt + order + ", " + id + order + " LIMIT "
            + limitText + ")";
    }
    auto rows = m_connection.read("SELECT " + summaryColumns(m_layout) + " FROM (" + branches + ") AS page ORDER BY "
                                      + scheduledAt + order + ", " + id + order + " LIMIT " + limitText,
                                  params, readLimit);
    if (!rows)
        return fail(rows.error());

    RowPage page;
    const bool more = rows->count() > limit;
    for (int row = 0; row < std::min(rows->count(), limit); ++row)
        page.rows.push_back(toSummary(*rows, row, m_layout));
    if (!page.rows.empty()) {
        page.newest = toKey(*rows, 0);
        page.oldest = toKey(*rows, static_cast<int>(page.rows.size()) - 1);
    }
    if (!older) {
        std::reverse(page.rows.begin(), page.rows.end());
        std::swap(page.newest, page.oldest);
    }
    page.hasOlder = older ? more : request.from.has_value();
    page.hasNewer = older ? request.from.has_value() : more;
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
    int column = sortKeyColumn;
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
    QByteArray countStatement;
    if (mode == CountMode::Exact) {
        countStatement =
            "SELECT " + m_layout.status.quoted() + "::text, count(*) FROM " + m_layout.quotedTable() + " GROUP BY 1";
    } else {
        for (const QByteArray &status : m_layout.statuses) {
            if (!countStatement.isEmpty())
                countStatement += " UNION ALL ";
            countStatement += "SELECT " + literal(status) + ", (SELECT count(*) FROM (SELECT 1 FROM "
                + m_layout.quotedTable() + " WHERE " + m_layout.status.quoted() + " = " + literal(status) + " LIMIT "
                + limit + ") AS counted)";
        }
    }
    auto counted = m_connection.read(countStatement, {}, serverTimeout);
    if (!counted)
        return fail(counted.error());
    for (const QByteArray &status : m_layout.statuses)
        stats.counts.emplace_back(status, Count{0, Count::Kind::Exact});
    for (int row = 0; row < counted->count(); ++row) {
        const QByteArray status = counted->bytes(row, 0).toByteArray();
        const qint64 value = counted->integer(row, 1);
        const bool capped = mode == CountMode::Bounded && value > boundedCountLimit;
        const Count count{capped ? boundedCountLimit : value, capped ? Count::Kind::AtLeast : Count::Kind::Exact};
        const auto known = std::find_if(stats.counts.begin(), stats.counts.end(),
                                        [&](const auto &entry) { return entry.first == status; });
        if (known == stats.counts.end())
            stats.counts.emplace_back(status, count);
        else
            known->second = count;
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
                                 {}, serverTimeout);
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
