// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertmodel.h"

using namespace Qt::StringLiterals;
using engine::watch::Alert;
using engine::watch::AlertLevel;
using engine::watch::AlertMetric;

namespace models {

Severity severityOf(const Alert &alert)
{
    if (alert.snoozedUntilMs)
        return Severity::Muted;
    return alert.level == AlertLevel::Critical ? Severity::Critical : Severity::Warning;
}

QString stateText(const Alert &alert, Zone zone, qint64 nowMs)
{
    if (alert.snoozedUntilMs)
        return AlertModel::tr("snoozed until %1").arg(clockText(*alert.snoozedUntilMs * 1000, zone, nowMs * 1000));
    return alert.stale ? AlertModel::tr("last known state") : QString();
}

QString pageFor(AlertMetric metric)
{
    switch (metric) {
    case AlertMetric::DueBacklog:
    case AlertMetric::DeadLetters:
    case AlertMetric::UnroutedTypes:
        return u"outbox"_s;
    case AlertMetric::ExecutionsFailed:
    case AlertMetric::ExecutionsStalled:
    case AlertMetric::ExecutionsQueued:
        return u"executions"_s;
    default:
        break;
    }
    return u"queues"_s;
}

AlertModel::AlertModel(QObject *parent)
    : KeyedTableModel(parent)
{ }

void AlertModel::setAlerts(const QList<Alert> &alerts, qint64 nowMs)
{
    m_nowMs = nowMs;
    applyRows(std::vector<Alert>(alerts.begin(), alerts.end()));
    announceColumn(Since); // ages go on
}

void AlertModel::setZone(Zone zone)
{
    m_zone = zone;
    announceAll();
}

const Alert *AlertModel::alert(const QModelIndex &index) const
{
    return index.isValid() && index.row() < rowCount() ? &rows()[static_cast<size_t>(index.row())] : nullptr;
}

bool AlertModel::looksSame(const Alert &left, const Alert &right) const
{
    return left == right;
}

int AlertModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AlertModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const Alert &alert = rows()[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case Level:
            return alert.level == AlertLevel::Critical ? tr("Critical") : tr("Warning");
        case What:
            return alert.headline;
        case Detail:
            return alert.detail;
        case Since:
            return shortTimeText(alert.sinceMs * 1000, m_zone, m_nowMs * 1000);
        case State:
            return stateText(alert, m_zone, m_nowMs);
        default:
            return {};
        }
    case Qt::ToolTipRole:
        return index.column() == Since ? fullTimeText(alert.sinceMs * 1000, m_zone)
                                       : alert.headline + u'\n' + alert.detail + u'\n' + alert.advice;
    case SortRole:
        switch (index.column()) {
        case Level:
            return alert.level == AlertLevel::Critical ? 0 : 1;
        case Since:
            return alert.sinceMs;
        default:
            return data(index, Qt::DisplayRole);
        }
    case SeverityRole:
        return int(index.column() == Level    ? severityOf(alert)
                       : alert.snoozedUntilMs ? Severity::Muted
                                              : Severity::Normal);
    case EmphasisRole:
        return index.column() == What || index.column() == Level;
    case IdRole:
        return alert.id.toUtf8();
    case HintRole:
        return alert.advice;
    default:
        return {};
    }
}

QVariant AlertModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Level:
        return tr("Level", "column");
    case What:
        return tr("What is wrong", "column");
    case Detail:
        return tr("For whom", "column");
    case Since:
        return tr("Since", "column");
    case State:
        return tr("State", "column");
    default:
        return {};
    }
}

} // namespace models
