// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

#include <QStringList>

namespace engine::outbox {

enum class SchemaKind { Event, Message, Workflow };

struct SchemaReport
{
    QStringList created; // names of tables and triggers
    QStringList existing;
};

// The DDL of one kind, ready to be read or run by hand. With `wakeUp` the trigger of the outbox table is added.
[[nodiscard]] QByteArray schemaText(SchemaKind kind, bool wakeUp);

// Installs it in the first schema of the search path, in one transaction; applying twice is harmless. A table that
// exists is left exactly as it is. `wakeUp` is the caller's consent to a trigger on a table that exists already.
[[nodiscard]] Result<SchemaReport> applySchema(sql::Connection &connection, SchemaKind kind, bool wakeUp);

// Installs the wake-up trigger on one table, with its function and sequence in the table's schema.
[[nodiscard]] Result<SchemaReport> applyWakeUp(sql::Connection &connection, const Layout &layout);

} // namespace engine::outbox
