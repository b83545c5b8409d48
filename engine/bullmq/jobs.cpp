// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobs.h"

namespace engine::bullmq {

QByteArrayView jobStateName(JobState state)
{
    switch (state) {
    case JobState::Waiting:
        return "waiting";
    case JobState::Active:
        return "active";
    case JobState::Delayed:
        return "delayed";
    case JobState::Prioritized:
        return "prioritized";
    case JobState::Failed:
        return "failed";
    case JobState::Completed:
        return "completed";
    case JobState::WaitingChildren:
        return "waiting-children";
    case JobState::Unknown:
        break;
    }
    return "unknown";
}

std::optional<JobState> jobStateFrom(QByteArrayView name)
{
    for (const JobState state : jobStates()) {
        if (jobStateName(state) == name)
            return state;
    }
    return std::nullopt;
}

const QList<JobState> &jobStates()
{
    static const QList<JobState> states{JobState::Waiting,  JobState::Prioritized,     JobState::Active,
                                        JobState::Delayed,  JobState::WaitingChildren, JobState::Failed,
                                        JobState::Completed};
    return states;
}

} // namespace engine::bullmq
