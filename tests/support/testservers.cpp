// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "testservers.h"

#include <QFile>
#include <QTcpServer>
#include <QUuid>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace test {

namespace {

using engine::ErrorCode;
using engine::Result;

constexpr auto startTime = 60s;

// Two ports that are free right now.
std::pair<quint16, quint16> freePorts()
{
    QTcpServer first;
    QTcpServer second;
    first.listen(QHostAddress::LocalHost);
    second.listen(QHostAddress::LocalHost);
    return {first.serverPort(), second.serverPort()};
}

QString secret()
{
    // With characters that have to be escaped in a URL.
    return QUuid::createUuid().toString(QUuid::Id128) + u"@:/#%"_s;
}

} // namespace

Result<std::unique_ptr<PrivateServers>> PrivateServers::start(const PrivateServersOptions &options)
{
    std::unique_ptr<PrivateServers> servers(new PrivateServers);
    if (auto launched = servers->launch(options); !launched)
        return engine::fail(launched.error());
    return servers;
}

PrivateServers::~PrivateServers()
{
    if (m_postgres)
        m_postgres->ask();
    if (m_redis)
        m_redis->stop();
}

Result<void> PrivateServers::launch(const PrivateServersOptions &options)
{
    using namespace engine::sandbox;

    m_tcp = options.tcp;
    const auto account = serverAccount();
    if (!account)
        return engine::fail(account.error());
    const QString folder = m_folder.path();
    if (!m_folder.isValid())
        return engine::fail(ErrorCode::Failed, m_folder.errorString());
    // The servers' user has to get in; the folders in it are private.
    QFile::setPermissions(folder,
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther);
    for (const QString &name : {u"/postgres"_s, u"/redis"_s, u"/sockets"_s}) {
        if (auto made = ensurePrivateFolder(folder + name, *account); !made)
            return made;
    }
    const auto [postgresPort, redisPort] = options.tcp ? freePorts() : std::pair<quint16, quint16>();
    const ServerPrograms programs;
    const QDeadlineTimer deadline(startTime);

    if (options.withPostgres) {
        auto found = programs.postgres();
        if (!found)
            return engine::fail(found.error());
        PostgresOptions wanted;
        wanted.programs = *found;
        wanted.account = *account;
        wanted.dataFolder = folder + u"/postgres"_s;
        wanted.socketFolder = folder + u"/sockets"_s;
        wanted.logFile = folder + u"/postgres.log"_s;
        wanted.port = postgresPort;
        wanted.password = options.tcp ? secret() : QString();
        wanted.durable = false;
        wanted.settings = options.postgres;
        m_postgres = std::make_unique<PostgresServer>(wanted);
        const auto ready = m_postgres->create()
                               .and_then([this] { return m_postgres->launch(); })
                               .and_then([&] { return m_postgres->waitUntilReady(deadline); })
                               .and_then([this] { return m_postgres->ensureDatabase("test"); });
        if (!ready)
            return ready;
    }
    if (options.withRedis) {
        auto found = programs.redis();
        if (!found)
            return engine::fail(found.error());
        m_redis = std::make_unique<RedisServer>(RedisOptions{
            *found, *account, folder + u"/redis"_s, folder + u"/sockets/redis.sock"_s, folder + u"/redis.log"_s,
            redisPort, options.tcp ? secret() : QString(), false, options.redis});
        return restartRedis();
    }
    return {};
}

QString PrivateServers::databaseUrl(const QString &database) const
{
    return m_tcp ? m_postgres->tcpUrl(database) : m_postgres->socketUrl(database);
}

QString PrivateServers::redisUrl(int database) const
{
    return m_tcp ? m_redis->tcpUrl(database) : m_redis->socketUrl(database);
}

QString PrivateServers::databaseSocketUrl(const QString &database) const
{
    return m_postgres->socketUrl(database);
}

QString PrivateServers::redisSocketUrl(int database) const
{
    return m_redis->socketUrl(database);
}

Result<QString> PrivateServers::createDatabase(const QString &name)
{
    if (auto made = m_postgres->ensureDatabase(name.toUtf8()); !made)
        return engine::fail(made.error());
    return databaseUrl(name);
}

Result<void> PrivateServers::restartPostgres()
{
    return m_postgres->launch().and_then([this] { return m_postgres->waitUntilReady(QDeadlineTimer(startTime)); });
}

Result<void> PrivateServers::restartRedis()
{
    return m_redis->launch().and_then([this] { return m_redis->waitUntilReady(QDeadlineTimer(startTime)); });
}

engine::Result<std::unique_ptr<engine::sql::Connection>> connect(const QString &databaseUrl)
{
    auto url = engine::sql::DatabaseUrl::parse(databaseUrl);
    if (!url)
        return engine::fail(url.error());
    engine::sql::ConnectOptions options;
    options.url = *url;
    options.access = engine::sql::Access::ReadWrite;
    return engine::sql::Connection::open(options);
}

} // namespace test
