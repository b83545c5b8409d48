// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timetext.h"

#include <QList>

// What a chart over time needs to know: round times on its axis, and lines that break where nothing was seen.
namespace models {

struct Tick
{
    qint64 atMs = 0;
    QString text; // "15:00", or "31 Jan" where a day begins
};

// Round times between `fromMs` and `toMs` in the zone's own clock, at most `most` of them.
[[nodiscard]] QList<Tick> timeTicks(qint64 fromMs, qint64 toMs, Zone zone, int most);

// The highest value an axis should show for `highest`: 1, 2 or 4 times a power of ten, so that its half is round too.
[[nodiscard]] double roundedUp(double highest, double least);

// The same for a duration in ms: round seconds, minutes, hours and days.
[[nodiscard]] double roundedUpDuration(double highest);

// "15:02:10" or, where the span is longer than a day, "31 Jan 15:02".
[[nodiscard]] QString pointTimeText(qint64 atMs, Zone zone, qint64 spanMs);

} // namespace models
