// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowlookup.h"

#include <engine/base/jsontext.h>
#include <engine/outbox/expressions.h>

namespace engine::trace {

using namespace outbox::expressions;
using outbox::Column;
using outbox::EpochMicros;
using outbox::RowDetail;

namespace {

constexpr std::chrono::milliseconds indexedLimit{5000};
constexpr std::chrono::milliseconds searchLimit{3000};

QByteArray arrayOf(const QList<QByteArray> &values)
{
    sql::ArrayText array;
    for (const QByteArray &value : values)
        array.append(QByteArrayView(value));
    return array.take();
}

bool isJson(const Column &column)
{
    return column.type == "jsonb" || column.type == "json";
}

std::vector<jsontext::Member> membersOfObject(const QByteArray &json)
{
    const QByteArray trimmed = json.trimmed();
    if (!trimmed.startsWith('{') || jsontext::findFault(json))
        return {};
    return jsontext::membersOf(json);
}

QByteArray textOf(const std::vector<jsontext::Member> &members, std::initializer_list<QLatin1StringView> names)
{
    for (const jsontext::Member &member : members) {
        for (const QLatin1StringView name : names) {
            if (member.key == name)
                return jsontext::stringValue(member.value).value_or(QString()).toUtf8();
        }
    }
    return {};
}

} // namespace

QByteArray textMember(const QByteArray &json, QLatin1StringView name)
{
    return textOf(membersOfObject(json), {name});
}

References referencesIn(const RowDetail &row)
{
    using namespace Qt::StringLiterals;
    References found;
    const QByteArray &payload = row.payload;
    const bool whole = payload.size() == row.payloadBytes; // a cut one is no JSON any more
    const auto inPayload = whole ? membersOfObject(payload) : std::vector<jsontext::Member>();
    for (const auto &names : {std::initializer_list<QLatin1StringView>{"executionId"_L1, "execution_id"_L1},
                              std::initializer_list<QLatin1StringView>{"execution"_L1}}) {
        if (const QByteArray id = textOf(inPayload, names); !id.isEmpty() && !found.executions.contains(id))
            found.executions << id;
    }
    QByteArray metadata = row.metadata;
    for (const jsontext::Member &member : inPayload) {
        if (metadata.isEmpty() && member.key == "metadata"_L1)
            metadata = member.value.toByteArray();
    }
    const auto inMetadata = membersOfObject(metadata);
    const auto either = [&](std::initializer_list<QLatin1StringView> names) {
        const QByteArray value = textOf(inMetadata, names);
        return value.isEmpty() ? textOf(inPayload, names) : value;
    };
    found.correlationId = either({"correlationId"_L1, "correlation_id"_L1});
    found.sagaId = either({"sagaId"_L1, "saga_id"_L1});
    found.traceId = either({"traceId"_L1, "trace_id"_L1});
    return found;
}

RowLookup::RowLookup(sql::Connection &connection, outbox::Layout layout)
    : m_connection(connection)
    , m_layout(layout)
    , m_reader(connection, std::move(layout))
{ }

Result<std::optional<RowDetail>> RowLookup::byId(const QByteArray &id)
{
    if (!canBeValueOf(m_layout.id.type, id))
        return std::nullopt;
    auto detail = m_reader.detail(id);
    if (detail)
        return std::optional(std::move(*detail));
    if (detail.error().code == ErrorCode::NotFound)
        return std::nullopt;
    return fail(detail.error());
}

Result<std::vector<RowLookup::Known>> RowLookup::known(const QList<QByteArray> &ids)
{
    QList<QByteArray> possible;
    for (const QByteArray &id : ids) {
        if (canBeValueOf(m_layout.id.type, id))
            possible << id;
    }
    std::vector<Known> found;
    if (possible.isEmpty())
        return found;
    const QByteArray key =
        m_layout.dispatchKey.exists() ? m_layout.dispatchKey.quoted() + "::text" : QByteArray("NULL::text");
    auto rows =
        m_connection.read("SELECT " + m_layout.id.quoted() + "::text, " + m_layout.eventType.quoted() + "::text, "
                              + m_layout.status.quoted() + "::text, " + key + ", " + epochMicros(m_layout.processedAt)
                              + " FROM " + m_layout.quotedTable() + " WHERE " + m_layout.id.quoted()
                              + " = ANY($1::text[]::" + m_layout.id.type + "[])",
                          sql::Params().text(arrayOf(possible)), indexedLimit);
    if (!rows)
        return fail(rows.error());
    for (int row = 0; row < rows->count(); ++row)
        found.push_back({rows->bytes(row, 0).toByteArray(), rows->bytes(row, 1).toByteArray(),
                         rows->bytes(row, 2).toByteArray(), rows->bytes(row, 3).toByteArray(),
                         rows->optionalInteger(row, 4)});
    return found;
}

Result<RowLookup::Found> RowLookup::search(const QByteArray &condition, const sql::Params &params,
                                           std::chrono::milliseconds limit)
{
    auto rows = m_connection.read("SELECT " + m_layout.id.quoted() + "::text, " + epochMicros(m_layout.scheduledAt)
                                      + " AS due FROM " + m_layout.quotedTable() + " WHERE " + condition + " LIMIT "
                                      + QByteArray::number(mostRows + 1),
                                  params, limit);
    Found found;
    if (!rows) {
        if (rows.error().code != ErrorCode::Timeout || m_connection.isBroken())
            return fail(rows.error());
        found.finished = false;
        return found;
    }
    std::vector<std::pair<qint64, QByteArray>> byTime;
    for (int row = 0; row < rows->count(); ++row)
        byTime.emplace_back(rows->integer(row, 1), rows->bytes(row, 0).toByteArray());
    std::ranges::sort(byTime);
    found.more = byTime.size() > mostRows;
    for (const auto &[due, id] : byTime) {
        if (found.ids.size() < mostRows)
            found.ids << id;
    }
    return found;
}

Result<RowLookup::Found> RowLookup::byDispatchKey(const QByteArray &key)
{
    if (!m_layout.dispatchKey.exists() || key.contains('\0'))
        return Found{{}, false, false, true};
    return search(m_layout.dispatchKey.quoted() + " = $1", sql::Params().text(key),
                  m_layout.dispatchKeyIsUnique ? indexedLimit : searchLimit);
}

Result<RowLookup::Found> RowLookup::byAggregate(const QByteArray &aggregateId)
{
    if (!m_layout.aggregateId.exists() || !canBeValueOf(m_layout.aggregateId.type, aggregateId))
        return Found{{}, false, m_layout.aggregateId.exists(), true};
    return search(m_layout.aggregateId.quoted() + " = $1::text::" + m_layout.aggregateId.type,
                  sql::Params().text(aggregateId), searchLimit);
}

QByteArray RowLookup::memberIs(const Column &column, const QList<QByteArray> &path, const QByteArray &parameter) const
{
    QByteArray expression = column.quoted();
    for (qsizetype i = 0; i < path.size(); ++i)
        expression += (i + 1 < path.size() ? "->" : "->>") + literal(path[i]);
    return "(" + expression + ") = ANY(" + parameter + "::text[])";
}

Result<RowLookup::Found> RowLookup::byCorrelation(const QByteArray &id)
{
    if (id.contains('\0'))
        return Found();
    QByteArray condition;
    const auto add = [&](const QByteArray &one) { condition += (condition.isEmpty() ? "" : " OR ") + one; };
    for (const char *name : {"correlationId", "sagaId", "traceId", "correlation_id", "saga_id", "trace_id"}) {
        if (m_layout.metadata.exists() && isJson(m_layout.metadata)) {
            add(memberIs(m_layout.metadata, {name}, "$1"));
        } else if (isJson(m_layout.payload)) {
            add(memberIs(m_layout.payload, {name}, "$1"));
            add(memberIs(m_layout.payload, {"metadata", name}, "$1"));
        }
    }
    if (condition.isEmpty())
        return Found{{}, false, false, true};
    return search("(" + condition + ")", sql::Params().text(arrayOf({id})), searchLimit);
}

QByteArray RowLookup::inTimeOrder(std::optional<EpochMicros> since, sql::Params &params) const
{
    if (!since)
        return {};
    // With the statuses named, an index on (status, scheduledAt) answers this by one range each.
    QByteArray words;
    for (const QByteArray &status : m_layout.statuses)
        words += (words.isEmpty() ? "" : ", ") + literal(status);
    params.integer(*since);
    return " AND " + m_layout.status.quoted() + " IN (" + words + ") AND " + m_layout.scheduledAt.quoted()
        + " >= " + fromEpochMicros(m_layout.scheduledAt, "$" + QByteArray::number(params.count()) + "::bigint");
}

Result<RowLookup::Found> RowLookup::byExecution(const QList<QByteArray> &executionIds, std::optional<EpochMicros> since)
{
    if (executionIds.isEmpty())
        return Found();
    if (!isJson(m_layout.payload))
        return Found{{}, false, false, true};
    sql::Params params;
    params.text(arrayOf(executionIds));
    const QByteArray condition = "(" + memberIs(m_layout.payload, {"executionId"}, "$1") + " OR "
        + memberIs(m_layout.payload, {"execution_id"}, "$1") + " OR " + memberIs(m_layout.payload, {"execution"}, "$1")
        + ")";
    const QByteArray range = inTimeOrder(since, params);
    return search(condition + range, params, searchLimit);
}

Result<std::vector<std::pair<QByteArray, QByteArray>>>
RowLookup::rowsOfExecutions(const QList<QByteArray> &executionIds, std::optional<EpochMicros> since, bool *finished)
{
    std::vector<std::pair<QByteArray, QByteArray>> found;
    *finished = true;
    if (executionIds.isEmpty())
        return found;
    if (!isJson(m_layout.payload)) {
        *finished = false;
        return found;
    }
    sql::Params params;
    params.text(arrayOf(executionIds));
    const QByteArray named = "coalesce(" + m_layout.payload.quoted() + "->>'executionId', " + m_layout.payload.quoted()
        + "->>'execution_id')";
    const QByteArray range = inTimeOrder(since, params);
    auto rows =
        m_connection.read("SELECT " + named + ", " + m_layout.id.quoted() + "::text FROM " + m_layout.quotedTable()
                              + " WHERE " + m_layout.eventType.quoted() + " LIKE 'workflow.%' AND " + named
                              + " = ANY($1::text[])" + range + " LIMIT 5000",
                          params, searchLimit);
    if (!rows) {
        if (rows.error().code != ErrorCode::Timeout || m_connection.isBroken())
            return fail(rows.error());
        *finished = false;
        return found;
    }
    for (int row = 0; row < rows->count(); ++row)
        found.emplace_back(rows->bytes(row, 0).toByteArray(), rows->bytes(row, 1).toByteArray());
    return found;
}

Result<EpochMicros> RowLookup::databaseTime()
{
    auto now = m_connection.read("SELECT (extract(epoch FROM now()) * 1000000)::bigint", {}, indexedLimit);
    if (!now)
        return fail(now.error());
    return now->integer(0, 0);
}

} // namespace engine::trace
