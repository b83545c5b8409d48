// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

namespace models {

// Sorts by raw value (unknown last) and keeps queues whose name or note holds the text.
class QueueFilterModel final : public QSortFilterProxyModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QueueFilterModel)

public:
    explicit QueueFilterModel(QObject *parent = nullptr);
    void setText(const QString &text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int sourceRow, const QModelIndex &sourceParent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex &left, const QModelIndex &right) const override;

private:
    QString m_text;
};

} // namespace models
