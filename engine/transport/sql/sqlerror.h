// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <libpq-fe.h>

namespace engine::sql {

// What libpq reports, as an Error. Codes follow PostgreSQL's SQLSTATE classes (manual, appendix A).
[[nodiscard]] Error connectError(PGconn *connection, const QString &server);
[[nodiscard]] Error statementError(const PGresult *result, const QString &server);

// Whether a statement failed because of what it would write or read, so that the same statement about other rows may
// work: a constraint, a trigger, a value that cannot be converted.
[[nodiscard]] bool blamesTheRow(const Error &error);

} // namespace engine::sql
