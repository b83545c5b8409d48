// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>
#include <tests/support/verify.h>
#include <tests/support/testservers.h>

#include <QFileInfo>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

engine::Result<std::unique_ptr<engine::sql::Connection>> connectTo(const QString &url)
{
    engine::sql::ConnectOptions options;
    options.url = engine::sql::DatabaseUrl::parse(url).value();
    return engine::sql::Connection::open(options);
}

QString valueOf(const QString &url, const QByteArray &statement)
{
    auto connection = connectTo(url);
    if (!connection)
        return connection.error().detail;
    auto rows = (*connection)->execute(statement);
    return rows ? rows->text(0, 0) : rows.error().detail;
}

engine::Result<engine::redis::Reply> ask(const QString &url, const engine::redis::Command &command)
{
    return engine::redis::Client(engine::redis::Endpoint::parse(url).value()).exchange(command, 5s);
}

} // namespace

// The servers that other tests stand on.
class TestPrivateServers final : public QObject
{
    Q_OBJECT

private slots:
    void unixSocketsOnly()
    {
        auto servers = test::PrivateServers::start();
        VERIFY_WORKED(servers);
        QCOMPARE(valueOf((*servers)->databaseUrl(), "SELECT current_user || ' ' || current_database()"),
                 u"outbox test"_s);
        QCOMPARE(valueOf((*servers)->databaseUrl(), "SHOW listen_addresses"), QString());
        QCOMPARE(valueOf((*servers)->databaseUrl(), "SHOW fsync"), u"off"_s);
        QCOMPARE((*servers)->databasePort(), 0);
        QCOMPARE(ask((*servers)->redisUrl(), {"PING"}).value().text, "PONG");
        QCOMPARE(ask((*servers)->redisUrl(3), {"CONFIG", "GET", "port"}).value().items.at(1).text, "0");

        const auto second = (*servers)->createDatabase(u"with space"_s);
        QVERIFY(second);
        QCOMPARE(valueOf(*second, "SELECT current_database()"), u"with space"_s);
    }

    void tcpAsksForThePassword()
    {
        test::PrivateServersOptions options;
        options.tcp = true;
        options.postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}};
        options.redis = {{u"maxmemory-policy"_s, u"allkeys-lru"_s}};
        auto servers = test::PrivateServers::start(options);
        VERIFY_WORKED(servers);
        QCOMPARE(valueOf((*servers)->databaseUrl(), "SHOW timezone"), u"America/Sao_Paulo"_s);
        QCOMPARE(valueOf((*servers)->databaseSocketUrl(), "SHOW timezone"), u"America/Sao_Paulo"_s);
        QVERIFY(!connectTo(u"postgresql://outbox:wrong@127.0.0.1:%1/test"_s.arg((*servers)->databasePort())));

        QCOMPARE(ask((*servers)->redisUrl(), {"CONFIG", "GET", "maxmemory-policy"}).value().items.at(1).text,
                 "allkeys-lru");
        QCOMPARE(ask((*servers)->redisSocketUrl(2), {"PING"}).value().text, "PONG");
        QVERIFY(!ask(u"redis://127.0.0.1:%1"_s.arg((*servers)->redisPort()), {"PING"}));
    }

    void surviveStopKillAndRestart()
    {
        auto servers = test::PrivateServers::start();
        VERIFY_WORKED(servers);
        (*servers)->postgres().kill();
        QVERIFY(!connectTo((*servers)->databaseUrl()));
        const auto restarted = (*servers)->restartPostgres();
        VERIFY_WORKED(restarted);
        QCOMPARE(valueOf((*servers)->databaseUrl(), "SELECT 1"), u"1"_s);

        (*servers)->redis().stop();
        QVERIFY(!ask((*servers)->redisUrl(), {"PING"}));
        QVERIFY((*servers)->restartRedis());
        QCOMPARE(ask((*servers)->redisUrl(), {"PING"}).value().text, "PONG");
    }

    void endWithTheObject()
    {
        qint64 postgres = 0;
        qint64 redis = 0;
        QString folder;
        {
            auto servers = test::PrivateServers::start();
            VERIFY_WORKED(servers);
            postgres = (*servers)->postgres().pid();
            redis = (*servers)->redis().pid();
            folder = QFileInfo((*servers)->postgres().options().dataFolder).path();
            QVERIFY(QFileInfo::exists(folder));
        }
        QCOMPARE(::kill(static_cast<pid_t>(postgres), 0), -1);
        QCOMPARE(::kill(static_cast<pid_t>(redis), 0), -1);
        QVERIFY(!QFileInfo::exists(folder));
    }
};

QTEST_GUILESS_MAIN(TestPrivateServers)
#include "tst_privateservers.moc"
