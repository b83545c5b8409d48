// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxmodel.h"

#include "counttext.h"

using namespace Qt::StringLiterals;
using engine::outbox::Phase;
using engine::outbox::RowSummary;

namespace models {

namespace {

QString firstLine(const QString &text)
{
    const QString trimmed = text.trimmed();
    const qsizetype end = trimmed.indexOf(u'\n');
    return end < 0 ? trimmed : trimmed.first(end).trimmed() + u" …"_s;
}

} // namespace

Severity statusSeverity(Phase phase, int retries)
{
    switch (phase) {
    case Phase::Waiting:
        return retries > 0 ? Severity::Warning : Severity::Info;
    case Phase::InFlight:
        return Severity::Info;
    case Phase::HandedOver:
        return Severity::Good;
    case Phase::Retrying:
    case Phase::Unknown:
        return Severity::Warning;
    case Phase::Dead:
        return Severity::Critical;
    case Phase::Cancelled:
        break;
    }
    return Severity::Muted;
}

OutboxModel::OutboxModel(QObject *parent)
    : KeyedTableModel(parent)
{ }

void OutboxModel::applyPage(std::vector<RowSummary> rows, bool sameQuestion)
{
    if (sameQuestion)
        applyRows(std::move(rows));
    else
        resetRows(std::move(rows));
}

void OutboxModel::setRouter(const engine::dispatch::Router &router)
{
    m_router = router;
    announceColumn(Destination);
}

void OutboxModel::setZone(Zone zone)
{
    if (m_zone == zone)
        return;
    m_zone = zone;
    announceAll();
}

void OutboxModel::setNow(qint64 micros)
{
    // Ages are shown in whole seconds.
    if (m_now / 1000000 == micros / 1000000)
        return;
    m_now = micros;
    announceColumn(Note);
}

int OutboxModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OutboxModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const RowSummary &row = rows()[static_cast<size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return toolTip(row, column);
    case Qt::TextAlignmentRole:
        return int(column == Retries ? Qt::AlignRight | Qt::AlignVCenter : Qt::AlignLeft | Qt::AlignVCenter);
    case IdRole:
        return row.id;
    case SeverityRole:
        return int(severity(row, column));
    case PhaseRole:
        return column == Status ? QVariant(int(row.phase)) : QVariant();
    case EmphasisRole:
        return column == Type;
    case FixedDigitsRole:
        return column == Scheduled || column == Created || column == Retries;
    default:
        return {};
    }
}

QVariant OutboxModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Retries ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Scheduled:
        return tr("Scheduled", "column: when the event is due");
    case Created:
        return tr("Created", "column: when the event was written");
    case Status:
        return tr("Status", "column");
    case Type:
        return tr("Type", "column: event type");
    case Tenant:
        return tr("Tenant", "column");
    case Retries:
        return tr("Retries", "column: number of failed attempts");
    case Destination:
        return tr("Destination", "column: queue");
    case Note:
        return tr("Note", "column: error, lease or next attempt");
    default:
        return {};
    }
}

QString OutboxModel::moment(std::optional<qint64> micros) const
{
    return micros ? shortTimeText(*micros, m_zone, m_now) : u"–"_s;
}

QString OutboxModel::text(const RowSummary &row, int column) const
{
    switch (column) {
    case Scheduled:
        return moment(row.scheduledAt);
    case Created:
        return moment(row.createdAt);
    case Status:
        return QString::fromUtf8(row.status);
    case Type:
        return QString::fromUtf8(row.eventType);
    case Tenant:
        return row.tenantId.isEmpty() ? u"–"_s : QString::fromUtf8(row.tenantId);
    case Retries:
        return numberText(row.retries);
    case Destination: {
        const auto queue = m_router.queueFor(row.eventType);
        return queue ? QString::fromUtf8(*queue) : tr("no route");
    }
    case Note:
        return note(row);
    default:
        return {};
    }
}

QString OutboxModel::note(const RowSummary &row) const
{
    const QString error = firstLine(row.lastError);
    switch (row.phase) {
    case Phase::InFlight:
        if (!row.lockedUntil)
            return row.updatedAt ? tr("claimed %1").arg(relativeText(*row.updatedAt, m_now)) : QString();
        if (*row.lockedUntil < m_now)
            return tr("lease ran out %1").arg(relativeText(*row.lockedUntil, m_now));
        return tr("lease until %1").arg(moment(row.lockedUntil));
    case Phase::Waiting:
    case Phase::Retrying: {
        QString when;
        if (row.scheduledAt && *row.scheduledAt > m_now)
            when = (row.retries > 0 ? tr("retry %1") : tr("due %1")).arg(relativeText(*row.scheduledAt, m_now));
        if (error.isEmpty() || row.retries == 0)
            return when;
        return when.isEmpty() ? error : when + u" · "_s + error;
    }
    case Phase::HandedOver:
        if (row.processedAt && row.createdAt && *row.processedAt >= *row.createdAt)
            return tr("took %1").arg(durationText(*row.processedAt / 1000 - *row.createdAt / 1000));
        return {};
    case Phase::Unknown:
        return tr("this layout has no such status");
    case Phase::Dead:
    case Phase::Cancelled:
        break;
    }
    return error;
}

Severity OutboxModel::severity(const RowSummary &row, int column) const
{
    switch (column) {
    case Scheduled:
    case Created:
        return Severity::Muted;
    case Status:
        return statusSeverity(row.phase, row.retries);
    case Retries:
        return row.retries == 0 ? Severity::Muted : Severity::Normal;
    case Destination:
        return m_router.queueFor(row.eventType) ? Severity::Normal : Severity::Warning;
    case Note:
        if (row.phase == Phase::InFlight)
            return row.lockedUntil && *row.lockedUntil < m_now ? Severity::Warning : Severity::Info;
        if (row.phase == Phase::HandedOver || (row.phase == Phase::Waiting && row.retries == 0))
            return Severity::Muted;
        return statusSeverity(row.phase, row.retries);
    default:
        return Severity::Normal;
    }
}

QString OutboxModel::toolTip(const RowSummary &row, int column) const
{
    const auto full = [this](std::optional<qint64> micros) {
        return micros ? fullTimeText(*micros, m_zone) + u'\n' + relativeText(*micros, m_now) : QString();
    };
    switch (column) {
    case Scheduled:
        return full(row.scheduledAt);
    case Created:
        return full(row.createdAt);
    case Status:
        return row.phase == Phase::HandedOver ? tr("Handed to the destination. What the receiver did with it is not "
                                                   "recorded here.")
                                              : QString();
    case Destination:
        return m_router.queueFor(row.eventType) ? QString()
                                                : tr("No route matches this type: the dispatcher cannot hand it over.");
    case Note:
        return row.lastError;
    case Retries:
        return {};
    default:
        return text(row, column);
    }
}

} // namespace models
