// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "workergroupmodel.h"

#include "counttext.h"
#include "timetext.h"

using namespace Qt::StringLiterals;
using engine::bullmq::QueueState;
using engine::bullmq::WorkerGroupState;

namespace models {

namespace {

bool isFigure(int column)
{
    return column >= WorkerGroupModel::Workers && column <= WorkerGroupModel::Oldest;
}

Severity health(const WorkerGroupState &group)
{
    if (!group.unserved.empty())
        return Severity::Critical;
    if (group.unreadable > 0 || group.stalled > 0 || group.paused > 0)
        return Severity::Warning;
    return group.workers && *group.workers > 0 ? Severity::Good : Severity::Muted;
}

QString healthText(const WorkerGroupState &group)
{
    if (!group.unserved.empty())
        return *group.workers == 0 ? WorkerGroupModel::tr("Down") : WorkerGroupModel::tr("Partly down");
    if (health(group) == Severity::Warning)
        return WorkerGroupModel::tr("Look at it");
    if (!group.workers)
        return group.queues.empty() ? WorkerGroupModel::tr("No queues") : WorkerGroupModel::tr("Unknown");
    return *group.workers > 0 ? WorkerGroupModel::tr("Working") : WorkerGroupModel::tr("Nobody there");
}

QString note(const WorkerGroupState &group)
{
    QStringList words;
    if (!group.unserved.empty()) {
        QStringList names;
        for (const QByteArray &queue : group.unserved)
            names << QString::fromUtf8(queue);
        words << WorkerGroupModel::tr("jobs and no worker: %1").arg(names.join(u", "));
    }
    if (group.paused > 0)
        words << (group.paused == 1 ? WorkerGroupModel::tr("1 queue is paused")
                                    : WorkerGroupModel::tr("%1 queues are paused").arg(group.paused));
    if (group.unreadable > 0)
        words << (group.unreadable == 1 ? WorkerGroupModel::tr("1 queue cannot be read")
                                        : WorkerGroupModel::tr("%1 queues cannot be read").arg(group.unreadable));
    if (words.isEmpty() && group.workers == 0 && !group.queues.empty())
        words << WorkerGroupModel::tr("no job waits for them");
    return words.join(u" · "_s);
}

QString display(const WorkerGroupState &group, int column)
{
    switch (column) {
    case WorkerGroupModel::Group:
        return group.kind == WorkerGroupState::Kind::Mail ? WorkerGroupModel::tr("mail", "group of workers")
                                                          : WorkerGroupModel::tr("general", "group of workers");
    case WorkerGroupModel::Health:
        return healthText(group);
    case WorkerGroupModel::Workers:
        return group.workers ? numberText(*group.workers) : u"–"_s;
    case WorkerGroupModel::Queues:
        return group.workers
            ? WorkerGroupModel::tr("%1 of %2", "queues with workers").arg(group.served).arg(group.queues.size())
            : numberText(static_cast<qint64>(group.queues.size()));
    case WorkerGroupModel::Ready:
        return numberText(group.ready);
    case WorkerGroupModel::Active:
        return numberText(group.active);
    case WorkerGroupModel::Failed:
        return numberText(group.failed);
    case WorkerGroupModel::Stalled:
        return numberText(group.stalled);
    case WorkerGroupModel::Oldest:
        return group.oldestWaitingMs ? durationText(*group.oldestWaitingMs / 1000 * 1000) : u"–"_s;
    case WorkerGroupModel::Note:
        return note(group);
    default:
        return {};
    }
}

Severity severityOf(const WorkerGroupState &group, int column)
{
    switch (column) {
    case WorkerGroupModel::Health:
        return health(group);
    case WorkerGroupModel::Note:
        return health(group) >= Severity::Warning ? health(group) : Severity::Muted;
    case WorkerGroupModel::Failed:
        return group.failed > 0 ? Severity::Warning : Severity::Muted;
    case WorkerGroupModel::Stalled:
        return group.stalled > 0 ? Severity::Warning : Severity::Muted;
    case WorkerGroupModel::Ready:
        return group.ready > 0 ? Severity::Normal : Severity::Muted;
    case WorkerGroupModel::Active:
        return group.active > 0 ? Severity::Normal : Severity::Muted;
    default:
        return Severity::Normal;
    }
}

} // namespace

WorkerGroupModel::WorkerGroupModel(QObject *parent)
    : KeyedTableModel(parent)
{ }

void WorkerGroupModel::applySnapshot(const std::vector<QueueState> &queues)
{
    applyRows(engine::bullmq::workerGroups(queues));
}

QByteArray WorkerGroupModel::keyOf(const WorkerGroupState &group) const
{
    return QByteArray::number(static_cast<int>(group.kind));
}

bool WorkerGroupModel::looksSame(const WorkerGroupState &left, const WorkerGroupState &right) const
{
    for (int column = 0; column < ColumnCount; ++column) {
        if (display(left, column) != display(right, column) || severityOf(left, column) != severityOf(right, column))
            return false;
    }
    return true;
}

int WorkerGroupModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WorkerGroupModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const WorkerGroupState &group = rows()[static_cast<size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return display(group, column);
    case Qt::ToolTipRole:
        if (column == Group)
            return group.kind == WorkerGroupState::Kind::Mail
                ? tr("outbox.mail, outbox.webhook, outbox.marketing, toolctrl.email")
                : tr("outbox.workflow and every other queue");
        return column == Note ? display(group, column) : QString();
    case Qt::TextAlignmentRole:
        return int((isFigure(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return display(group, column);
    case SeverityRole:
        return int(severityOf(group, column));
    case IdRole:
        return keyOf(group);
    case EmphasisRole:
        return column == Group;
    case FixedDigitsRole:
        return isFigure(column);
    default:
        return {};
    }
}

QVariant WorkerGroupModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    const bool isText = role == Qt::DisplayRole;
    if (!isText && role != Qt::ToolTipRole)
        return {};
    switch (section) {
    case Group:
        return isText ? tr("Worker group", "column") : QString();
    case Health:
        return isText ? tr("Health", "column") : QString();
    case Workers:
        return isText ? tr("Workers", "column") : tr("Workers connected to the group's queues");
    case Queues:
        return isText ? tr("Queues served", "column") : tr("Queues with a worker, of those that exist");
    case Ready:
        return isText ? tr("Ready", "column") : tr("Jobs that a worker could take now");
    case Active:
        return isText ? tr("Active", "column") : QString();
    case Failed:
        return isText ? tr("Failed", "column") : QString();
    case Stalled:
        return isText ? tr("Stalled", "column") : QString();
    case Oldest:
        return isText ? tr("Oldest waiting", "column") : QString();
    case Note:
        return isText ? tr("Note", "column") : QString();
    default:
        return {};
    }
}

} // namespace models
