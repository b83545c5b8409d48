// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reconcilereport.h"
#include "rowlookup.h"
#include "stores.h"

namespace engine::trace {

// Walks the rows marked done, newest schedule first, and asks for each where its job is. Belongs to the stores' thread.
class RowScan final
{
public:
    // `since` in microseconds: older schedules are left alone. `from`: where an earlier scan stopped.
    RowScan(Stores &stores, qint64 since, std::optional<outbox::PageKey> from);

    // Looks at one page. Errors: those of the connections; the page can be looked at again.
    [[nodiscard]] Result<void> step(ReconcileReport &report);
    [[nodiscard]] bool isFinished() const { return m_finished; }
    [[nodiscard]] const std::optional<outbox::PageKey> &position() const { return m_from; }
    [[nodiscard]] double fraction() const { return m_fraction; }

private:
    [[nodiscard]] Result<void> judge(std::vector<outbox::RowSummary> missing, ReconcileReport &report);
    // Takes out of `missing` what the answers of `questions` (some per row) say is there after all.
    [[nodiscard]] Result<void> dropFound(std::vector<outbox::RowSummary> &missing,
                                         const std::vector<std::vector<redis::Command>> &questions,
                                         qint64 *dropped = nullptr);
    [[nodiscard]] Result<const QueueMemory *> memoryOf(const QByteArray &queue);

    Stores &m_stores;
    const qint64 m_since;
    std::optional<outbox::PageKey> m_from;
    QHash<QByteArray, QueueMemory> m_memories;
    std::optional<qint64> m_newest;
    double m_fraction = 0;
    bool m_finished = false;
};

} // namespace engine::trace
