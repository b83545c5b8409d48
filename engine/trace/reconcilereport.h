// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace.h"

#include <QMap>

namespace engine::trace {

// One thing that does not fit together.
struct Finding
{
    enum class Kind {
        RowWithoutJob, // done, but no job, no receiver's record and no execution: the event may be lost
        JobRemoved, // done and no job, most likely because the queue removes finished jobs
        JobWithoutRow, // a job with an outbox event's id, whose row is not there
        RowRetired, // the same, but so old that retention has most likely removed the row
        DuplicateJob, // another job for an event that has one already
        StuckExecution, // queued or running, and nothing is on its way that would finish it
        InterruptedStream, // a stream run that lasts longer than usual
    };
    Kind kind = Kind::RowWithoutJob;
    Certainty certainty = Certainty::Recorded;
    QByteArray id; // of the row, job or execution
    QByteArray rowId; // the event it is about; may be empty
    QByteArray name; // event type, job name or workflow
    QByteArray tenantId;
    QByteArray queue;
    std::optional<qint64> at; // handed over, added or started; microseconds
    QString detail; // why it is listed

    bool operator==(const Finding &) const = default;
};

// A stable word for scripts, such as row-without-job.
[[nodiscard]] QByteArrayView kindName(Finding::Kind kind);
// Whether somebody has to look at it; else it is listed only so that nothing is hidden.
[[nodiscard]] bool needsAttention(Finding::Kind kind);

// What a scan has found so far. Counts are of all, lists hold the first thousand of each kind.
struct ReconcileReport
{
    static constexpr size_t mostListed = 1000;

    QMap<Finding::Kind, qint64> counts;
    std::vector<Finding> findings;
    qint64 rowsLooked = 0; // rows marked done
    qint64 keysLooked = 0; // keys of Redis
    qint64 jobsLooked = 0; // jobs among them that carry an outbox event's id
    qint64 executionsLooked = 0; // queued and running ones
    qint64 rowsExplained =
        0; // done without a job, but a record, an execution or the queue's events tell what became of it
    qint64 rowsWithoutRoute = 0; // done, and no route says where their job would be
    QStringList unknown; // what could not be looked at

    void add(Finding finding);
    void note(const QString &line);
};

} // namespace engine::trace
