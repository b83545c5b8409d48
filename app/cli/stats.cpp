// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "target.h"
#include "times.h"

#include <engine/outbox/reader.h>

namespace cli {

using namespace Qt::StringLiterals;
using engine::outbox::Count;

int runStats(const QStringList &arguments)
{
    CommandLine line(u"stats"_s, u"Counts the outbox's rows by status, and those that are due."_s,
                     CommandLine::Reach::Database);
    if (const auto exit = line.parse(arguments))
        return *exit;
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto table = target->openTable(engine::sql::Access::ReadOnly);
    if (!table)
        return line.fail(table.error());
    const engine::outbox::Layout &layout = table->layout;
    auto stats = engine::outbox::Reader(*table->connection, layout).stats(engine::outbox::CountMode::Exact);
    if (!stats)
        return line.fail(stats.error());

    if (line.wantsJson()) {
        JsonWriter json;
        json.beginObject().member("table", layout.displayName()).member("layout", layout.kindName());
        json.key("counts").beginObject();
        for (const auto &[status, count] : stats->counts)
            json.member(status, count.value);
        json.endObject().member("countKind", "exact");
        json.member("due", stats->due.value).member("oldestDueAgeMs", stats->oldestDueAgeMs);
        json.member("databaseTime", isoTime(stats->databaseTime)).endObject();
        printJson(json);
        return Done;
    }
    printLine(u"%1 (%2 layout)"_s.arg(layout.displayName(), layout.kindName()));
    for (const auto &[status, count] : stats->counts)
        printLine(u"  %1 %2"_s.arg(QString::fromUtf8(status), -12).arg(count.value, 12));
    printLine(stats->oldestDueAgeMs
                  ? u"Due now: %1, the oldest for %2 s."_s.arg(stats->due.value).arg(*stats->oldestDueAgeMs / 1000)
                  : u"Nothing is due."_s);
    return Done;
}

} // namespace cli
