// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "target.h"

#include <engine/watch/doctor.h>

namespace cli {

using namespace Qt::StringLiterals;
using engine::watch::Finding;

int runDoctor(const QStringList &arguments)
{
    CommandLine line(
        u"doctor"_s,
        u"Checks settings, database, table, Redis and queues; only reads. Exits with 1 if it finds a problem."_s,
        CommandLine::Reach::Both);
    if (const auto exit = line.parse(arguments))
        return *exit;
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    const QList<Finding> findings = engine::watch::examine(target->profile());
    const bool healthy =
        std::ranges::none_of(findings, [](const Finding &f) { return f.verdict == Finding::Verdict::Problem; });

    const auto word = [](Finding::Verdict verdict) {
        return verdict == Finding::Verdict::Good   ? "good"
            : verdict == Finding::Verdict::Warning ? "warning"
                                                   : "problem";
    };
    if (line.wantsJson()) {
        JsonWriter json;
        json.beginObject().member("healthy", healthy).key("findings").beginArray();
        for (const Finding &finding : findings) {
            json.beginObject()
                .member("id", finding.id)
                .member("verdict", word(finding.verdict))
                .member("title", finding.title)
                .member("detail", finding.detail)
                .member("hint", finding.hint)
                .endObject();
        }
        printJson(json.endArray().endObject());
    } else {
        for (const Finding &finding : findings) {
            const QString mark = finding.verdict == Finding::Verdict::Good ? u"\u2713"_s
                : finding.verdict == Finding::Verdict::Warning             ? u"!"_s
                                                                           : u"\u2717"_s;
            printLine(u"%1 %2: %3"_s.arg(mark, finding.title, finding.detail));
            if (!finding.hint.isEmpty())
                printLine(u"    %1"_s.arg(finding.hint));
        }
    }
    return healthy ? Done : Failed;
}

} // namespace cli
