// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "documents.h"
#include "duration.h"
#include "jobjson.h"
#include "table.h"
#include "target.h"
#include "times.h"

#include <engine/bullmq/jobreader.h>
#include <engine/bullmq/jobsearch.h>

#include <algorithm>

namespace cli {

using namespace Qt::StringLiterals;
using engine::bullmq::JobDetail;
using engine::bullmq::JobPageRequest;
using engine::bullmq::JobReader;
using engine::bullmq::JobSearch;
using engine::bullmq::JobSearchCursor;
using engine::bullmq::JobSearchRequest;
using engine::bullmq::JobState;
using engine::bullmq::JobSummary;

namespace {

constexpr int jobsPerRequest = 200;

QString stateText(JobState state)
{
    return QString::fromLatin1(jobStateName(state));
}

QString attemptsText(const JobSummary &job)
{
    return u"%1/%2"_s.arg(job.attemptsMade).arg(job.mostAttempts.value_or(1));
}

void printJobs(const std::vector<JobSummary> &jobs, bool json)
{
    if (json) {
        JsonWriter writer;
        writer.beginArray();
        for (const JobSummary &job : jobs)
            writeJob(writer, job);
        printJson(writer.endArray());
        return;
    }
    TextTable table({{u"id"_s, TextTable::Side::Left, 60},
                     {u"name"_s, TextTable::Side::Left, 40},
                     {u"state"_s},
                     {u"attempts"_s, TextTable::Side::Right},
                     {u"added"_s},
                     {u"finished or due"_s},
                     {u"error"_s}});
    for (const JobSummary &job : jobs) {
        const auto last = job.finishedAt ? job.finishedAt : job.dueAt;
        table.add({QString::fromUtf8(job.id), QString::fromUtf8(job.name), job.gone ? u"gone"_s : stateText(job.state),
                   attemptsText(job), isoTime(job.addedAt), isoTime(last), job.failedReason.section(u'\n', 0, 0)});
    }
    table.print();
}

const QByteArray &documentOf(const JobDetail &detail, const QString &field)
{
    return field == u"opts"    ? detail.options
        : field == u"progress" ? detail.progress
        : field == u"data"     ? detail.job.data
                               : detail.returnValue;
}

engine::Result<std::vector<JobSummary>> readPages(JobReader &reader, JobPageRequest request, int limit)
{
    // Page by page, so that no single reply grows with the limit.
    std::vector<JobSummary> jobs;
    while (static_cast<int>(jobs.size()) < limit) {
        request.limit = qMin(jobsPerRequest, limit - static_cast<int>(jobs.size()));
        auto page = reader.page(request);
        if (!page)
            return engine::fail(page.error());
        request.offset += request.limit;
        std::ranges::move(page->jobs, std::back_inserter(jobs));
        if (request.offset >= page->total)
            break;
    }
    return jobs;
}

engine::Result<std::vector<JobSummary>> search(JobSearch &engine, const JobSearchRequest &request,
                                               JobSearchCursor cursor, int limit, qint64 mostLooked)
{
    std::vector<JobSummary> found;
    qint64 looked = 0;
    for (;;) {
        auto step = engine.step(request, cursor, std::chrono::milliseconds(200));
        if (!step)
            return engine::fail(step.error());
        looked += step->looked;
        cursor = step->next;
        std::ranges::move(step->found, std::back_inserter(found));
        const bool enough = static_cast<int>(found.size()) >= limit;
        if (step->done || enough || looked >= mostLooked) {
            // A step may find more than was asked for; all of it is shown, so that nothing between is lost.
            printNote(u"Looked at %1 jobs%2, found %3.%4"_s.arg(looked)
                          .arg(step->done ? u""_s : u" of %1"_s.arg(step->total))
                          .arg(found.size())
                          .arg(step->done ? u""_s
                                          : u" To go on: --state %1 --offset %2"_s
                                                .arg(stateText(request.states.at(cursor.state)))
                                                .arg(cursor.offset)));
            return found;
        }
    }
}

} // namespace

int runJobs(const QStringList &arguments)
{
    CommandLine line(u"jobs"_s, u"Lists a queue's jobs, newest first, looks for some, or shows one in full."_s,
                     CommandLine::Reach::Redis);
    line.addPositional(u"queue"_s, u"The queue's name, as `queues` shows it."_s, u"QUEUE"_s);
    line.addOption(u"state"_s,
                   u"waiting, prioritized, active, delayed, waiting-children, failed or completed; "
                   "with --search also all."_s,
                   u"STATE"_s, u"failed"_s);
    line.addOption(u"limit"_s, u"Most jobs to list; a search stops soon after finding as many."_s, u"N"_s, u"50"_s);
    line.addOption(u"offset"_s, u"Jobs to leave out first."_s, u"N"_s, u"0"_s);
    line.addOption(u"oldest"_s, u"Oldest first: next to run, due soonest, finished first."_s);
    line.addOption(u"id"_s, u"Show this job in full, whatever its state."_s, u"ID"_s);
    addDocumentOptions(line, u"its data"_s);
    line.addOption(u"field"_s, u"With --payload-to: data, opts, returnvalue or progress."_s, u"FIELD"_s, u"data"_s);
    line.addOption(u"search"_s, u"Only jobs with this in id, name, data or error, whatever the case."_s, u"TEXT"_s);
    line.addOption(u"scan"_s, u"Most jobs a search looks at before it says where to go on."_s, u"N"_s, u"100000"_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    if (const auto exit = checkDocumentOptions(line))
        return *exit;
    if (!QStringList{u"data"_s, u"opts"_s, u"returnvalue"_s, u"progress"_s}.contains(line.value(u"field"_s)))
        return line.failUsage(u"\"%1\" is no document of a job."_s.arg(line.value(u"field"_s)));
    if (line.positionals().size() != 1)
        return line.failUsage(u"Name one queue."_s);
    const auto limit = line.number(u"limit"_s, 1, 10'000);
    const auto offset = line.number(u"offset"_s, 0, 2'000'000'000);
    const auto scan = line.number(u"scan"_s, 1, 2'000'000'000);
    for (const auto &number : {limit, offset, scan}) {
        if (!number)
            return line.fail(number.error());
    }
    const bool all = line.value(u"state"_s) == u"all" && line.isSet(u"search"_s);
    const auto state = engine::bullmq::jobStateFrom(line.value(u"state"_s).toUtf8());
    if (!state && !all)
        return line.failUsage(u"\"%1\" is no state of a job."_s.arg(line.value(u"state"_s)));
    if (line.isSet(u"search"_s) && line.value(u"search"_s).isEmpty())
        return line.failUsage(u"--search needs a text."_s);
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto client = target->openRedis();
    if (!client)
        return line.fail(client.error());
    const QByteArray prefix = target->profile().queuePrefix.toUtf8();
    const QByteArray queue = line.positionals().constFirst().toUtf8();
    JobReader reader(**client, prefix);

    if (line.isSet(u"id"_s)) {
        auto detail = reader.detail(queue, line.value(u"id"_s).toUtf8());
        if (!detail)
            return line.fail(detail.error());
        if (wantsDocument(line))
            return writeDocument(line, documentOf(*detail, line.value(u"field"_s)));
        JsonWriter json;
        writeJobDetail(json, *detail);
        printJson(json); // for one job the document is the readable form too
        return Done;
    }
    engine::Result<std::vector<JobSummary>> jobs;
    if (line.isSet(u"search"_s)) {
        JobSearch engine(**client, prefix);
        JobSearchRequest request;
        request.queue = queue;
        request.states = all ? engine::bullmq::jobStates() : QList<JobState>{*state};
        request.text = line.value(u"search"_s);
        request.oldestFirst = line.isSet(u"oldest"_s);
        request.withData = line.wantsJson();
        jobs = search(engine, request, {0, *offset}, *limit, *scan);
    } else {
        JobPageRequest request;
        request.queue = queue;
        request.state = *state;
        request.offset = *offset;
        request.oldestFirst = line.isSet(u"oldest"_s);
        request.withData = line.wantsJson();
        jobs = readPages(reader, request, *limit);
    }
    if (!jobs)
        return line.fail(jobs.error());
    printJobs(*jobs, line.wantsJson());
    return Done;
}

} // namespace cli
