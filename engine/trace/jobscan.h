// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reconcilereport.h"
#include "stores.h"

#include <QSet>

namespace engine::trace {

// Walks the keys of Redis in steps and looks at the jobs among them: has each outbox event's job its row, and is it the
// only one? Belongs to the stores' thread.
class JobScan final
{
public:
    // `retention`: age at which rows marked done may have been removed. `cursor`: where an earlier scan stopped.
    JobScan(Stores &stores, std::chrono::hours retention, QByteArray cursor);

    // Looks at about five hundred keys. Errors: those of the connections; the step can be taken again.
    [[nodiscard]] Result<void> step(ReconcileReport &report);
    [[nodiscard]] bool isFinished() const { return m_finished; }
    [[nodiscard]] const QByteArray &position() const { return m_cursor; }
    [[nodiscard]] double fraction() const { return m_fraction; }

private:
    struct Job
    {
        QByteArray queue, id, name, rowId;
        std::optional<qint64> addedAt, finishedAt;
    };
    [[nodiscard]] std::optional<Job> jobOfKey(const QByteArray &key, const QSet<QByteArray> &queues) const;
    [[nodiscard]] Result<std::vector<Job>> readJobs(std::vector<Job> candidates, ReconcileReport &report);
    [[nodiscard]] Result<void> judge(const std::vector<Job> &jobs, qint64 now, ReconcileReport &report);
    void addOnce(const Job &job, Finding finding, ReconcileReport &report);

    Stores &m_stores;
    const std::chrono::hours m_retention;
    QByteArray m_cursor;
    QHash<QByteArray, QByteArray> m_unusual; // row id -> full name of a job that has not its usual id or queue
    QSet<QByteArray> m_reported; // a scan may meet a key twice
    qint64 m_keysOfAll = 0;
    qint64 m_keysSeen = 0;
    double m_fraction = 0;
    bool m_finished = false;
};

} // namespace engine::trace
