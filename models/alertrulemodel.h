// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/watch/alertrules.h>

#include <QAbstractTableModel>

namespace models {

// The alert rules, to be switched and changed in place: the first column is checkable, level, limit and duration are
// editable.
class AlertRuleModel final : public QAbstractTableModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(AlertRuleModel)

public:
    enum Column { On, What, Level, Above, Hold, Queues, ColumnCount };

    explicit AlertRuleModel(QObject *parent = nullptr);

    void setRules(const engine::watch::AlertRules &rules);
    [[nodiscard]] const engine::watch::AlertRules &rules() const { return m_rules; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

signals:
    void edited(); // by the user

private:
    engine::watch::AlertRules m_rules;
};

} // namespace models
