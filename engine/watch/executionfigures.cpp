// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionfigures.h"

#include <algorithm>

namespace engine::watch {

using workflow::Execution;
using workflow::Lateness;

namespace {

constexpr int mostFailedCounted = 1000;
constexpr qint64 dayMicros = 86'400'000'000;

} // namespace

Result<ExecutionFigures> readExecutionFigures(workflow::ExecutionReader &reader)
{
    workflow::ExecutionRequest late;
    late.filter.lateOnly = true;
    const auto open = reader.page(late);
    if (!open)
        return fail(open.error());
    ExecutionFigures figures;
    for (const Execution &execution : open->executions) {
        if (execution.lateness != Lateness::Queued) {
            ++figures.runningTooLong;
            continue;
        }
        ++figures.queuedTooLong;
        const auto since = execution.queuedAt ? execution.queuedAt : execution.createdAt;
        if (since)
            figures.oldestQueuedMs = std::max(figures.oldestQueuedMs.value_or(0), (open->databaseTime - *since) / 1000);
    }

    workflow::ExecutionRequest failed;
    for (const QByteArray &status : reader.layout().statusesOf({workflow::Phase::Failed}))
        failed.filter.statuses << status;
    if (failed.filter.statuses.isEmpty())
        return figures;
    failed.filter.since = open->databaseTime - dayMicros;
    failed.limit = mostFailedCounted;
    const auto page = reader.page(failed);
    if (!page)
        return fail(page.error());
    figures.failedLastDay = static_cast<qint64>(page->executions.size());
    return figures;
}

} // namespace engine::watch
