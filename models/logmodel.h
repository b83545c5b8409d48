// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "meaning.h"
#include "timetext.h"

#include <engine/dispatch/dispatcher.h>

#include <QAbstractTableModel>
#include <QList>

#include <deque>

namespace models {

// The last entries of a log, oldest first; beyond the capacity the oldest go.
class LogModel final : public QAbstractTableModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LogModel)

public:
    enum Column { Time, Level, Text, ColumnCount };

    explicit LogModel(int capacity = 5000, QObject *parent = nullptr);

    void append(const QList<engine::dispatch::LogEntry> &entries);
    void clear();
    void setZone(Zone zone);

    // One entry as a line of plain text, for the clipboard.
    [[nodiscard]] QString line(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const int m_capacity;
    std::deque<engine::dispatch::LogEntry> m_entries;
    Zone m_zone = Zone::Utc;
};

} // namespace models
