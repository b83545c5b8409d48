// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "meaning.h"
#include "timeline.h"

#include <engine/bullmq/jobs.h>

#include <QString>

#include <utility>
#include <vector>

// Jobs as people read them.
namespace models {

[[nodiscard]] QString jobStateText(engine::bullmq::JobState state);
[[nodiscard]] Severity jobStateSeverity(engine::bullmq::JobState state);
// "2 of 5 made", "3 of 5 started" while the fourth does not begin.
[[nodiscard]] QString attemptsText(const engine::bullmq::JobSummary &job);
// Name and value of what else there is to know, in the order of importance.
[[nodiscard]] std::vector<std::pair<QString, QString>> jobFacts(const engine::bullmq::JobDetail &detail);
// Every time that Redis keeps of the job, in order, the field it comes from as the note.
[[nodiscard]] std::vector<TimelineStep> jobTimeline(const engine::bullmq::JobDetail &detail);
// The error and every stack trace, newest first, as one text.
[[nodiscard]] QString jobErrorText(const engine::bullmq::JobDetail &detail);

} // namespace models
