// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/bullmq/inspector.h>
#include <engine/dispatch/router.h>
#include <engine/outbox/vitals.h>

#include <QHash>
#include <QStringList>

#include <optional>
#include <vector>

namespace engine::watch {

// How the workflow executions are doing.
struct ExecutionFigures
{
    qint64 failedLastDay = 0;
    qint64 runningTooLong = 0; // longer than usual: stalled, or interrupted
    qint64 queuedTooLong = 0;
    std::optional<qint64> oldestQueuedMs;
};

// Everything that was looked at once. A part that could not be read is absent: unknown, never 0.
struct Sample
{
    qint64 atMs = 0; // this machine's clock, since 1970 UTC
    std::optional<outbox::Vitals> outbox;
    QStringList unroutedTypes; // event types among the due and the newly dead rows that no route fits
    std::optional<std::vector<bullmq::QueueState>> queues;
    QHash<QByteArray, qint64> failedLastDay; // jobs of the watched queues that failed for good within 24 hours
    std::optional<ExecutionFigures> executions;
};

// The types among `vitals` that `router` has no way for.
[[nodiscard]] QStringList unroutedTypes(const outbox::Vitals &vitals, const dispatch::Router &router);

// The sample's figures by name, as the local history keeps them: due, due.oldest, latency.p95, queue.depth/NAME ...
// Times are in ms, the failure rate in 0..1. What is unknown is left out. Of many queues the 50 fullest are kept.
using NamedFigures = std::vector<std::pair<QByteArray, double>>;
[[nodiscard]] NamedFigures namedFigures(const Sample &sample);

} // namespace engine::watch
