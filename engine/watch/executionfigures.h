// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sample.h"

#include <engine/workflow/executionreader.h>

namespace engine::watch {

// How the executions are doing, from two bounded looks: at those queued or running, and at those that failed and were
// queued within the last day (1,000 at most). Blocking, for the reader's thread.
[[nodiscard]] Result<ExecutionFigures> readExecutionFigures(workflow::ExecutionReader &reader);

} // namespace engine::watch
