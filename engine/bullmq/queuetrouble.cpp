// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuetrouble.h"

namespace engine::bullmq {

std::vector<QueueTrouble> troublesOf(const QueueState &queue)
{
    if (!queue.problem.isEmpty())
        return {QueueTrouble::Unreadable};
    std::vector<QueueTrouble> troubles;
    if (queue.workers == 0 && queue.waiting + queue.prioritized > 0)
        troubles.push_back(QueueTrouble::NoWorker);
    if (queue.stalled > 0)
        troubles.push_back(QueueTrouble::Stalled);
    if (queue.failed > 0)
        troubles.push_back(QueueTrouble::Failed);
    if (queue.paused)
        troubles.push_back(QueueTrouble::Paused);
    return troubles;
}

QByteArrayView troubleName(QueueTrouble trouble)
{
    switch (trouble) {
    case QueueTrouble::Unreadable:
        return "unreadable";
    case QueueTrouble::NoWorker:
        return "no-worker";
    case QueueTrouble::Stalled:
        return "stalled";
    case QueueTrouble::Failed:
        return "failed";
    case QueueTrouble::Paused:
        return "paused";
    }
    return {};
}

} // namespace engine::bullmq
