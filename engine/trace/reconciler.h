// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "executionscan.h"
#include "jobscan.h"
#include "reconcilereport.h"
#include "rowscan.h"
#include "stores.h"

#include <memory>

namespace engine::trace {

struct ReconcileRequest
{
    std::chrono::seconds since = std::chrono::hours(24); // rows due longer ago are left alone
    std::chrono::hours retention{720}; // age at which done rows may have been removed
    QByteArray resume; // the token of an earlier run; its `since` counts then
};

enum class ReconcilePhase { Rows, Jobs, Executions, Finished };

struct ReconcileProgress
{
    ReconcilePhase phase = ReconcilePhase::Rows;
    double fraction = 0; // of this phase, as far as it can be told
    ReconcileReport report;
    QByteArray token; // goes on from here; empty: finished
};

// Compares the three stores in small steps, each with its own time limits, that may stop and go on at any point. Reads
// only. Used in the thread of `stores`.
class Reconciler final
{
public:
    // Errors: BadInput for a token that is none, and the reason where the outbox or Redis cannot be read: a comparison
    // needs both. Executions are left out, and the report says so, where there is no such table.
    [[nodiscard]] static Result<std::unique_ptr<Reconciler>> begin(Stores &stores, const ReconcileRequest &request);

    // Errors: those of the connections. The step was not taken then; after Stores::open() it can be.
    [[nodiscard]] Result<void> step();
    [[nodiscard]] bool isFinished() const { return m_phase == ReconcilePhase::Finished; }
    // Rows, keys and executions looked at in this run.
    [[nodiscard]] qint64 looked() const;
    [[nodiscard]] const ReconcileReport &report() const { return m_report; }
    [[nodiscard]] ReconcileProgress progress() const;

private:
    Reconciler(Stores &stores, std::chrono::hours retention);
    [[nodiscard]] QByteArray token() const;
    void enter(ReconcilePhase phase, const std::optional<outbox::PageKey> &key, const QByteArray &cursor);

    Stores &m_stores;
    const std::chrono::hours m_retention;
    qint64 m_since = 0; // microseconds
    ReconcilePhase m_phase = ReconcilePhase::Rows;
    std::unique_ptr<RowScan> m_rows;
    std::unique_ptr<JobScan> m_jobs;
    std::unique_ptr<ExecutionScan> m_executions;
    ReconcileReport m_report;
};

} // namespace engine::trace
