// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pgbouncer.h"

#include <engine/transport/sql/connection.h>

#include <QFile>
#include <QStandardPaths>
#include <QTcpServer>
#include <QUrl>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace test {

using engine::ErrorCode;
using engine::Result;

Result<std::unique_ptr<PgBouncer>> PgBouncer::start(const PrivateServers &servers, PoolMode mode, int poolSize)
{
    std::unique_ptr<PgBouncer> bouncer(new PgBouncer);
    if (auto launched = bouncer->launch(servers, mode, poolSize); !launched)
        return engine::fail(launched.error());
    return bouncer;
}

Result<void> PgBouncer::launch(const PrivateServers &servers, PoolMode mode, int poolSize)
{
    using namespace engine::sandbox;

    QString program = QStandardPaths::findExecutable(u"pgbouncer"_s);
    if (program.isEmpty())
        program = QStandardPaths::findExecutable(u"pgbouncer"_s, {u"/usr/sbin"_s});
    if (program.isEmpty())
        return engine::fail(ErrorCode::NotFound, u"pgbouncer is not installed"_s, u"apt-get install pgbouncer"_s);
    const auto account = serverAccount();
    if (!account)
        return engine::fail(account.error());
    QFile::setPermissions(m_folder.path(),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther);
    const QString folder = m_folder.filePath(u"pool"_s);
    if (auto made = ensurePrivateFolder(folder, *account); !made)
        return made;
    {
        QTcpServer probe;
        probe.listen(QHostAddress::LocalHost);
        m_port = probe.serverPort();
    }

    const PostgresOptions &postgres = servers.postgres().options();
    QFile settings(m_folder.filePath(u"pgbouncer.ini"_s));
    if (!settings.open(QIODevice::WriteOnly))
        return engine::fail(ErrorCode::Failed, settings.errorString());
    settings.write(u"[databases]\n* = host=%1 port=%2 user=outbox\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
                   "listen_port = %3\nunix_socket_dir = %4\nauth_type = any\npool_mode = %5\n"
                   "default_pool_size = %6\nmax_client_conn = 200\nserver_tls_sslmode = disable\n"_s
                       .arg(postgres.socketFolder, QString::number(postgres.port ? postgres.port : 5432),
                            QString::number(m_port), folder,
                            mode == PoolMode::Transaction ? u"transaction"_s : u"session"_s, QString::number(poolSize))
                       .toUtf8());
    settings.close();
    QFile::setPermissions(settings.fileName(),
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup | QFile::ReadOther);
    if (auto started = m_process.start({program,
                                        {u"-q"_s, settings.fileName()},
                                        folder,
                                        folder + u"/log"_s,
                                        *account,
                                        {},
                                        SIGTERM}); // at once; SIGINT would wait for the clients
        !started)
        return started;

    engine::sql::ConnectOptions options;
    options.url = *engine::sql::DatabaseUrl::parse(databaseUrl());
    options.connectTimeout = 5s;
    for (QDeadlineTimer deadline(30s); !deadline.hasExpired();) {
        const auto connection = engine::sql::Connection::open(options);
        if (connection)
            return {};
        if (m_process.waitForEnd(15ms))
            break;
    }
    return engine::fail(ErrorCode::Failed, u"pgbouncer does not take connections: "_s + m_process.lastWords());
}

QString PgBouncer::databaseUrl(const QString &database) const
{
    return u"postgresql://outbox@127.0.0.1:%1/%2"_s.arg(QString::number(m_port), database);
}

QString PgBouncer::databaseSocketUrl(const QString &database) const
{
    return u"postgresql:///%1?host=%2&port=%3&user=outbox"_s.arg(
        database, QString::fromLatin1(QUrl::toPercentEncoding(m_folder.filePath(u"pool"_s))), QString::number(m_port));
}

} // namespace test
