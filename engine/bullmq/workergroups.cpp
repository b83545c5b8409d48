// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "workergroups.h"

#include <algorithm>

namespace engine::bullmq {

WorkerGroupState::Kind workerGroupOf(QByteArrayView queue)
{
    static constexpr QByteArrayView mail[] = {"outbox.mail", "outbox.webhook", "outbox.marketing", "toolctrl.email"};
    return std::ranges::find(mail, queue) != std::end(mail) ? WorkerGroupState::Kind::Mail
                                                            : WorkerGroupState::Kind::General;
}

std::vector<WorkerGroupState> workerGroups(const std::vector<QueueState> &queues)
{
    std::vector<WorkerGroupState> groups(2);
    groups[1].kind = WorkerGroupState::Kind::Mail;
    for (const QueueState &queue : queues) {
        WorkerGroupState &group = groups[workerGroupOf(queue.name) == WorkerGroupState::Kind::Mail ? 1 : 0];
        group.queues.push_back(queue.name);
        if (queue.workers)
            group.workers = group.workers.value_or(0) + *queue.workers;
        if (queue.workers.value_or(0) > 0)
            ++group.served;
        if (!queue.problem.isEmpty()) {
            ++group.unreadable;
            continue;
        }
        const qint64 ready = queue.waiting + queue.prioritized;
        group.ready += ready;
        group.active += queue.active;
        group.failed += queue.failed;
        group.stalled += queue.stalled;
        group.paused += queue.paused ? 1 : 0;
        if (ready > 0 && queue.workers == 0)
            group.unserved.push_back(queue.name);
        if (queue.oldestWaitingMs)
            group.oldestWaitingMs = std::max(group.oldestWaitingMs.value_or(0), *queue.oldestWaitingMs);
    }
    return groups;
}

} // namespace engine::bullmq
