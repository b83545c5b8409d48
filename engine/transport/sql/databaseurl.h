// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QByteArray>

namespace engine::sql {

// A database address as users write it, turned into what libpq accepts.
struct DatabaseUrl
{
    QByteArray conninfo; // for libpq; holds the password, never shown or logged
    QString display; // the same without password and parameters
    QString schema; // Prisma's `?schema=` parameter: the schema to look in first; empty if none

    // Accepts postgres:// and postgresql:// URLs. Parameters that libpq does not know (Prisma's pool
    // settings, for one) are left out instead of refused, so that an application's own .env works as it is.
    // Errors: BadInput.
    [[nodiscard]] static Result<DatabaseUrl> parse(const QString &text);
};

} // namespace engine::sql
