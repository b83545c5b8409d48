// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "error.h"

namespace engine {

QString Error::text() const
{
    return hint.isEmpty() ? message : message + u' ' + hint;
}

} // namespace engine
