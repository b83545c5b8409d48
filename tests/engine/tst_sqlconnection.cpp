// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/transport/sql/connection.h>
#include <engine/transport/sql/transaction.h>

#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QTcpServer>
#include <QTest>
#include <QUrl>

#include <thread>

using namespace engine;
using namespace engine::sql;
using test::why;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestSqlConnection : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void opens_data();
    void opens();
    void refusesToOpen_data();
    void refusesToOpen();
    void givesUpOnASilentServer();

    void carriesValuesUnchanged();
    void carriesLargeValues();
    void mapsSqlStates_data();
    void mapsSqlStates();
    void mapsTheServersOwnErrors_data();
    void mapsTheServersOwnErrors();
    void runsAScriptAsOneTransaction();
    void refusesCopy();

    void callTimesOut();
    void interruptStopsABlockedCall();
    void interruptStopsEveryLaterCall();
    void losesATerminatedSession();

    void readsOnly();
    void readHasAServerSideLimit();
    void readOnlyConnectionBeginsReadOnlyTransactions();
    void readOnlyConnectionNeverWrites();
    void commits();
    void rollsBackUnlessCommitted();
    void commitOfAFailedTransactionIsAnError();
    void movedTransactionEndsOnce();

    void notified();
    void notifiedBeforeTheWait();
    void notNotified();
    void interruptEndsTheWait();

private:
    [[nodiscard]] std::unique_ptr<Connection> open(Access access = Access::ReadWrite,
                                                   std::chrono::milliseconds callTimeout = 30s) const;
    [[nodiscard]] bool waitUntilBlocked(Connection &observer, const QByteArray &applicationName) const;

    std::unique_ptr<test::PrivateServers> m_servers;
};

namespace {

Result<std::unique_ptr<Connection>> openUrl(const QString &url, std::chrono::milliseconds timeout = 10s)
{
    const auto parsed = DatabaseUrl::parse(url);
    if (!parsed)
        return fail(parsed.error());
    ConnectOptions options;
    options.url = *parsed;
    options.connectTimeout = timeout;
    return Connection::open(options);
}

// What a value looks like after a round trip through a text parameter.
QByteArray echoed(Connection &connection, const QByteArray &value)
{
    const auto rows = connection.execute("SELECT $1::text", Params().text(value));
    return rows ? rows->bytes(0, 0).toByteArray() : why(rows);
}

} // namespace

void TestSqlConnection::initTestCase()
{
    test::PrivateServersOptions options;
    options.tcp = true;
    options.withRedis = false;
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = open();
    QVERIFY(connection);
    const auto made =
        connection->executeScript("CREATE ROLE reader; CREATE TABLE thing (id int PRIMARY KEY, note text)");
    VERIFY_WORKED(made);
}

std::unique_ptr<Connection> TestSqlConnection::open(Access access, std::chrono::milliseconds callTimeout) const
{
    ConnectOptions options;
    options.url = *DatabaseUrl::parse(m_servers->databaseUrl());
    options.access = access;
    options.callTimeout = callTimeout;
    options.applicationName = QTest::currentTestFunction();
    auto connection = Connection::open(options);
    return connection ? std::move(*connection) : nullptr;
}

// Until a session of that application is inside a statement that waits.
bool TestSqlConnection::waitUntilBlocked(Connection &observer, const QByteArray &applicationName) const
{
    const QDeadlineTimer deadline(10s);
    while (!deadline.hasExpired()) {
        const auto rows = observer.execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND "
                                           "state = 'active' AND wait_event = 'PgSleep'",
                                           Params().text(applicationName));
        if (rows && rows->integer(0, 0) == 1)
            return true;
    }
    return false;
}

void TestSqlConnection::opens_data()
{
    QTest::addColumn<QString>("url");
    QTest::newRow("TCP with password") << m_servers->databaseUrl();
    QTest::newRow("unix socket") << m_servers->databaseSocketUrl();
    QTest::newRow("Prisma's parameters") << m_servers->databaseUrl() + u"?schema=sales&connection_limit=5"_s;
}

void TestSqlConnection::opens()
{
    QFETCH(const QString, url);
    const auto connection = openUrl(url);
    VERIFY_WORKED(connection);
    QVERIFY(!(*connection)->isBroken());
    QVERIFY((*connection)->serverVersion() >= 130000);
    const auto rows = (*connection)->execute("SELECT current_database(), current_setting('application_name')");
    VERIFY_WORKED(rows);
    QCOMPARE(rows->text(0, 0), u"test"_s);
    QCOMPARE(rows->text(0, 1), u"outbox-console"_s);
}

void TestSqlConnection::refusesToOpen_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("said"); // a part of message or hint
    QTest::addColumn<bool>("retryable");
    const QUrl url(m_servers->databaseUrl());
    const auto changed = [url](const auto &change) {
        QUrl copy = url;
        change(copy);
        return QString::fromLatin1(copy.toEncoded());
    };
    QTest::newRow("wrong password") << changed([](QUrl &u) { u.setPassword(u"geheim"_s); })
                                    << u"refused user name or password"_s << false;
    QTest::newRow("unknown user") << changed([](QUrl &u) { u.setUserName(u"nobody"_s); })
                                  << u"refused user name or password"_s << false;
    QTest::newRow("no password") << changed([](QUrl &u) { u.setPassword(QString()); }) << u"asks for a password"_s
                                 << false;
    QTest::newRow("no such database") << changed([](QUrl &u) { u.setPath(u"/nowhere"_s); }) << u"\"nowhere\""_s
                                      << false;
    QTcpServer free;
    QVERIFY(free.listen(QHostAddress::LocalHost));
    QTest::newRow("nothing listens") << changed([&free](QUrl &u) { u.setPort(free.serverPort()); })
                                     << u"Nothing listens there"_s << true;
    QTest::newRow("no such socket") << u"postgresql://outbox@/test?host=/nowhere"_s << u"Nothing listens there"_s
                                    << true;
    QTest::newRow("no such host") << u"postgresql://outbox@nowhere.invalid/test"_s << u"host name is not known"_s
                                  << true;
}

void TestSqlConnection::refusesToOpen()
{
    QFETCH(const QString, url);
    QFETCH(const QString, said);
    qunsetenv("PGPASSWORD");
    qputenv("PGPASSFILE", "/nowhere");
    const auto connection = openUrl(url);
    QVERIFY(!connection);
    QCOMPARE(connection.error().code, ErrorCode::CannotConnect);
    QVERIFY2(connection.error().text().contains(said), why(connection).constData());
    QTEST(connection.error().retryable, "retryable");
    QVERIFY(!connection.error().hint.isEmpty());
    for (const QString &password : {u"geheim"_s, QUrl(m_servers->databaseUrl()).password()})
        QVERIFY(!QString::fromUtf8(why(connection)).contains(password));
}

void TestSqlConnection::givesUpOnASilentServer()
{
    QTcpServer silent; // the system takes the connection, and nobody ever answers
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    QElapsedTimer timer;
    timer.start();
    const auto connection = openUrl(u"postgresql://outbox@127.0.0.1:%1/test"_s.arg(silent.serverPort()), 300ms);
    QVERIFY(!connection);
    QCOMPARE(connection.error().code, ErrorCode::CannotConnect);
    QVERIFY(connection.error().retryable);
    QVERIFY2(timer.elapsed() >= 290 && timer.elapsed() < 5000, QByteArray::number(timer.elapsed()).constData());
}

void TestSqlConnection::carriesValuesUnchanged()
{
    auto connection = open();
    QVERIFY(connection);
    for (const QByteArray &value : {QByteArray(""), QByteArray("a"), QByteArray("'; DROP TABLE thing; --"),
                                    QByteArray(R"(\ \\ "quoted" {x})"), u"żółć 漢字 🎉"_s.toUtf8()})
        QCOMPARE(echoed(*connection, value), value);

    const auto rows = connection->execute("SELECT $1::bigint, $2::text, $3::text, true, false, 'x'::text",
                                          Params().integer(-9007199254740993).null().optionalText(std::nullopt));
    VERIFY_WORKED(rows);
    QCOMPARE(rows->count(), 1);
    QCOMPARE(rows->integer(0, 0), -9007199254740993);
    QVERIFY(rows->isNull(0, 1) && rows->isNull(0, 2));
    QVERIFY(!rows->optionalInteger(0, 1));
    QCOMPARE(rows->optionalInteger(0, 0), -9007199254740993);
    QVERIFY(rows->boolean(0, 3) && !rows->boolean(0, 4));
    QCOMPARE(rows->text(0, 5), u"x"_s);

    ArrayText array;
    array.append(QByteArrayView("a,\"b\\"));
    array.appendNull();
    array.append(QByteArrayView(""));
    const auto items = connection->execute(
        "SELECT item FROM unnest($1::text[]) WITH ORDINALITY AS t(item, n) ORDER BY n", Params().text(array.take()));
    VERIFY_WORKED(items);
    QCOMPARE(items->count(), 3);
    QCOMPARE(items->bytes(0, 0), QByteArrayView("a,\"b\\"));
    QVERIFY(items->isNull(1, 0));
    QVERIFY(!items->isNull(2, 0) && items->bytes(2, 0).isEmpty());

    const auto written = connection->execute("INSERT INTO thing SELECT n FROM generate_series(100, 106) n");
    VERIFY_WORKED(written);
    QCOMPARE(written->affected(), 7);
    QCOMPARE(written->command(), QByteArrayView("INSERT 0 7"));
}

void TestSqlConnection::carriesLargeValues()
{
    // Larger than every buffer between here and there, in both directions at once.
    auto connection = open();
    QVERIFY(connection);
    QByteArray value(20 * 1024 * 1024, 'x');
    value[value.size() / 2] = 'y';
    QVERIFY(echoed(*connection, value) == value);
}

void TestSqlConnection::mapsSqlStates_data()
{
    QTest::addColumn<QByteArray>("state");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<bool>("retryable");
    const auto row = [](const char *name, const QByteArray &state, ErrorCode code, bool retryable) {
        QTest::newRow(name) << state << code << retryable;
    };
    row("connection exception", "08006", ErrorCode::Unavailable, true);
    row("shutting down", "57P01", ErrorCode::Unavailable, true);
    row("cannot connect now", "57P03", ErrorCode::Unavailable, true);
    row("cancelled statement", "57014", ErrorCode::Timeout, true);
    row("too many connections", "53300", ErrorCode::Unavailable, true);
    row("disk full", "53100", ErrorCode::Unavailable, true);
    row("serialisation failure", "40001", ErrorCode::Conflict, true);
    row("deadlock", "40P01", ErrorCode::Conflict, true);
    row("lock not available", "55P03", ErrorCode::Conflict, true);
    row("unique violation", "23505", ErrorCode::Conflict, false);
    row("foreign key violation", "23503", ErrorCode::Conflict, false);
    row("read-only transaction", "25006", ErrorCode::Refused, true);
    row("insufficient privilege", "42501", ErrorCode::Refused, false);
    row("undefined table", "42P01", ErrorCode::NotFound, false);
    row("undefined column", "42703", ErrorCode::NotFound, false);
    row("undefined schema", "3F000", ErrorCode::NotFound, false);
    row("invalid text", "22P02", ErrorCode::BadInput, false);
    row("out of range", "22003", ErrorCode::BadInput, false);
    row("syntax error", "42601", ErrorCode::Failed, false);
    row("raised by a trigger", "P0001", ErrorCode::Failed, false);
    row("internal error", "XX000", ErrorCode::Failed, false);
}

void TestSqlConnection::mapsSqlStates()
{
    QFETCH(const QByteArray, state);
    auto connection = open();
    QVERIFY(connection);
    const auto rows = connection->execute("DO $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '" + state
                                          + "', HINT = 'try again'; END $$");
    QVERIFY(!rows);
    QTEST(rows.error().code, "code");
    QTEST(rows.error().retryable, "retryable");
    QVERIFY2(rows.error().message.contains(u"as asked"), why(rows).constData());
    QVERIFY(rows.error().detail.contains(u"as asked"));
    // An answered statement leaves the connection as it was.
    QVERIFY(!connection->isBroken());
    QCOMPARE(echoed(*connection, "next"), QByteArray("next"));
}

void TestSqlConnection::mapsTheServersOwnErrors_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("statement");
    QTest::addColumn<ErrorCode>("code");
    const auto row = [](const char *name, const QByteArray &before, const QByteArray &statement, ErrorCode code) {
        QTest::newRow(name) << before << statement << code;
    };
    row("no such table", "", "SELECT * FROM nowhere", ErrorCode::NotFound);
    row("no such column", "", "SELECT nothing FROM thing", ErrorCode::NotFound);
    row("no such schema", "", "CREATE TABLE nowhere.thing ()", ErrorCode::NotFound);
    row("same key twice", "", "INSERT INTO thing VALUES (1), (1)", ErrorCode::Conflict);
    row("no number", "", "SELECT 'x'::int", ErrorCode::BadInput);
    row("no right", "SET ROLE reader", "SELECT * FROM thing", ErrorCode::Refused);
    row("read-only", "BEGIN READ ONLY", "INSERT INTO thing VALUES (1)", ErrorCode::Refused);
    row("statement timeout", "SET statement_timeout = 50", "SELECT pg_sleep(20)", ErrorCode::Timeout);
    row("after an error", "BEGIN; SAVEPOINT s", "SELECT 1/0", ErrorCode::BadInput);
    row("two statements with parameters", "", "SELECT 1; SELECT 2", ErrorCode::Failed);
}

void TestSqlConnection::mapsTheServersOwnErrors()
{
    QFETCH(const QByteArray, before);
    QFETCH(const QByteArray, statement);
    auto connection = open();
    QVERIFY(connection);
    QVERIFY(connection->executeScript(before));
    const auto rows = connection->execute(statement);
    QVERIFY(!rows);
    QTEST(rows.error().code, "code");
    QVERIFY(!connection->isBroken());
    QVERIFY(connection->executeScript("ROLLBACK"));
    QCOMPARE(echoed(*connection, "next"), QByteArray("next"));
}

void TestSqlConnection::runsAScriptAsOneTransaction()
{
    auto connection = open();
    QVERIFY(connection);
    const auto failed = connection->executeScript("INSERT INTO thing VALUES (200); SELECT 1/0; SELECT 2");
    QVERIFY(!failed);
    QCOMPARE(failed.error().code, ErrorCode::BadInput);
    const auto rows = connection->execute("SELECT count(*) FROM thing WHERE id = 200");
    VERIFY_WORKED(rows);
    QCOMPARE(rows->integer(0, 0), 0);
}

void TestSqlConnection::refusesCopy()
{
    auto connection = open();
    QVERIFY(connection);
    const auto rows = connection->execute("COPY thing TO STDOUT");
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, ErrorCode::Failed);
    QVERIFY(connection->isBroken());
}

void TestSqlConnection::callTimesOut()
{
    auto connection = open(Access::ReadWrite, 200ms);
    QVERIFY(connection);
    QElapsedTimer timer;
    timer.start();
    const auto rows = connection->execute("SELECT pg_sleep(20)");
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, ErrorCode::Timeout);
    QVERIFY(rows.error().retryable);
    QVERIFY(timer.elapsed() < 5000);
    QVERIFY(connection->isBroken());

    const auto next = connection->execute("SELECT 1");
    QVERIFY(!next);
    QCOMPARE(next.error().code, ErrorCode::Unavailable);
    const auto waited = connection->waitForNotification(0ms);
    QVERIFY(!waited);
    QCOMPARE(waited.error().code, ErrorCode::Unavailable);
    QVERIFY(connection->isBroken());
}

void TestSqlConnection::interruptStopsABlockedCall()
{
    auto connection = open();
    auto observer = open();
    QVERIFY(connection && observer);
    std::thread interrupter([&] {
        QVERIFY(waitUntilBlocked(*observer, QTest::currentTestFunction()));
        connection->interrupt();
    });
    QElapsedTimer timer;
    timer.start();
    const auto rows = connection->execute("SELECT pg_sleep(20)");
    interrupter.join();
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, ErrorCode::Cancelled);
    QVERIFY(!rows.error().retryable);
    QVERIFY(timer.elapsed() < 15'000);
}

void TestSqlConnection::interruptStopsEveryLaterCall()
{
    auto connection = open();
    QVERIFY(connection);
    connection->interrupt();
    for (int i = 0; i < 2; ++i) {
        const auto rows = connection->execute("SELECT pg_sleep(20)");
        QVERIFY(!rows);
        QCOMPARE(rows.error().code, ErrorCode::Cancelled);
        const auto script = connection->executeScript("SELECT pg_sleep(20)");
        QVERIFY(!script);
        QCOMPARE(script.error().code, ErrorCode::Cancelled);
        const auto waited = connection->waitForNotification(20s);
        QVERIFY(!waited);
        QCOMPARE(waited.error().code, ErrorCode::Cancelled);
    }
}

void TestSqlConnection::losesATerminatedSession()
{
    auto connection = open();
    auto other = open();
    QVERIFY(connection && other);
    const auto pid = connection->execute("SELECT pg_backend_pid()");
    VERIFY_WORKED(pid);
    const auto ended =
        other->execute("SELECT pg_terminate_backend($1::int, 10000)", Params().integer(pid->integer(0, 0)));
    VERIFY_WORKED(ended);
    const auto rows = connection->execute("SELECT 1");
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, ErrorCode::Unavailable);
    QVERIFY(rows.error().retryable);
    QVERIFY(connection->isBroken());
    QVERIFY2(!QString::fromUtf8(why(rows)).contains(QUrl(m_servers->databaseUrl()).password()), why(rows).constData());
}

void TestSqlConnection::readsOnly()
{
    auto connection = open();
    QVERIFY(connection);
    const auto settings = [&connection] {
        const auto rows = connection->execute("SELECT concat_ws(' ', current_setting('statement_timeout'), "
                                              "current_setting('jit'), current_setting('transaction_read_only'))");
        return rows ? rows->bytes(0, 0).toByteArray() : why(rows);
    };
    const QByteArray before = settings();
    QVERIFY(before.endsWith(" off"));
    const auto rows = connection->read("SELECT $1::text", Params().text("a"), 5s);
    VERIFY_WORKED(rows);
    QCOMPARE(rows->text(0, 0), u"a"_s);
    const auto written = connection->read("INSERT INTO thing VALUES (300) RETURNING id", {}, 5s);
    QVERIFY(!written);
    QCOMPARE(written.error().code, ErrorCode::Refused);
    // Neither leaves a transaction or a setting behind.
    QCOMPARE(settings(), before);
}

void TestSqlConnection::readHasAServerSideLimit()
{
    auto connection = open();
    QVERIFY(connection);
    const auto rows = connection->read("SELECT pg_sleep(20)", {}, 50ms);
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, ErrorCode::Timeout);
    QVERIFY(!rows.error().hint.isEmpty());
    QVERIFY(!connection->isBroken());
    QCOMPARE(echoed(*connection, "next"), QByteArray("next"));
}

void TestSqlConnection::readOnlyConnectionNeverWrites()
{
    auto writer = open(Access::ReadWrite);
    VERIFY_WORKED(writer->executeScript("CREATE TABLE IF NOT EXISTS untouched (n int)"));
    auto connection = open(Access::ReadOnly);
    for (int round = 0; round < 2; ++round) {
        auto written = connection->execute("INSERT INTO untouched VALUES (1)");
        QVERIFY(!written);
        QCOMPARE(written.error().code, ErrorCode::Refused);
        QCOMPARE(connection->executeScript("INSERT INTO untouched VALUES (2)").error().code, ErrorCode::Refused);
        QCOMPARE(connection->executeScript("DROP TABLE untouched").error().code, ErrorCode::Refused);
        // And it still reads.
        auto count = connection->execute("SELECT count(*) FROM untouched");
        VERIFY_WORKED(count);
        QCOMPARE(count->integer(0, 0), 0);
        VERIFY_WORKED(connection->roundTrip());
    }
}

void TestSqlConnection::readOnlyConnectionBeginsReadOnlyTransactions()
{
    auto connection = open(Access::ReadOnly);
    QVERIFY(connection);
    auto transaction = Transaction::begin(*connection);
    VERIFY_WORKED(transaction);
    const auto rows = transaction->connection().execute("INSERT INTO thing VALUES (400)");
    QVERIFY(!rows);
    QCOMPARE(rows.error().code, ErrorCode::Refused);
}

void TestSqlConnection::commits()
{
    auto connection = open();
    auto other = open();
    QVERIFY(connection && other);
    auto transaction = Transaction::begin(*connection);
    VERIFY_WORKED(transaction);
    QVERIFY(connection->execute("INSERT INTO thing VALUES (500)"));
    const QByteArray count = "SELECT count(*) FROM thing WHERE id = 500";
    QCOMPARE(other->execute(count)->integer(0, 0), 0);
    const auto committed = transaction->commit();
    VERIFY_WORKED(committed);
    QCOMPARE(other->execute(count)->integer(0, 0), 1);
}

void TestSqlConnection::rollsBackUnlessCommitted()
{
    auto connection = open();
    QVERIFY(connection);
    {
        auto transaction = Transaction::begin(*connection);
        VERIFY_WORKED(transaction);
        QVERIFY(connection->execute("INSERT INTO thing VALUES (600)"));
    }
    QCOMPARE(connection->execute("SELECT count(*) FROM thing WHERE id = 600")->integer(0, 0), 0);
}

void TestSqlConnection::commitOfAFailedTransactionIsAnError()
{
    auto connection = open();
    QVERIFY(connection);
    auto transaction = Transaction::begin(*connection);
    VERIFY_WORKED(transaction);
    QVERIFY(connection->execute("INSERT INTO thing VALUES (700)"));
    QVERIFY(!connection->execute("SELECT 1/0"));
    const auto committed = transaction->commit();
    QVERIFY(!committed);
    QCOMPARE(committed.error().code, ErrorCode::Failed);
    QCOMPARE(connection->execute("SELECT count(*) FROM thing WHERE id = 700")->integer(0, 0), 0);
}

void TestSqlConnection::movedTransactionEndsOnce()
{
    auto connection = open();
    QVERIFY(connection);
    {
        auto first = Transaction::begin(*connection);
        VERIFY_WORKED(first);
        Transaction second(std::move(*first));
        QVERIFY(connection->execute("INSERT INTO thing VALUES (800)"));
        const auto committed = second.commit();
        VERIFY_WORKED(committed);
    }
    QCOMPARE(connection->execute("SELECT count(*) FROM thing WHERE id = 800")->integer(0, 0), 1);
}

void TestSqlConnection::notified()
{
    auto connection = open();
    auto observer = open();
    QVERIFY(connection && observer);
    QVERIFY(connection->executeScript("LISTEN bell"));
    std::thread ringer([&] { QVERIFY(observer->executeScript("NOTIFY bell; NOTIFY other_bell")); });
    const auto rang = connection->waitForNotification(20s);
    ringer.join();
    VERIFY_WORKED(rang);
    QVERIFY(*rang);
    QCOMPARE(echoed(*connection, "next"), QByteArray("next"));
}

void TestSqlConnection::notifiedBeforeTheWait()
{
    auto connection = open();
    auto other = open();
    QVERIFY(connection && other);
    QVERIFY(connection->executeScript("LISTEN bell"));
    QVERIFY(other->executeScript("NOTIFY bell, '1'; NOTIFY bell, '2'"));
    QCOMPARE(echoed(*connection, "meanwhile"), QByteArray("meanwhile"));
    const auto rang = connection->waitForNotification(20s);
    VERIFY_WORKED(rang);
    QVERIFY(*rang);
    const auto again = connection->waitForNotification(0ms); // both at once: a wake-up is a hint, not a count
    VERIFY_WORKED(again);
    QVERIFY(!*again);
}

void TestSqlConnection::notNotified()
{
    auto connection = open();
    auto other = open();
    QVERIFY(connection && other);
    QVERIFY(connection->executeScript("LISTEN bell"));
    QVERIFY(other->executeScript("NOTIFY other_bell"));
    const auto rang = connection->waitForNotification(50ms);
    VERIFY_WORKED(rang);
    QVERIFY(!*rang);
    QVERIFY(!connection->isBroken());
    QCOMPARE(echoed(*connection, "next"), QByteArray("next"));
}

void TestSqlConnection::interruptEndsTheWait()
{
    auto connection = open();
    QVERIFY(connection);
    std::thread interrupter([&] { connection->interrupt(); });
    const auto rang = connection->waitForNotification(20s);
    interrupter.join();
    QVERIFY(!rang);
    QCOMPARE(rang.error().code, ErrorCode::Cancelled);
}

QTEST_GUILESS_MAIN(TestSqlConnection)
#include "tst_sqlconnection.moc"
