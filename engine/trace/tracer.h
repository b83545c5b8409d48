// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rowlookup.h"
#include "stores.h"
#include "trace.h"

#include <QSet>

namespace engine::trace {

// Follows one id through the outbox, Redis and the executions. Reads only, each statement under its own time limit:
// primary keys and indexes first, searches of whole columns last and at most three seconds each. What is away or does
// not answer in time is left out and named in Trace::unknown. Used once; belongs to the thread of `stores`.
class Tracer final
{
public:
    // `stores` is open and outlives the tracer.
    explicit Tracer(Stores &stores);

    // `id`: of a row, a job or an execution, a dispatch key, an aggregate's id, a correlation, saga or trace id.
    // Errors: BadInput for an empty id, those of the connection where neither store can be reached. An id that nobody
    // knows is no error: the trace is empty and says where it was looked for.
    [[nodiscard]] Result<Trace> trace(const QByteArray &id);

private:
    void sayWhatIsAway();
    void resolve(const QByteArray &id);
    bool resolveInOutbox(const QByteArray &id);
    bool resolveInExecutions(const QByteArray &id);
    bool resolveInQueues(const QByteArray &id);
    void searchOutbox(const QByteArray &id);
    void followJobData(const TracedJob &job);
    void expandExecutions();
    void expandJobs();
    void expandFollowUps();
    void explainAbsence(TracedJob &job, const outbox::RowDetail &row);
    void findReceiverRecord(TracedJob &job, const outbox::RowDetail &row);
    void buildTimeline();

    bool addRow(const QByteArray &id);
    void addFollowUps(const RowLookup::Found &found, const QString &how);
    bool addExecution(const QByteArray &id);
    bool addJob(const QByteArray &queue, const QByteArray &id, const QByteArray &rowId);
    // The queues that hold a job of this id. Looks at all that are known.
    [[nodiscard]] QList<QByteArray> queuesHolding(const QByteArray &jobId);
    [[nodiscard]] bool hasRow(const QByteArray &id) const;
    void looked(const QString &line);
    void unknown(const QString &line);
    void databaseFailed(const Error &error);
    void redisFailed(const Error &error);

    Stores &m_stores;
    std::optional<RowLookup> m_rows; // absent: no outbox table can be read
    std::optional<workflow::ExecutionReader> m_executions;
    bool m_redisThere = false;
    Trace m_trace;
};

} // namespace engine::trace
