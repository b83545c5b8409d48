// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "executionlayout.h"

#include <QString>

#include <optional>

namespace engine::workflow {

// One step of a run, as far as the table's steps column tells. Times are microseconds since 1970 UTC.
struct Step
{
    QString name; // of the block or step; never empty, in doubt "#3"
    QString type; // may be empty
    QString status; // the column's own word; may be empty
    Phase phase = Phase::Unknown;
    std::optional<qint64> startedAt;
    std::optional<qint64> finishedAt;
    QString error;

    bool operator==(const Step &) const = default;
};

struct Steps
{
    std::vector<Step> steps;
    QString problem; // why the text could not be read as steps; empty: it could
};

// Reads what engines usually write: an array of objects, or an object of objects by step name. Lenient: a member that
// is missing or odd costs that member only; text that is no JSON is a problem, not an error.
[[nodiscard]] Steps parseSteps(const QByteArray &json);

} // namespace engine::workflow
