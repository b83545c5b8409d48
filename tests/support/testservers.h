// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/sandbox/postgresserver.h>
#include <engine/sandbox/redisserver.h>
#include <engine/transport/sql/connection.h>

#include <QTemporaryDir>

#include <memory>

namespace test {

struct PrivateServersOptions
{
    bool tcp = false; // also listen on free ports of 127.0.0.1, with random passwords
    QList<engine::sandbox::Setting> postgres; // for instance {"timezone", "America/Sao_Paulo"}
    QList<engine::sandbox::Setting> redis; // for instance {"maxmemory-policy", "allkeys-lru"}
    bool withPostgres = true;
    bool withRedis = true;
};

// A PostgreSQL (database `test`, superuser `outbox`, no fsync) and a Redis of one test program, empty, in a temporary
// folder. Both stop and vanish with this object; they also end with the thread that started them. Start them once per
// program, in initTestCase(): a start costs about a second.
class PrivateServers final
{
public:
    [[nodiscard]] static engine::Result<std::unique_ptr<PrivateServers>>
    start(const PrivateServersOptions &options = {});
    ~PrivateServers();
    Q_DISABLE_COPY_MOVE(PrivateServers)

    // Over TCP if asked for, else over the unix socket. Both hold what is needed to log in.
    [[nodiscard]] QString databaseUrl(const QString &database = QStringLiteral("test")) const;
    [[nodiscard]] QString redisUrl(int database = 0) const;
    // The unix sockets, whatever databaseUrl() and redisUrl() say.
    [[nodiscard]] QString databaseSocketUrl(const QString &database = QStringLiteral("test")) const;
    [[nodiscard]] QString redisSocketUrl(int database = 0) const;
    [[nodiscard]] quint16 databasePort() const { return m_postgres->options().port; } // 0: no TCP
    [[nodiscard]] quint16 redisPort() const { return m_redis->options().port; }

    // Another empty database; returns its URL.
    [[nodiscard]] engine::Result<QString> createDatabase(const QString &name);

    // To stop, kill and start one again: stop() or kill(), then restart().
    [[nodiscard]] engine::sandbox::PostgresServer &postgres() { return *m_postgres; }
    [[nodiscard]] const engine::sandbox::PostgresServer &postgres() const { return *m_postgres; }
    [[nodiscard]] engine::sandbox::RedisServer &redis() { return *m_redis; }
    [[nodiscard]] engine::Result<void> restartPostgres();
    [[nodiscard]] engine::Result<void> restartRedis();

private:
    PrivateServers() = default;
    engine::Result<void> launch(const PrivateServersOptions &options);

    QTemporaryDir m_folder;
    bool m_tcp = false;
    std::unique_ptr<engine::sandbox::PostgresServer> m_postgres;
    std::unique_ptr<engine::sandbox::RedisServer> m_redis;
};

// A connection that may write.
[[nodiscard]] engine::Result<std::unique_ptr<engine::sql::Connection>> connect(const QString &databaseUrl);

} // namespace test
