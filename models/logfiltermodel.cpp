// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "logfiltermodel.h"

#include "meaning.h"

namespace models {

LogFilterModel::LogFilterModel(QObject *parent)
    : QSortFilterProxyModel(parent)
{ }

void LogFilterModel::setLowestLevel(engine::dispatch::LogEntry::Level level)
{
    m_lowest = level;
    invalidateFilter();
}

bool LogFilterModel::filterAcceptsRow(int sourceRow, const QModelIndex &sourceParent) const
{
    return sourceModel()->index(sourceRow, 0, sourceParent).data(LevelRole).toInt() >= static_cast<int>(m_lowest);
}

} // namespace models
