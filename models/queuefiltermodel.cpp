// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuefiltermodel.h"

#include "queuemodel.h"

namespace models {

QueueFilterModel::QueueFilterModel(QObject *parent)
    : QSortFilterProxyModel(parent)
{
    setSortRole(SortRole);
    setDynamicSortFilter(true);
}

void QueueFilterModel::setText(const QString &text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

bool QueueFilterModel::filterAcceptsRow(int sourceRow, const QModelIndex &sourceParent) const
{
    if (m_text.isEmpty())
        return true;
    const auto holds = [&](int column) {
        return sourceModel()
            ->index(sourceRow, column, sourceParent)
            .data()
            .toString()
            .contains(m_text, Qt::CaseInsensitive);
    };
    return holds(QueueModel::Name) || holds(QueueModel::Note);
}

bool QueueFilterModel::lessThan(const QModelIndex &left, const QModelIndex &right) const
{
    const QVariant a = left.data(SortRole);
    const QVariant b = right.data(SortRole);
    // Unknown figures go to the end whichever way the column is sorted.
    if (a.isValid() != b.isValid())
        return (sortOrder() == Qt::AscendingOrder) == a.isValid();
    if (a.isValid() && a.typeId() == QMetaType::LongLong && a != b)
        return a.toLongLong() < b.toLongLong();
    if (a.isValid() && a.typeId() == QMetaType::QString && a != b)
        return QString::localeAwareCompare(a.toString(), b.toString()) < 0;
    // Equal figures keep the order of their names.
    const QByteArray leftName = left.data(IdRole).toByteArray();
    const QByteArray rightName = right.data(IdRole).toByteArray();
    return sortOrder() == Qt::AscendingOrder ? leftName < rightName : leftName > rightName;
}

} // namespace models
