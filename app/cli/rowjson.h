// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jsonwriter.h"

#include <engine/dispatch/router.h>
#include <engine/outbox/reader.h>

namespace cli {

// "name": an ISO time, or null for an absent one.
void writeTime(JsonWriter &json, QByteArrayView name, std::optional<qint64> micros);
// A row's members into the object that is open.
void writeRowMembers(JsonWriter &json, const engine::outbox::RowSummary &row, const engine::dispatch::Router &router);
// A whole row with its payload as an object.
void writeRowDetail(JsonWriter &json, const engine::outbox::RowDetail &detail, const engine::dispatch::Router &router);

} // namespace cli
