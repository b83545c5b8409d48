// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "keyedtablemodel.h"
#include "meaning.h"
#include "timetext.h"

#include <engine/bullmq/jobs.h>

namespace models {

// One page of a queue's jobs, or what a search has found of them.
class JobModel final : public KeyedTableModel<engine::bullmq::JobSummary>
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobModel)

public:
    // Moment: what time means in the state in view: finished, started, due.
    enum Column { Id, Name, Attempts, Added, Moment, Took, Error, ColumnCount };

    static constexpr int mostFound = 1000; // of a search; constant memory however long it runs

    explicit JobModel(QObject *parent = nullptr);

    // `now` in microseconds. The same page again keeps rows that are still there; `fresh` begins anew.
    void applyPage(engine::bullmq::JobState state, std::vector<engine::bullmq::JobSummary> jobs, qint64 now,
                   bool fresh);
    // Behind those that are there, up to mostFound; returns how many there are then.
    int append(const std::vector<engine::bullmq::JobSummary> &jobs);
    void setZone(Zone zone);
    [[nodiscard]] engine::bullmq::JobState state() const { return m_state; }

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QByteArray keyOf(const engine::bullmq::JobSummary &job) const override { return job.id; }
    [[nodiscard]] bool looksSame(const engine::bullmq::JobSummary &left,
                                 const engine::bullmq::JobSummary &right) const override;
    [[nodiscard]] QString display(const engine::bullmq::JobSummary &job, int column) const;
    [[nodiscard]] std::optional<qint64> moment(const engine::bullmq::JobSummary &job) const;
    [[nodiscard]] Severity severityOf(const engine::bullmq::JobSummary &job, int column) const;

    engine::bullmq::JobState m_state = engine::bullmq::JobState::Failed;
    Zone m_zone = Zone::Utc;
    qint64 m_now = 0;
};

} // namespace models
