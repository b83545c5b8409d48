// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QByteArray>

namespace engine::payload {

// Writes the bytes to a file, all of them or none: a file of that name stays as it was unless everything has been
// written. What is no file, as a pipe, is written to directly. Blocks. Errors: Failed, with the path and the system's reason.
[[nodiscard]] Result<void> saveTo(const QString &path, const QByteArray &bytes);

} // namespace engine::payload
