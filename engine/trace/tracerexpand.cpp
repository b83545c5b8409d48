// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The tracer's second half: from what the id names to everything that hangs on it.
#include "receiverrecord.h"
#include "tracer.h"
#include "traceparts.h"

#include <QCoreApplication>

#include <algorithm>

namespace engine::trace {

using outbox::Phase;
using outbox::RowDetail;

namespace {

// Context of this file's translated texts: the same as the first half's.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::trace::Tracer)
};

} // namespace

void Tracer::expandExecutions()
{
    if (!m_executions)
        return;
    QList<QByteArray> rowIds;
    QList<QByteArray> named;
    for (const RowDetail &row : m_trace.rows) {
        rowIds << row.row.id;
        named << referencesIn(row).executions;
    }
    auto started = m_executions->startedBy(rowIds);
    if (!started) {
        databaseFailed(started.error());
        return;
    }
    for (const workflow::Execution &execution : *started)
        addExecution(execution.id);
    for (const QByteArray &id : named) {
        if (!addExecution(id))
            unknown(Text::tr("execution %1, which the payload names: %2 has none of that id (any more)")
                        .arg(words(id), m_stores.executions()->displayName()));
    }
    // An execution that was found by a payload may have been asked for by another row.
    for (size_t i = 0; i < m_trace.executions.size() && m_rows; ++i) {
        const QByteArray event = m_trace.executions[i].execution.outboxEventId;
        if (!event.isEmpty() && m_trace.rows.size() < RowLookup::mostRows)
            addRow(event);
    }
    const QString table = m_stores.executions()->displayName();
    const size_t found = m_trace.executions.size();
    looked(found == 0       ? Text::tr("%1: no execution").arg(table)
               : found == 1 ? Text::tr("%1: 1 execution").arg(table)
                            : Text::tr("%1: %2 executions").arg(table).arg(found));
}

void Tracer::expandJobs()
{
    if (!m_redisThere)
        return;
    for (const RowDetail &row : m_trace.rows) {
        const QByteArray jobId = m_stores.jobIdOf(row.row.id);
        const QByteArray routed = m_stores.queueOf(row.row.eventType);
        const bool wasHandedOver = row.row.phase == Phase::HandedOver;
        bool found = false;
        for (const TracedJob &job : m_trace.jobs)
            found = found || job.rowId == row.row.id;
        if (!routed.isEmpty())
            found = addJob(routed, jobId, row.row.id) || found;
        if (!found || row.row.retries > 0) {
            for (const QByteArray &queue : queuesHolding(jobId)) {
                if (queue != routed)
                    found = addJob(queue, jobId, row.row.id) || found;
            }
        }
        if (!m_redisThere)
            return;
        if (!found && wasHandedOver) {
            TracedJob missing;
            missing.queue = routed;
            missing.id = jobId;
            missing.rowId = row.row.id;
            missing.handedOverAt = row.row.processedAt ? row.row.processedAt : row.row.scheduledAt;
            if (routed.isEmpty())
                unknown(Text::tr("the job of %1: no route names its queue, and no known queue has %2")
                            .arg(words(row.row.id), words(jobId)));
            else
                explainAbsence(missing, row);
            findReceiverRecord(missing, row);
            // What a receiver has left behind proves that there was a job.
            const bool ran = !missing.receiverRecord.isEmpty()
                || std::ranges::any_of(m_trace.executions, [&](const workflow::ExecutionDetail &run) {
                       return run.execution.outboxEventId == row.row.id
                           && run.execution.phase != workflow::Phase::Queued;
                   });
            if (ran && missing.absence && missing.absence->kind == Absence::Kind::NoTrace)
                missing.absence->kind = Absence::Kind::LikelyRemoved;
            if (!routed.isEmpty())
                m_trace.jobs.push_back(std::move(missing));
        }
    }
    for (TracedJob &job : m_trace.jobs) {
        if (!job.detail)
            continue;
        for (const RowDetail &row : m_trace.rows) {
            if (row.row.id == job.rowId)
                findReceiverRecord(job, row);
        }
    }
}

void Tracer::explainAbsence(TracedJob &job, const RowDetail &row)
{
    redis::Client &redis = *m_stores.redis();
    const qint64 handedOver = row.row.processedAt ? *row.row.processedAt : timeOf(row);
    auto memory = QueueMemory::read(redis, m_stores.prefix(), job.queue, handedOver);
    if (!memory) {
        redisFailed(memory.error());
        return;
    }
    auto events = bullmq::readEvents(redis, m_stores.prefix(), job.queue, handedOver - minuteMicros, job.id);
    if (!events) {
        redisFailed(events.error());
        return;
    }
    job.events = std::move(*events);
    job.absence = memory->explain(job.id, handedOver);
    const QString name = words(job.queue);
    switch (job.absence->kind) {
    case Absence::Kind::RemovedWhenFinished:
    case Absence::Kind::RemovedByHand:
        looked(Text::tr("%1: job %2 is gone, its events are there").arg(name, words(job.id)));
        unknown(Text::tr("data, result and stack traces of job %1: it was removed").arg(words(job.id)));
        break;
    case Absence::Kind::LikelyRemoved:
        looked(Text::tr("%1: no job %2").arg(name, words(job.id)));
        unknown(Text::tr("what became of job %1: the queue's events do not reach back that far; this queue removes "
                         "finished jobs, so that is likely")
                    .arg(words(job.id)));
        break;
    case Absence::Kind::NoTrace:
        looked(Text::tr("%1: no job %2, and no event of it").arg(name, words(job.id)));
        if (!job.absence->eventsReachBack)
            unknown(Text::tr("whether job %1 ever was: the events of %2 do not reach back to the handover")
                        .arg(words(job.id), name));
        break;
    }
}

void Tracer::findReceiverRecord(TracedJob &job, const RowDetail &row)
{
    if (!m_redisThere)
        return;
    const QList<QByteArray> keys = receiverRecordKeys(row.row.id, row.dispatchKey, job.id, job.queue);
    std::vector<redis::Command> questions;
    for (const QByteArray &key : keys)
        questions.push_back({"EXISTS", key});
    auto answers = m_stores.redis()->exchange(questions, callLimit);
    if (!answers) {
        redisFailed(answers.error());
        return;
    }
    for (qsizetype i = 0; i < keys.size(); ++i) {
        if ((*answers)[size_t(i)].integer == 1)
            job.receiverRecord = words(keys[i]);
    }
    looked(job.receiverRecord.isEmpty() ? Text::tr("Redis: no receiver's record of %1").arg(words(row.row.id))
                                        : Text::tr("Redis: receiver's record %1").arg(job.receiverRecord));
}

void Tracer::expandFollowUps()
{
    if (!m_rows || (m_trace.rows.empty() && m_trace.executions.empty()))
        return;
    QList<QByteArray> executionIds;
    std::optional<qint64> since;
    for (const workflow::ExecutionDetail &detail : m_trace.executions) {
        const workflow::Execution &run = detail.execution;
        executionIds << run.id;
        const auto began = run.queuedAt ? run.queuedAt : run.createdAt ? run.createdAt : run.startedAt;
        if (began && (!since || *began < *since))
            since = *began - minuteMicros;
    }
    if (!executionIds.isEmpty()) {
        auto caused = m_rows->byExecution(executionIds, since);
        if (!caused) {
            databaseFailed(caused.error());
            return;
        }
        if (!caused->searched)
            unknown(Text::tr("follow-up events: the payload is a text column, which is not searched"));
        addFollowUps(*caused, Text::tr("follow-up events of the executions"));
    }
    QSet<QByteArray> correlated;
    for (const RowDetail &row : m_trace.rows) {
        const References references = referencesIn(row);
        for (const QByteArray &id : {references.correlationId, references.sagaId}) {
            if (!id.isEmpty() && id != m_trace.asked)
                correlated.insert(id);
        }
    }
    for (const QByteArray &id : correlated) {
        auto found = m_rows->byCorrelation(id);
        if (!found) {
            databaseFailed(found.error());
            return;
        }
        addFollowUps(*found, Text::tr("events of correlation or saga %1").arg(words(id)));
    }
}

void Tracer::addFollowUps(const RowLookup::Found &found, const QString &how)
{
    const QString table = m_stores.outbox()->displayName();
    if (!found.finished) {
        unknown(Text::tr("%1: %2, the search without an index stopped at its limit of 3 s").arg(table, how));
        return;
    }
    if (!found.searched)
        return;
    int added = 0;
    for (const QByteArray &id : found.ids) {
        const bool known = hasRow(id)
            || std::ranges::any_of(m_trace.followUps, [&](const RowDetail &row) { return row.row.id == id; });
        if (known)
            continue;
        auto row = m_rows->byId(id);
        if (row && *row) {
            m_trace.followUps.push_back(std::move(**row));
            ++added;
        }
    }
    if (found.more)
        unknown(Text::tr("more %1: only the first %2 are listed").arg(how).arg(RowLookup::mostRows));
    looked(added == 0 ? Text::tr("%1: no %2").arg(table, how) : Text::tr("%1: %2, %3").arg(table, how).arg(added));
}

} // namespace engine::trace
