// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace cli {

// Microseconds since 1970 as 2026-11-30T18:31:00.123Z; empty for an absent time.
[[nodiscard]] QString isoTime(std::optional<qint64> micros);

} // namespace cli
