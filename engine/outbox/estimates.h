// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

#include <QHash>

namespace engine::outbox {

// Rows per status as the planner's statistics have them, scaled to the table's present size: good enough for a status
// of millions, and free. A status that ANALYZE has not seen, or not often enough, is absent.
[[nodiscard]] Result<QHash<QByteArray, qint64>> estimatedCounts(sql::Connection &connection, const Layout &layout);

} // namespace engine::outbox
