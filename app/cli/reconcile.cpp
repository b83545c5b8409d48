// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "duration.h"
#include "rowjson.h"
#include "target.h"
#include "times.h"

#include <app/process/unixsignals.h>

#include <engine/trace/reconciler.h>

#include <QCoreApplication>
#include <QTimer>

namespace cli {

using namespace Qt::StringLiterals;
using engine::trace::Finding;
using engine::trace::ReconcilePhase;
using engine::trace::ReconcileProgress;
using engine::trace::Reconciler;
using engine::trace::ReconcileReport;

namespace {

QString phaseName(ReconcilePhase phase)
{
    switch (phase) {
    case ReconcilePhase::Rows:
        return u"rows"_s;
    case ReconcilePhase::Jobs:
        return u"jobs"_s;
    case ReconcilePhase::Executions:
        return u"executions"_s;
    case ReconcilePhase::Finished:
        break;
    }
    return u"finished"_s;
}

void printReportJson(const ReconcileProgress &progress, bool attention)
{
    const ReconcileReport &report = progress.report;
    JsonWriter json;
    json.beginObject().member("finished", progress.token.isEmpty()).member("attention", attention);
    json.key("resume");
    if (progress.token.isEmpty())
        json.null();
    else
        json.value(QByteArrayView(progress.token));
    json.key("looked").beginObject();
    json.member("rows", report.rowsLooked)
        .member("keys", report.keysLooked)
        .member("jobs", report.jobsLooked)
        .member("executions", report.executionsLooked)
        .endObject();
    json.member("rowsExplained", report.rowsExplained).member("rowsWithoutRoute", report.rowsWithoutRoute);
    json.key("counts").beginObject();
    for (int kind = int(Finding::Kind::RowWithoutJob); kind <= int(Finding::Kind::InterruptedStream); ++kind)
        json.member(engine::trace::kindName(Finding::Kind(kind)), report.counts.value(Finding::Kind(kind)));
    json.endObject().key("findings").beginArray();
    for (const Finding &finding : report.findings) {
        json.beginObject()
            .member("kind", engine::trace::kindName(finding.kind))
            .member("certainty", finding.certainty == engine::trace::Certainty::Recorded ? "recorded" : "likely")
            .member("id", QByteArrayView(finding.id))
            .member("outboxEventId", QByteArrayView(finding.rowId))
            .member("name", QByteArrayView(finding.name))
            .member("tenantId", QByteArrayView(finding.tenantId))
            .member("queue", QByteArrayView(finding.queue));
        writeTime(json, "at", finding.at);
        json.member("detail", finding.detail).endObject();
    }
    json.endArray().key("unknown").beginArray();
    for (const QString &line : report.unknown)
        json.value(line);
    printJson(json.endArray().endObject());
}

void printReport(const ReconcileProgress &progress)
{
    const ReconcileReport &report = progress.report;
    for (const Finding &finding : report.findings)
        printLine(u"%1  %2 %3 %4 %5  %6"_s.arg(QString::fromLatin1(engine::trace::kindName(finding.kind)), -18)
                      .arg(isoTime(finding.at), -24)
                      .arg(QString::fromUtf8(finding.id), -36)
                      .arg(QString::fromUtf8(finding.name), -32)
                      .arg(QString::fromUtf8(finding.queue), -24)
                      .arg(finding.detail));
    printLine(u"Looked at %1 done rows, %2 jobs with an event, %3 open executions."_s.arg(report.rowsLooked)
                  .arg(report.jobsLooked)
                  .arg(report.executionsLooked));
    for (auto count = report.counts.cbegin(); count != report.counts.cend(); ++count)
        printLine(
            u"  %1 %2"_s.arg(QString::fromLatin1(engine::trace::kindName(count.key())), -18).arg(count.value(), 9));
    if (report.rowsExplained > 0)
        printLine(u"  %1 rows without a job are explained by a record, an execution or the queue's events."_s.arg(
            report.rowsExplained));
    if (report.rowsWithoutRoute > 0)
        printLine(u"  %1 rows have no route to a queue and were left out."_s.arg(report.rowsWithoutRoute));
    for (const QString &line : report.unknown)
        printNote(u"not looked at: "_s + line);
    if (!progress.token.isEmpty())
        printNote(u"Stopped in the %1. Go on with: --resume %2"_s.arg(phaseName(progress.phase),
                                                                      QString::fromLatin1(progress.token)));
}

} // namespace

int runReconcile(const QStringList &arguments)
{
    CommandLine line(u"reconcile"_s,
                     u"Compares outbox, queues and executions, and lists what does not fit together. Reads only."_s,
                     CommandLine::Reach::Both);
    line.addOption(u"since"_s, u"Look at done rows due within this time."_s, u"TIME"_s, u"24h"_s);
    line.addOption(u"limit"_s, u"Stop after about this many rows, keys and executions."_s, u"N"_s, u"1000000"_s);
    line.addOption(u"resume"_s, u"Go on where an earlier run stopped."_s, u"TOKEN"_s);
    line.addOption(u"check"_s, u"Exit with 1 if something needs attention."_s);
    line.addOption(u"routes"_s, u"Routes file instead of OUTBOX_ROUTES or the built-in routes."_s, u"FILE"_s);
    line.addOption(u"job-id"_s, u"Template of the job's id; else OUTBOX_JOB_ID or outbox:{id}."_s, u"TEMPLATE"_s);
    line.addOption(u"executions"_s, u"The table of executions, else OUTBOX_EXECUTIONS; decides where several fit."_s,
                   u"SCHEMA.TABLE"_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    auto limit = line.number(u"limit"_s, 1, 2'000'000'000);
    if (!limit)
        return line.fail(limit.error());
    auto since = parseDuration(line.value(u"since"_s));
    if (!since)
        return line.fail(since.error());
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto stores = target->openStores(line);
    if (!stores)
        return line.fail(stores.error());
    engine::trace::ReconcileRequest request;
    request.since = std::chrono::duration_cast<std::chrono::seconds>(*since);
    request.resume = line.value(u"resume"_s).toLatin1();
    auto reconciler = Reconciler::begin(**stores, request);
    if (!reconciler)
        return line.fail(reconciler.error());

    // Step by step, so that Ctrl+C ends it with what was found and the place to go on from.
    std::optional<engine::Error> failure;
    app::UnixSignals unixSignals;
    QTimer steps;
    ReconcilePhase phase = ReconcilePhase::Rows;
    QObject::connect(&unixSignals, &app::UnixSignals::stopRequested, &steps, [] { QCoreApplication::quit(); });
    QObject::connect(&steps, &QTimer::timeout, &steps, [&] {
        if (auto stepped = (*reconciler)->step(); !stepped)
            failure = stepped.error();
        if (const ReconcilePhase now = (*reconciler)->progress().phase; now != std::exchange(phase, now))
            printNote(u"Looking at %1 …"_s.arg(phaseName(now)));
        if (failure || (*reconciler)->isFinished() || (*reconciler)->looked() >= *limit)
            QCoreApplication::quit();
    });
    steps.start(0);
    QCoreApplication::exec();
    steps.stop();

    const ReconcileProgress progress = (*reconciler)->progress();
    if (failure) {
        printNote(u"Go on with: --resume %1"_s.arg(QString::fromLatin1(progress.token)));
        return line.fail(*failure);
    }
    bool attention = false;
    for (auto count = progress.report.counts.cbegin(); count != progress.report.counts.cend(); ++count)
        attention = attention || engine::trace::needsAttention(count.key());
    if (line.wantsJson())
        printReportJson(progress, attention);
    else
        printReport(progress);
    return line.isSet(u"check"_s) && attention ? Failed : Done;
}

} // namespace cli
