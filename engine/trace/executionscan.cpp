// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionscan.h"
#include "traceparts.h"

#include <engine/bullmq/queuekeys.h>

#include <QCoreApplication>

namespace engine::trace {

using bullmq::QueueKeys;
using outbox::Phase;
using workflow::Execution;
using RunPhase = workflow::Phase;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::trace::ExecutionScan)
};

constexpr int runsPerStep = 200;
// A worker writes the run's end a moment before or after its job's.
constexpr qint64 youngMicros = 60'000'000;

std::optional<qint64> lastChange(const Execution &run)
{
    std::optional<qint64> latest;
    for (const auto &time : {run.queuedAt, run.startedAt, run.createdAt, run.updatedAt}) {
        if (time && (!latest || *time > *latest))
            latest = time;
    }
    return latest;
}

} // namespace

ExecutionScan::ExecutionScan(Stores &stores, std::optional<outbox::PageKey> from)
    : m_stores(stores)
    , m_reader(*stores.database(), *stores.executions())
    , m_from(std::move(from))
{ }

Result<void> ExecutionScan::step(ReconcileReport &report)
{
    workflow::ExecutionRequest request;
    for (const QByteArray &status : m_reader.layout().statusesOf({RunPhase::Queued, RunPhase::Running}))
        request.filter.statuses << status;
    if (request.filter.statuses.isEmpty()) {
        m_finished = true;
        return {};
    }
    request.from = m_from;
    request.limit = runsPerStep;
    auto page = m_reader.page(request);
    if (!page)
        return fail(page.error());

    std::vector<Suspect> suspects;
    for (const Execution &run : page->executions) {
        const auto changed = lastChange(run);
        if (changed && page->databaseTime - *changed < youngMicros)
            continue;
        if (!run.isStream)
            suspects.push_back({run, {}, {}, Certainty::Recorded});
        else if (run.lateness == workflow::Lateness::PossiblyInterrupted)
            suspects.push_back({run,
                                {},
                                Text::tr("a stream run, which a restart of the web process interrupts, lasts "
                                         "longer than usual"),
                                Certainty::Likely});
    }
    if (auto gathered = gatherRows(suspects, report); !gathered)
        return gathered;
    if (auto served = dropServed(suspects); !served)
        return served;
    if (auto changed = dropChanged(suspects); !changed)
        return changed;
    for (const Suspect &suspect : suspects) {
        const Execution &run = suspect.execution;
        Finding finding;
        finding.kind = run.isStream ? Finding::Kind::InterruptedStream : Finding::Kind::StuckExecution;
        finding.certainty = suspect.certainty;
        finding.id = run.id;
        finding.rowId = run.outboxEventId;
        finding.name = run.workflowName.isEmpty() ? run.workflowId : run.workflowName.toUtf8();
        finding.tenantId = run.tenantId;
        finding.at = run.startedAt ? run.startedAt : run.queuedAt ? run.queuedAt : run.createdAt;
        finding.detail = QString::fromUtf8(run.status) + QStringLiteral(": ") + suspect.why;
        report.add(std::move(finding));
    }
    report.executionsLooked += static_cast<qint64>(page->executions.size());
    if (!page->executions.empty()) {
        const Execution &last = page->executions.back();
        const outbox::Column &ordering = m_reader.layout().ordering();
        const auto at = ordering.name == m_reader.layout().queuedAt.name ? last.queuedAt
            : ordering.name == m_reader.layout().createdAt.name          ? last.createdAt
                                                                         : last.startedAt;
        m_from = outbox::PageKey{at, last.id};
    }
    m_finished = !page->hasOlder || page->executions.empty();
    return {};
}

Result<void> ExecutionScan::gatherRows(std::vector<Suspect> &suspects, ReconcileReport &report)
{
    QList<QByteArray> ids;
    std::optional<qint64> since;
    for (Suspect &suspect : suspects) {
        const Execution &run = suspect.execution;
        if (run.isStream)
            continue;
        if (!run.outboxEventId.isEmpty())
            suspect.rowIds << run.outboxEventId;
        ids << run.id;
        const auto began = run.queuedAt ? run.queuedAt : run.createdAt;
        if (began && (!since || *began - youngMicros < *since))
            since = *began - youngMicros;
    }
    bool finished = true;
    auto named = RowLookup(*m_stores.database(), *m_stores.outbox()).rowsOfExecutions(ids, since, &finished);
    if (!named)
        return fail(named.error());
    if (!finished)
        report.note(Text::tr("rows whose payload names an execution: the search has no index and reached its limit, or "
                             "the payload is a text column"));
    for (Suspect &suspect : suspects) {
        for (const auto &[execution, row] : *named) {
            if (execution == suspect.execution.id && !suspect.rowIds.contains(row))
                suspect.rowIds << row;
        }
        if (!finished && !suspect.execution.isStream)
            suspect.certainty = Certainty::Likely;
    }
    return {};
}

Result<void> ExecutionScan::dropServed(std::vector<Suspect> &suspects)
{
    QList<QByteArray> ids;
    for (const Suspect &suspect : suspects)
        ids << suspect.rowIds;
    auto known = RowLookup(*m_stores.database(), *m_stores.outbox()).known(ids);
    if (!known)
        return fail(known.error());
    auto queues = m_stores.queues();
    if (!queues)
        return fail(queues.error());
    const outbox::Layout &layout = *m_stores.outbox();
    QHash<QByteArray, Phase> phases;
    for (const RowLookup::Known &row : *known)
        phases.insert(row.id, layout.phaseOf(row.status));

    // A job that is there and has not ended will run, or run again.
    std::vector<redis::Command> questions;
    std::vector<QByteArray> owners;
    for (const QByteArray &id : QSet<QByteArray>(ids.cbegin(), ids.cend())) {
        for (const QByteArray &queue : *queues) {
            questions.push_back(
                {"HMGET", QueueKeys(m_stores.prefix(), queue).key(m_stores.jobIdOf(id)), "timestamp", "finishedOn"});
            owners.push_back(id);
        }
    }
    auto answers = m_stores.redis()->exchange(questions, callLimit);
    if (!answers)
        return fail(answers.error());
    QSet<QByteArray> live;
    QSet<QByteArray> ended;
    for (size_t i = 0; i < owners.size(); ++i) {
        const redis::Reply &fields = (*answers)[i];
        if (fields.items.size() == 2 && !fields.items[0].isNil())
            (fields.items[1].isNil() ? live : ended).insert(owners[i]);
    }

    std::erase_if(suspects, [&](Suspect &suspect) {
        if (suspect.execution.isStream)
            return false;
        bool rowThere = false;
        bool jobEnded = false;
        bool rowDead = false;
        for (const QByteArray &id : suspect.rowIds) {
            const auto phase = phases.constFind(id);
            rowThere = rowThere || phase != phases.constEnd();
            if (live.contains(id))
                return true;
            if (phase != phases.constEnd()) {
                if (*phase == Phase::Waiting || *phase == Phase::InFlight || *phase == Phase::Retrying)
                    return true;
                rowDead = rowDead || *phase == Phase::Dead || *phase == Phase::Cancelled;
            }
            jobEnded = jobEnded || ended.contains(id);
        }
        if (suspect.rowIds.isEmpty()) {
            suspect.why = Text::tr("no event is known that asked for it");
            suspect.certainty = Certainty::Likely;
        } else if (jobEnded) {
            suspect.why = Text::tr("the job of its event has ended");
        } else if (rowDead) {
            suspect.why = Text::tr("its event is dead or cancelled");
        } else if (rowThere) {
            suspect.why = Text::tr("its event was handed over, but there is no job");
        } else {
            suspect.why = Text::tr("its event is gone, and there is no job");
        }
        return false;
    });
    return {};
}

// What ended or went on while it was looked at is none of ours.
Result<void> ExecutionScan::dropChanged(std::vector<Suspect> &suspects)
{
    QList<QByteArray> ids;
    for (const Suspect &suspect : suspects)
        ids << suspect.execution.id;
    auto fresh = m_reader.byIds(ids);
    if (!fresh)
        return fail(fresh.error());
    QHash<QByteArray, const Execution *> now;
    for (const Execution &run : *fresh)
        now.insert(run.id, &run);
    std::erase_if(suspects, [&](const Suspect &suspect) {
        const Execution *run = now.value(suspect.execution.id);
        return !run || run->status != suspect.execution.status || run->updatedAt != suspect.execution.updatedAt;
    });
    return {};
}

} // namespace engine::trace
