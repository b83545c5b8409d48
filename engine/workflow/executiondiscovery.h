// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "executionlayout.h"

#include <engine/transport/sql/connection.h>

namespace engine::workflow {

// The one table of workflow executions to read, found in the catalogue by its columns: an id, a workflow's id, a
// status and times. `wanted` is "table" or "schema.table" and decides where several fit; `preferredSchema` breaks the
// tie before that is an error. Errors: NotFound (no such table, or none fits), Ambiguous (names the candidates).
[[nodiscard]] Result<ExecutionLayout> discover(sql::Connection &connection, const QString &wanted = {},
                                               const QString &preferredSchema = {});

} // namespace engine::workflow
