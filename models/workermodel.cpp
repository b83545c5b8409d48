// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "workermodel.h"

#include "counttext.h"
#include "timetext.h"

#include <algorithm>

using namespace Qt::StringLiterals;
using engine::bullmq::QueueState;
using engine::bullmq::WorkerState;

namespace models {

namespace {

QString display(const WorkerRow &row, int column)
{
    const WorkerState &worker = row.worker;
    if (column == WorkerModel::Queue)
        return QString::fromUtf8(worker.queue);
    if (row.missing) {
        switch (column) {
        case WorkerModel::Worker:
            return WorkerModel::tr("none", "worker");
        case WorkerModel::Doing:
            return row.ready == 1
                ? WorkerModel::tr("1 job is ready and nobody takes it")
                : WorkerModel::tr("%1 jobs are ready and nobody takes them").arg(numberText(row.ready));
        default:
            return u"–"_s;
        }
    }
    switch (column) {
    case WorkerModel::Worker:
        return worker.name.isEmpty() ? WorkerModel::tr("no name") : QString::fromUtf8(worker.name);
    case WorkerModel::Doing:
        return worker.waits ? WorkerModel::tr("has room, waits for jobs")
                            : WorkerModel::tr("busy or fetching, quiet for %1").arg(durationText(worker.quietMs));
    case WorkerModel::Jobs:
        return worker.jobs ? numberText(*worker.jobs) : u"–"_s;
    case WorkerModel::Connected:
        return durationText(worker.connectedMs);
    case WorkerModel::Address:
        return QString::fromUtf8(worker.address);
    default:
        return {};
    }
}

Severity severityOf(const WorkerRow &row, int column)
{
    if (row.missing)
        return column == WorkerModel::Queue                                 ? Severity::Normal
            : column == WorkerModel::Worker || column == WorkerModel::Doing ? Severity::Critical
                                                                            : Severity::Muted;
    switch (column) {
    case WorkerModel::Worker:
        return row.worker.name.isEmpty() ? Severity::Muted : Severity::Normal;
    case WorkerModel::Address:
        return Severity::Muted;
    case WorkerModel::Jobs:
        return row.worker.jobs ? Severity::Normal : Severity::Muted;
    default:
        return Severity::Normal;
    }
}

bool isFigure(int column)
{
    return column == WorkerModel::Jobs || column == WorkerModel::Connected;
}

} // namespace

WorkerModel::WorkerModel(QObject *parent)
    : KeyedTableModel(parent)
{ }

void WorkerModel::applySnapshot(const std::vector<QueueState> &queues, const std::vector<WorkerState> &workers)
{
    std::vector<WorkerRow> rows;
    for (const WorkerState &worker : workers)
        rows.push_back({worker, false, 0});
    std::ranges::stable_sort(rows, {}, [](const WorkerRow &row) {
        return std::tuple(row.worker.queue, row.worker.name, row.worker.clientId.toLongLong());
    });
    std::vector<WorkerRow> missing;
    for (const QueueState &queue : queues) {
        const qint64 ready = queue.waiting + queue.prioritized;
        if (queue.problem.isEmpty() && queue.workers == 0 && ready > 0) {
            WorkerRow row;
            row.worker.queue = queue.name;
            row.missing = true;
            row.ready = ready;
            missing.push_back(row);
        }
    }
    rows.insert(rows.begin(), missing.begin(), missing.end());
    applyRows(std::move(rows));
}

QByteArray WorkerModel::keyOf(const WorkerRow &row) const
{
    return row.missing ? "queue " + row.worker.queue : "client " + row.worker.clientId;
}

bool WorkerModel::looksSame(const WorkerRow &left, const WorkerRow &right) const
{
    for (int column = 0; column < ColumnCount; ++column) {
        if (display(left, column) != display(right, column))
            return false;
    }
    return true;
}

int WorkerModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WorkerModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const WorkerRow &row = rows()[static_cast<size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return display(row, column);
    case Qt::ToolTipRole:
        if (column == Jobs && !row.missing && !row.worker.jobs)
            return row.worker.name.isEmpty()
                ? tr("A worker without a name leaves no trace in its jobs, so nobody can tell which are its own.")
                : tr("Several workers of this queue have the same name, so nobody can tell whose jobs are whose.");
        return column == Queue || column == Address ? display(row, column) : QString();
    case Qt::TextAlignmentRole:
        return int((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return display(row, column);
    case SeverityRole:
        return int(severityOf(row, column));
    case IdRole:
        return keyOf(row);
    case EmphasisRole:
        return column == Queue || (row.missing && column == Worker);
    case FixedDigitsRole:
        return isFigure(column);
    default:
        return {};
    }
}

QVariant WorkerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const bool isText = role == Qt::DisplayRole;
    if (!isText && role != Qt::ToolTipRole)
        return {};
    switch (section) {
    case Queue:
        return isText ? tr("Queue", "column") : QString();
    case Worker:
        return isText ? tr("Worker", "column") : tr("What the worker calls itself; a program may have several");
    case Doing:
        return isText ? tr("Doing", "column")
                      : tr("Redis sees whether the worker waits for a job, not how many it works on");
    case Jobs:
        return isText ? tr("Active jobs", "column") : tr("Active jobs that carry this worker's name");
    case Connected:
        return isText ? tr("Connected for", "column") : QString();
    case Address:
        return isText ? tr("From", "column") : tr("Where the connection comes from");
    default:
        return {};
    }
}

} // namespace models
