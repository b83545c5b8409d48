// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "target.h"

#include <engine/outbox/schema.h>

namespace cli {

using namespace Qt::StringLiterals;
using engine::Result;
using engine::outbox::SchemaKind;
using engine::outbox::SchemaReport;

namespace {

Result<SchemaReport> tablesOfKind(const Target &target, SchemaKind kind, bool wakeUp)
{
    auto connection = target.openDatabase(engine::sql::Access::ReadWrite);
    if (!connection)
        return engine::fail(connection.error());
    return engine::outbox::applySchema(**connection, kind, wakeUp);
}

// A table that the user has already, wherever it is: nothing but the trigger is added.
Result<SchemaReport> wakeUpOfTable(const Target &target)
{
    auto table = target.openTable(engine::sql::Access::ReadWrite);
    if (!table)
        return engine::fail(table.error());
    return engine::outbox::applyWakeUp(*table->connection, table->layout);
}

} // namespace

int runSchema(const QStringList &arguments)
{
    CommandLine line(u"schema"_s, u"Prints the tables' DDL, or installs it where it is missing."_s,
                     CommandLine::Reach::Database);
    line.addPositional(u"action"_s, u"print or apply"_s, u"print|apply"_s);
    line.addOption(u"layout"_s, u"event, message or workflow."_s, u"LAYOUT"_s, u"event"_s);
    line.addOption(u"wakeup"_s,
                   u"Also the trigger that wakes sleeping dispatchers; with --table only that, on the table."_s);
    line.addOption(u"write"_s, u"Write although the saved connection is read-only."_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    const QString action = line.positionals().value(0);
    if (line.positionals().size() != 1 || (action != u"print" && action != u"apply"))
        return line.failUsage(u"schema takes print or apply."_s);
    const QString layout = line.value(u"layout"_s);
    if (layout != u"event" && layout != u"message" && layout != u"workflow")
        return line.failUsage(u"--layout is \"%1\"; it takes event, message or workflow."_s.arg(layout));
    const SchemaKind kind = layout == u"event" ? SchemaKind::Event
        : layout == u"message"                 ? SchemaKind::Message
                                               : SchemaKind::Workflow;
    const bool wakeUp = line.isSet(u"wakeup"_s);

    if (action == u"print") {
        const QString text = QString::fromUtf8(engine::outbox::schemaText(kind, wakeUp));
        if (line.wantsJson()) {
            JsonWriter json;
            printJson(json.beginObject().member("sql", text).endObject());
        } else {
            printLine(text.trimmed());
        }
        return Done;
    }
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    if (auto allowed = target->allowWriting(line); !allowed)
        return line.fail(allowed.error());
    auto report = wakeUp && line.isSet(u"table"_s) ? wakeUpOfTable(*target) : tablesOfKind(*target, kind, wakeUp);
    if (!report)
        return line.fail(report.error());
    if (line.wantsJson()) {
        JsonWriter json;
        json.beginObject().key("created").beginArray();
        for (const QString &name : report->created)
            json.value(name);
        json.endArray().key("existing").beginArray();
        for (const QString &name : report->existing)
            json.value(name);
        printJson(json.endArray().endObject());
        return Done;
    }
    if (!report->created.isEmpty())
        printLine(u"Created: %1."_s.arg(report->created.join(u", ")));
    if (!report->existing.isEmpty())
        printLine(u"Was there already and is unchanged: %1."_s.arg(report->existing.join(u", ")));
    return Done;
}

} // namespace cli
