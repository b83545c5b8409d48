// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "documents.h"
#include "rowjson.h"
#include "stopper.h"
#include "target.h"
#include "times.h"

#include <engine/outbox/reader.h>
#include <engine/outbox/rowsearch.h>

#include <QElapsedTimer>

namespace cli {

using namespace Qt::StringLiterals;
using engine::outbox::RowSummary;

namespace {

// Rows no index leads to: piece by piece, saying on standard error how far it has come. Ctrl+C ends it with what was
// found so far.
engine::Result<engine::outbox::RowPage> search(engine::sql::Connection &connection,
                                               const engine::outbox::Layout &layout,
                                               const engine::outbox::PageRequest &request,
                                               const engine::outbox::FilterCost &cost)
{
    printNote(
        u"No index helps this filter: looking through about %1 rows, newest first. Ctrl+C stops."_s.arg(cost.looks));
    const Stopper stopper(connection.canceller());
    engine::outbox::RowSearch rows(connection, layout);
    engine::outbox::RowSearchCursor cursor;
    engine::outbox::RowPage page;
    page.hasOlder = true;
    qint64 looked = 0;
    QElapsedTimer sinceNote;
    sinceNote.start();
    const auto limit = static_cast<size_t>(request.limit);
    while (page.hasOlder && page.rows.size() <= limit && !Stopper::isStopped()) {
        auto step = rows.step(request.filter, cursor);
        if (!step && Stopper::isStopped())
            break;
        if (!step)
            return engine::fail(step.error());
        cursor = step->next;
        looked += step->looked;
        page.hasOlder = !step->done;
        std::ranges::move(step->found, std::back_inserter(page.rows));
        if (sinceNote.elapsed() > 2000 && !step->done) {
            printNote(!layout.hasDueIndex ? u"Found %1 so far."_s.arg(page.rows.size())
                                          : u"Looked at %1 of about %2 rows, found %3."_s.arg(looked)
                                                .arg(qMax(cost.looks, looked))
                                                .arg(page.rows.size()));
            sinceNote.restart();
        }
    }
    if (page.hasOlder && Stopper::isStopped())
        printNote(!layout.hasDueIndex
                      ? u"Stopped before the end: what follows is what was found so far."_s
                      : u"Stopped after %1 of about %2 rows: what follows is of those."_s.arg(looked).arg(
                          qMax(cost.looks, looked)));
    if (page.rows.size() > limit) {
        page.rows.resize(limit);
        page.hasOlder = true;
    }
    return page;
}

engine::Result<engine::outbox::RowPage> list(engine::sql::Connection &connection, const engine::outbox::Layout &layout,
                                             const engine::outbox::PageRequest &request)
{
    if (request.filter.hasTexts()) {
        auto cost = engine::outbox::filterCost(connection, layout, request.filter);
        if (!cost)
            return engine::fail(cost.error());
        if (!cost->isCheap())
            return search(connection, layout, request, *cost);
    }
    return engine::outbox::Reader(connection, layout).page(request);
}

} // namespace

int runRows(const QStringList &arguments)
{
    CommandLine line(u"rows"_s, u"Lists outbox rows, newest schedule first, or shows one."_s,
                     CommandLine::Reach::Database);
    line.addOption(u"id"_s, u"Show this row with its payload."_s, u"ID"_s);
    addDocumentOptions(line, u"its payload"_s);
    line.addOption(u"status"_s, u"Only rows of this status; may be repeated."_s, u"STATUS"_s);
    line.addOption(u"type"_s, u"Only event types that start with this."_s, u"PREFIX"_s);
    line.addOption(u"tenant"_s, u"Only this tenant."_s, u"TENANT"_s);
    line.addOption(u"error"_s, u"Only rows whose last error contains this."_s, u"TEXT"_s);
    line.addOption(u"limit"_s, u"Most rows to list."_s, u"N"_s, u"50"_s);
    line.addOption(u"routes"_s, u"Routes file instead of OUTBOX_ROUTES or the built-in routes."_s, u"FILE"_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    if (const auto exit = checkDocumentOptions(line))
        return *exit;
    auto limit = line.number(u"limit"_s, 1, 10'000);
    if (!limit)
        return line.fail(limit.error());
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto table = target->openTable(engine::sql::Access::ReadOnly);
    if (!table)
        return line.fail(table.error());
    const engine::outbox::Layout &layout = table->layout;
    const auto router = routerFor(line, layout);
    if (!router)
        return line.fail(router.error());
    engine::outbox::Reader reader(*table->connection, layout);

    if (wantsDocument(line)) {
        const auto payload = reader.payload(line.value(u"id"_s).toUtf8());
        return payload ? writeDocument(line, *payload) : line.fail(payload.error());
    }
    if (line.isSet(u"id"_s)) {
        auto detail = reader.detail(line.value(u"id"_s).toUtf8());
        if (!detail)
            return line.fail(detail.error());
        JsonWriter json;
        writeRowDetail(json, *detail, *router);
        printJson(json); // for one row the document is the readable form too
        return Done;
    }

    engine::outbox::PageRequest request;
    request.limit = *limit;
    for (const QString &status : line.values(u"status"_s)) {
        const QByteArray word = status.toUtf8();
        if (std::ranges::find(layout.statuses, word) == layout.statuses.end())
            return line.failUsage(u"\"%1\" is no status of %2."_s.arg(status, layout.displayName()));
        request.filter.statuses << word;
    }
    request.filter.typePrefix = line.value(u"type"_s);
    request.filter.tenant = line.value(u"tenant"_s);
    request.filter.errorText = line.value(u"error"_s);
    auto page = list(*table->connection, layout, request);
    if (!page)
        return line.fail(page.error());
    if (line.wantsJson()) {
        JsonWriter json;
        json.beginArray();
        for (const RowSummary &row : page->rows) {
            json.beginObject();
            writeRowMembers(json, row, *router);
            json.member("lastError", row.lastError).endObject();
        }
        printJson(json.endArray());
        return Stopper::isStopped() ? Failed : Done;
    }
    for (const RowSummary &row : page->rows)
        printLine(u"%1  %2 %3 %4 %5"_s.arg(isoTime(row.scheduledAt), -24)
                      .arg(QString::fromUtf8(row.status), -11)
                      .arg(QString::fromUtf8(row.id), -36)
                      .arg(QString::fromUtf8(row.eventType), -36)
                      .arg(row.lastError.section(u'\n', 0, 0)));
    if (Stopper::isStopped())
        return Failed;
    if (page->hasOlder)
        printNote(u"There are more; raise --limit or narrow the filter."_s);
    return Done;
}

} // namespace cli
