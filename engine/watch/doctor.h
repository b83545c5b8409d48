// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/config/profile.h>

#include <QList>
#include <QString>

namespace engine::watch {

// One thing the doctor looked at.
struct Finding
{
    enum class Verdict { Good, Warning, Problem };

    QString id; // stable, for scripts: database.connect, outbox.table, redis.eviction ...
    Verdict verdict = Verdict::Good;
    QString title; // translated
    QString detail; // what was found; never a secret
    QString hint; // what to do; empty if nothing
};

// Looks at settings, database, table, Redis and queues of a connection, reading only. Blocking, for a worker thread.
[[nodiscard]] QList<Finding> examine(const config::ConnectionProfile &profile);

} // namespace engine::watch
