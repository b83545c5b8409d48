// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuemodel.h"

#include "counttext.h"
#include "timetext.h"

#include <engine/bullmq/queuetrouble.h>

#include <algorithm>

using namespace Qt::StringLiterals;
using engine::bullmq::QueueState;
using engine::bullmq::QueueTrouble;

namespace models {

namespace {

bool hasNobody(const QueueState &queue)
{
    return std::ranges::count(engine::bullmq::troublesOf(queue), QueueTrouble::NoWorker) > 0;
}

// Jobs that came just now may still get their worker; a minute later nobody is coming.
Severity nobodySeverity(const QueueState &queue)
{
    return queue.oldestWaitingMs && *queue.oldestWaitingMs < 60'000 ? Severity::Warning : Severity::Critical;
}

std::optional<qint64> figure(const QueueState &queue, int column)
{
    if (!queue.problem.isEmpty())
        return std::nullopt;
    switch (column) {
    case QueueModel::Waiting:
        return queue.waiting;
    case QueueModel::Active:
        return queue.active;
    case QueueModel::Delayed:
        return queue.delayed;
    case QueueModel::Prioritized:
        return queue.prioritized;
    case QueueModel::Failed:
        return queue.failed;
    case QueueModel::Completed:
        return queue.completed;
    case QueueModel::Children:
        return queue.waitingChildren;
    case QueueModel::Stalled:
        return queue.stalled;
    case QueueModel::Schedulers:
        return queue.schedulers;
    case QueueModel::Workers:
        return queue.workers ? std::optional<qint64>(*queue.workers) : std::nullopt;
    case QueueModel::Oldest:
        return queue.oldestWaitingMs;
    default:
        return std::nullopt;
    }
}

QString note(const QueueState &queue)
{
    if (!queue.problem.isEmpty())
        return queue.problem;
    QStringList words;
    if (queue.paused)
        words << QueueModel::tr("paused");
    if (hasNobody(queue))
        words << QueueModel::tr("jobs wait, no worker is connected");
    if (queue.stalled > 0)
        words << (queue.stalled == 1 ? QueueModel::tr("1 job stalled")
                                     : QueueModel::tr("%1 jobs stalled").arg(numberText(queue.stalled)));
    return words.join(u" · "_s);
}

Severity severityOf(const QueueState &queue, int column)
{
    if (!queue.problem.isEmpty())
        return column == QueueModel::Note ? Severity::Critical
            : column == QueueModel::Name  ? Severity::Normal
                                          : Severity::Muted;
    switch (column) {
    case QueueModel::Name:
        return Severity::Normal;
    case QueueModel::Waiting:
    case QueueModel::Workers:
        if (hasNobody(queue))
            return nobodySeverity(queue);
        break;
    case QueueModel::Stalled:
        if (queue.stalled > 0)
            return Severity::Warning;
        break;
    case QueueModel::Failed:
        if (queue.failed > 0)
            return Severity::Warning;
        break;
    case QueueModel::Note:
        return hasNobody(queue)                 ? nobodySeverity(queue)
            : queue.stalled > 0 || queue.paused ? Severity::Warning
                                                : Severity::Muted;
    default:
        break;
    }
    const auto value = figure(queue, column);
    return value && *value > 0 ? Severity::Normal : Severity::Muted;
}

QString display(const QueueState &queue, int column)
{
    if (column == QueueModel::Name)
        return QString::fromUtf8(queue.name);
    if (column == QueueModel::Note)
        return note(queue);
    if (column == QueueModel::Trend)
        return {};
    const auto value = figure(queue, column);
    if (!value)
        return u"–"_s;
    if (column == QueueModel::Oldest)
        return durationText(*value < 10000 ? *value : *value / 1000 * 1000);
    if (column == QueueModel::Workers && *value == 0)
        return QueueModel::tr("none", "workers");
    if (column == QueueModel::Stalled && queue.stalledAtLeast)
        return numberText(*value) + u'+';
    return numberText(*value);
}

QString toolTip(const QueueState &queue, int column)
{
    switch (column) {
    case QueueModel::Name:
        return queue.version.isEmpty() ? QString()
                                       : QueueModel::tr("Written by BullMQ %1").arg(QString::fromUtf8(queue.version));
    case QueueModel::Workers:
        return queue.problem.isEmpty() && !queue.workers
            ? QueueModel::tr("Redis does not let this connection see its clients, so workers cannot be counted.")
            : QString();
    case QueueModel::Stalled:
        if (!queue.problem.isEmpty() || queue.suspected == 0)
            return {};
        return QueueModel::tr("%1 in BullMQ's own stalled set: active at the workers' last check and not renewed "
                              "since. Most of them are only being worked on.")
            .arg(numberText(queue.suspected));
    case QueueModel::Note:
        return note(queue);
    default:
        return {};
    }
}

} // namespace

QueueModel::QueueModel(QObject *parent)
    : KeyedTableModel(parent)
{ }

void QueueModel::applySnapshot(std::vector<QueueState> queues, std::optional<qint64> nowMs)
{
    if (nowMs) {
        QHash<QByteArray, DepthSeries> trends;
        for (const QueueState &queue : queues) {
            DepthSeries trend = m_trends.value(queue.name);
            if (queue.problem.isEmpty())
                trend.add(queue.waiting + queue.prioritized, *nowMs);
            trends.insert(queue.name, trend);
        }
        m_trends = std::move(trends);
    }
    applyRows(std::move(queues));
    if (nowMs)
        announceColumn(Trend);
}

void QueueModel::forgetTrends()
{
    m_trends.clear();
}

bool QueueModel::looksSame(const QueueState &left, const QueueState &right) const
{
    if (left.version != right.version || left.suspected != right.suspected
        || left.stalledAtLeast != right.stalledAtLeast)
        return false;
    for (int column = Name; column < ColumnCount; ++column) {
        if (figure(left, column) != figure(right, column) || severityOf(left, column) != severityOf(right, column))
            return false;
    }
    return note(left) == note(right);
}

int QueueModel::needingAttention() const
{
    return static_cast<int>(std::count_if(rows().begin(), rows().end(), [](const QueueState &queue) {
        return severityOf(queue, Note) >= Severity::Warning;
    }));
}

int QueueModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant QueueModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const QueueState &queue = rows()[static_cast<size_t>(index.row())];
    const int column = index.column();
    const bool isFigure = column != Name && column != Note && column != Trend;
    switch (role) {
    case Qt::DisplayRole:
        return display(queue, column);
    case Qt::ToolTipRole:
        return toolTip(queue, column);
    case Qt::TextAlignmentRole:
        return int((isFigure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        if (isFigure) {
            const auto value = figure(queue, column);
            return value ? QVariant(*value) : QVariant();
        }
        if (column == Note) // the worst first
            return qlonglong(severityOf(queue, Note));
        if (column == Trend)
            return queue.problem.isEmpty() ? QVariant(queue.waiting + queue.prioritized) : QVariant();
        return display(queue, column);
    case SeverityRole:
        return int(severityOf(queue, column));
    case IdRole:
        return queue.name;
    case EmphasisRole:
        return column == Name || (isFigure && severityOf(queue, column) >= Severity::Warning);
    case FixedDigitsRole:
        return isFigure;
    case SeriesRole:
        return column == Trend ? QVariant::fromValue(m_trends.value(queue.name).points()) : QVariant();
    case Qt::AccessibleTextRole:
        return column == Trend ? tr("%1 ready").arg(numberText(queue.waiting + queue.prioritized))
                               : display(queue, column);
    default:
        return {};
    }
}

QVariant QueueModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Name || section == Note || section == Trend ? Qt::AlignLeft : Qt::AlignRight)
                   | Qt::AlignVCenter);
    const bool isText = role == Qt::DisplayRole;
    if (!isText && role != Qt::ToolTipRole)
        return {};
    switch (section) {
    case Name:
        return isText ? tr("Queue", "column") : QString();
    case Waiting:
        return isText ? tr("Waiting", "column") : tr("Jobs ready to be taken, paused or not");
    case Active:
        return isText ? tr("Active", "column") : tr("Jobs held by a worker");
    case Delayed:
        return isText ? tr("Delayed", "column") : tr("Jobs that become ready later, retries included");
    case Prioritized:
        return isText ? tr("Priority", "column") : tr("Ready jobs with a priority");
    case Failed:
        return isText ? tr("Failed", "column") : tr("Jobs that will not be tried again by themselves");
    case Completed:
        return isText ? tr("Completed", "column") : tr("Finished jobs that are still kept");
    case Children:
        return isText ? tr("On children", "column") : tr("Jobs that wait for their child jobs");
    case Stalled:
        return isText ? tr("Stalled", "column") : tr("Active jobs whose worker no longer holds the lock");
    case Schedulers:
        return isText ? tr("Schedulers", "column") : tr("Repeatable jobs and job schedulers");
    case Workers:
        return isText ? tr("Workers", "column") : tr("Workers connected to this queue");
    case Oldest:
        return isText ? tr("Oldest waiting", "column") : tr("Age of the oldest among the jobs that run next");
    case Trend:
        return isText ? tr("Last 15 min", "column")
                      : tr("Ready jobs, waiting and prioritized, while this window watched");
    case Note:
        return isText ? tr("Note", "column") : QString();
    default:
        return {};
    }
}

} // namespace models
