// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "testservers.h"

#include <engine/sandbox/serverprocess.h>

namespace test {

enum class PoolMode { Transaction, Session };

// A PgBouncer before a private PostgreSQL, on a unix socket and a free port of 127.0.0.1, open to everybody who reaches
// them. Ends with this object or with the thread that started it.
class PgBouncer final
{
public:
    // `poolSize` server connections per database, no more. The servers outlive this.
    [[nodiscard]] static engine::Result<std::unique_ptr<PgBouncer>> start(const PrivateServers &servers, PoolMode mode,
                                                                          int poolSize);
    Q_DISABLE_COPY_MOVE(PgBouncer)

    [[nodiscard]] QString databaseUrl(const QString &database = QStringLiteral("test")) const; // over TCP
    [[nodiscard]] QString databaseSocketUrl(const QString &database = QStringLiteral("test")) const;

private:
    PgBouncer() = default;
    engine::Result<void> launch(const PrivateServers &servers, PoolMode mode, int poolSize);

    QTemporaryDir m_folder;
    quint16 m_port = 0;
    engine::sandbox::ServerProcess m_process; // stops before the folder goes
};

} // namespace test
