// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "trace.h"

namespace engine::trace {

// The stations of one row, job or execution, in the order of its life, as far as stored values tell.

[[nodiscard]] std::vector<Entry> entriesOf(const outbox::RowDetail &row, const outbox::Layout &layout,
                                           const QByteArray &queue, bool followUp, qint64 now);
[[nodiscard]] std::vector<Entry> entriesOf(const TracedJob &job);
[[nodiscard]] std::vector<Entry> entriesOf(const workflow::ExecutionDetail &execution,
                                           const workflow::ExecutionLayout &layout, qint64 now);

// All of them as one line of time. An entry without a time follows what its own subject did before it.
[[nodiscard]] std::vector<Entry> merged(std::vector<std::vector<Entry>> lists);

} // namespace engine::trace
