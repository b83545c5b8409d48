// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertrulemodel.h"

#include "counttext.h"
#include "meaning.h"
#include "timetext.h"

using namespace Qt::StringLiterals;
using engine::watch::AlertLevel;
using engine::watch::AlertMetric;
using engine::watch::AlertRule;

namespace models {

namespace {

QString queuesText(const AlertRule &rule)
{
    if (!isOfQueues(rule.metric))
        return {};
    return rule.queues.isEmpty() ? AlertRuleModel::tr("all queues") : rule.queues.join(u", ");
}

} // namespace

AlertRuleModel::AlertRuleModel(QObject *parent)
    : QAbstractTableModel(parent)
    , m_rules(engine::watch::AlertRules::defaults())
{ }

void AlertRuleModel::setRules(const engine::watch::AlertRules &rules)
{
    beginResetModel();
    m_rules = rules;
    endResetModel();
}

int AlertRuleModel::rowCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : static_cast<int>(m_rules.rules.size());
}

int AlertRuleModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant AlertRuleModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const AlertRule &rule = m_rules.rules[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case On:
            return rule.enabled ? tr("on", "alert rule") : tr("off", "alert rule");
        case What:
            return rule.metric == AlertMetric::DueBacklog
                ? tr("%1 for %2").arg(metricTitle(rule.metric), durationText(rule.ageSeconds * 1000LL))
                : metricTitle(rule.metric);
        case Level:
            return rule.level == AlertLevel::Critical ? tr("Critical") : tr("Warning");
        case Above:
            return tr("more than %1").arg(numberText(rule.above));
        case Hold:
            return rule.holdSeconds == 0 ? tr("at once") : tr("for %1").arg(durationText(rule.holdSeconds * 1000LL));
        case Queues:
            return queuesText(rule);
        default:
            return {};
        }
    case Qt::EditRole:
        switch (index.column()) {
        case Level:
            return int(rule.level);
        case Above:
            return rule.above;
        case Hold:
            return rule.holdSeconds;
        case Queues:
            return rule.queues.join(u", ");
        default:
            return {};
        }
    case Qt::CheckStateRole:
        return index.column() == On ? QVariant(rule.enabled ? Qt::Checked : Qt::Unchecked) : QVariant();
    case Qt::ToolTipRole:
        return index.column() == Queues ? queuesText(rule)
            : index.column() == Above
            ? tr("Ends when it is at or below %1 for %2.")
                  .arg(numberText(rule.clearAtOrBelow), durationText(rule.clearSeconds * 1000LL))
            : QString();
    case SortRole:
        return data(index, Qt::EditRole);
    case SeverityRole:
        return int(rule.enabled ? Severity::Normal : Severity::Muted);
    case IdRole:
        return rule.id.toUtf8();
    default:
        return {};
    }
}

bool AlertRuleModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    AlertRule changed = m_rules.rules[index.row()];
    bool isNumber = false;
    const qint64 number = value.toLongLong(&isNumber);
    if (role == Qt::CheckStateRole && index.column() == On) {
        changed.enabled = value.toInt() == Qt::Checked;
    } else if (role != Qt::EditRole) {
        return false;
    } else if (index.column() == Level && isNumber) {
        changed.level = number == int(AlertLevel::Critical) ? AlertLevel::Critical : AlertLevel::Warning;
    } else if (index.column() == Above && isNumber && number >= 0 && number <= 1'000'000'000) {
        changed.above = number;
        changed.clearAtOrBelow = number * 8 / 10;
    } else if (index.column() == Hold && isNumber && number >= 0 && number <= 86'400) {
        changed.holdSeconds = static_cast<int>(number);
    } else if (index.column() == Queues && isOfQueues(changed.metric)) {
        changed.queues.clear();
        for (const QString &name : value.toString().split(u',', Qt::SkipEmptyParts)) {
            if (!name.trimmed().isEmpty())
                changed.queues << name.trimmed();
        }
    } else {
        return false;
    }
    if (changed == m_rules.rules[index.row()])
        return true;
    m_rules.rules[index.row()] = changed;
    emit dataChanged(this->index(index.row(), 0), this->index(index.row(), ColumnCount - 1));
    emit edited();
    return true;
}

Qt::ItemFlags AlertRuleModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid())
        return flags;
    if (index.column() == On)
        return flags | Qt::ItemIsUserCheckable;
    if (index.column() == What)
        return flags;
    if (index.column() == Queues && !isOfQueues(m_rules.rules[index.row()].metric))
        return flags;
    return flags | Qt::ItemIsEditable;
}

QVariant AlertRuleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case On:
        return tr("On", "column");
    case What:
        return tr("Alert when there are", "column");
    case Level:
        return tr("Level", "column");
    case Above:
        return tr("Limit", "column");
    case Hold:
        return tr("How long", "column");
    case Queues:
        return tr("Queues", "column");
    default:
        return {};
    }
}

} // namespace models
