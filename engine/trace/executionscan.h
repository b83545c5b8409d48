// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reconcilereport.h"
#include "rowlookup.h"
#include "stores.h"

namespace engine::trace {

// Walks the executions that are queued or running, newest first, and asks for each whether a row or a job is on its way
// that will finish it. Belongs to the stores' thread; the stores have executions.
class ExecutionScan final
{
public:
    // `from`: where an earlier scan stopped.
    ExecutionScan(Stores &stores, std::optional<outbox::PageKey> from);

    // Looks at one page. Errors: those of the connections; the page can be looked at again.
    [[nodiscard]] Result<void> step(ReconcileReport &report);
    [[nodiscard]] bool isFinished() const { return m_finished; }
    [[nodiscard]] const std::optional<outbox::PageKey> &position() const { return m_from; }

private:
    struct Suspect
    {
        workflow::Execution execution;
        QList<QByteArray> rowIds; // that asked for it, or speak of it
        QString why;
        Certainty certainty = Certainty::Recorded;
    };
    [[nodiscard]] Result<void> gatherRows(std::vector<Suspect> &suspects, ReconcileReport &report);
    // Takes out those that a row or a job will still finish; says of the others why not.
    [[nodiscard]] Result<void> dropServed(std::vector<Suspect> &suspects);
    [[nodiscard]] Result<void> dropChanged(std::vector<Suspect> &suspects);

    Stores &m_stores;
    workflow::ExecutionReader m_reader;
    std::optional<outbox::PageKey> m_from;
    bool m_finished = false;
};

} // namespace engine::trace
