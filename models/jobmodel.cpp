// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobmodel.h"

#include "jobtext.h"

using namespace Qt::StringLiterals;
using engine::bullmq::JobState;
using engine::bullmq::JobSummary;

namespace models {

JobModel::JobModel(QObject *parent)
    : KeyedTableModel(parent)
{ }

void JobModel::applyPage(JobState state, std::vector<JobSummary> jobs, qint64 now, bool fresh)
{
    const bool otherState = m_state != state;
    m_state = state;
    m_now = now;
    if (fresh || otherState)
        resetRows(std::move(jobs));
    else
        applyRows(std::move(jobs));
    if (otherState)
        emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

int JobModel::append(const std::vector<JobSummary> &jobs)
{
    std::vector<JobSummary> all = rows();
    all.insert(all.end(), jobs.begin(), jobs.end());
    if (all.size() > mostFound)
        all.resize(mostFound);
    applyRows(std::move(all));
    return rowCount();
}

void JobModel::setZone(Zone zone)
{
    m_zone = zone;
    announceAll();
}

bool JobModel::looksSame(const JobSummary &left, const JobSummary &right) const
{
    return left.name == right.name && left.gone == right.gone && left.attemptsMade == right.attemptsMade
        && left.attemptsStarted == right.attemptsStarted && left.mostAttempts == right.mostAttempts
        && left.addedAt == right.addedAt && left.startedAt == right.startedAt && left.finishedAt == right.finishedAt
        && left.dueAt == right.dueAt && left.locked == right.locked && left.failedReason == right.failedReason
        && left.stalls == right.stalls && left.priority == right.priority;
}

std::optional<qint64> JobModel::moment(const JobSummary &job) const
{
    switch (m_state) {
    case JobState::Failed:
    case JobState::Completed:
        return job.finishedAt;
    case JobState::Delayed:
        return job.dueAt;
    default:
        return job.startedAt;
    }
}

Severity JobModel::severityOf(const JobSummary &job, int column) const
{
    if (job.gone)
        return column == Error ? Severity::Warning : Severity::Muted;
    if (column == Error)
        return job.locked == false                                       ? Severity::Warning
            : m_state == JobState::Failed && !job.failedReason.isEmpty() ? Severity::Critical
                                                                         : Severity::Muted;
    return column == Added || column == Took ? Severity::Muted : Severity::Normal;
}

QString JobModel::display(const JobSummary &job, int column) const
{
    const auto time = [this](std::optional<qint64> at) { return at ? shortTimeText(*at, m_zone, m_now) : u"–"_s; };
    switch (column) {
    case Id:
        return QString::fromUtf8(job.id);
    case Name:
        return job.gone ? u"–"_s : QString::fromUtf8(job.name);
    case Attempts:
        return job.gone ? u"–"_s : attemptsText(job);
    case Added:
        return time(job.addedAt);
    case Moment:
        return time(moment(job));
    case Took: {
        if (!job.startedAt || (!job.finishedAt && m_state != JobState::Active))
            return u"–"_s;
        const qint64 took = job.finishedAt.value_or(m_now) - *job.startedAt;
        return took < 0 ? u"–"_s : durationText(took / 1000); // clocks differ
    }
    case Error:
        if (job.gone)
            return tr("gone: the id is still in the list, the job is not");
        if (job.locked == false)
            return tr("stalled: no worker holds it");
        return job.failedReason;
    default:
        return {};
    }
}

int JobModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant JobModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const JobSummary &job = rows()[static_cast<size_t>(index.row())];
    const int column = index.column();
    const bool isTime = column == Added || column == Moment || column == Took;
    switch (role) {
    case Qt::DisplayRole:
        return display(job, column);
    case Qt::ToolTipRole:
        if (column == Added || column == Moment) {
            const auto at = column == Added ? job.addedAt : moment(job);
            return at ? fullTimeText(*at, m_zone) : QString();
        }
        return column == Id || column == Name || column == Error ? display(job, column).left(600) : QString();
    case Qt::TextAlignmentRole:
        return int((column == Took ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case SortRole:
        return isTime ? QVariant() : display(job, column);
    case SeverityRole:
        return int(severityOf(job, column));
    case IdRole:
        return job.id;
    case EmphasisRole:
        return column == Id;
    case FixedDigitsRole:
        return isTime;
    default:
        return {};
    }
}

QVariant JobModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Took ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Id:
        return tr("Job", "column");
    case Name:
        return tr("Name", "column");
    case Attempts:
        return tr("Attempts", "column");
    case Added:
        return tr("Added", "column");
    case Moment:
        return m_state == JobState::Failed || m_state == JobState::Completed ? tr("Finished", "column")
            : m_state == JobState::Delayed                                   ? tr("Due", "column")
                                                                             : tr("Last start", "column");
    case Took:
        return tr("Took", "column");
    case Error:
        return tr("Error", "column");
    default:
        return {};
    }
}

} // namespace models
