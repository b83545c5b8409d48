// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

namespace engine::outbox {

// Every table of the database that fits a layout, read from the catalogue. Sorted by schema and table.
[[nodiscard]] Result<std::vector<Layout>> discoverAll(sql::Connection &connection);

// The one outbox table to work on. `wanted` is "table" or "schema.table" (either part may be double-quoted) and
// decides where several fit; `preferredSchema` breaks the tie before that is an error.
// Errors: NotFound (no such table, or none fits: names what is missing), Ambiguous (names the candidates).
[[nodiscard]] Result<Layout> discover(sql::Connection &connection, const QString &wanted,
                                      const QString &preferredSchema = {});

} // namespace engine::outbox
