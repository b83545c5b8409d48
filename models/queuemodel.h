// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "keyedtablemodel.h"
#include "meaning.h"

#include <engine/bullmq/inspector.h>

namespace models {

// The queues and what lies in them.
class QueueModel final : public KeyedTableModel<engine::bullmq::QueueState>
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QueueModel)

public:
    enum Column {
        Name,
        Waiting,
        Active,
        Delayed,
        Prioritized,
        Failed,
        Completed,
        Children,
        Stalled,
        Workers,
        Oldest,
        Note,
        ColumnCount
    };

    explicit QueueModel(QObject *parent = nullptr);

    void applySnapshot(std::vector<engine::bullmq::QueueState> queues);
    [[nodiscard]] int needingAttention() const; // queues with a warning or worse

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QByteArray keyOf(const engine::bullmq::QueueState &queue) const override { return queue.name; }
    [[nodiscard]] bool looksSame(const engine::bullmq::QueueState &left,
                                 const engine::bullmq::QueueState &right) const override;
};

} // namespace models
