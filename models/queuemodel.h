// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "depthseries.h"
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
        Schedulers,
        Workers,
        Oldest,
        Trend,
        Note,
        ColumnCount
    };

    explicit QueueModel(QObject *parent = nullptr);

    // `nowMs`, of any steady clock, carries the trends on; without it they stand still.
    void applySnapshot(std::vector<engine::bullmq::QueueState> queues, std::optional<qint64> nowMs = {});
    void forgetTrends(); // another connection
    [[nodiscard]] int needingAttention() const; // queues with a warning or worse

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QByteArray keyOf(const engine::bullmq::QueueState &queue) const override { return queue.name; }
    [[nodiscard]] bool looksSame(const engine::bullmq::QueueState &left,
                                 const engine::bullmq::QueueState &right) const override;

    QHash<QByteArray, DepthSeries> m_trends; // ready jobs of each queue that is there
};

} // namespace models
