// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionmodel.h"

#include "counttext.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using engine::workflow::Execution;
using engine::workflow::Lateness;
using engine::workflow::Phase;

namespace models {

namespace {

std::optional<qint64> beginning(const Execution &execution)
{
    return execution.queuedAt ? execution.queuedAt : execution.createdAt ? execution.createdAt : execution.startedAt;
}

} // namespace

Severity executionSeverity(Phase phase)
{
    switch (phase) {
    case Phase::Queued:
    case Phase::Running:
    case Phase::Waiting:
        return Severity::Info;
    case Phase::Completed:
        return Severity::Good;
    case Phase::Failed:
        return Severity::Critical;
    case Phase::Unknown:
        return Severity::Warning;
    case Phase::Cancelled:
        break;
    }
    return Severity::Muted;
}

engine::outbox::Phase shapeOf(Phase phase)
{
    using Shape = engine::outbox::Phase;
    switch (phase) {
    case Phase::Queued:
    case Phase::Waiting:
        return Shape::Waiting;
    case Phase::Running:
        return Shape::InFlight;
    case Phase::Completed:
        return Shape::HandedOver;
    case Phase::Failed:
        return Shape::Dead;
    case Phase::Cancelled:
        return Shape::Cancelled;
    case Phase::Unknown:
        break;
    }
    return Shape::Unknown;
}

QString latenessText(const Execution &execution, qint64 now)
{
    if (execution.lateness == Lateness::None)
        return {};
    const bool queued = execution.lateness == Lateness::Queued;
    const qint64 usualMs = queued ? execution.usual.queueMs : execution.usual.runMs;
    const QString usual = execution.usual.isMeasured()
        ? ExecutionModel::tr("usually at most %1 (95 % of its last %2 runs)")
              .arg(durationText(usualMs), numberText(execution.usual.sampled))
        : ExecutionModel::tr("more than %1; too few runs to say what is usual").arg(durationText(usualMs));
    const auto since = queued || !execution.startedAt ? beginning(execution) : execution.startedAt;
    const QString span = since ? durationText(now / 1000 - *since / 1000) : u"–"_s;
    if (queued)
        return ExecutionModel::tr("queued for %1, %2").arg(span, usual);
    if (execution.lateness == Lateness::PossiblyInterrupted)
        return ExecutionModel::tr("possibly interrupted: running for %1, %2").arg(span, usual);
    return ExecutionModel::tr("running for %1, %2").arg(span, usual);
}

ExecutionModel::ExecutionModel(QObject *parent)
    : KeyedTableModel(parent)
{ }

void ExecutionModel::applyPage(std::vector<Execution> executions, bool sameQuestion)
{
    if (sameQuestion)
        applyRows(std::move(executions));
    else
        resetRows(std::move(executions));
}

void ExecutionModel::setZone(Zone zone)
{
    if (m_zone == zone)
        return;
    m_zone = zone;
    announceAll();
}

void ExecutionModel::setNow(qint64 micros)
{
    // Ages are shown in whole seconds.
    if (m_now / 1000000 == micros / 1000000)
        return;
    m_now = micros;
    announceColumn(Duration);
    announceColumn(Note);
}

int ExecutionModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ExecutionModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const Execution &execution = rows()[static_cast<size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(execution, column);
    case Qt::ToolTipRole:
        if (column == Queued) {
            const auto at = beginning(execution);
            return at ? fullTimeText(*at, m_zone) + u'\n' + relativeText(*at, m_now) : QString();
        }
        if (column == Trigger && execution.isStream)
            return tr("A stream run: the web process executes it without an outbox row, and a restart interrupts it.");
        if (column == Note && !execution.error.isEmpty())
            return execution.error;
        return text(execution, column);
    case Qt::TextAlignmentRole:
        return int(column == Duration ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case IdRole:
        return execution.id;
    case SeverityRole:
        return int(severity(execution, column));
    case PhaseRole:
        return column == Status ? QVariant(int(shapeOf(execution.phase))) : QVariant();
    case EmphasisRole:
        return column == Workflow;
    case FixedDigitsRole:
        return column == Queued || column == Duration;
    default:
        return {};
    }
}

QVariant ExecutionModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Duration ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Queued:
        return tr("Queued", "column: when the execution was asked for");
    case Status:
        return tr("Status", "column");
    case Workflow:
        return tr("Workflow", "column");
    case Tenant:
        return tr("Tenant", "column");
    case Trigger:
        return tr("Trigger", "column: what started the execution");
    case Duration:
        return tr("Duration", "column");
    case Note:
        return tr("Note", "column: error, or what it waits for");
    default:
        return {};
    }
}

QString ExecutionModel::text(const Execution &execution, int column) const
{
    switch (column) {
    case Queued: {
        const auto at = beginning(execution);
        return at ? shortTimeText(*at, m_zone, m_now) : u"–"_s;
    }
    case Status:
        return QString::fromUtf8(execution.status);
    case Workflow:
        return execution.workflowName.isEmpty() ? QString::fromUtf8(execution.workflowId) : execution.workflowName;
    case Tenant:
        return execution.tenantId.isEmpty() ? u"–"_s : QString::fromUtf8(execution.tenantId);
    case Trigger:
        return execution.trigger.isEmpty() ? u"–"_s : QString::fromUtf8(execution.trigger);
    case Duration: {
        const auto ms = execution.durationMs(m_now);
        if (!ms)
            return u"–"_s;
        // A running one in whole seconds: a list that shows tenths never comes to rest.
        return durationText(execution.finishedAt ? *ms : *ms / 1000 * 1000);
    }
    case Note:
        if (execution.lateness != Lateness::None)
            return latenessText(execution, m_now);
        if (execution.phase == Phase::Waiting)
            return execution.waitingFor.isEmpty() ? tr("waits for input")
                                                  : tr("waits for %1").arg(execution.waitingFor);
        if (execution.phase == Phase::Unknown)
            return tr("a status that is not known here");
        return execution.error.section(u'\n', 0, 0);
    default:
        return {};
    }
}

Severity ExecutionModel::severity(const Execution &execution, int column) const
{
    switch (column) {
    case Queued:
        return Severity::Muted;
    case Status:
        return executionSeverity(execution.phase);
    case Trigger:
        return execution.isStream ? Severity::Info : Severity::Normal;
    case Duration:
        return execution.lateness == Lateness::None ? Severity::Normal : Severity::Warning;
    case Note:
        if (execution.lateness != Lateness::None || execution.phase == Phase::Unknown)
            return Severity::Warning;
        return execution.phase == Phase::Failed ? Severity::Critical : Severity::Muted;
    default:
        return Severity::Normal;
    }
}

} // namespace models
