// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/transport/sql/databaseurl.h>

#include <QMap>
#include <QTest>

#include <libpq-fe.h>

using namespace engine;
using namespace engine::sql;
using namespace Qt::StringLiterals;

using Options = QMap<QByteArray, QByteArray>;

namespace {

// What libpq makes of a conninfo: the judge of every accepted URL.
Options optionsOf(const QByteArray &conninfo)
{
    Options result;
    PQconninfoOption *options = PQconninfoParse(conninfo.constData(), nullptr);
    for (const PQconninfoOption *option = options; option && option->keyword; ++option) {
        if (option->val)
            result.insert(option->keyword, option->val);
    }
    PQconninfoFree(options);
    return result;
}

} // namespace

class TestDatabaseUrl : public QObject
{
    Q_OBJECT

private slots:
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
};

void TestDatabaseUrl::accepts_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<Options>("options");
    QTest::addColumn<QString>("display");
    QTest::addColumn<QString>("schema");

    QTest::newRow("plain") << u"postgresql://shop@db.example:5433/orders"_s
                           << Options{{"user", "shop"}, {"host", "db.example"}, {"port", "5433"}, {"dbname", "orders"}}
                           << u"shop@db.example:5433/orders"_s << u""_s;
    QTest::newRow("short scheme") << u"postgres://db.example/orders"_s
                                  << Options{{"host", "db.example"}, {"dbname", "orders"}} << u"db.example/orders"_s
                                  << u""_s;
    QTest::newRow("surrounding space") << u"  postgres://db.example/orders\n"_s
                                       << Options{{"host", "db.example"}, {"dbname", "orders"}}
                                       << u"db.example/orders"_s << u""_s;
    QTest::newRow("password") << u"postgresql://shop:geheim@db.example/orders"_s
                              << Options{{"user", "shop"},
                                         {"password", "geheim"},
                                         {"host", "db.example"},
                                         {"dbname", "orders"}}
                              << u"shop@db.example/orders"_s << u""_s;
    QTest::newRow("escaped password") << u"postgresql://shop:geheim%40%2F%3A%23@db.example/orders"_s
                                      << Options{{"user", "shop"},
                                                 {"password", "geheim@/:#"},
                                                 {"host", "db.example"},
                                                 {"dbname", "orders"}}
                                      << u"shop@db.example/orders"_s << u""_s;
    QTest::newRow("password as parameter")
        << u"postgresql://shop@db.example/orders?password=geheim"_s
        << Options{{"user", "shop"}, {"password", "geheim"}, {"host", "db.example"}, {"dbname", "orders"}}
        << u"shop@db.example/orders"_s << u""_s;
    QTest::newRow("Prisma's parameters")
        << u"postgresql://shop:geheim@db.example/orders?schema=sales&connection_limit=5&pool_timeout=10&pgbouncer=true"
           "&socket_timeout=3&statement_cache_size=0&sslmode=require&connect_timeout=7"_s
        << Options{{"user", "shop"},     {"password", "geheim"}, {"host", "db.example"},
                   {"dbname", "orders"}, {"sslmode", "require"}, {"connect_timeout", "7"}}
        << u"shop@db.example/orders"_s << u"sales"_s;
    QTest::newRow("escaped schema") << u"postgresql://db.example/orders?schema=My%20Sales"_s
                                    << Options{{"host", "db.example"}, {"dbname", "orders"}} << u"db.example/orders"_s
                                    << u"My Sales"_s;
    QTest::newRow("unix socket as parameter")
        << u"postgresql://shop@/orders?host=/run/postgresql"_s
        << Options{{"user", "shop"}, {"host", "/run/postgresql"}, {"dbname", "orders"}}
        << u"shop@/run/postgresql · orders"_s << u""_s;
    QTest::newRow("unix socket without user")
        << u"postgresql:///orders?host=/run/postgresql"_s << Options{{"host", "/run/postgresql"}, {"dbname", "orders"}}
        << u"/run/postgresql · orders"_s << u""_s;
    QTest::newRow("unix socket in front of localhost")
        << u"postgresql://shop@localhost/orders?host=%2Frun%2Fpostgresql"_s
        << Options{{"user", "shop"}, {"host", "/run/postgresql"}, {"dbname", "orders"}}
        << u"shop@/run/postgresql · orders"_s << u""_s;
    QTest::newRow("application name with space")
        << u"postgresql://db.example/orders?application_name=my%20shop"_s
        << Options{{"host", "db.example"}, {"dbname", "orders"}, {"application_name", "my shop"}}
        << u"db.example/orders"_s << u""_s;
    QTest::newRow("escaped database") << u"postgresql://db.example/my%20orders"_s
                                      << Options{{"host", "db.example"}, {"dbname", "my orders"}}
                                      << u"db.example/my orders"_s << u""_s;
}

void TestDatabaseUrl::accepts()
{
    QFETCH(const QString, url);
    QFETCH(const Options, options);
    const auto parsed = DatabaseUrl::parse(url);
    QVERIFY2(parsed, parsed ? "" : qPrintable(parsed.error().text()));
    QCOMPARE(optionsOf(parsed->conninfo), options);
    QTEST(parsed->display, "display");
    QTEST(parsed->schema, "schema");
    QVERIFY(!parsed->display.contains(u"geheim"));
}

void TestDatabaseUrl::refuses_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("said"); // a part of the message
    QTest::newRow("empty") << u""_s << u"is empty"_s;
    QTest::newRow("only space") << u"  "_s << u"is empty"_s;
    QTest::newRow("another scheme") << u"mysql://shop:geheim@db.example/orders"_s << u"does not begin with"_s;
    QTest::newRow("no scheme") << u"db.example/orders"_s << u"does not begin with"_s;
    QTest::newRow("conninfo words") << u"host=db.example password=geheim"_s << u"does not begin with"_s;
    QTest::newRow("port is no number") << u"postgresql://shop:geheim@db.example:abc/orders"_s << u"cannot be read"_s;
    QTest::newRow("port too large") << u"postgresql://shop:geheim@db.example:70000/orders"_s << u"cannot be read"_s;
    QTest::newRow("hash in the password") << u"postgresql://shop:gehe#im@db.example/orders"_s << u"cannot be read"_s;
    QTest::newRow("percent in the password") << u"postgresql://shop:geheim%@db.example/orders"_s << u"cannot be read"_s;
    QTest::newRow("space in the password") << u"postgresql://shop:geheim x@db.example/orders"_s << u"cannot be read"_s;
}

void TestDatabaseUrl::refuses()
{
    QFETCH(const QString, url);
    QFETCH(const QString, said);
    const auto parsed = DatabaseUrl::parse(url);
    QVERIFY(!parsed);
    QCOMPARE(parsed.error().code, ErrorCode::BadInput);
    QVERIFY2(parsed.error().message.contains(said), qPrintable(parsed.error().text()));
    QVERIFY(!parsed.error().hint.isEmpty());
    const QString everything = parsed.error().text() + parsed.error().detail;
    QVERIFY2(!everything.contains(u"geheim") && !everything.contains(u"gehe#im"), qPrintable(everything));
}

QTEST_GUILESS_MAIN(TestDatabaseUrl)
#include "tst_databaseurl.moc"
