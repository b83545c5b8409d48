// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "postgresserver.h"

#include <engine/transport/sql/connection.h>

#include <QCoreApplication>
#include <QFile>
#include <QTemporaryFile>
#include <QUrl>
#include <QUuid>

#include <sys/un.h>
#include <unistd.h>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace engine::sandbox {

namespace {

// Names the socket file. There is no TCP port unless asked for.
constexpr quint16 socketPort = 5432;
constexpr auto initdbTime = 120s;
constexpr auto tryAgainAfter = 15ms;

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sandbox::PostgresServer)
};

QString encoded(const QString &text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(text));
}

} // namespace

PostgresServer::PostgresServer(PostgresOptions options)
    : m_options(std::move(options))
{ }

Result<void> PostgresServer::create()
{
    QStringList arguments{u"-D"_s,
                          m_options.dataFolder,
                          u"-U"_s,
                          u"outbox"_s,
                          u"--auth-local=trust"_s,
                          u"--auth-host=scram-sha-256"_s,
                          u"-E"_s,
                          u"UTF8"_s,
                          u"--locale=C.UTF-8"_s,
                          u"--no-instructions"_s};
    if (!m_options.durable)
        arguments << u"--no-sync"_s;

    // Without a password nobody gets in over TCP, so a random one nobody knows does as well.
    QTemporaryFile password;
    const QByteArray line =
        m_options.password.isEmpty() ? QUuid::createUuid().toByteArray() : m_options.password.toUtf8();
    if (!password.open() || password.write(line + '\n') < 0 || !password.flush()
        || (m_options.account.differs && fchown(password.handle(), m_options.account.uid, m_options.account.gid) != 0))
        return fail(ErrorCode::Failed, Text::tr("No temporary file can be written: %1.").arg(password.errorString()),
                    Text::tr("Check the space on the disk of /tmp."));
    arguments << u"--pwfile"_s << password.fileName();

    ServerProcess initdb;
    // It holds nothing worth an orderly end: a half-made cluster is made anew.
    auto started = initdb.start({m_options.programs.initdb,
                                 arguments,
                                 m_options.dataFolder,
                                 m_options.logFile,
                                 m_options.account,
                                 {},
                                 SIGKILL});
    if (!started)
        return started;
    if (!initdb.waitForEnd(initdbTime))
        return fail(ErrorCode::Timeout,
                    Text::tr("Creating the database in %1 took too long.").arg(m_options.dataFolder),
                    Text::tr("The disk may be very slow or hang; try another folder."));
    if (!initdb.endedWell()) {
        const QString words = initdb.lastWords();
        return fail(Error{
            ErrorCode::Failed,
            Text::tr("The database in %1 could not be created: %2.")
                .arg(m_options.dataFolder, words.section(u'\n', -1)),
            Text::tr("Check the folder's rights and the space on its disk; the log is %1.").arg(m_options.logFile),
            false, words});
    }
    return {};
}

Result<void> PostgresServer::launch()
{
    QStringList arguments{u"-D"_s, m_options.dataFolder};
    QList<Setting> settings{
        {u"listen_addresses"_s, m_options.port ? u"127.0.0.1"_s : QString()},
        {u"port"_s, QString::number(m_options.port ? m_options.port : socketPort)},
        {u"unix_socket_directories"_s, u'"' + m_options.socketFolder + u'"'},
        {u"unix_socket_permissions"_s, u"0700"_s},
        {u"shared_buffers"_s, u"64MB"_s},
        {u"max_connections"_s, u"60"_s},
        {u"jit"_s, u"off"_s},
        {u"timezone"_s, u"UTC"_s},
        {u"log_timezone"_s, u"UTC"_s},
        {u"log_min_messages"_s, u"warning"_s},
        {u"log_checkpoints"_s, u"off"_s},
        {u"logging_collector"_s, u"off"_s},
        {u"fsync"_s, m_options.durable ? u"on"_s : u"off"_s},
        {u"synchronous_commit"_s, m_options.durable ? u"on"_s : u"off"_s},
        {u"full_page_writes"_s, m_options.durable ? u"on"_s : u"off"_s},
    };
    for (const auto &[name, value] : settings + m_options.settings) // the last of a name counts
        arguments << u"-c"_s << name + u'=' + value;
    return m_process.start({m_options.programs.postgres,
                            arguments,
                            m_options.dataFolder,
                            m_options.logFile,
                            m_options.account,
                            {},
                            SIGINT});
}

Result<void> PostgresServer::waitUntilReady(const QDeadlineTimer &deadline)
{
    auto url = sql::DatabaseUrl::parse(socketUrl(u"postgres"_s));
    if (!url)
        return fail(url.error());
    sql::ConnectOptions options;
    options.url = *url;
    options.connectTimeout = 5s;
    while (true) {
        const auto connection = sql::Connection::open(options);
        if (connection)
            return {};
        const bool isGone = m_process.waitForEnd(tryAgainAfter);
        if (isGone && !deadline.hasExpired() && m_process.lastWords().contains(u"pre-existing shared memory block")) {
            // The children of a server that was killed notice a moment later.
            if (auto again = launch(); !again)
                return again;
            continue;
        }
        if (isGone)
            return fail(
                ended(Text::tr("PostgreSQL ended while starting: %1.").arg(m_process.lastWords().section(u'\n', -1))));
        if (deadline.hasExpired()) {
            Error error = ended(Text::tr("PostgreSQL does not take connections."));
            error.code = ErrorCode::Timeout;
            return fail(error);
        }
    }
}

Result<void> PostgresServer::ensureDatabase(const QByteArray &name)
{
    auto url = sql::DatabaseUrl::parse(socketUrl(u"postgres"_s));
    if (!url)
        return fail(url.error());
    sql::ConnectOptions options;
    options.url = *url;
    options.access = sql::Access::ReadWrite;
    auto connection = sql::Connection::open(options);
    if (!connection)
        return fail(connection.error());
    auto existing = (*connection)->execute("SELECT 1 FROM pg_database WHERE datname = $1", sql::Params().text(name));
    if (!existing)
        return fail(existing.error());
    if (existing->count() > 0)
        return {};
    return (*connection)->executeScript("CREATE DATABASE " + sql::quotedIdentifier(name));
}

QString PostgresServer::socketUrl(const QString &database) const
{
    // User and port are spelled out, or the environment (PGUSER, PGPORT) would choose them.
    return u"postgresql:///%1?host=%2&port=%3&user=outbox"_s.arg(
        encoded(database), encoded(m_options.socketFolder),
        QString::number(m_options.port ? m_options.port : socketPort));
}

QString PostgresServer::tcpUrl(const QString &database) const
{
    return u"postgresql://outbox:%1@127.0.0.1:%2/%3"_s.arg(encoded(m_options.password), QString::number(m_options.port),
                                                           encoded(database));
}

bool PostgresServer::socketPathFits(const QString &folder)
{
    // Room for the widest port, and for the zero at the end.
    return QFile::encodeName(folder).size() + qstrlen("/.s.PGSQL.65535") < sizeof(sockaddr_un::sun_path);
}

Error PostgresServer::ended(const QString &what) const
{
    return {ErrorCode::Failed, what,
            Text::tr("The log is %1. To start afresh, move the folder %2 away.")
                .arg(m_options.logFile, m_options.dataFolder),
            false, m_process.lastWords()};
}

} // namespace engine::sandbox
