// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "documents.h"
#include "duration.h"
#include "executionjson.h"
#include "target.h"
#include "times.h"

#include <engine/workflow/executiondiscovery.h>

#include <QDateTime>

namespace cli {

using namespace Qt::StringLiterals;
using engine::Result;
using engine::workflow::Execution;
using engine::workflow::ExecutionReader;
using engine::workflow::ExecutionRequest;
using engine::workflow::Lateness;

namespace {

// 2h (ago), or a point in time in ISO form. Without a zone it is UTC.
Result<std::optional<qint64>> timeOption(const CommandLine &line, const QString &option)
{
    if (!line.isSet(option))
        return std::nullopt;
    const QString text = line.value(option);
    if (const auto ago = parseDuration(text))
        return std::optional((QDateTime::currentMSecsSinceEpoch() - ago->count()) * 1000);
    QDateTime time = QDateTime::fromString(text, Qt::ISODateWithMs);
    if (!time.isValid())
        return engine::fail(engine::ErrorCode::BadInput, u"--%1 is \"%2\"."_s.arg(option, text),
                            u"Write it as 30m, 2h, 1d (ago), or as 2026-11-30T18:31:00Z."_s);
    if (time.timeSpec() == Qt::LocalTime)
        time.setTimeSpec(Qt::UTC);
    return std::optional(time.toMSecsSinceEpoch() * 1000);
}

void printList(const std::vector<Execution> &executions, qint64 now)
{
    for (const Execution &run : executions) {
        const auto duration = run.durationMs(now);
        QString note = run.error.section(u'\n', 0, 0);
        if (!run.waitingFor.isEmpty())
            note = u"waits for "_s + run.waitingFor;
        if (run.lateness != Lateness::None)
            note = QString::fromLatin1(latenessName(run.lateness));
        printLine(u"%1  %2 %3 %4 %5 %6"_s
                      .arg(isoTime(run.queuedAt        ? run.queuedAt
                                       : run.createdAt ? run.createdAt
                                                       : run.startedAt),
                           -24)
                      .arg(QString::fromUtf8(run.status), -10)
                      .arg(QString::fromUtf8(run.id), -36)
                      .arg(run.workflowName.isEmpty() ? QString::fromUtf8(run.workflowId) : run.workflowName, -28)
                      .arg(duration ? u"%1 s"_s.arg(*duration / 1000) : u"–"_s, 10)
                      .arg(note));
    }
}

} // namespace

int runExecutions(const QStringList &arguments)
{
    CommandLine line(u"executions"_s, u"Lists workflow executions, newest first, or shows one."_s,
                     CommandLine::Reach::Database);
    line.addOption(u"id"_s, u"Show this execution with its steps."_s, u"ID"_s);
    addDocumentOptions(line, u"its steps"_s);
    line.addOption(u"status"_s, u"Only executions of this status; may be repeated."_s, u"STATUS"_s);
    line.addOption(u"workflow"_s, u"Only this workflow."_s, u"ID"_s);
    line.addOption(u"tenant"_s, u"Only this tenant."_s, u"TENANT"_s);
    line.addOption(u"error"_s, u"Only executions whose error contains this."_s, u"TEXT"_s);
    line.addOption(u"since"_s, u"Only executions queued since: 2h (ago), or an ISO time."_s, u"TIME"_s);
    line.addOption(u"until"_s, u"Only executions queued before: 2h (ago), or an ISO time."_s, u"TIME"_s);
    line.addOption(u"late"_s, u"Only those queued or running longer than usual."_s);
    line.addOption(u"limit"_s, u"Most executions to list."_s, u"N"_s, u"50"_s);
    line.addOption(u"executions"_s, u"The table of executions, else OUTBOX_EXECUTIONS; decides where several fit."_s,
                   u"SCHEMA.TABLE"_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    if (const auto exit = checkDocumentOptions(line))
        return *exit;
    auto limit = line.number(u"limit"_s, 1, 10'000);
    if (!limit)
        return line.fail(limit.error());
    ExecutionRequest request;
    request.limit = *limit;
    for (const auto &[option, target] :
         {std::pair(u"since"_s, &request.filter.since), std::pair(u"until"_s, &request.filter.until)}) {
        auto time = timeOption(line, option);
        if (!time)
            return line.fail(time.error());
        *target = *time;
    }
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto connection = target->openDatabase(engine::sql::Access::ReadOnly);
    if (!connection)
        return line.fail(connection.error());
    auto layout = engine::workflow::discover(**connection, handoverFor(line).executionsTable,
                                             (*connection)->options().url.schema);
    if (!layout)
        return line.fail(layout.error());
    ExecutionReader reader(**connection, *layout);

    if (wantsDocument(line)) {
        const auto steps = reader.stepsText(line.value(u"id"_s).toUtf8());
        return steps ? writeDocument(line, *steps) : line.fail(steps.error());
    }
    if (line.isSet(u"id"_s)) {
        auto detail = reader.detail(line.value(u"id"_s).toUtf8());
        if (!detail)
            return line.fail(detail.error());
        JsonWriter json;
        writeExecutionDetail(json, *detail, QDateTime::currentMSecsSinceEpoch() * 1000);
        printJson(json); // for one execution the document is the readable form too
        return Done;
    }
    for (const QString &status : line.values(u"status"_s)) {
        const QByteArray word = status.toUtf8();
        if (std::ranges::find(layout->statuses, word) == layout->statuses.end())
            return line.failUsage(u"\"%1\" is no status of %2."_s.arg(status, layout->displayName()));
        request.filter.statuses << word;
    }
    request.filter.workflow = line.value(u"workflow"_s);
    request.filter.tenant = line.value(u"tenant"_s);
    request.filter.errorText = line.value(u"error"_s);
    request.filter.lateOnly = line.isSet(u"late"_s);
    auto page = reader.page(request);
    if (!page)
        return line.fail(page.error());
    if (line.wantsJson()) {
        JsonWriter json;
        json.beginArray();
        for (const Execution &execution : page->executions)
            writeExecution(json, execution, page->databaseTime);
        printJson(json.endArray());
        return Done;
    }
    printList(page->executions, page->databaseTime);
    if (page->hasOlder)
        printNote(u"There are more; raise --limit or narrow the filter."_s);
    return Done;
}

} // namespace cli
