// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/transport/redis/endpoint.h>

#include <QTest>

using namespace engine;
using namespace engine::redis;
using namespace Qt::StringLiterals;

class TestRedisEndpoint : public QObject
{
    Q_OBJECT

private slots:
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
};

void TestRedisEndpoint::accepts_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<Endpoint::Transport>("transport");
    QTest::addColumn<QString>("host");
    QTest::addColumn<int>("port");
    QTest::addColumn<QString>("user");
    QTest::addColumn<QString>("password");
    QTest::addColumn<int>("database");
    QTest::addColumn<QString>("display");
    using enum Endpoint::Transport;

    QTest::newRow("host only") << u"redis://cache.example"_s << Tcp << u"cache.example"_s << 6379 << u""_s << u""_s << 0
                               << u"cache.example:6379"_s;
    QTest::newRow("port and database") << u"redis://127.0.0.1:6390/3"_s << Tcp << u"127.0.0.1"_s << 6390 << u""_s
                                       << u""_s << 3 << u"127.0.0.1:6390/3"_s;
    QTest::newRow("empty path") << u"redis://127.0.0.1:6390/"_s << Tcp << u"127.0.0.1"_s << 6390 << u""_s << u""_s << 0
                                << u"127.0.0.1:6390"_s;
    QTest::newRow("password only") << u"redis://:geheim@h:1"_s << Tcp << u"h"_s << 1 << u""_s << u"geheim"_s << 0
                                   << u"h:1"_s;
    QTest::newRow("user and password") << u"redis://shop:geheim%40%3A@h/2"_s << Tcp << u"h"_s << 6379 << u"shop"_s
                                       << u"geheim@:"_s << 2 << u"h:6379/2"_s;
    QTest::newRow("encrypted") << u"rediss://shop:geheim@h:6380"_s << Tls << u"h"_s << 6380 << u"shop"_s << u"geheim"_s
                               << 0 << u"h:6380"_s;
    QTest::newRow("unix socket") << u"redis+unix:///run/redis/redis.sock"_s << UnixSocket << u"/run/redis/redis.sock"_s
                                 << 6379 << u""_s << u""_s << 0 << u"/run/redis/redis.sock"_s;
    QTest::newRow("unix socket with database")
        << u"unix:///run/my%20redis.sock?db=4"_s << UnixSocket << u"/run/my redis.sock"_s << 6379 << u""_s << u""_s << 4
        << u"/run/my redis.sock/4"_s;
    QTest::newRow("unix socket with password")
        << u"redis+unix://:geheim@localhost/run/redis.sock"_s << UnixSocket << u"/run/redis.sock"_s << 6379 << u""_s
        << u"geheim"_s << 0 << u"/run/redis.sock"_s;
    QTest::newRow("IPv6") << u"redis://[::1]:6390"_s << Tcp << u"::1"_s << 6390 << u""_s << u""_s << 0
                          << u"[::1]:6390"_s;
    QTest::newRow("surrounding space") << u" redis://h \n"_s << Tcp << u"h"_s << 6379 << u""_s << u""_s << 0
                                       << u"h:6379"_s;
}

void TestRedisEndpoint::accepts()
{
    QFETCH(const QString, url);
    const auto endpoint = Endpoint::parse(url);
    QVERIFY2(endpoint, endpoint ? "" : qPrintable(endpoint.error().text()));
    QTEST(endpoint->transport, "transport");
    QTEST(endpoint->host, "host");
    QTEST(int(endpoint->port), "port");
    QTEST(endpoint->user, "user");
    QTEST(endpoint->password, "password");
    QTEST(endpoint->database, "database");
    QTEST(endpoint->display, "display");
    QVERIFY(!endpoint->display.contains(u"geheim"));
}

void TestRedisEndpoint::refuses_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("said");
    QTest::newRow("empty") << u" "_s << u"is empty"_s;
    QTest::newRow("another scheme") << u"http://shop:geheim@h"_s << u"does not begin with"_s;
    QTest::newRow("no scheme") << u"h:6379"_s << u"does not begin with"_s;
    QTest::newRow("no host") << u"redis:///0"_s << u"names no host"_s;
    QTest::newRow("no socket path") << u"redis+unix://"_s << u"names no socket path"_s;
    QTest::newRow("database is no number") << u"redis://:geheim@h/jobs"_s << u"\"jobs\""_s;
    QTest::newRow("database is negative") << u"redis://h/-1"_s << u"\"-1\""_s;
    QTest::newRow("database is two words") << u"redis://h/1/2"_s << u"\"1/2\""_s;
    QTest::newRow("port is no number") << u"redis://:geheim@h:x"_s << u"cannot be read"_s;
    QTest::newRow("hash in the password") << u"redis://:gehe#im@h"_s << u"cannot be read"_s;
}

void TestRedisEndpoint::refuses()
{
    QFETCH(const QString, url);
    QFETCH(const QString, said);
    const auto endpoint = Endpoint::parse(url);
    QVERIFY(!endpoint);
    QCOMPARE(endpoint.error().code, ErrorCode::BadInput);
    const QString everything = endpoint.error().text() + endpoint.error().detail;
    QVERIFY2(everything.contains(said), qPrintable(everything));
    QVERIFY(!endpoint.error().hint.isEmpty());
    QVERIFY(!everything.contains(u"geheim") && !everything.contains(u"gehe#im"));
}

QTEST_GUILESS_MAIN(TestRedisEndpoint)
#include "tst_redisendpoint.moc"
