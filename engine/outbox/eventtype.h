// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QByteArrayView>

namespace engine::outbox {

// The naming rule: lower-case words of letters, digits, - and _, joined by dots, at least two of them,
// at most 200 bytes; for instance plugin.capability-use.recorded. Errors: BadInput.
[[nodiscard]] Result<void> checkEventType(QByteArrayView type);

} // namespace engine::outbox
