// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

// Times as people read them. Points in time are microseconds since 1970 UTC, as the database computed them.
namespace models {

enum class Zone { Utc, Local };

// "15:02:11" on the day of `nowMicros`, "29 Nov 15:02:11" in its year, else with the year.
[[nodiscard]] QString clockText(qint64 micros, Zone zone, qint64 nowMicros);
// For narrow columns: "15:02:11", "29 Nov 15:02", or only the date in another year.
[[nodiscard]] QString shortTimeText(qint64 micros, Zone zone, qint64 nowMicros);
// "2026-01-31 15:02:11.204 UTC", or with the local offset.
[[nodiscard]] QString fullTimeText(qint64 micros, Zone zone);
// "420 ms", "4.2 s", "41 s", "7 min 12 s", "3 h 5 min", "12 d 4 h".
[[nodiscard]] QString durationText(qint64 milliseconds);
// "7 min 12 s ago", "in 41 s", "now".
[[nodiscard]] QString relativeText(qint64 micros, qint64 nowMicros);
// "2.1 ms", "0.4 ms", "1.3 s"; absent: "–".
[[nodiscard]] QString latencyText(std::optional<qint64> micros);

} // namespace models
