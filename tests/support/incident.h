// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QJsonObject>
#include <QString>

#include <memory>

class QProcess;

namespace test {

// A running system on a bad morning: an outbox that the console's own dispatcher has handed over from, rows in every
// other state and broken ones, workflow executions, and queues that real BullMQ has worked off as far as its mail
// server, its dead worker and its missing worker allow. Needs the npm packages of tests/interop.
struct Incident
{
    QJsonObject queues; // what the BullMQ side says of itself: "version", "removed" and "failed" job ids
    std::unique_ptr<QProcess> workers; // live until its standard input is closed

    static engine::Result<Incident> make(const QString &databaseUrl, const QString &redisUrl);
    // The tables alone, without a row.
    static engine::Result<void> makeTables(const QString &databaseUrl);
    // Ends the workers; afterwards nothing writes to the queues any more.
    engine::Result<void> endWorkers();
};

} // namespace test
