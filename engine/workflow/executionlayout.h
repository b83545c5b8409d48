// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/layout.h>

namespace engine::workflow {

using outbox::Column;

// What an execution's status means, whatever the table calls it.
enum class Phase { Queued, Running, Waiting, Completed, Failed, Cancelled, Unknown };

// The meaning of a status word, in any capitals.
[[nodiscard]] Phase phaseOf(QByteArrayView word);
// Completed, failed and cancelled executions stay as they are.
[[nodiscard]] inline bool isTerminal(Phase phase)
{
    return phase == Phase::Completed || phase == Phase::Failed || phase == Phase::Cancelled;
}

// One user's table of workflow executions: which column plays which part. A value; made by discovery. Columns other
// than id, workflowId and status may be missing.
struct ExecutionLayout
{
    QByteArray schema;
    QByteArray table;
    std::vector<QByteArray> statuses; // the words that the table holds or can hold, in the order of a run's life

    Column id, tenantId, workflowId, status, trigger, waitingFor, steps, error, outboxEventId;
    Column queuedAt, startedAt, finishedAt, createdAt, updatedAt;

    // Where the workflows' names are; empty: no such table was found.
    QByteArray workflowSchema;
    QByteArray workflowTable;
    Column workflowKey, workflowName;

    [[nodiscard]] QByteArray quotedTable() const; // "schema"."table"
    [[nodiscard]] QString displayName() const; // schema.table, quoted where PostgreSQL needs it
    // The time that orders the list: queued, or created, or started.
    [[nodiscard]] const Column &ordering() const;
    [[nodiscard]] std::vector<QByteArray> statusesOf(std::initializer_list<Phase> phases) const;
};

} // namespace engine::workflow
