// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rig.h"

#include <QFile>

using namespace Qt::StringLiterals;

namespace test {

using engine::Result;

DispatcherProcess::DispatcherProcess(const Options &options)
{
    Environment environment = options.environment;
    environment.insert(u"OUTBOX_DISPATCH_INTERVAL_MS"_s, QString::number(options.interval));
    environment.insert(u"QT_MESSAGE_PATTERN"_s, u"%{type} %{message}"_s);
    QStringList arguments{u"dispatch"_s, u"--json"_s};
    if (options.drain)
        arguments << u"--drain"_s;
    arguments << u"--database"_s << options.databaseUrl << u"--redis"_s << options.redisUrl << u"--table"_s
              << u"public."_s + QString::fromUtf8(options.table) << u"--prefix"_s << QString::fromUtf8(options.prefix)
              << u"--lease"_s << QString::number(options.lease) << u"--batch"_s << QString::number(options.batch)
              << u"--concurrency"_s << QString::number(options.concurrency);
    m_process = start(consoleProgram(), arguments, environment);
    m_process->waitForStarted();
    m_pid = m_process->processId();
}

DispatcherProcess::~DispatcherProcess()
{
    m_process->kill();
    m_process->waitForFinished();
}

bool DispatcherProcess::isRunning()
{
    return m_process->state() == QProcess::Running && !m_process->waitForFinished(0);
}

bool DispatcherProcess::isStopped() const
{
    QFile stat(u"/proc/%1/stat"_s.arg(m_pid));
    if (!stat.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = stat.readAll();
    return text.mid(text.lastIndexOf(") ") + 2, 1) == "T";
}

const QByteArray &DispatcherProcess::log()
{
    m_process->waitForReadyRead(0);
    m_log += m_process->readAllStandardError();
    return m_log;
}

Outcome DispatcherProcess::stop()
{
    send(SIGTERM);
    return finish();
}

Outcome DispatcherProcess::finish()
{
    Outcome outcome = test::finish(*m_process);
    m_log += outcome.errors;
    outcome.errors = m_log;
    return outcome;
}

Result<std::unique_ptr<Rig>> Rig::start()
{
    auto rig = std::make_unique<Rig>();
    PrivateServersOptions options;
    // What was committed or answered outlives the process, as it does on users' servers.
    options.postgres = {{u"synchronous_commit"_s, u"on"_s}, {u"max_connections"_s, u"150"_s}};
    options.redis = {{u"appendonly"_s, u"yes"_s}, {u"appendfsync"_s, u"always"_s}};
    auto servers = PrivateServers::start(options);
    if (!servers)
        return engine::fail(servers.error());
    rig->m_servers = std::move(*servers);
    auto postgres = rig->newPostgresProxy();
    if (!postgres)
        return engine::fail(postgres.error());
    rig->m_postgres = std::move(*postgres);
    auto redis = rig->newRedisProxy();
    if (!redis)
        return engine::fail(redis.error());
    rig->m_redis = std::move(*redis);
    return rig;
}

Result<std::unique_ptr<FaultProxy>> Rig::newPostgresProxy() const
{
    const auto &options = m_servers->postgres().options();
    return FaultProxy::start(options.socketFolder + u"/.s.PGSQL.%1"_s.arg(options.port ? options.port : 5432));
}

Result<std::unique_ptr<FaultProxy>> Rig::newRedisProxy() const
{
    return FaultProxy::start(m_servers->redis().options().socketFile);
}

QString Rig::databaseUrl(const FaultProxy &proxy)
{
    // Without encryption, so that the proxy can read who opens a connection.
    return u"postgresql://outbox@127.0.0.1:%1/test?sslmode=disable&gssencmode=disable"_s.arg(proxy.port());
}

QString Rig::redisUrl(const FaultProxy &proxy)
{
    return u"redis://127.0.0.1:%1"_s.arg(proxy.port());
}

Ledger::Options Rig::ledgerOptions() const
{
    Ledger::Options options;
    options.databaseUrl = m_servers->databaseSocketUrl();
    options.redisUrl = m_servers->redisSocketUrl();
    return options;
}

DispatcherProcess::Options Rig::dispatcherOptions() const
{
    DispatcherProcess::Options options;
    options.databaseUrl = databaseUrl();
    options.redisUrl = redisUrl();
    return options;
}

} // namespace test
