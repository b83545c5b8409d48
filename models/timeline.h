// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "meaning.h"

#include <engine/outbox/reader.h>

#include <QString>

#include <optional>
#include <vector>

namespace models {

// One step in a row's life, as far as the row itself tells.
struct TimelineStep
{
    std::optional<qint64> at; // microseconds since 1970 UTC; absent: the row does not keep that time
    Severity severity = Severity::Normal;
    QString text;
    QString note; // beside it, of less weight
};

// `destination` empty: no route. `now` is the database's clock in microseconds.
[[nodiscard]] std::vector<TimelineStep> timelineOf(const engine::outbox::RowDetail &detail, const QString &destination,
                                                   qint64 now);

} // namespace models
