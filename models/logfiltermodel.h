// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/dispatch/dispatcher.h>

#include <QSortFilterProxyModel>

namespace models {

// The log from one level upwards.
class LogFilterModel final : public QSortFilterProxyModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LogFilterModel)

public:
    explicit LogFilterModel(QObject *parent = nullptr);
    void setLowestLevel(engine::dispatch::LogEntry::Level level);

protected:
    [[nodiscard]] bool filterAcceptsRow(int sourceRow, const QModelIndex &sourceParent) const override;

private:
    engine::dispatch::LogEntry::Level m_lowest = engine::dispatch::LogEntry::Level::Info;
};

} // namespace models
