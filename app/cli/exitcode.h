// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

namespace cli {

// The exit codes of every sub-command.
enum ExitCode { Done = 0, Failed = 1, Usage = 2, Refused = 3, CannotConnect = 4 };

[[nodiscard]] inline int exitCodeFor(const engine::Error &error)
{
    switch (error.code) {
    case engine::ErrorCode::BadInput:
        return Usage;
    case engine::ErrorCode::Refused:
        return Refused;
    case engine::ErrorCode::CannotConnect:
        return CannotConnect;
    default:
        return Failed;
    }
}

} // namespace cli
