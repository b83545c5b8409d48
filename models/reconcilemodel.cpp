// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reconcilemodel.h"

using namespace Qt::StringLiterals;
using engine::trace::Certainty;
using engine::trace::Finding;

namespace models {

QString findingText(Finding::Kind kind)
{
    switch (kind) {
    case Finding::Kind::RowWithoutJob:
        return ReconcileModel::tr("Done without a job");
    case Finding::Kind::JobRemoved:
        return ReconcileModel::tr("Job removed");
    case Finding::Kind::JobWithoutRow:
        return ReconcileModel::tr("Job without a row");
    case Finding::Kind::RowRetired:
        return ReconcileModel::tr("Row retired");
    case Finding::Kind::DuplicateJob:
        return ReconcileModel::tr("Duplicate job");
    case Finding::Kind::StuckExecution:
        return ReconcileModel::tr("Stuck execution");
    case Finding::Kind::InterruptedStream:
        return ReconcileModel::tr("Possibly interrupted");
    }
    return {};
}

QString findingExplanation(Finding::Kind kind)
{
    switch (kind) {
    case Finding::Kind::RowWithoutJob:
        return ReconcileModel::tr("The row is marked done, but there is no job, no receiver's record and no execution: "
                                  "the event may be lost.");
    case Finding::Kind::JobRemoved:
        return ReconcileModel::tr("The row is done and its job is gone, most likely because the queue removes finished "
                                  "jobs. Nothing to do.");
    case Finding::Kind::JobWithoutRow:
        return ReconcileModel::tr("The job carries an outbox event's id, and the table has no such row.");
    case Finding::Kind::RowRetired:
        return ReconcileModel::tr(
            "The job finished long ago; retention has most likely removed its row. Nothing to do.");
    case Finding::Kind::DuplicateJob:
        return ReconcileModel::tr("Another job stands for the same event: its effect may happen twice.");
    case Finding::Kind::StuckExecution:
        return ReconcileModel::tr("The execution is queued or running, and neither a row nor a job is on its way that "
                                  "would finish it.");
    case Finding::Kind::InterruptedStream:
        return ReconcileModel::tr(
            "A stream run lasts longer than usual; a restart of the web process may have ended it.");
    }
    return {};
}

Severity findingSeverity(Finding::Kind kind)
{
    switch (kind) {
    case Finding::Kind::RowWithoutJob:
    case Finding::Kind::StuckExecution:
        return Severity::Critical;
    case Finding::Kind::JobWithoutRow:
    case Finding::Kind::DuplicateJob:
    case Finding::Kind::InterruptedStream:
        return Severity::Warning;
    case Finding::Kind::JobRemoved:
    case Finding::Kind::RowRetired:
        break;
    }
    return Severity::Muted;
}

ReconcileModel::ReconcileModel(QObject *parent)
    : KeyedTableModel(parent)
{ }

void ReconcileModel::setReport(const engine::trace::ReconcileReport &report)
{
    m_all = report.findings;
    // What somebody has to look at comes first.
    std::ranges::stable_sort(m_all, std::greater<>(),
                             [](const Finding &finding) { return int(findingSeverity(finding.kind)); });
    show();
}

void ReconcileModel::setKind(std::optional<Finding::Kind> kind)
{
    if (m_kind == kind)
        return;
    m_kind = kind;
    show();
}

void ReconcileModel::show()
{
    std::vector<Finding> shown;
    for (const Finding &finding : m_all) {
        if (!m_kind || finding.kind == *m_kind)
            shown.push_back(finding);
    }
    applyRows(std::move(shown));
}

void ReconcileModel::setZone(Zone zone)
{
    if (m_zone == zone)
        return;
    m_zone = zone;
    announceAll();
}

void ReconcileModel::setNow(qint64 micros)
{
    m_now = micros;
    announceColumn(When);
}

int ReconcileModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ReconcileModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const Finding &finding = rows()[static_cast<size_t>(index.row())];
    const int column = index.column();
    const auto text = [&]() -> QString {
        switch (column) {
        case Kind:
            return findingText(finding.kind);
        case When:
            return finding.at ? shortTimeText(*finding.at, m_zone, m_now) : u"–"_s;
        case Id:
            return QString::fromUtf8(finding.id);
        case Name:
            return QString::fromUtf8(finding.name);
        case Queue:
            return finding.queue.isEmpty() ? u"–"_s : QString::fromUtf8(finding.queue);
        case Detail:
            return finding.certainty == Certainty::Recorded ? finding.detail : tr("likely: %1").arg(finding.detail);
        default:
            return {};
        }
    };
    switch (role) {
    case Qt::DisplayRole:
        return text();
    case Qt::ToolTipRole:
        if (column == Kind)
            return findingExplanation(finding.kind);
        if (column == When)
            return finding.at ? fullTimeText(*finding.at, m_zone) : QString();
        return text();
    case Qt::TextAlignmentRole:
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    case IdRole:
        return keyOf(finding);
    case SeverityRole:
        if (column == Kind)
            return int(findingSeverity(finding.kind));
        return int(column == When || column == Detail ? Severity::Muted : Severity::Normal);
    case EmphasisRole:
        return column == Id;
    case FixedDigitsRole:
        return column == When;
    default:
        return {};
    }
}

QVariant ReconcileModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Kind:
        return tr("Finding", "column: what does not fit");
    case When:
        return tr("Since", "column: when it was handed over, added or started");
    case Id:
        return tr("Id", "column: of the row, job or execution");
    case Name:
        return tr("Type", "column: event type, job name or workflow");
    case Queue:
        return tr("Queue", "column");
    case Detail:
        return tr("Why", "column: why it is listed");
    default:
        return {};
    }
}

} // namespace models
