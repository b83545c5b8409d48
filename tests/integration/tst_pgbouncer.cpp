// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Everything works through a PgBouncer, and leaves nothing behind in its server connections.
//
// In transaction mode each transaction may run on another server connection, so that whatever is tied to a session -
// named prepared statements above all - is gone or belongs to somebody else. Version 1.18 has no tracking of prepared
// statements: a client that needs them works in session mode only. This program uses none: each statement is parsed,
// bound and executed in one message exchange without a name. "With prepared statements" therefore means a pool that would
// allow them (session mode), "without" means one that does not (transaction mode); both are held to the same here.

#include <engine/outbox/discovery.h>

#include <tests/support/outboxjourney.h>
#include <tests/support/pgbouncer.h>
#include <tests/support/programs.h>
#include <tests/support/verify.h>

#include <QJsonArray>
#include <QTest>

#include <atomic>
#include <set>
#include <thread>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::PoolMode;

namespace {

constexpr int smallPool = 2;

std::unique_ptr<sql::Connection> openUrl(const QString &url)
{
    auto connection = test::connect(url);
    if (!connection)
        qFatal("%s", test::why(connection).constData());
    return std::move(*connection);
}

QByteArray single(sql::Connection &connection, const QByteArray &statement)
{
    const auto rows = connection.execute(statement);
    if (!rows)
        return "failed: " + test::why(rows);
    return rows->count() > 0 ? rows->bytes(0, 0).toByteArray() : QByteArray();
}

// Other clients of the same pool, whose transactions come in between: server connections change hands all the time.
class Neighbours final
{
public:
    explicit Neighbours(const QString &url)
    {
        for (int i = 0; i < 2; ++i) {
            m_threads.emplace_back([this, url] {
                const auto connection = openUrl(url);
                while (!m_stop) {
                    if (single(*connection, "SELECT count(*) FROM pg_sleep(0.001)") != "1")
                        m_failed = true;
                }
            });
        }
    }
    ~Neighbours() { stop(); }
    Q_DISABLE_COPY_MOVE(Neighbours)

    bool stop() // false: one of them was disturbed
    {
        m_stop = true;
        for (std::thread &thread : m_threads)
            thread.join();
        m_threads.clear();
        return !m_failed;
    }

private:
    std::atomic<bool> m_stop = false;
    std::atomic<bool> m_failed = false;
    std::vector<std::thread> m_threads;
};

} // namespace

class TestPgBouncer final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void everyPart_data();
    void everyPart();
    void commandLine_data();
    void commandLine();
    void manyDispatchersShareASmallPool();
    void keepsNoSessionState();
    void continuousDispatcherLeavesNoListener();

private:
    [[nodiscard]] test::PgBouncer &pool(PoolMode mode) { return mode == PoolMode::Transaction ? *m_shared : *m_whole; }
    // Looks at all server connections of the small pool at once.
    void checkServerConnections(const QString &database);
    int dispatch(int dispatchers, const QStringList &target, const QString &prefix);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<test::PgBouncer> m_shared; // transaction mode, smallPool
    std::unique_ptr<test::PgBouncer> m_whole; // session mode
    std::unique_ptr<redis::Client> m_redis;
};

void TestPgBouncer::initTestCase()
{
    test::PrivateServersOptions options;
    options.postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}};
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto shared = test::PgBouncer::start(*m_servers, PoolMode::Transaction, smallPool);
    VERIFY_WORKED(shared);
    m_shared = std::move(*shared);
    auto whole = test::PgBouncer::start(*m_servers, PoolMode::Session, 20);
    VERIFY_WORKED(whole);
    m_whole = std::move(*whole);
    m_redis = std::make_unique<redis::Client>(*redis::Endpoint::parse(m_servers->redisUrl()));
    VERIFY_WORKED(m_redis->exchange({"PING"}, 10s));
}

void TestPgBouncer::everyPart_data()
{
    QTest::addColumn<test::TableVariant>("variant");
    QTest::addColumn<PoolMode>("mode");
    for (const test::TableVariant &variant : test::tableVariants()) {
        QTest::newRow((variant.name + ", transaction mode").constData()) << variant << PoolMode::Transaction;
        QTest::newRow((variant.name + ", session mode").constData()) << variant << PoolMode::Session;
    }
}

void TestPgBouncer::everyPart()
{
    QFETCH(const test::TableVariant, variant);
    QFETCH(const PoolMode, mode);
    static int runs = 0;
    const auto connection = openUrl(pool(mode).databaseSocketUrl());
    VERIFY_WORKED(connection->executeScript(test::tableText(variant, "Shop Data", "Outbox")));
    Neighbours neighbours(pool(mode).databaseUrl());
    std::set<QByteArray> sessions;
    for (QDeadlineTimer deadline(20s); sessions.size() < smallPool && !deadline.hasExpired();) {
        sessions.insert(single(*connection, "SELECT pg_backend_pid()"));
        if (mode == PoolMode::Session && sessions.size() == 1)
            break;
    }
    // The statements below do run on more than one session, or on one.
    QCOMPARE(sessions.size(), mode == PoolMode::Transaction ? size_t(smallPool) : size_t(1));

    const auto layout = outbox::discover(*connection, u"\"Shop Data\".\"Outbox\""_s);
    VERIFY_WORKED(layout);
    test::OutboxJourney(*connection, *m_redis, variant, *layout, "pool" + QByteArray::number(++runs)).run();
    QVERIFY(neighbours.stop());
}

void TestPgBouncer::commandLine_data()
{
    QTest::addColumn<PoolMode>("mode");
    QTest::addColumn<QString>("layout");
    QTest::newRow("event, transaction mode") << PoolMode::Transaction << u"event"_s;
    QTest::newRow("message, transaction mode") << PoolMode::Transaction << u"message"_s;
    QTest::newRow("event, session mode") << PoolMode::Session << u"event"_s;
    QTest::newRow("message, session mode") << PoolMode::Session << u"message"_s;
}

void TestPgBouncer::commandLine()
{
    QFETCH(const PoolMode, mode);
    QFETCH(const QString, layout);
    const QString name = u"%1_%2"_s.arg(layout).arg(int(mode));
    VERIFY_WORKED(m_servers->createDatabase(name));
    const QStringList database{u"--json"_s, u"--database"_s, pool(mode).databaseUrl(name)};
    Neighbours neighbours(pool(mode).databaseUrl(name));

    const QStringList apply = QStringList{u"schema"_s, u"apply"_s, u"--wakeup"_s, u"--layout"_s, layout} + database;
    const auto applied = test::console(apply);
    VERIFY_EXIT(applied, 0);
    QCOMPARE(applied.object()["created"_L1].toArray().size(), 2);
    const auto again = test::console(apply);
    VERIFY_EXIT(again, 0);
    QCOMPARE(again.object()["existing"_L1].toArray().size(), 2);

    const QString type = layout == u"event" ? u"mail.welcome.sent"_s : u"email.welcome.sent"_s;
    const auto published = test::console(QStringList{u"publish"_s, u"--type"_s, type, u"--tenant"_s, u"t1"_s,
                                                     u"--payload"_s, u"{\"big\": 9007199254740993}"_s}
                                         + database);
    VERIFY_EXIT(published, 0);
    const auto before = test::console(QStringList{u"stats"_s} + database);
    VERIFY_EXIT(before, 0);
    QCOMPARE(before.object()["due"_L1].toInt(-1), 1);
    const auto drained = test::console(
        QStringList{u"dispatch"_s, u"--drain"_s, u"--redis"_s, m_servers->redisUrl(), u"--prefix"_s, name} + database);
    VERIFY_EXIT(drained, 0);
    QCOMPARE(drained.object()["handedOver"_L1].toInt(-1), 1);
    const auto rows = test::console(QStringList{u"rows"_s} + database);
    VERIFY_EXIT(rows, 0);
    QCOMPARE(rows.json().array().size(), 1);
    const QString id = rows.json().array()[0]["id"_L1].toString();
    const auto data = m_redis->exchange({"HGET", name.toUtf8() + ":outbox.mail:outbox:" + id.toUtf8(), "data"}, 10s);
    VERIFY_WORKED(data);
    QVERIFY2(data->text.contains("\"payload\":{\"big\": 9007199254740993}"), data->text.constData());
    QVERIFY(neighbours.stop());
}

int TestPgBouncer::dispatch(int dispatchers, const QStringList &target, const QString &prefix)
{
    std::vector<std::unique_ptr<QProcess>> running;
    for (int i = 0; i < dispatchers; ++i)
        running.push_back(test::start(test::consoleProgram(),
                                      QStringList{u"dispatch"_s, u"--drain"_s, u"--batch"_s, u"50"_s, u"--redis"_s,
                                                  m_servers->redisUrl(), u"--prefix"_s, prefix}
                                          + target));
    int handedOver = 0;
    for (const auto &process : running) {
        const auto outcome = test::finish(*process);
        if (outcome.exitCode != 0)
            QTest::qFail(outcome.text().constData(), __FILE__, __LINE__);
        if (outcome.object()["duplicates"_L1].toInt(-1) != 0 || outcome.object()["leaseLost"_L1].toInt(-1) != 0)
            QTest::qFail(outcome.text().constData(), __FILE__, __LINE__);
        handedOver += outcome.object()["handedOver"_L1].toInt();
    }
    return handedOver;
}

void TestPgBouncer::manyDispatchersShareASmallPool()
{
    VERIFY_WORKED(m_servers->createDatabase(u"crowd"_s));
    const auto direct = openUrl(m_servers->databaseUrl(u"crowd"_s));
    VERIFY_WORKED(direct->executeScript(
        test::tableText(test::tableVariants()[0], "public", "Outbox")
        + "INSERT INTO \"Outbox\" (id, \"tenantId\", \"eventType\", payload, \"scheduledAt\", \"updatedAt\") SELECT n, "
          "'t', 'mail.a.sent', '{}', now() - interval '1 day', now() FROM generate_series(1, 3000) n"));
    Neighbours neighbours(m_shared->databaseUrl(u"crowd"_s));
    const QStringList target{u"--json"_s, u"--database"_s, m_shared->databaseUrl(u"crowd"_s)};
    QCOMPARE(dispatch(4, target, u"crowd"_s), 3000);
    QVERIFY(neighbours.stop());
    QCOMPARE(single(*direct, "SELECT count(*) FROM \"Outbox\" WHERE status = 'DONE'"), "3000");
    checkServerConnections(u"crowd"_s);
}

void TestPgBouncer::checkServerConnections(const QString &database)
{
    // Each open transaction holds one server connection, so together they hold all.
    std::vector<std::unique_ptr<sql::Connection>> clients;
    std::set<QByteArray> sessions;
    for (int i = 0; i < smallPool; ++i) {
        clients.push_back(openUrl(m_shared->databaseUrl(database)));
        VERIFY_WORKED(clients.back()->executeScript("BEGIN"));
        sql::Connection &session = *clients.back();
        sessions.insert(single(session, "SELECT pg_backend_pid()"));
        // PgBouncer itself sets those that it keeps per client.
        QCOMPARE(single(session,
                        "SELECT string_agg(name || '=' || setting, ' ') FROM pg_settings WHERE source = 'session' "
                        "AND name NOT IN ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', "
                        "'standard_conforming_strings', 'IntervalStyle')"),
                 "");
        QCOMPARE(single(session, "SELECT count(*) FROM pg_listening_channels()"), "0");
        QCOMPARE(single(session, "SELECT count(*) FROM pg_prepared_statements"), "0");
        QCOMPARE(single(session, "SELECT count(*) FROM pg_cursors WHERE name <> ''"), "0");
        QCOMPARE(single(session, "SELECT count(*) FROM pg_class WHERE relpersistence = 't'"), "0");
        QCOMPARE(single(session, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), "0");
        QCOMPARE(single(session,
                        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE "
                        "'idle in transaction%' AND pid <> pg_backend_pid()"),
                 QByteArray::number(i));
        QCOMPARE(single(session, "SHOW transaction_read_only"), "off");
        QCOMPARE(single(session, "SHOW statement_timeout"), "0");
        QCOMPARE(single(session, "SHOW jit"), "off"); // as these servers are started
    }
    QCOMPARE(sessions.size(), size_t(smallPool));
}

void TestPgBouncer::keepsNoSessionState()
{
    for (const auto &database : {u"test"_s, u"event_0"_s, u"message_0"_s}) {
        checkServerConnections(database);
        if (QTest::currentTestFailed())
            return;
    }
}

// A pooled session cannot listen: the channel would stay with the server connection and wake a stranger, or nobody.
void TestPgBouncer::continuousDispatcherLeavesNoListener()
{
    VERIFY_WORKED(m_servers->createDatabase(u"listening"_s));
    const QString url = m_shared->databaseUrl(u"listening"_s);
    const auto client = openUrl(m_servers->databaseUrl(u"listening"_s));
    VERIFY_WORKED(client->executeScript(test::tableText(test::tableVariants()[0], "public", "Outbox")));
    const auto dispatcher = test::start(test::consoleProgram(),
                                        {u"dispatch"_s, u"--json"_s, u"--database"_s, url, u"--redis"_s,
                                         m_servers->redisUrl(), u"--prefix"_s, u"listening"_s},
                                        {{u"OUTBOX_DISPATCH_INTERVAL_MS"_s, u"50"_s}});
    for (int round = 1; round <= 2; ++round) {
        VERIFY_WORKED(client->execute(
            "INSERT INTO \"Outbox\" (id, \"tenantId\", \"eventType\", payload, \"scheduledAt\", "
            "\"updatedAt\") VALUES ("
            + QByteArray::number(round) + ", 't', 'mail.a.sent', '{}', now() - interval '1 day', now())"));
        QTRY_COMPARE_WITH_TIMEOUT(single(*client, "SELECT count(*) FROM \"Outbox\" WHERE status = 'DONE'"),
                                  QByteArray::number(round), 20'000);
    }
    dispatcher->terminate();
    const auto outcome = test::finish(*dispatcher);
    VERIFY_EXIT(outcome, 0);
    QCOMPARE(outcome.object()["handedOver"_L1].toInt(-1), 2);
    checkServerConnections(u"listening"_s);
}

QTEST_GUILESS_MAIN(TestPgBouncer)
#include "tst_pgbouncer.moc"
