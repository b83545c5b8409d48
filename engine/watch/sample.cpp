// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample.h"

#include <algorithm>

namespace engine::watch {

namespace {

constexpr size_t mostQueuesKept = 50;

void addCount(NamedFigures &figures, const char *name, const outbox::Count &count)
{
    if (count.kind != outbox::Count::Kind::Unavailable)
        figures.emplace_back(name, static_cast<double>(count.value));
}

template <typename Number>
void addKnown(NamedFigures &figures, const char *name, const std::optional<Number> &value)
{
    if (value)
        figures.emplace_back(name, static_cast<double>(*value));
}

void addQueues(NamedFigures &figures, const Sample &sample)
{
    std::vector<const bullmq::QueueState *> fullest;
    for (const bullmq::QueueState &queue : *sample.queues) {
        if (queue.problem.isEmpty())
            fullest.push_back(&queue);
    }
    const auto depth = [](const bullmq::QueueState *queue) { return queue->waiting + queue->prioritized; };
    if (fullest.size() > mostQueuesKept) {
        std::ranges::stable_sort(fullest, std::ranges::greater(), depth);
        fullest.resize(mostQueuesKept);
    }
    for (const bullmq::QueueState *queue : fullest) {
        figures.emplace_back("queue.depth/" + queue->name, static_cast<double>(depth(queue)));
        figures.emplace_back("queue.failed/" + queue->name, static_cast<double>(queue->failed));
    }
}

} // namespace

QStringList unroutedTypes(const outbox::Vitals &vitals, const dispatch::Router &router)
{
    QStringList unrouted;
    for (const QStringList &types : {vitals.dueTypes, vitals.deadTypes}) {
        for (const QString &type : types) {
            if (!router.queueFor(type.toUtf8()) && !unrouted.contains(type))
                unrouted << type;
        }
    }
    unrouted.sort();
    return unrouted;
}

NamedFigures namedFigures(const Sample &sample)
{
    NamedFigures figures;
    if (sample.outbox) {
        const outbox::Vitals &vitals = *sample.outbox;
        addCount(figures, "due", vitals.due);
        // Nothing due is an age of 0 that is known.
        figures.emplace_back("due.oldest", static_cast<double>(vitals.oldestDueAgeMs.value_or(0)));
        addCount(figures, "inflight", vitals.inFlight);
        addCount(figures, "retrying", vitals.retrying);
        addCount(figures, "dead", vitals.dead);
        addCount(figures, "handed", vitals.handedOverLastMinute);
        addKnown(figures, "latency.p50", vitals.latencyP50Ms);
        addKnown(figures, "latency.p95", vitals.latencyP95Ms);
        addKnown(figures, "failure", vitals.failureRate);
    }
    if (sample.queues)
        addQueues(figures, sample);
    return figures;
}

} // namespace engine::watch
