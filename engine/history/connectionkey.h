// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/config/profile.h>

#include <QByteArray>

namespace engine::history {

// Under which name the history keeps a connection: a hash of where it leads, without user names, passwords and
// parameters, so that renaming it or changing its password loses nothing and the file gives nothing away.
[[nodiscard]] QByteArray connectionKey(const config::ConnectionProfile &profile);

} // namespace engine::history
