// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executiondiscovery.h"

#include <engine/outbox/catalogue.h>

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace engine::workflow {

using outbox::CatalogueTable;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::workflow::Discovery)
};

struct Part
{
    Column ExecutionLayout::*column;
    QList<QByteArray> spellings;
};

const QList<Part> &parts()
{
    static const QList<Part> all{
        {&ExecutionLayout::id, {"id"}},
        {&ExecutionLayout::tenantId, {"tenantId", "tenant_id"}},
        {&ExecutionLayout::workflowId, {"workflowId", "workflow_id"}},
        {&ExecutionLayout::status, {"status"}},
        {&ExecutionLayout::trigger, {"trigger", "triggerType", "trigger_type", "triggeredBy", "triggered_by"}},
        {&ExecutionLayout::waitingFor, {"waitingFor", "waiting_for"}},
        {&ExecutionLayout::steps, {"steps", "stepResults", "step_results"}},
        {&ExecutionLayout::error, {"error", "errorMessage", "error_message", "lastError", "last_error"}},
        {&ExecutionLayout::outboxEventId, {"outboxEventId", "outbox_event_id"}},
        {&ExecutionLayout::queuedAt, {"queuedAt", "queued_at"}},
        {&ExecutionLayout::startedAt, {"startedAt", "started_at"}},
        {&ExecutionLayout::finishedAt,
         {"finishedAt", "finished_at", "completedAt", "completed_at", "endedAt", "ended_at"}},
        {&ExecutionLayout::createdAt, {"createdAt", "created_at"}},
        {&ExecutionLayout::updatedAt, {"updatedAt", "updated_at"}},
    };
    return all;
}

bool isTime(const Column &column)
{
    return column.type.startsWith("timestamp");
}

std::optional<ExecutionLayout> fit(const CatalogueTable &table)
{
    ExecutionLayout layout;
    layout.schema = table.schema;
    layout.table = table.name;
    for (const Part &part : parts())
        layout.*part.column = table.columnSpelled(part.spellings);
    for (Column *time :
         {&layout.queuedAt, &layout.startedAt, &layout.finishedAt, &layout.createdAt, &layout.updatedAt}) {
        if (!isTime(*time))
            *time = {};
    }
    if (!layout.id.exists() || !layout.workflowId.exists() || !layout.status.exists() || !layout.startedAt.exists())
        return std::nullopt;
    layout.statuses.assign(table.enumLabels.cbegin(), table.enumLabels.cend());
    return layout;
}

bool saysExecution(const ExecutionLayout &layout)
{
    const QByteArray name = layout.table.toLower();
    return name.contains("execution") || name.endsWith("run") || name.endsWith("runs");
}

// A table of the same schema, called like the executions' without their last word, with an id and a name.
void findWorkflows(const std::vector<CatalogueTable> &tables, ExecutionLayout &layout)
{
    for (const CatalogueTable &table : tables) {
        const QByteArray name = table.name.toLower();
        if (table.schema != layout.schema || (name != "workflow" && name != "workflows"))
            continue;
        layout.workflowKey = table.columnSpelled({"id"});
        layout.workflowName = table.columnSpelled({"name", "title"});
        if (layout.workflowKey.exists() && layout.workflowName.exists()) {
            layout.workflowSchema = table.schema;
            layout.workflowTable = table.name;
            return;
        }
    }
    layout.workflowKey = {};
    layout.workflowName = {};
}

// The words of a text column: those in it, found by leaping along an index, and the usual ones in the same capitals,
// so that a status nobody has yet is not missed later.
void readStatusWords(sql::Connection &connection, ExecutionLayout &layout)
{
    const QByteArray status = layout.status.quoted() + "::text";
    const QByteArray table = layout.quotedTable();
    auto found = connection.read("WITH RECURSIVE words(word, n) AS ((SELECT min(" + layout.status.quoted()
                                     + "), 1 FROM " + table + ") UNION ALL SELECT (SELECT min(" + layout.status.quoted()
                                     + ") FROM " + table + " WHERE " + layout.status.quoted()
                                     + " > words.word), n + 1 FROM words WHERE word IS NOT NULL AND n < 40) SELECT "
                                       "word::text FROM words WHERE word IS NOT NULL",
                                 {}, std::chrono::seconds(2));
    bool lower = false;
    if (found) {
        for (int row = 0; row < found->count(); ++row) {
            layout.statuses.push_back(found->bytes(row, 0).toByteArray());
            lower = lower || layout.statuses.back() == layout.statuses.back().toLower();
        }
    }
    for (const char *usual : {"QUEUED", "RUNNING", "WAITING", "COMPLETED", "FAILED", "CANCELLED"}) {
        const QByteArray word = lower ? QByteArray(usual).toLower() : QByteArray(usual);
        const bool meant = std::ranges::any_of(
            layout.statuses, [&](const QByteArray &known) { return phaseOf(known) == phaseOf(word); });
        if (!meant)
            layout.statuses.push_back(word);
    }
}

} // namespace

Result<ExecutionLayout> discover(sql::Connection &connection, const QString &wanted, const QString &preferredSchema)
{
    auto tables = outbox::readCatalogue(connection);
    if (!tables)
        return fail(tables.error());
    std::vector<CatalogueTable> candidates = *tables;
    if (!wanted.isEmpty()) {
        auto named = outbox::tablesNamed(connection, *tables, wanted);
        if (!named)
            return fail(named.error());
        candidates = std::move(*named);
    }
    std::vector<ExecutionLayout> found;
    for (const CatalogueTable &table : candidates) {
        if (auto layout = fit(table))
            found.push_back(std::move(*layout));
    }
    // Of several the more telling name, then the schema that the connection prefers.
    const auto narrow = [&](auto keeps) {
        if (found.size() > 1 && std::ranges::any_of(found, keeps))
            std::erase_if(found, [&](const ExecutionLayout &layout) { return !keeps(layout); });
    };
    narrow(saysExecution);
    narrow([&](const ExecutionLayout &layout) { return layout.schema == preferredSchema.toUtf8(); });
    if (found.size() > 1) {
        QStringList names;
        for (const ExecutionLayout &layout : found)
            names << layout.displayName();
        return fail(ErrorCode::Ambiguous,
                    Text::tr("%1 tables look like workflow executions: %2.").arg(found.size()).arg(names.join(u", ")),
                    Text::tr("Choose one with --executions %1 in a terminal.").arg(names.constFirst()));
    }
    if (found.empty())
        return fail(ErrorCode::NotFound,
                    wanted.isEmpty() ? Text::tr("This database has no table of workflow executions.")
                                     : Text::tr("The table %1 does not hold workflow executions.").arg(wanted),
                    Text::tr("Such a table has the columns id, workflowId, status and startedAt; see them with: "
                             "outbox-console schema print --layout workflow."));
    ExecutionLayout layout = std::move(found.front());
    findWorkflows(*tables, layout);
    if (layout.statuses.empty())
        readStatusWords(connection, layout);
    std::ranges::stable_sort(layout.statuses, {}, [](const QByteArray &word) { return int(phaseOf(word)); });
    return layout;
}

} // namespace engine::workflow
