// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertcheck.h"
#include "commands.h"
#include "target.h"
#include "times.h"

#include <engine/outbox/reader.h>
#include <engine/outbox/vitals.h>

#include <algorithm>

namespace cli {

using namespace Qt::StringLiterals;
using engine::outbox::Count;
using engine::outbox::Vitals;

namespace {

using Counts = std::vector<std::pair<QByteArray, Count>>;

std::optional<qint64> known(const Count &count)
{
    return count.kind == Count::Kind::Unavailable ? std::nullopt : std::optional(count.value);
}

QByteArrayView kindOf(const Counts &counts)
{
    const auto has = [&](Count::Kind kind) {
        return std::ranges::any_of(counts, [&](const auto &entry) { return entry.second.kind == kind; });
    };
    if (has(Count::Kind::Unavailable))
        return "unavailable";
    return has(Count::Kind::Estimated) ? "estimated" : has(Count::Kind::AtLeast) ? "at-least" : "exact";
}

void writeRetries(JsonWriter &json, const engine::outbox::RetryCounts &counts)
{
    json.beginObject();
    for (size_t retries = 0; retries < counts.size(); ++retries)
        json.member(QByteArray::number(qulonglong(retries)) + (retries + 1 == counts.size() ? "+" : ""),
                    counts[retries]);
    json.endObject();
}

// Null where it is not known.
void writeVitals(JsonWriter &json, const std::optional<Vitals> &vitals)
{
    const auto figure = [&](QByteArrayView name, const auto &of) {
        json.member(name, vitals ? std::optional<qint64>(of(*vitals)) : std::nullopt);
    };
    figure("dueOverAge", [](const Vitals &v) { return known(v.dueOverAge); });
    figure("inFlight", [](const Vitals &v) { return known(v.inFlight); });
    figure("retrying", [](const Vitals &v) { return known(v.retrying); });
    figure("nextRetryInMs", [](const Vitals &v) { return v.nextRetryInMs; });
    figure("dead", [](const Vitals &v) { return known(v.dead); });
    figure("deadLastDay", [](const Vitals &v) { return known(v.deadLastDay); });
    figure("handedOverPerMinute", [](const Vitals &v) { return known(v.handedOverLastMinute); });
    figure("failedPerMinute", [](const Vitals &v) { return known(v.failedLastMinute); });
    json.key("failureRate");
    if (vitals && vitals->failureRate)
        json.value(*vitals->failureRate);
    else
        json.null();
    json.key("latencyMs").beginObject();
    figure("p50", [](const Vitals &v) { return v.latencyP50Ms; });
    figure("p95", [](const Vitals &v) { return v.latencyP95Ms; });
    json.endObject();
    if (vitals) {
        json.key("retries").beginObject().key("handedOver");
        writeRetries(json, vitals->retriesHandedOver);
        json.key("waiting");
        writeRetries(json, vitals->retriesWaiting);
        json.endObject();
    }
}

// A lower bound has a plus, an estimate a tilde.
QString figureText(const Count &count)
{
    switch (count.kind) {
    case Count::Kind::AtLeast:
        return QString::number(count.value) + u'+';
    case Count::Kind::Estimated:
        return u'~' + QString::number(count.value);
    case Count::Kind::Unavailable:
        return u"unknown"_s;
    case Count::Kind::Exact:
        break;
    }
    return QString::number(count.value);
}

void printVitals(const Vitals &vitals)
{
    printLine(u"In flight: %1, waiting for retry: %2, dead: %3 (%4 within a day)."_s.arg(
        figureText(vitals.inFlight), figureText(vitals.retrying), figureText(vitals.dead),
        figureText(vitals.deadLastDay)));
    QString latency = u"latency unknown"_s;
    if (vitals.latencyP50Ms && vitals.latencyP95Ms)
        latency = u"created to handed over p50 %1 ms, p95 %2 ms"_s.arg(*vitals.latencyP50Ms).arg(*vitals.latencyP95Ms);
    printLine(u"Last minute: %1 handed over, %2 attempts failed, %3."_s.arg(
        figureText(vitals.handedOverLastMinute), figureText(vitals.failedLastMinute), latency));
}

} // namespace

int runStats(const QStringList &arguments)
{
    CommandLine line(u"stats"_s,
                     u"Counts the outbox's rows by status, and those that are due. With --check it also looks at the "
                     "queues and ends with 1 when an alert holds, for cron."_s,
                     CommandLine::Reach::Both);
    line.addOption(u"check"_s, u"Judge by the alert rules; end with 1 when an alert holds. Counts may be estimates."_s);
    line.addOption(u"rules"_s, u"With --check: a file of alert rules instead of those set in the window."_s, u"FILE"_s);
    line.addOption(u"routes"_s, u"With --check: routes file instead of OUTBOX_ROUTES or the built-in routes."_s,
                   u"FILE"_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    const bool checks = line.isSet(u"check"_s);
    const auto rules = checks ? alertRulesFor(line) : engine::watch::AlertRules::defaults();
    if (!rules)
        return line.fail(rules.error());
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto table = target->openTable(engine::sql::Access::ReadOnly);
    if (!table)
        return line.fail(table.error());
    const engine::outbox::Layout &layout = table->layout;
    const auto vitals = engine::outbox::readVitals(*table->connection, layout, vitalsRequestFor(*rules));
    if (checks && !vitals)
        return line.fail(vitals.error());
    const auto known = vitals ? std::optional(*vitals) : std::nullopt;

    engine::outbox::Stats stats;
    if (checks) {
        stats.counts = vitals->counts;
        stats.due = vitals->due;
        stats.oldestDueAgeMs = vitals->oldestDueAgeMs;
        stats.databaseTime = vitals->databaseTime;
    } else {
        auto counted = engine::outbox::Reader(*table->connection, layout).stats(engine::outbox::CountMode::Exact);
        if (!counted)
            return line.fail(counted.error());
        stats = std::move(*counted);
    }
    std::optional<AlertCheck> check;
    if (checks) {
        auto checked = checkAlerts(line, *target, *table->connection, layout, *vitals, *rules);
        if (!checked)
            return line.fail(checked.error());
        check = std::move(*checked);
    }

    if (line.wantsJson()) {
        JsonWriter json;
        json.beginObject().member("table", layout.displayName()).member("layout", layout.kindName());
        json.key("counts").beginObject();
        for (const auto &[status, count] : stats.counts)
            json.member(status, count.value);
        json.endObject().member("countKind", kindOf(stats.counts));
        json.member("due", stats.due.value).member("oldestDueAgeMs", stats.oldestDueAgeMs);
        writeVitals(json, known);
        if (check)
            writeAlerts(json, *check);
        json.member("databaseTime", isoTime(stats.databaseTime)).endObject();
        printJson(json);
    } else {
        printLine(u"%1 (%2 layout)"_s.arg(layout.displayName(), layout.kindName()));
        for (const auto &[status, count] : stats.counts)
            printLine(u"  %1 %2%3"_s.arg(QString::fromUtf8(status), -12)
                          .arg(count.value, 12)
                          .arg(count.kind == Count::Kind::AtLeast         ? u" or more"_s
                                   : count.kind == Count::Kind::Estimated ? u" estimated"_s
                                                                          : QString()));
        printLine(
            stats.oldestDueAgeMs
                ? u"Due now: %1, the oldest for %2 s."_s.arg(figureText(stats.due)).arg(*stats.oldestDueAgeMs / 1000)
                : u"Nothing is due."_s);
        if (known)
            printVitals(*known);
        if (check)
            printAlerts(*check);
    }
    return check && !check->alerts.isEmpty() ? Failed : Done;
}

} // namespace cli
