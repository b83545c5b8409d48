// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "settingsmodel.h"

namespace models {

SettingsModel::SettingsModel(QObject *parent)
    : QAbstractTableModel(parent)
{ }

void SettingsModel::setLines(const QList<engine::config::SettingLine> &lines)
{
    beginResetModel();
    m_lines = lines;
    endResetModel();
}

int SettingsModel::rowCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : static_cast<int>(m_lines.size());
}

int SettingsModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SettingsModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const engine::config::SettingLine &line = m_lines[index.row()];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:
        switch (index.column()) {
        case Variable:
            return line.variable;
        case Value:
            return line.value;
        case Meaning:
            return line.meaning;
        default:
            return line.fromEnvironment ? tr("environment", "where a setting comes from")
                                        : tr("default", "where a setting comes from");
        }
    case SeverityRole:
        return int(index.column() == Source && !line.fromEnvironment ? Severity::Muted : Severity::Normal);
    case EmphasisRole:
        return index.column() == Value;
    case FixedDigitsRole:
        return index.column() == Value;
    default:
        return {};
    }
}

QVariant SettingsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Variable:
        return tr("Variable", "column");
    case Value:
        return tr("Value", "column");
    case Meaning:
        return tr("Meaning", "column");
    case Source:
        return tr("From", "column: where a setting comes from");
    default:
        return {};
    }
}

} // namespace models
