// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "keyedtablemodel.h"
#include "meaning.h"

#include <engine/bullmq/inspector.h>

namespace models {

// A worker, or the lack of one on a queue that has jobs.
struct WorkerRow
{
    engine::bullmq::WorkerState worker;
    bool missing = false; // nobody serves the queue
    qint64 ready = 0; // its jobs then
};

// Who serves which queue; queues with jobs and nobody to take them come first.
class WorkerModel final : public KeyedTableModel<WorkerRow>
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WorkerModel)

public:
    enum Column { Queue, Worker, Doing, Jobs, Connected, Address, ColumnCount };

    explicit WorkerModel(QObject *parent = nullptr);

    void applySnapshot(const std::vector<engine::bullmq::QueueState> &queues,
                       const std::vector<engine::bullmq::WorkerState> &workers);

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QByteArray keyOf(const WorkerRow &row) const override;
    [[nodiscard]] bool looksSame(const WorkerRow &left, const WorkerRow &right) const override;
};

} // namespace models
