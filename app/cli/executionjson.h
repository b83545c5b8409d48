// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonwriter.h"

#include <engine/workflow/executionreader.h>

namespace cli {

// An execution as an object; `now` is the database's clock, for its duration so far.
void writeExecution(JsonWriter &json, const engine::workflow::Execution &execution, qint64 now);
// The same with the whole error and the steps.
void writeExecutionDetail(JsonWriter &json, const engine::workflow::ExecutionDetail &detail, qint64 now);

// none, queued-long, running-long or possibly-interrupted.
[[nodiscard]] const char *latenessName(engine::workflow::Lateness lateness);

} // namespace cli
