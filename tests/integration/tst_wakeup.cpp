// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/discovery.h>
#include <engine/outbox/schema.h>
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QTest>

using namespace engine::dispatch;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
namespace sql = engine::sql;
namespace outbox = engine::outbox;
namespace redis = engine::redis;

// The optional trigger that wakes sleeping dispatchers: that it works, that it is silent when nobody sleeps, and that
// it is never in a producer's way.
class TestWakeUp final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void wakesASleepingDispatcher();
    void isSilentWhileNobodySleeps();
    void isDeclinedUnderTraffic();
    void survivesTheListenersDeath();
    void neverFailsTheProducer_data();
    void neverFailsTheProducer();
    void takesAnyPayload();
    void worksForAProducerWithoutRights();
    void installsOnATableElsewhere();

private:
    DispatcherConfig config() const;
    void run(const QByteArray &statement) { VERIFY_WORKED(m_connection->executeScript(statement)); }
    qint64 number(const QByteArray &statement);
    void insert(int rows = 1);
    bool isBellOn();
    qint64 done() { return number(R"(SELECT count(*) FROM "OutboxEvent" WHERE status = 'DONE')"); }
    std::unique_ptr<sql::Connection> connect(const QByteArray &statement = {});

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    outbox::Layout m_layout;
};

void TestWakeUp::initTestCase()
{
    auto servers = test::PrivateServers::start();
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
}

std::unique_ptr<sql::Connection> TestWakeUp::connect(const QByteArray &statement)
{
    auto connection = test::connect(m_servers->databaseUrl());
    if (!connection)
        qFatal("%s", test::why(connection).constData());
    if (!statement.isEmpty()) {
        if (const auto done = (*connection)->executeScript(statement); !done)
            qFatal("%s", test::why(done).constData());
    }
    return std::move(*connection);
}

void TestWakeUp::init()
{
    m_connection = connect();
    run("DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS \"Shop Data\" CASCADE");
    VERIFY_WORKED(outbox::applySchema(*m_connection, outbox::SchemaKind::Event, true));
    auto layout = outbox::discover(*m_connection, u"public.\"OutboxEvent\""_s);
    VERIFY_WORKED(layout);
    m_layout = *layout;
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    VERIFY_WORKED(client.exchange({"FLUSHALL"}, 5s));
}

DispatcherConfig TestWakeUp::config() const
{
    DispatcherConfig c;
    c.database = *sql::DatabaseUrl::parse(m_servers->databaseUrl());
    c.redis = *redis::Endpoint::parse(m_servers->redisUrl());
    c.layout = m_layout;
    c.router = Router::builtIn(m_layout.kind);
    // Fixed and long: whatever arrives within a test's patience was woken.
    c.settings.interval = 10min;
    c.settings.adaptivePolling = false;
    return c;
}

qint64 TestWakeUp::number(const QByteArray &statement)
{
    auto rows = m_connection->execute(statement);
    if (!rows)
        qFatal("%s", test::why(rows).constData());
    return rows->integer(0, 0);
}

void TestWakeUp::insert(int rows)
{
    run(R"(INSERT INTO "OutboxEvent" (id, "tenantId", "eventType", payload, "updatedAt"))"
        " SELECT gen_random_uuid()::text, 't', 'mail.welcome.sent', '{}', now() FROM generate_series(1, "
        + QByteArray::number(rows) + ')');
}

bool TestWakeUp::isBellOn()
{
    return number("SELECT (last_value > extract(epoch FROM clock_timestamp()))::int FROM outbox_wakeup_until") == 1;
}

void TestWakeUp::wakesASleepingDispatcher()
{
    Dispatcher dispatcher;
    dispatcher.start(config());
    QTRY_VERIFY(isBellOn());
    for (int event = 1; event <= 5; ++event) {
        insert();
        QTRY_COMPARE(done(), event);
    }
    // Rolled back: nothing to wake for.
    run(R"(BEGIN; INSERT INTO "OutboxEvent" (id, "tenantId", "eventType", payload, "updatedAt") VALUES ('r', 't', 'mail.a', '{}', now()); ROLLBACK)");
    insert();
    QTRY_COMPARE(done(), 6);
}

void TestWakeUp::isSilentWhileNobodySleeps()
{
    const auto listener = connect("LISTEN outbox_wakeup");
    insert(3);
    QCOMPARE(listener->waitForNotification(200ms).value(), false);
    run("SELECT setval('outbox_wakeup_until', extract(epoch FROM clock_timestamp())::bigint + 60)");
    insert(3);
    QCOMPARE(listener->waitForNotification(5s).value(), true);
    // A dispatcher that died asleep is notified no longer than it had asked for.
    run("SELECT setval('outbox_wakeup_until', extract(epoch FROM clock_timestamp())::bigint - 1)");
    insert(3);
    QCOMPARE(listener->waitForNotification(200ms).value(), false);
}

void TestWakeUp::isDeclinedUnderTraffic()
{
    DispatcherConfig c = config();
    c.settings.adaptivePolling = true;
    c.settings.interval = 1s;
    Dispatcher dispatcher;
    dispatcher.start(c);
    QTRY_VERIFY(isBellOn());
    bool declined = false;
    for (int round = 0; round < 2'000 && !declined; ++round) {
        insert();
        declined = round % 50 == 49 && !isBellOn();
    }
    QVERIFY(declined);
    QTRY_VERIFY_WITH_TIMEOUT(isBellOn(), 10'000); // quiet again
    QTRY_COMPARE(done(), number(R"(SELECT count(*) FROM "OutboxEvent")"));
}

void TestWakeUp::survivesTheListenersDeath()
{
    DispatcherConfig c = config();
    c.settings.adaptivePolling = true;
    c.settings.interval = 300ms;
    Dispatcher dispatcher;
    dispatcher.start(c);
    QTRY_VERIFY(isBellOn());
    number("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'outbox-console "
           "listen'");
    insert(); // while nobody listens
    QTRY_COMPARE(done(), 1);
    // It comes back by itself, and so does the bell.
    QTRY_COMPARE_WITH_TIMEOUT(
        number("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'outbox-console listen'"), 1, 15'000);
    QTRY_VERIFY_WITH_TIMEOUT(isBellOn(), 5'000);
    QCOMPARE(dispatcher.progress().state, DispatcherState::Running);
}

void TestWakeUp::neverFailsTheProducer_data()
{
    QTest::addColumn<QByteArray>("damage");
    QTest::newRow("no sequence") << QByteArray("DROP SEQUENCE outbox_wakeup_until");
    QTest::newRow("another thing by that name")
        << QByteArray("DROP SEQUENCE outbox_wakeup_until; CREATE TABLE outbox_wakeup_until (x text)");
    QTest::newRow("no right to read it") << QByteArray("REVOKE ALL ON SEQUENCE outbox_wakeup_until FROM PUBLIC");
}

void TestWakeUp::neverFailsTheProducer()
{
    QFETCH(QByteArray, damage);
    run(damage);
    run("DROP ROLE IF EXISTS producer; CREATE ROLE producer; GRANT USAGE ON SCHEMA public TO producer;"
        R"(GRANT INSERT ON "OutboxEvent" TO producer)");
    run("BEGIN; SET LOCAL ROLE producer;"
        R"(INSERT INTO "OutboxEvent" (id, "tenantId", "eventType", payload, "updatedAt"))"
        R"( VALUES ('p', 't', 'mail.a', '{}', now()); COMMIT)");
    QCOMPARE(number(R"(SELECT count(*) FROM "OutboxEvent")"), 1);
    run("DROP OWNED BY producer; DROP ROLE producer");
}

void TestWakeUp::takesAnyPayload()
{
    run("SELECT setval('outbox_wakeup_until', extract(epoch FROM clock_timestamp())::bigint + 60)");
    run(R"(INSERT INTO "OutboxEvent" (id, "tenantId", "eventType", payload, "updatedAt"))"
        R"( VALUES ('big', 't', 'mail.a', to_jsonb(repeat('x', 1000000)), now()))");
    QCOMPARE(number(R"(SELECT count(*) FROM "OutboxEvent")"), 1);
}

void TestWakeUp::worksForAProducerWithoutRights()
{
    const auto listener = connect("LISTEN outbox_wakeup");
    run("DROP ROLE IF EXISTS producer; CREATE ROLE producer; GRANT USAGE ON SCHEMA public TO producer;"
        R"(GRANT INSERT ON "OutboxEvent" TO producer)");
    run("SELECT setval('outbox_wakeup_until', extract(epoch FROM clock_timestamp())::bigint + 60)");
    // Another search path and no rights but INSERT.
    run(R"(BEGIN; SET LOCAL ROLE producer; SET LOCAL search_path = pg_catalog;)"
        R"(INSERT INTO public."OutboxEvent" (id, "tenantId", "eventType", payload, "updatedAt"))"
        R"( VALUES ('p', 't', 'mail.a', '{}', now()); COMMIT)");
    QCOMPARE(listener->waitForNotification(5s).value(), true);
    run("DROP OWNED BY producer; DROP ROLE producer");
}

void TestWakeUp::installsOnATableElsewhere()
{
    run("CREATE SCHEMA \"Shop Data\"");
    run(R"(CREATE TABLE "Shop Data"."Events" (LIKE "OutboxEvent" INCLUDING ALL))");
    const auto layout = outbox::discover(*m_connection, u"\"Shop Data\".\"Events\""_s);
    VERIFY_WORKED(layout);
    const auto first = outbox::applyWakeUp(*m_connection, *layout);
    VERIFY_WORKED(first);
    QCOMPARE(first->created, QStringList{u"outbox_wakeup"_s});
    const auto second = outbox::applyWakeUp(*m_connection, *layout);
    VERIFY_WORKED(second);
    QCOMPARE(second->existing, QStringList{u"outbox_wakeup"_s});

    m_layout = *layout;
    Dispatcher dispatcher;
    dispatcher.start(config());
    QTRY_COMPARE(number("SELECT (last_value > 0)::int FROM \"Shop Data\".outbox_wakeup_until"), 1);
    run(R"(INSERT INTO "Shop Data"."Events" (id, "tenantId", "eventType", payload, "updatedAt"))"
        R"( VALUES ('e', 't', 'mail.a', '{}', now()))");
    QTRY_COMPARE(number(R"(SELECT count(*) FROM "Shop Data"."Events" WHERE status = 'DONE')"), 1);
    QCOMPARE(number("SELECT last_value FROM outbox_wakeup_until"), 0); // the other table's producers are left in peace
}

QTEST_GUILESS_MAIN(TestWakeUp)
#include "tst_wakeup.moc"
