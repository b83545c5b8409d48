// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "documents.h"
#include "executionjson.h"
#include "rowjson.h"
#include "target.h"
#include "times.h"

#include <engine/trace/tracer.h>

namespace cli {

using namespace Qt::StringLiterals;
using engine::trace::Absence;
using engine::trace::Certainty;
using engine::trace::Entry;
using engine::trace::Lane;
using engine::trace::TracedJob;

namespace {

const char *laneName(Lane lane)
{
    return lane == Lane::Outbox ? "outbox" : lane == Lane::Job ? "job" : "execution";
}

const char *certaintyName(Certainty certainty)
{
    return certainty == Certainty::Recorded ? "recorded" : certainty == Certainty::Derived ? "derived" : "likely";
}

const char *absenceName(Absence::Kind kind)
{
    switch (kind) {
    case Absence::Kind::RemovedWhenFinished:
        return "removed-when-finished";
    case Absence::Kind::RemovedByHand:
        return "removed-by-hand";
    case Absence::Kind::LikelyRemoved:
        return "likely-removed";
    case Absence::Kind::NoTrace:
        break;
    }
    return "no-trace";
}

void writeJob(JsonWriter &json, const TracedJob &job)
{
    json.beginObject().member("queue", QByteArrayView(job.queue)).member("id", QByteArrayView(job.id));
    json.member("outboxEventId", QByteArrayView(job.rowId)).member("present", job.detail.has_value());
    if (job.absence)
        json.member("absence", absenceName(job.absence->kind));
    if (!job.receiverRecord.isEmpty())
        json.member("receiverRecord", job.receiverRecord);
    if (job.detail) {
        const engine::bullmq::JobSummary &summary = job.detail->job;
        json.member("name", QByteArrayView(summary.name))
            .member("state", engine::bullmq::jobStateName(summary.state))
            .member("attemptsMade", summary.attemptsMade)
            .member("stalls", summary.stalls)
            .member("failedReason", summary.failedReason);
        writeTime(json, "addedAt", summary.addedAt);
        writeTime(json, "startedAt", summary.startedAt);
        writeTime(json, "finishedAt", summary.finishedAt);
        writeStored(json, "options", job.detail->options);
        writeStored(json, "progress", job.detail->progress);
        writeStored(json, "returnValue", job.detail->returnValue);
        json.key("stackTraces").beginArray();
        for (const QString &trace : job.detail->stackTraces)
            json.value(trace);
        json.endArray();
        writeStored(json, "data", summary.data);
    }
    json.endObject();
}

void writeTexts(JsonWriter &json, QByteArrayView name, const QStringList &texts)
{
    json.key(name).beginArray();
    for (const QString &text : texts)
        json.value(text);
    json.endArray();
}

void printTraceJson(const engine::trace::Trace &trace, const engine::dispatch::Router &router)
{
    JsonWriter json;
    json.beginObject().member("asked", QByteArrayView(trace.asked)).member("understoodAs", trace.understoodAs);
    // The one that was asked for; the list has all of them.
    json.key("row");
    if (trace.rows.empty())
        json.null();
    else
        writeRowDetail(json, trace.rows.front(), router);
    json.key("job");
    if (trace.jobs.empty())
        json.null();
    else
        writeJob(json, trace.jobs.front());
    json.key("executions").beginArray();
    for (const auto &execution : trace.executions)
        writeExecutionDetail(json, execution, trace.databaseTime);
    json.endArray();
    json.key("timeline").beginArray();
    for (const Entry &entry : trace.timeline) {
        json.beginObject();
        writeTime(json, "at", entry.at);
        json.member("what", entry.what)
            .member("source", entry.source)
            .member("kind", QByteArrayView(entry.kind))
            .member("lane", laneName(entry.lane))
            .member("id", QByteArrayView(entry.subject))
            .member("certainty", certaintyName(entry.certainty))
            .member("note", entry.note)
            .endObject();
    }
    json.endArray();
    writeTexts(json, "looked", trace.looked);
    writeTexts(json, "unknown", trace.unknown);
    json.key("rows").beginArray();
    for (const auto &row : trace.rows)
        writeRowDetail(json, row, router);
    json.endArray().key("jobs").beginArray();
    for (const TracedJob &job : trace.jobs)
        writeJob(json, job);
    json.endArray().key("followUps").beginArray();
    for (const auto &row : trace.followUps)
        writeRowDetail(json, row, router);
    printJson(json.endArray().endObject());
}

void printTrace(const engine::trace::Trace &trace)
{
    if (trace.isEmpty())
        printNote(u"Nothing is known about \"%1\"."_s.arg(QString::fromUtf8(trace.asked)));
    else
        printLine(u"%1 (%2)"_s.arg(QString::fromUtf8(trace.asked), trace.understoodAs));
    for (const Entry &entry : trace.timeline) {
        const QString mark = entry.certainty == Certainty::Recorded ? u" "_s : u"~"_s;
        printLine(u"%1%2 %3 %4%5   [%6]"_s.arg(isoTime(entry.at), -24)
                      .arg(mark, QString::fromLatin1(laneName(entry.lane)).leftJustified(9), entry.what,
                           entry.note.isEmpty() ? QString() : u" – "_s + entry.note, entry.source));
    }
    for (const QString &line : trace.looked)
        printNote(u"looked at: "_s + line);
    for (const QString &line : trace.unknown)
        printNote(u"not known: "_s + line);
}

} // namespace

int runTrace(const QStringList &arguments)
{
    CommandLine line(u"trace"_s, u"Follows one id through the outbox, its job and its execution."_s,
                     CommandLine::Reach::Both);
    line.addPositional(u"id"_s, u"Of a row, job, execution or aggregate; a dispatch key, correlation or saga id."_s,
                       u"ID"_s);
    line.addOption(u"routes"_s, u"Routes file instead of OUTBOX_ROUTES or the built-in routes."_s, u"FILE"_s);
    line.addOption(u"job-id"_s, u"Template of the job's id; else OUTBOX_JOB_ID or outbox:{id}."_s, u"TEMPLATE"_s);
    line.addOption(u"executions"_s, u"The table of executions, else OUTBOX_EXECUTIONS; decides where several fit."_s,
                   u"SCHEMA.TABLE"_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    if (line.positionals().size() != 1)
        return line.failUsage(u"Name one id."_s);
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto stores = target->openStores(line);
    if (!stores)
        return line.fail(stores.error());
    auto trace = engine::trace::Tracer(**stores).trace(line.positionals().constFirst().toUtf8());
    if (!trace)
        return line.fail(trace.error());
    if (line.wantsJson())
        printTraceJson(*trace, (*stores)->router());
    else
        printTrace(*trace);
    return trace->isEmpty() ? Failed : Done;
}

} // namespace cli
