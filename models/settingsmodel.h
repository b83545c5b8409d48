// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "meaning.h"

#include <engine/config/dispatchersettings.h>

#include <QAbstractTableModel>

namespace models {

// The dispatcher's settings in force, as an operator reads them.
class SettingsModel final : public QAbstractTableModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SettingsModel)

public:
    enum Column { Variable, Value, Meaning, Source, ColumnCount };

    explicit SettingsModel(QObject *parent = nullptr);
    void setLines(const QList<engine::config::SettingLine> &lines);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QList<engine::config::SettingLine> m_lines;
};

} // namespace models
