// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

#include <QJsonObject>
#include <QStringList>

namespace test {

// Queues that a real version of BullMQ left in Redis, and what the library itself said about them.
struct QueueFixture
{
    QString version;
    QJsonObject expected; // queue (or prefix|queue) -> counts, isPaused, jobs by id
    QStringList clientNames; // of the workers that were connected
};

// The files of tests/support/fixtures, without their ending.
[[nodiscard]] QStringList queueFixtures();
// Writes all keys of the fixture into the client's database, as they were; time stands still in it, except for locks,
// which last as long again.
[[nodiscard]] engine::Result<QueueFixture> restoreQueues(engine::redis::Client &client, const QString &name);

} // namespace test
