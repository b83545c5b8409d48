// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "redisserver.h"

#include <engine/transport/redis/client.h>

#include <QCoreApplication>
#include <QUrl>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace engine::sandbox {

namespace {

constexpr auto tryAgainAfter = 15ms;

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sandbox::RedisServer)
};

} // namespace

RedisServer::RedisServer(RedisOptions options)
    : m_options(std::move(options))
{ }

Result<void> RedisServer::launch()
{
    QList<Setting> settings{
        {u"dir"_s, m_options.dataFolder}, {u"port"_s, QString::number(m_options.port)},
        {u"bind"_s, u"127.0.0.1"_s},      {u"unixsocket"_s, m_options.socketFile},
        {u"unixsocketperm"_s, u"700"_s},  {u"daemonize"_s, u"no"_s},
        {u"set-proc-title"_s, u"no"_s}, // keeps the command line, by which a left-over server is recognised
        {u"logfile"_s, QString()}, // standard output, which is the log file
        {u"loglevel"_s, u"warning"_s},    {u"appendonly"_s, m_options.durable ? u"yes"_s : u"no"_s},
        {u"save"_s, QString()},           {u"maxmemory-policy"_s, u"noeviction"_s},
    };
    QStringList arguments;
    for (const auto &[name, value] : settings + m_options.settings) // the last of a name counts
        arguments << u"--"_s + name << value;
    QByteArray secret; // on standard input: a command line can be read by everybody
    if (!m_options.password.isEmpty()) {
        arguments << u"-"_s;
        secret = "requirepass " + m_options.password.toUtf8() + '\n';
    }
    return m_process.start(
        {m_options.program, arguments, m_options.dataFolder, m_options.logFile, m_options.account, secret, SIGTERM});
}

Result<void> RedisServer::waitUntilReady(const QDeadlineTimer &deadline)
{
    auto endpoint = redis::Endpoint::parse(socketUrl());
    if (!endpoint)
        return fail(endpoint.error());
    while (true) {
        redis::Client client(*endpoint);
        const auto answer = client.exchange({"PING"}, 5s); // "LOADING" fails it
        if (answer)
            return {};
        const bool isGone = m_process.waitForEnd(tryAgainAfter);
        if (!isGone && !deadline.hasExpired())
            continue;
        const QString words = m_process.lastWords();
        return fail(Error{isGone ? ErrorCode::Failed : ErrorCode::Timeout,
                          isGone ? Text::tr("Redis ended while starting: %1.").arg(words.section(u'\n', -1))
                                 : Text::tr("Redis does not answer: %1").arg(answer.error().message),
                          Text::tr("The log is %1. To start afresh, move the folder %2 away.")
                              .arg(m_options.logFile, m_options.dataFolder),
                          false, words});
    }
}

QString RedisServer::socketUrl(int database) const
{
    const QString password = m_options.password.isEmpty()
        ? QString()
        : u':' + QString::fromLatin1(QUrl::toPercentEncoding(m_options.password)) + u'@';
    // A URL with a password needs a host; for a socket it has no meaning.
    const QString host = password.isEmpty() ? QString() : u"localhost"_s;
    const QString choice = database == 0 ? QString() : u"?db=%1"_s.arg(database);
    return u"redis+unix://"_s + password + host
        + QString::fromLatin1(QUrl::toPercentEncoding(m_options.socketFile, "/")) + choice;
}

QString RedisServer::tcpUrl(int database) const
{
    return u"redis://:%1@127.0.0.1:%2/%3"_s.arg(QString::fromLatin1(QUrl::toPercentEncoding(m_options.password)),
                                                QString::number(m_options.port), QString::number(database));
}

} // namespace engine::sandbox
