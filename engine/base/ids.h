// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace engine {

// A new RFC 9562 version 7 UUID in text form: time-ordered, so fresh rows sit together in the primary key's index.
[[nodiscard]] QByteArray newUuid7();

} // namespace engine
