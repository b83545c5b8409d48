// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowscan.h"

#include "receiverrecord.h"
#include "traceparts.h"

#include <engine/bullmq/queuekeys.h>

#include <QCoreApplication>

namespace engine::trace {

using bullmq::QueueKeys;
using outbox::Phase;
using outbox::RowSummary;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::trace::RowScan)
};

constexpr int rowsPerStep = 500;
constexpr size_t commandsPerCall = 2000;

QList<QByteArray> idsOf(const std::vector<RowSummary> &rows)
{
    QList<QByteArray> ids;
    for (const RowSummary &row : rows)
        ids << row.id;
    return ids;
}

} // namespace

RowScan::RowScan(Stores &stores, qint64 since, std::optional<outbox::PageKey> from)
    : m_stores(stores)
    , m_since(since)
    , m_from(std::move(from))
{ }

Result<void> RowScan::step(ReconcileReport &report)
{
    const outbox::Layout &layout = *m_stores.outbox();
    outbox::PageRequest request;
    request.filter.statuses = {layout.statusFor(Phase::HandedOver)};
    request.from = m_from;
    request.limit = rowsPerStep;
    auto page = outbox::Reader(*m_stores.database(), layout).page(request);
    if (!page)
        return fail(page.error());

    std::vector<RowSummary> routed;
    qint64 looked = 0;
    qint64 withoutRoute = 0;
    bool reachedEnd = !page->hasOlder;
    for (const RowSummary &row : page->rows) {
        if (row.scheduledAt && *row.scheduledAt < m_since) {
            reachedEnd = true;
            break;
        }
        ++looked;
        if (m_stores.queueOf(row.eventType).isEmpty())
            ++withoutRoute;
        else
            routed.push_back(row);
    }
    std::vector<std::vector<redis::Command>> questions;
    for (const RowSummary &row : routed)
        questions.push_back(
            {{"HEXISTS", QueueKeys(m_stores.prefix(), m_stores.queueOf(row.eventType)).key(m_stores.jobIdOf(row.id)),
              "timestamp"}});
    if (auto found = dropFound(routed, questions); !found)
        return found;
    if (!routed.empty()) {
        if (auto judged = judge(std::move(routed), report); !judged)
            return judged;
    }

    report.rowsLooked += looked;
    report.rowsWithoutRoute += withoutRoute;
    if (!page->rows.empty()) {
        const RowSummary &last = page->rows.back();
        m_from = outbox::PageKey{last.scheduledAt, last.id};
        if (!m_newest)
            m_newest = page->rows.front().scheduledAt;
        if (m_newest && last.scheduledAt && *m_newest > m_since)
            m_fraction = std::clamp(
                (double(*m_newest) - double(*last.scheduledAt)) / (double(*m_newest) - double(m_since)), 0.0, 1.0);
    }
    m_finished = reachedEnd || page->rows.empty();
    return {};
}

Result<void> RowScan::dropFound(std::vector<RowSummary> &missing,
                                const std::vector<std::vector<redis::Command>> &questions, qint64 *dropped)
{
    std::vector<bool> found(missing.size(), false);
    std::vector<redis::Command> batch;
    std::vector<size_t> owners;
    const auto ask = [&]() -> Result<void> {
        auto answers = m_stores.redis()->exchange(batch, callLimit);
        if (!answers)
            return fail(answers.error());
        for (size_t i = 0; i < batch.size(); ++i) {
            const redis::Reply &answer = (*answers)[i];
            if (answer.isError() && !answer.text.startsWith("WRONGTYPE"))
                return fail(redis::replyError(answer, m_stores.redis()->endpoint().display));
            if (answer.kind == redis::Reply::Kind::Integer && answer.integer > 0)
                found[owners[i]] = true;
        }
        batch.clear();
        owners.clear();
        return {};
    };
    for (size_t row = 0; row < questions.size(); ++row) {
        for (const redis::Command &command : questions[row]) {
            batch.push_back(command);
            owners.push_back(row);
            if (batch.size() == commandsPerCall) {
                if (auto asked = ask(); !asked)
                    return asked;
            }
        }
    }
    if (!batch.empty()) {
        if (auto asked = ask(); !asked)
            return asked;
    }
    std::vector<RowSummary> rest;
    for (size_t row = 0; row < missing.size(); ++row) {
        if (!found[row])
            rest.push_back(std::move(missing[row]));
        else if (dropped)
            ++*dropped;
    }
    missing = std::move(rest);
    return {};
}

Result<void> RowScan::judge(std::vector<RowSummary> missing, ReconcileReport &report)
{
    // A job of the same id in a queue that the routes do not name: routes may have changed since.
    bool complete = true;
    auto queues = m_stores.queues(&complete);
    if (!queues)
        return fail(queues.error());
    if (!complete)
        report.note(Text::tr("queues that were not found within a few seconds; their jobs count as missing"));
    std::vector<std::vector<redis::Command>> questions;
    for (const RowSummary &row : missing) {
        std::vector<redis::Command> &elsewhere = questions.emplace_back();
        for (const QByteArray &queue : *queues)
            elsewhere.push_back(
                {"HEXISTS", QueueKeys(m_stores.prefix(), queue).key(m_stores.jobIdOf(row.id)), "timestamp"});
    }
    if (auto found = dropFound(missing, questions); !found)
        return found;

    // Receivers' records. The same question tells which rows were requeued or removed meanwhile.
    RowLookup lookup(*m_stores.database(), *m_stores.outbox());
    auto known = lookup.known(idsOf(missing));
    if (!known)
        return fail(known.error());
    QHash<QByteArray, RowLookup::Known> rows;
    for (const RowLookup::Known &row : *known)
        rows.insert(row.id, row);
    std::erase_if(missing, [&](const RowSummary &row) { return rows.value(row.id).status != row.status; });
    questions.clear();
    for (const RowSummary &row : missing) {
        std::vector<redis::Command> &records = questions.emplace_back();
        for (const QByteArray &key : receiverRecordKeys(row.id, rows.value(row.id).dispatchKey,
                                                        m_stores.jobIdOf(row.id), m_stores.queueOf(row.eventType)))
            records.push_back({"EXISTS", key});
    }
    if (auto found = dropFound(missing, questions, &report.rowsExplained); !found)
        return found;

    // An execution that the event asked for proves that a receiver had it.
    if (m_stores.executions() && !missing.empty()) {
        auto started =
            workflow::ExecutionReader(*m_stores.database(), *m_stores.executions()).startedBy(idsOf(missing));
        if (!started)
            return fail(started.error());
        QSet<QByteArray> ran;
        for (const workflow::Execution &execution : *started) {
            // One that is still queued proves nothing: it is written together with the event.
            if (execution.phase != workflow::Phase::Queued)
                ran.insert(execution.outboxEventId);
        }
        report.rowsExplained +=
            static_cast<qint64>(std::erase_if(missing, [&](const RowSummary &row) { return ran.contains(row.id); }));
    }

    for (const RowSummary &row : missing) {
        const QByteArray queue = m_stores.queueOf(row.eventType);
        auto memory = memoryOf(queue);
        if (!memory)
            return fail(memory.error());
        const qint64 handedOver = row.processedAt.value_or(row.scheduledAt.value_or(0));
        const Absence absence = (*memory)->explain(m_stores.jobIdOf(row.id), handedOver);
        Finding finding;
        finding.id = row.id;
        finding.rowId = row.id;
        finding.name = row.eventType;
        finding.tenantId = row.tenantId;
        finding.queue = queue;
        finding.at = handedOver;
        switch (absence.kind) {
        case Absence::Kind::RemovedWhenFinished:
        case Absence::Kind::RemovedByHand:
            ++report.rowsExplained;
            continue;
        case Absence::Kind::LikelyRemoved:
            finding.kind = Finding::Kind::JobRemoved;
            finding.certainty = Certainty::Likely;
            finding.detail = Text::tr("no job; this queue removes finished jobs, and its events do not reach back that "
                                      "far");
            break;
        case Absence::Kind::NoTrace:
            finding.kind = Finding::Kind::RowWithoutJob;
            finding.certainty = absence.eventsReachBack ? Certainty::Recorded : Certainty::Likely;
            finding.detail = absence.wasAdded ? Text::tr("the job was added and has vanished without an event")
                : absence.eventsReachBack
                ? Text::tr("no job, and the queue's events, which reach back to then, do not know it")
                : Text::tr("no job and no trace of it; this queue keeps its finished jobs");
            break;
        }
        report.add(std::move(finding));
    }
    return {};
}

Result<const QueueMemory *> RowScan::memoryOf(const QByteArray &queue)
{
    auto known = m_memories.find(queue);
    if (known == m_memories.end()) {
        auto memory = QueueMemory::read(*m_stores.redis(), m_stores.prefix(), queue, m_since);
        if (!memory)
            return fail(memory.error());
        known = m_memories.insert(queue, std::move(*memory));
    }
    return &*known;
}

} // namespace engine::trace
