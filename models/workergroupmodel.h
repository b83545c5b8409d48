// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "keyedtablemodel.h"
#include "meaning.h"

#include <engine/bullmq/workergroups.h>

namespace models {

// The health of the worker groups, one row each.
class WorkerGroupModel final : public KeyedTableModel<engine::bullmq::WorkerGroupState>
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WorkerGroupModel)

public:
    enum Column { Group, Health, Workers, Queues, Ready, Active, Failed, Stalled, Oldest, Note, ColumnCount };

    explicit WorkerGroupModel(QObject *parent = nullptr);

    void applySnapshot(const std::vector<engine::bullmq::QueueState> &queues);

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QByteArray keyOf(const engine::bullmq::WorkerGroupState &group) const override;
    [[nodiscard]] bool looksSame(const engine::bullmq::WorkerGroupState &left,
                                 const engine::bullmq::WorkerGroupState &right) const override;
};

} // namespace models
