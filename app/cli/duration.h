// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <chrono>

namespace cli {

// A length of time as users write it: 250ms, 30s, 5m, 2h, 1d. Errors: BadInput.
[[nodiscard]] engine::Result<std::chrono::milliseconds> parseDuration(const QString &text);
// For tables: 420ms, 41s, 7m12s, 3h05m, 12d4h.
[[nodiscard]] QString shortDuration(qint64 milliseconds);

} // namespace cli
