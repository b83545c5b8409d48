// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracer.h"

#include "entries.h"
#include "traceparts.h"

#include <engine/bullmq/jobreader.h>
#include <engine/bullmq/queuekeys.h>

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace engine::trace {

using bullmq::QueueKeys;
using outbox::RowDetail;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::trace::Tracer)
};

} // namespace

Tracer::Tracer(Stores &stores)
    : m_stores(stores)
    , m_redisThere(stores.redis() != nullptr)
{
    if (stores.database() && stores.outbox())
        m_rows.emplace(*stores.database(), *stores.outbox());
    if (stores.database() && stores.executions())
        m_executions.emplace(*stores.database(), *stores.executions());
}

Result<Trace> Tracer::trace(const QByteArray &id)
{
    const QByteArray wanted = id.trimmed();
    if (wanted.isEmpty() || wanted.size() > 4000 || wanted.contains('\0'))
        return fail(ErrorCode::BadInput, Text::tr("That is no id to trace."),
                    Text::tr("Give the id of a row, a job or an execution, a dispatch key, or a correlation id."));
    if (!m_stores.database() && !m_stores.redis())
        return fail(*m_stores.databaseFault());
    m_trace.asked = wanted;
    if (m_rows) {
        if (auto now = m_rows->databaseTime())
            m_trace.databaseTime = *now;
    }
    sayWhatIsAway();
    resolve(wanted);
    expandExecutions();
    expandJobs();
    expandFollowUps();
    if (m_trace.isEmpty())
        m_trace.understoodAs.clear();
    std::ranges::sort(m_trace.rows, {}, timeOf);
    std::ranges::sort(m_trace.followUps, {}, timeOf);
    buildTimeline();
    return std::move(m_trace);
}

void Tracer::sayWhatIsAway()
{
    if (const auto &fault = m_stores.databaseFault())
        unknown(Text::tr("the outbox and the executions: %1").arg(fault->text()));
    if (const auto &fault = m_stores.outboxFault(); fault && m_stores.database())
        unknown(Text::tr("the outbox: %1").arg(fault->text()));
    if (const auto &fault = m_stores.executionsFault(); fault && m_stores.database())
        unknown(Text::tr("executions: %1").arg(fault->text()));
    if (const auto &fault = m_stores.redisFault())
        unknown(Text::tr("jobs and receivers' records: %1").arg(fault->text()));
}

void Tracer::resolve(const QByteArray &id)
{
    if (resolveInOutbox(id) || resolveInExecutions(id) || resolveInQueues(id))
        return;
    searchOutbox(id);
}

bool Tracer::resolveInOutbox(const QByteArray &id)
{
    if (!m_rows)
        return false;
    if (addRow(id)) {
        m_trace.understoodAs = Text::tr("row id");
        return true;
    }
    auto keyed = m_rows->byDispatchKey(id);
    if (!keyed) {
        databaseFailed(keyed.error());
        return false;
    }
    for (const QByteArray &row : keyed->ids)
        addRow(row);
    if (!keyed->ids.isEmpty()) {
        m_trace.understoodAs = Text::tr("dispatch key");
        return true;
    }
    if (!keyed->finished)
        unknown(Text::tr("dispatch keys: the column has no unique index, and the search reached its time limit"));
    const QByteArray inside = m_stores.rowIdIn(id);
    if (!inside.isEmpty() && addRow(inside)) {
        m_trace.understoodAs = Text::tr("job id");
        return true;
    }
    looked(keyed->searched ? Text::tr("%1: no row with this id or dispatch key").arg(m_stores.outbox()->displayName())
                           : Text::tr("%1: no row with this id").arg(m_stores.outbox()->displayName()));
    return false;
}

bool Tracer::resolveInExecutions(const QByteArray &id)
{
    if (!m_executions)
        return false;
    if (addExecution(id)) {
        m_trace.understoodAs = Text::tr("execution id");
        const QByteArray event = m_trace.executions.front().execution.outboxEventId;
        if (!event.isEmpty() && m_rows && !addRow(event))
            unknown(Text::tr("the event that asked for it: %1 has no row %2 (any more)")
                        .arg(m_stores.outbox()->displayName(), words(event)));
        return true;
    }
    // The row may be gone while the executions it asked for are not.
    auto started = m_executions->startedBy({id});
    if (!started) {
        databaseFailed(started.error());
        return false;
    }
    for (const workflow::Execution &execution : *started)
        addExecution(execution.id);
    if (!started->empty()) {
        m_trace.understoodAs = Text::tr("id of a row that is gone");
        unknown(Text::tr("the row itself: it is not in %1 any more").arg(m_stores.outbox()->displayName()));
        return true;
    }
    looked(Text::tr("%1: no execution with this id").arg(m_stores.executions()->displayName()));
    return false;
}

bool Tracer::resolveInQueues(const QByteArray &id)
{
    if (!m_redisThere)
        return false;
    // As a job's id, as the row's id inside one, and as the full key of a job's hash.
    QByteArray jobId = id;
    QByteArray onlyQueue;
    if (id.startsWith(m_stores.prefix() + ':')) {
        if (auto queues = m_stores.queues()) {
            for (const QByteArray &queue : *queues) {
                const QByteArray base = QueueKeys(m_stores.prefix(), queue).base();
                if (id.startsWith(base) && queue.size() >= onlyQueue.size()) {
                    onlyQueue = queue;
                    jobId = id.mid(base.size());
                }
            }
        }
    }
    for (const QByteArray &candidate : {jobId, m_stores.jobIdOf(id)}) {
        for (const QByteArray &queue : queuesHolding(candidate)) {
            if (onlyQueue.isEmpty() || queue == onlyQueue)
                addJob(queue, candidate, {});
        }
        if (!m_trace.jobs.empty()) {
            m_trace.understoodAs = Text::tr("job id");
            // Copied: following a job may add others.
            const std::vector<TracedJob> found = m_trace.jobs;
            for (const TracedJob &job : found)
                followJobData(job);
            return true;
        }
    }
    return false;
}

void Tracer::followJobData(const TracedJob &job)
{
    if (!job.detail)
        return;
    QByteArray rowId = textMember(job.detail->job.data, "outboxEventId"_L1);
    if (rowId.isEmpty())
        rowId = m_stores.rowIdIn(job.id);
    if (rowId.isEmpty()) {
        unknown(Text::tr("the row of job %1: its data names no outboxEventId").arg(words(job.id)));
        return;
    }
    for (TracedJob &known : m_trace.jobs) {
        if (known.queue == job.queue && known.id == job.id)
            known.rowId = rowId;
    }
    if (m_rows && !addRow(rowId))
        unknown(Text::tr("the row of job %1: %2 has no row %3 (any more)")
                    .arg(words(job.id), m_stores.outbox()->displayName(), words(rowId)));
}

// Last and slowest: what no index need answer.
void Tracer::searchOutbox(const QByteArray &id)
{
    if (!m_rows)
        return;
    const QString table = m_stores.outbox()->displayName();
    auto aggregate = m_rows->byAggregate(id);
    if (!aggregate) {
        databaseFailed(aggregate.error());
        return;
    }
    const auto take = [&](const RowLookup::Found &found, const QString &as, const QString &place) {
        if (!found.searched)
            return false;
        if (!found.finished)
            unknown(Text::tr("%1: the search of %2 without an index stopped at its limit of 3 s").arg(table, place));
        for (const QByteArray &row : found.ids)
            addRow(row);
        if (found.more)
            unknown(Text::tr("more rows: only the first %1 are followed").arg(RowLookup::mostRows));
        if (!found.ids.isEmpty())
            m_trace.understoodAs = as;
        else if (found.finished)
            looked(Text::tr("%1: nothing in %2").arg(table, place));
        return !found.ids.isEmpty();
    };
    if (take(*aggregate, Text::tr("aggregate id"), Text::tr("aggregate ids")))
        return;
    auto correlated = m_rows->byCorrelation(id);
    if (!correlated) {
        databaseFailed(correlated.error());
        return;
    }
    if (!correlated->searched)
        unknown(Text::tr("correlation ids: the payload is a text column, which is not searched"));
    if (take(*correlated, Text::tr("correlation or saga id"), Text::tr("correlation, saga and trace ids")))
        return;
    auto named = m_rows->byExecution({id}, {});
    if (!named) {
        databaseFailed(named.error());
        return;
    }
    take(*named, Text::tr("execution id in a payload"), Text::tr("execution ids of payloads"));
}

void Tracer::buildTimeline()
{
    std::vector<std::vector<Entry>> lists;
    if (m_stores.outbox()) {
        const outbox::Layout &layout = *m_stores.outbox();
        for (const RowDetail &row : m_trace.rows) {
            lists.push_back(entriesOf(row, layout, m_stores.queueOf(row.row.eventType), false, m_trace.databaseTime));
            if (row.row.retries > 1)
                unknown(
                    Text::tr("when %1 was tried before: a row keeps only its latest attempt").arg(words(row.row.id)));
        }
        for (const RowDetail &row : m_trace.followUps)
            lists.push_back(entriesOf(row, layout, m_stores.queueOf(row.row.eventType), true, m_trace.databaseTime));
    }
    for (const TracedJob &job : m_trace.jobs)
        lists.push_back(entriesOf(job));
    if (m_stores.executions()) {
        for (const workflow::ExecutionDetail &execution : m_trace.executions) {
            if (!execution.steps.problem.isEmpty())
                unknown(execution.steps.problem);
            else if (std::ranges::any_of(execution.steps.steps, [](const workflow::Step &step) {
                         return !step.startedAt && !step.finishedAt;
                     }))
                unknown(Text::tr("when the steps of %1 ran: they keep no times").arg(words(execution.execution.id)));
            lists.push_back(entriesOf(execution, *m_stores.executions(), m_trace.databaseTime));
        }
    }
    m_trace.timeline = merged(std::move(lists));
}

bool Tracer::addRow(const QByteArray &id)
{
    if (hasRow(id))
        return true;
    auto row = m_rows->byId(id);
    if (!row) {
        databaseFailed(row.error());
        return false;
    }
    if (!*row)
        return false;
    looked(Text::tr("%1: row %2").arg(m_stores.outbox()->displayName(), words((*row)->row.id)));
    m_trace.rows.push_back(std::move(**row));
    return true;
}

bool Tracer::addExecution(const QByteArray &id)
{
    for (const workflow::ExecutionDetail &known : m_trace.executions) {
        if (known.execution.id == id)
            return true;
    }
    if (m_trace.executions.size() >= RowLookup::mostRows)
        return true;
    auto detail = m_executions->detail(id);
    if (!detail) {
        if (detail.error().code != ErrorCode::NotFound)
            databaseFailed(detail.error());
        return false;
    }
    m_trace.executions.push_back(std::move(*detail));
    return true;
}

bool Tracer::addJob(const QByteArray &queue, const QByteArray &id, const QByteArray &rowId)
{
    for (TracedJob &known : m_trace.jobs) {
        if (known.queue == queue && known.id == id) {
            known.rowId = known.rowId.isEmpty() ? rowId : known.rowId;
            return true;
        }
    }
    if (!m_redisThere)
        return false;
    redis::Client &redis = *m_stores.redis();
    auto detail = bullmq::JobReader(redis, m_stores.prefix()).detail(queue, id);
    if (!detail) {
        if (detail.error().code != ErrorCode::NotFound)
            redisFailed(detail.error());
        return false;
    }
    TracedJob job;
    job.queue = queue;
    job.id = id;
    job.rowId = rowId;
    const auto added = detail->job.addedAt;
    auto events = bullmq::readEvents(redis, m_stores.prefix(), queue, added ? *added - minuteMicros : 0, id);
    if (!events) {
        redisFailed(events.error());
    } else {
        const bool fromTheStart =
            std::ranges::find(events->events, "added", &bullmq::QueueEvent::kind) != events->events.end();
        if (added && !fromTheStart && !events->covers(*added))
            unknown(Text::tr("attempts of job %1 before those listed: the queue's events do not reach back that far")
                        .arg(words(id)));
        job.events = std::move(*events);
    }
    job.detail = std::move(*detail);
    looked(Text::tr("%1: job %2, and its events").arg(words(queue), words(id)));
    m_trace.jobs.push_back(std::move(job));
    return true;
}

QList<QByteArray> Tracer::queuesHolding(const QByteArray &jobId)
{
    QList<QByteArray> holding;
    if (!m_redisThere)
        return holding;
    bool complete = true;
    auto queues = m_stores.queues(&complete);
    if (!queues) {
        redisFailed(queues.error());
        return holding;
    }
    std::vector<redis::Command> questions;
    for (const QByteArray &queue : *queues)
        questions.push_back({"HEXISTS", QueueKeys(m_stores.prefix(), queue).key(jobId), "timestamp"});
    auto answers = m_stores.redis()->exchange(questions, callLimit);
    if (!answers) {
        redisFailed(answers.error());
        return holding;
    }
    for (size_t i = 0; i < queues->size(); ++i) {
        if (!(*answers)[i].isError() && (*answers)[i].integer == 1)
            holding << (*queues)[i];
    }
    looked(queues->size() == 1 ? Text::tr("1 queue for job %1").arg(words(jobId))
                               : Text::tr("%1 queues for job %2").arg(queues->size()).arg(words(jobId)));
    if (!complete)
        unknown(Text::tr("further queues: the key space is too large to be searched for more in a few seconds"));
    return holding;
}

bool Tracer::hasRow(const QByteArray &id) const
{
    return std::ranges::any_of(m_trace.rows, [&](const RowDetail &row) { return row.row.id == id; });
}

void Tracer::looked(const QString &line)
{
    if (!m_trace.looked.contains(line))
        m_trace.looked << line;
}

void Tracer::unknown(const QString &line)
{
    if (!m_trace.unknown.contains(line))
        m_trace.unknown << line;
}

void Tracer::databaseFailed(const Error &error)
{
    unknown(Text::tr("more of the database: %1").arg(error.text()));
    if (m_stores.database()->isBroken()) {
        m_rows.reset();
        m_executions.reset();
    }
}

void Tracer::redisFailed(const Error &error)
{
    unknown(Text::tr("more of Redis: %1").arg(error.text()));
    m_redisThere = m_redisThere
        && !(error.code == ErrorCode::Unavailable || error.code == ErrorCode::Timeout
             || error.code == ErrorCode::CannotConnect);
}

} // namespace engine::trace
