// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonwriter.h"

#include <engine/bullmq/jobs.h>

namespace cli {

// Jobs as documents. Data and other stored JSON stand in them byte for byte; what is no JSON becomes a string.
void writeJob(JsonWriter &json, const engine::bullmq::JobSummary &job);
void writeJobDetail(JsonWriter &json, const engine::bullmq::JobDetail &detail);

} // namespace cli
