// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace engine::config {

// One saved or ad-hoc connection: where to work and how carefully.
struct ConnectionProfile
{
    QString name; // unique among the saved ones; "sandbox" is the built-in
    QString databaseUrl; // in memory with password; saved without it
    QString redisUrl; // the same
    QString table; // "schema.table", or empty: found by discovery
    QString queuePrefix = QStringLiteral("bull");
    bool readOnly = true;
    bool production = false; // colours the window
    bool sandbox = false;
};

} // namespace engine::config
