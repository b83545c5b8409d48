// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionreader.h"

#include <engine/outbox/expressions.h>

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace engine::workflow {

using namespace outbox::expressions;
using outbox::Count;
using outbox::CountMode;
using outbox::PageDirection;

namespace {

constexpr std::chrono::seconds readLimit{10};
constexpr std::chrono::seconds documentLimit{100};
constexpr std::chrono::seconds sampleLimit{2};
constexpr qint64 boundedCountLimit = 100'000;
constexpr int mostLateLooked = 2000;
constexpr int runsSampled = 200;
constexpr int fewestSampled = 5;

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::workflow::ExecutionReader)
};

QByteArray optionalText(const Column &column)
{
    return column.exists() ? column.quoted() + "::text" : QByteArray("NULL::text");
}

QByteArray optionalEpoch(const Column &column)
{
    return column.exists() ? epochMicros(column) : QByteArray("NULL::bigint");
}

QByteArray arrayOf(const QList<QByteArray> &values)
{
    sql::ArrayText array;
    for (const QByteArray &value : values)
        array.append(QByteArrayView(value));
    return array.take();
}

QList<QByteArray> fitting(const Column &column, const QList<QByteArray> &values)
{
    QList<QByteArray> kept;
    for (const QByteArray &value : values) {
        if (canBeValueOf(column.type, value))
            kept << value;
    }
    return kept;
}

QByteArray isAnyOf(const Column &column, int parameter)
{
    return column.quoted() + " = ANY($" + QByteArray::number(parameter) + "::text[]::" + column.type + "[])";
}

void setLateness(Execution &execution, EpochMicros now)
{
    execution.lateness = Lateness::None;
    const auto agoMs = [&](std::optional<EpochMicros> since) { return since ? now / 1000 - *since / 1000 : 0; };
    if (execution.phase == Phase::Queued) {
        const auto since = execution.queuedAt ? execution.queuedAt : execution.createdAt;
        if (agoMs(since) > std::max(execution.usual.queueMs, leastLateMs))
            execution.lateness = Lateness::Queued;
    } else if (execution.phase == Phase::Running) {
        const auto since = execution.startedAt ? execution.startedAt : execution.createdAt;
        if (agoMs(since) > std::max(execution.usual.runMs, leastLateMs))
            execution.lateness = execution.isStream ? Lateness::PossiblyInterrupted : Lateness::Running;
    }
}

} // namespace

std::optional<qint64> Execution::durationMs(EpochMicros now) const
{
    if (!startedAt)
        return std::nullopt;
    if (finishedAt)
        return *finishedAt / 1000 - *startedAt / 1000; // times may be 300,000 years apart
    return isTerminal(phase) ? std::nullopt : std::optional(now / 1000 - *startedAt / 1000);
}

ExecutionReader::ExecutionReader(sql::Connection &connection, ExecutionLayout layout)
    : m_connection(connection)
    , m_layout(std::move(layout))
{ }

QByteArray ExecutionReader::columns() const
{
    const auto cut = [](const Column &column) {
        return column.exists() ? "left(" + column.quoted() + "::text, 500)" : QByteArray("NULL::text");
    };
    return m_layout.id.quoted() + "::text, " + optionalText(m_layout.tenantId) + ", "
        + optionalText(m_layout.workflowId) + ", " + m_layout.status.quoted() + "::text, "
        + optionalText(m_layout.trigger) + ", " + cut(m_layout.waitingFor) + ", " + cut(m_layout.error) + ", "
        + optionalText(m_layout.outboxEventId) + ", " + optionalEpoch(m_layout.queuedAt) + ", "
        + optionalEpoch(m_layout.startedAt) + ", " + optionalEpoch(m_layout.finishedAt) + ", "
        + optionalEpoch(m_layout.createdAt) + ", " + optionalEpoch(m_layout.updatedAt)
        + ", (extract(epoch FROM now()) * 1000000)::bigint";
}

constexpr int nowColumn = 13; // the last of columns()

Execution ExecutionReader::toExecution(const sql::Rows &rows, int row) const
{
    Execution execution;
    execution.id = rows.bytes(row, 0).toByteArray();
    execution.tenantId = rows.bytes(row, 1).toByteArray();
    execution.workflowId = rows.bytes(row, 2).toByteArray();
    execution.status = rows.bytes(row, 3).toByteArray();
    execution.phase = phaseOf(execution.status);
    execution.trigger = rows.bytes(row, 4).toByteArray();
    execution.isStream = execution.trigger.compare("stream", Qt::CaseInsensitive) == 0;
    execution.waitingFor = rows.text(row, 5);
    execution.error = rows.text(row, 6);
    execution.outboxEventId = rows.bytes(row, 7).toByteArray();
    execution.queuedAt = rows.optionalInteger(row, 8);
    execution.startedAt = rows.optionalInteger(row, 9);
    execution.finishedAt = rows.optionalInteger(row, 10);
    execution.createdAt = rows.optionalInteger(row, 11);
    execution.updatedAt = rows.optionalInteger(row, 12);
    return execution;
}

Result<ExecutionPage> ExecutionReader::page(const ExecutionRequest &request)
{
    return request.filter.lateOnly ? latePage(request) : plainPage(request);
}

Result<ExecutionPage> ExecutionReader::plainPage(const ExecutionRequest &request)
{
    const bool older = request.direction == PageDirection::Older;
    const Column &ordering = m_layout.ordering();
    const QByteArray time = ordering.quoted();
    const QByteArray id = m_layout.id.quoted();
    const QByteArray order = older ? " DESC" : " ASC";
    sql::Params params;
    QByteArray conditions;
    const auto add = [&](const QByteArray &value) {
        params.text(value);
        return "$" + QByteArray::number(params.count());
    };
    const auto moment = [&](EpochMicros micros) {
        return fromEpochMicros(ordering, add(QByteArray::number(micros)) + "::bigint");
    };
    if (request.from) {
        const QByteArray idParameter = add(request.from->id) + "::text::" + m_layout.id.type;
        const QByteArray beyond = older ? " < " : " > ";
        if (request.from->scheduledAt) {
            const QByteArray at = moment(*request.from->scheduledAt);
            conditions += " AND " + time + (older ? " <= " : " >= ") + at + " AND (" + time + beyond + at + " OR " + id
                + beyond + idParameter + ")";
        } else {
            // Going back, runs without that time come first, as an index has them.
            conditions += " AND (" + time + " IS NOT NULL OR " + id + beyond + idParameter + ")";
        }
    }
    const ExecutionFilter &filter = request.filter;
    if (filter.since)
        conditions += " AND " + time + " >= " + moment(*filter.since);
    if (filter.until)
        conditions += " AND " + time + " < " + moment(*filter.until);
    if (!filter.workflow.isEmpty())
        conditions += " AND " + m_layout.workflowId.quoted() + "::text = " + add(filter.workflow.toUtf8());
    if (!filter.tenant.isEmpty() && m_layout.tenantId.exists())
        conditions += " AND " + m_layout.tenantId.quoted() + "::text = " + add(filter.tenant.toUtf8());
    if (!filter.errorText.isEmpty() && m_layout.error.exists())
        conditions += " AND strpos(lower(" + m_layout.error.quoted() + "::text), lower("
            + add(filter.errorText.toUtf8()) + ")) > 0";

    // One range of a (status, queuedAt) index per status, merged.
    const int limit = std::clamp(request.limit, 1, 10'000);
    const QByteArray limitText = QByteArray::number(limit + 1);
    const std::vector<QByteArray> statuses = filter.statuses.isEmpty()
        ? m_layout.statuses
        : std::vector<QByteArray>(filter.statuses.cbegin(), filter.statuses.cend());
    QByteArray branches;
    for (const QByteArray &status : statuses)
        branches += (branches.isEmpty() ? "(SELECT * FROM " : " UNION ALL (SELECT * FROM ") + m_layout.quotedTable()
            + " WHERE " + m_layout.status.quoted() + " = " + literal(status) + conditions + " ORDER BY " + time + order
            + ", " + id + order + " LIMIT " + limitText + ")";
    auto rows = m_connection.read("SELECT " + columns() + " FROM (" + branches + ") AS page ORDER BY " + time + order
                                      + ", " + id + order + " LIMIT " + limitText,
                                  params, readLimit);
    if (!rows)
        return fail(rows.error());

    ExecutionPage page;
    const bool more = rows->count() > limit;
    for (int row = 0; row < std::min(rows->count(), limit); ++row)
        page.executions.push_back(toExecution(*rows, row));
    if (!older)
        std::reverse(page.executions.begin(), page.executions.end());
    page.hasOlder = older ? more : request.from.has_value();
    page.hasNewer = older ? request.from.has_value() : more;
    if (rows->count() > 0) {
        page.databaseTime = rows->integer(0, nowColumn);
    } else {
        auto now = m_connection.read("SELECT (extract(epoch FROM now()) * 1000000)::bigint", {}, readLimit);
        if (!now)
            return fail(now.error());
        page.databaseTime = now->integer(0, 0);
    }
    if (auto judged = judge(page.executions, page.databaseTime); !judged)
        return fail(judged.error());
    nameWorkflows(page.executions);
    return page;
}

Result<ExecutionPage> ExecutionReader::latePage(const ExecutionRequest &request)
{
    // Few runs are queued or running at a time, so all of them are looked at and the late ones kept.
    ExecutionRequest all = request;
    all.filter.lateOnly = false;
    all.from.reset();
    all.direction = PageDirection::Older;
    all.limit = mostLateLooked;
    QList<QByteArray> open;
    for (const QByteArray &status : m_layout.statusesOf({Phase::Queued, Phase::Running})) {
        if (request.filter.statuses.isEmpty() || request.filter.statuses.contains(status))
            open << status;
    }
    if (open.isEmpty()) {
        all.limit = 1;
        auto none = plainPage(all);
        if (none)
            *none = ExecutionPage{{}, false, false, none->databaseTime};
        return none;
    }
    all.filter.statuses = open;
    auto page = plainPage(all);
    if (!page)
        return page;
    std::erase_if(page->executions, [](const Execution &execution) { return execution.lateness == Lateness::None; });
    return page;
}

// One row by its id.
Result<sql::Rows> ExecutionReader::readRow(const QByteArray &columns, const QByteArray &id,
                                           std::chrono::milliseconds limit)
{
    const auto notFound = [&] {
        return fail(
            ErrorCode::NotFound,
            Text::tr("%1 has no execution with id %2 (any more).").arg(m_layout.displayName(), QString::fromUtf8(id)));
    };
    if (!canBeValueOf(m_layout.id.type, id))
        return notFound();
    auto rows = m_connection.read("SELECT " + columns + " FROM " + m_layout.quotedTable() + " WHERE "
                                      + m_layout.id.quoted() + " = $1::text::" + m_layout.id.type,
                                  sql::Params().text(id), limit);
    if (rows && rows->count() == 0)
        return notFound();
    return rows;
}

Result<ExecutionDetail> ExecutionReader::detail(const QByteArray &id)
{
    const QByteArray steps = optionalText(m_layout.steps);
    auto rows = readRow(columns() + ", left(" + optionalText(m_layout.error) + ", 1048576), left(" + steps
                            + ", 4194304), octet_length(" + steps + ")",
                        id, readLimit);
    if (!rows)
        return fail(rows.error());
    std::vector<Execution> one{toExecution(*rows, 0)};
    if (auto judged = judge(one, rows->integer(0, nowColumn)); !judged)
        return fail(judged.error());
    nameWorkflows(one);
    ExecutionDetail detail;
    detail.execution = std::move(one.front());
    detail.error = rows->text(0, nowColumn + 1);
    detail.stepsText = rows->bytes(0, nowColumn + 2).toByteArray();
    detail.stepsBytes = rows->integer(0, nowColumn + 3);
    detail.steps = parseSteps(detail.stepsText);
    return detail;
}

Result<QByteArray> ExecutionReader::stepsText(const QByteArray &id)
{
    auto rows = readRow(optionalText(m_layout.steps), id, documentLimit);
    if (!rows)
        return fail(rows.error());
    return rows->bytes(0, 0).toByteArray();
}

Result<ExecutionStats> ExecutionReader::stats(CountMode mode)
{
    ExecutionStats stats;
    QByteArray statement;
    if (mode == CountMode::Exact) {
        statement =
            "SELECT " + m_layout.status.quoted() + "::text, count(*) FROM " + m_layout.quotedTable() + " GROUP BY 1";
    } else {
        for (const QByteArray &status : m_layout.statuses)
            statement += (statement.isEmpty() ? "SELECT " : " UNION ALL SELECT ") + literal(status)
                + ", (SELECT count(*) FROM (SELECT 1 FROM " + m_layout.quotedTable() + " WHERE "
                + m_layout.status.quoted() + " = " + literal(status) + " LIMIT "
                + QByteArray::number(boundedCountLimit + 1) + ") AS counted)";
    }
    auto counted =
        m_connection.read("SELECT *, (extract(epoch FROM now()) * 1000000)::bigint FROM (" + statement + ") AS counts",
                          {}, mode == CountMode::Exact ? std::chrono::seconds(120) : readLimit);
    if (!counted)
        return fail(counted.error());
    for (const QByteArray &status : m_layout.statuses)
        stats.counts.emplace_back(status, Count{0, Count::Kind::Exact});
    for (int row = 0; row < counted->count(); ++row) {
        const QByteArray status = counted->bytes(row, 0).toByteArray();
        const qint64 value = counted->integer(row, 1);
        const bool capped = mode == CountMode::Bounded && value > boundedCountLimit;
        const Count count{capped ? boundedCountLimit : value, capped ? Count::Kind::AtLeast : Count::Kind::Exact};
        const auto known = std::ranges::find(stats.counts, status, &std::pair<QByteArray, Count>::first);
        if (known == stats.counts.end())
            stats.counts.emplace_back(status, count);
        else
            known->second = count;
        stats.databaseTime = counted->integer(row, 2);
    }
    return stats;
}

Result<std::vector<Execution>> ExecutionReader::select(const QByteArray &condition, const sql::Params &params)
{
    auto rows = m_connection.read("SELECT " + columns() + " FROM " + m_layout.quotedTable() + " WHERE " + condition
                                      + " LIMIT 1000",
                                  params, readLimit);
    if (!rows)
        return fail(rows.error());
    std::vector<Execution> found;
    for (int row = 0; row < rows->count(); ++row)
        found.push_back(toExecution(*rows, row));
    if (!found.empty()) {
        if (auto judged = judge(found, rows->integer(0, nowColumn)); !judged)
            return fail(judged.error());
        nameWorkflows(found);
    }
    std::ranges::sort(found, {}, [](const Execution &execution) {
        return std::pair(execution.queuedAt ? execution.queuedAt : execution.createdAt, execution.id);
    });
    return found;
}

Result<std::vector<Execution>> ExecutionReader::startedBy(const QList<QByteArray> &outboxEventIds)
{
    if (!m_layout.outboxEventId.exists())
        return std::vector<Execution>();
    const QList<QByteArray> ids = fitting(m_layout.outboxEventId, outboxEventIds);
    if (ids.isEmpty())
        return std::vector<Execution>();
    return select(isAnyOf(m_layout.outboxEventId, 1), sql::Params().text(arrayOf(ids)));
}

Result<std::vector<Execution>> ExecutionReader::byIds(const QList<QByteArray> &ids)
{
    const QList<QByteArray> possible = fitting(m_layout.id, ids);
    if (possible.isEmpty())
        return std::vector<Execution>();
    return select(isAnyOf(m_layout.id, 1), sql::Params().text(arrayOf(possible)));
}

Result<QHash<QByteArray, Usual>> ExecutionReader::usual(const QList<QByteArray> &workflowIds)
{
    QHash<QByteArray, Usual> found;
    for (const QByteArray &id : workflowIds)
        found.insert(id, Usual{defaultRunMs, defaultQueueMs, 0});
    const std::vector<QByteArray> finished = m_layout.statusesOf({Phase::Completed, Phase::Failed});
    if (found.isEmpty() || finished.empty() || !m_layout.finishedAt.exists())
        return found;
    QByteArray words;
    for (const QByteArray &word : finished)
        words += (words.isEmpty() ? "" : ", ") + literal(word);
    const Column &order = m_layout.createdAt.exists() ? m_layout.createdAt : m_layout.ordering();
    const auto span = [](const Column &from, const Column &to) {
        if (!from.exists() || !to.exists())
            return QByteArray("NULL::float8");
        return "(extract(epoch FROM (" + to.quoted() + " - " + from.quoted() + ")) * 1000)::float8";
    };
    // The latest runs of one workflow are one range of an index on (workflowId, createdAt).
    const QByteArray statement =
        "SELECT wanted.id, count(run.ms), percentile_disc(0.95) WITHIN GROUP (ORDER BY run.ms), "
        "percentile_disc(0.95) WITHIN GROUP (ORDER BY run.queued) FROM "
        "unnest($1::text[]) AS wanted(id), LATERAL (SELECT "
        + span(m_layout.startedAt, m_layout.finishedAt) + " AS ms, " + span(m_layout.queuedAt, m_layout.startedAt)
        + " AS queued FROM " + m_layout.quotedTable() + " WHERE " + m_layout.workflowId.quoted()
        + " = wanted.id::" + m_layout.workflowId.type + " AND " + m_layout.status.quoted() + " IN (" + words + ") AND "
        + m_layout.startedAt.quoted() + " IS NOT NULL AND " + m_layout.finishedAt.quoted() + " IS NOT NULL ORDER BY "
        + order.quoted() + " DESC LIMIT " + QByteArray::number(runsSampled) + ") AS run GROUP BY wanted.id";
    auto rows = m_connection.read(statement, sql::Params().text(arrayOf(found.keys())), sampleLimit);
    if (!rows) {
        // A table this slow keeps the defaults, which say that they are.
        if (rows.error().code == ErrorCode::Timeout && !m_connection.isBroken())
            return found;
        return fail(rows.error());
    }
    for (int row = 0; row < rows->count(); ++row) {
        const auto sampled = static_cast<int>(rows->integer(row, 1));
        if (sampled < fewestSampled)
            continue;
        Usual &usual = found[rows->bytes(row, 0).toByteArray()];
        usual.sampled = sampled;
        usual.runMs = qRound64(rows->bytes(row, 2).toDouble());
        if (!rows->isNull(row, 3))
            usual.queueMs = qRound64(rows->bytes(row, 3).toDouble());
    }
    return found;
}

Result<void> ExecutionReader::judge(std::vector<Execution> &executions, EpochMicros now)
{
    QSet<QByteArray> open; // only of runs that may be late
    for (const Execution &execution : executions) {
        if (execution.phase == Phase::Queued || execution.phase == Phase::Running)
            open.insert(execution.workflowId);
    }
    auto known = usual(open.values());
    if (!known)
        return fail(known.error());
    for (Execution &execution : executions) {
        if (const auto found = known->constFind(execution.workflowId); found != known->constEnd())
            execution.usual = *found;
        setLateness(execution, now);
    }
    return {};
}

void ExecutionReader::nameWorkflows(std::vector<Execution> &executions)
{
    if (m_layout.workflowTable.isEmpty() || executions.empty())
        return;
    QSet<QByteArray> ids;
    for (const Execution &execution : executions) {
        if (canBeValueOf(m_layout.workflowKey.type, execution.workflowId))
            ids.insert(execution.workflowId);
    }
    auto rows = m_connection.read(
        "SELECT " + m_layout.workflowKey.quoted() + "::text, left(" + m_layout.workflowName.quoted()
            + "::text, 200) FROM " + sql::quotedIdentifier(m_layout.workflowSchema) + '.'
            + sql::quotedIdentifier(m_layout.workflowTable) + " WHERE " + isAnyOf(m_layout.workflowKey, 1),
        sql::Params().text(arrayOf(ids.values())), sampleLimit);
    if (!rows)
        return; // a name is a help, not the answer
    QHash<QByteArray, QString> names;
    for (int row = 0; row < rows->count(); ++row)
        names.insert(rows->bytes(row, 0).toByteArray(), rows->text(row, 1));
    for (Execution &execution : executions)
        execution.workflowName = names.value(execution.workflowId);
}

} // namespace engine::workflow
