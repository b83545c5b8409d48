// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/bullmq/inspector.h>
#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/discovery.h>
#include <engine/outbox/publisher.h>
#include <engine/outbox/reader.h>

#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace engine;
using namespace engine::dispatch;
using namespace Qt::StringLiterals;
using outbox::NewEvent;
using outbox::Phase;

// The dispatcher from the outside: rows in PostgreSQL, jobs in Redis, signals to its owner.
class TestDispatcher final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void drains_data();
    void drains();
    void drainsNothingTwice();
    void keepsOrderWithinAQueue();
    void buriesWhatHasNoRoute();
    void buriesPoisonAlone();
    void countsJobsThatWereThere();
    void twoDrainsShareTheWork();
    void recoversRowsOfADeadDispatcher();

    void runsUntilStopped();
    void stopReleasesWhatIsNotSent();
    void wakesUpByNotification();
    void survivesARedisRestart();
    void stopsWithoutRedis();
    void survivesAPostgresRestart();
    void chargesNothingForAFullRedis();
    void retriesAQueueWithABrokenKey();

    void refusesToStart_data();
    void refusesToStart();
    void routesByLongestPrefix();
    void readsRoutesFiles_data();
    void readsRoutesFiles();

private:
    void makeTable(int variant);
    void publish(int count, const QByteArray &type = "mail.welcome.sent", const QByteArray &payload = "{}");
    void publish(const std::vector<NewEvent> &events);
    DispatcherConfig config(RunMode mode) const;
    std::optional<Error> run(const DispatcherConfig &config, Progress *progress = nullptr);
    qint64 rowsIn(Phase phase);
    qint64 waitingJobs();
    redis::Reply ask(const redis::Command &command);
    sql::Rows query(const QByteArray &statement);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    outbox::Layout m_layout;
};

void TestDispatcher::initTestCase()
{
    auto servers = test::PrivateServers::start();
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
}

void TestDispatcher::init()
{
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    ask({"FLUSHALL"});
    makeTable(0);
}

void TestDispatcher::makeTable(int variant)
{
    VERIFY_WORKED(m_connection->executeScript(test::tableText(test::tableVariants()[variant], "public", "Outbox")));
    auto layout = outbox::discover(*m_connection, {});
    VERIFY_WORKED(layout);
    m_layout = *layout;
}

void TestDispatcher::publish(const std::vector<NewEvent> &events)
{
    auto transaction = sql::Transaction::begin(*m_connection);
    VERIFY_WORKED(outbox::Publisher(m_layout).publishBatch(*transaction, events));
    VERIFY_WORKED(transaction->commit());
}

void TestDispatcher::publish(int count, const QByteArray &type, const QByteArray &payload)
{
    NewEvent event;
    event.eventType = type;
    event.tenantId = "t1";
    event.payload = payload;
    publish(std::vector<NewEvent>(static_cast<size_t>(count), event));
}

DispatcherConfig TestDispatcher::config(RunMode mode) const
{
    DispatcherConfig config;
    config.database = *sql::DatabaseUrl::parse(m_servers->databaseUrl());
    config.redis = *redis::Endpoint::parse(m_servers->redisUrl());
    config.layout = m_layout;
    config.router = Router::builtIn(outbox::LayoutKind::Event);
    config.mode = mode;
    config.settings.interval = std::chrono::milliseconds(50);
    return config;
}

std::optional<Error> TestDispatcher::run(const DispatcherConfig &config, Progress *progress)
{
    Dispatcher dispatcher;
    QSignalSpy finished(&dispatcher, &Dispatcher::finished);
    dispatcher.start(config);
    if (!finished.wait(30'000))
        qFatal("the drain did not end");
    if (progress)
        *progress = dispatcher.progress();
    return finished[0][0].value<std::optional<Error>>();
}

qint64 TestDispatcher::rowsIn(Phase phase)
{
    return query("SELECT count(*) FROM public.\"Outbox\" WHERE status::text = '" + m_layout.statusFor(phase) + "'")
        .integer(0, 0);
}

qint64 TestDispatcher::waitingJobs()
{
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    qint64 waiting = 0;
    const auto queues = bullmq::Inspector(client, "bull").queues();
    if (!queues)
        qFatal("%s", test::why(queues).constData());
    for (const bullmq::QueueState &queue : *queues)
        waiting += queue.waiting;
    return waiting;
}

redis::Reply TestDispatcher::ask(const redis::Command &command)
{
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    auto reply = client.exchange(command, std::chrono::seconds(5));
    if (!reply)
        qFatal("%s", test::why(reply).constData());
    return *reply;
}

sql::Rows TestDispatcher::query(const QByteArray &statement)
{
    auto rows = m_connection->execute(statement);
    if (!rows)
        qFatal("%s", test::why(rows).constData());
    return std::move(*rows);
}

void TestDispatcher::drains_data()
{
    QTest::addColumn<int>("variant");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("concurrency");
    for (int variant = 0; variant < test::tableVariants().size(); ++variant)
        QTest::newRow(test::tableVariants()[variant].name.constData()) << variant << 100 << 10;
    QTest::newRow("one by one") << 0 << 1 << 1;
    QTest::newRow("odd sizes") << 0 << 37 << 7;
    QTest::newRow("large batches") << 0 << 1000 << 1000;
}

void TestDispatcher::drains()
{
    QFETCH(int, variant);
    QFETCH(int, batch);
    QFETCH(int, concurrency);
    makeTable(variant);
    const bool event = m_layout.kind == outbox::LayoutKind::Event;
    publish(150, event ? "mail.welcome.sent" : "email.welcome.sent", R"({"n": 1})");
    publish(73, event ? "billing.invoice.paid" : "webhook.invoice.paid");
    DispatcherConfig c = config(RunMode::Drain);
    c.router = Router::builtIn(m_layout.kind);
    c.settings.batchSize = batch;
    c.settings.concurrency = concurrency;
    Progress progress;
    const auto failure = run(c, &progress);
    QVERIFY2(!failure, failure ? qPrintable(failure->text()) : "");
    QCOMPARE(progress.claimed, 223);
    QCOMPARE(progress.handedOver, 223);
    QCOMPARE(progress.inFlight, 0);
    QCOMPARE(progress.state, DispatcherState::Stopped);
    QCOMPARE(rowsIn(Phase::HandedOver), 223);
    QCOMPARE(waitingJobs(), 223);
    const QByteArray id = query("SELECT id::text FROM public.\"Outbox\" LIMIT 1").bytes(0, 0).toByteArray();
    const QByteArray queue = *c.router.queueFor(outbox::Reader(*m_connection, m_layout).detail(id)->row.eventType);
    const QByteArray data = ask({"HGET", "bull:" + queue + ":outbox:" + id, "data"}).text;
    QVERIFY2(data.startsWith("{\"outboxEventId\":\"" + id + "\",\"tenantId\":\"t1\",\"eventType\":\""),
             data.constData());
}

void TestDispatcher::drainsNothingTwice()
{
    publish(10);
    QVERIFY(!run(config(RunMode::Drain)));
    Progress progress;
    QVERIFY(!run(config(RunMode::Drain), &progress));
    QCOMPARE(progress.claimed, 0);
    QCOMPARE(progress.handedOver, 0);
}

void TestDispatcher::keepsOrderWithinAQueue()
{
    std::vector<NewEvent> events;
    for (int i = 0; i < 500; ++i) {
        NewEvent event;
        event.eventType = i % 2 ? "mail.a.sent" : "audit.b.done";
        event.tenantId = "t1";
        event.payload = QByteArray::number(i);
        events.push_back(event);
    }
    publish(events);
    query("UPDATE public.\"Outbox\" SET \"scheduledAt\" = timestamp '2026-01-01' + (payload::text)::int * interval '1 "
          "second'");
    QVERIFY(!run(config(RunMode::Drain)));
    int last = -1;
    for (int i = 1; i <= 250; ++i) {
        const QByteArray id = ask({"LINDEX", "bull:outbox.mail:wait", QByteArray::number(-i)}).text;
        const QByteArray data = ask({"HGET", "bull:outbox.mail:" + id, "data"}).text;
        const int n = data.mid(data.lastIndexOf(':') + 1).chopped(1).toInt();
        QVERIFY2(n > last, data.constData());
        last = n;
    }
}

void TestDispatcher::buriesWhatHasNoRoute()
{
    publish(3, "crm.contact.synced");
    publish(2);
    Progress progress;
    QVERIFY(!run(config(RunMode::Drain), &progress));
    QCOMPARE(progress.handedOver, 2);
    QCOMPARE(progress.dead, 3);
    QCOMPARE(
        query("SELECT count(*) FROM public.\"Outbox\" WHERE status = 'FAILED' AND retries = 0 AND \"lastError\" LIKE "
              "'%crm.contact.synced%'")
            .integer(0, 0),
        3);
}

void TestDispatcher::buriesPoisonAlone()
{
    makeTable(2); // a text column may hold anything
    publish(5);
    query("UPDATE public.\"Outbox\" SET payload = '{broken' WHERE id = 3");
    Progress progress;
    QVERIFY(!run(config(RunMode::Drain), &progress));
    QCOMPARE(progress.handedOver, 4);
    QCOMPARE(progress.dead, 1);
    QCOMPARE(waitingJobs(), 4);
}

void TestDispatcher::countsJobsThatWereThere()
{
    publish(20);
    QVERIFY(!run(config(RunMode::Drain)));
    query("UPDATE public.\"Outbox\" SET status = 'PENDING' WHERE id IN (SELECT id FROM public.\"Outbox\" LIMIT 5)");
    Progress progress;
    QVERIFY(!run(config(RunMode::Drain), &progress));
    QCOMPARE(progress.handedOver, 5);
    QCOMPARE(progress.duplicates, 5);
    QCOMPARE(waitingJobs(), 20);
}

void TestDispatcher::twoDrainsShareTheWork()
{
    publish(2000);
    Dispatcher first;
    Dispatcher second;
    QSignalSpy firstDone(&first, &Dispatcher::finished);
    QSignalSpy secondDone(&second, &Dispatcher::finished);
    first.start(config(RunMode::Drain));
    second.start(config(RunMode::Drain));
    QTRY_COMPARE_WITH_TIMEOUT(firstDone.size() + secondDone.size(), 2, 30'000);
    QCOMPARE(first.progress().handedOver + second.progress().handedOver, 2000);
    QCOMPARE(first.progress().duplicates + second.progress().duplicates, 0);
    QCOMPARE(waitingJobs(), 2000);
}

void TestDispatcher::recoversRowsOfADeadDispatcher()
{
    publish(10);
    query("UPDATE public.\"Outbox\" SET status = 'PROCESSING', \"lockedUntil\" = now() AT TIME ZONE 'UTC' - interval "
          "'1 second'");
    Progress progress;
    QVERIFY(!run(config(RunMode::Drain), &progress));
    QCOMPARE(progress.handedOver, 10);
    // A lease that still runs is not waited for.
    publish(1);
    query("UPDATE public.\"Outbox\" SET status = 'PROCESSING', \"lockedUntil\" = now() AT TIME ZONE 'UTC' + interval "
          "'1 minute' "
          "WHERE status = 'PENDING'");
    QVERIFY(!run(config(RunMode::Drain), &progress));
    QCOMPARE(progress.claimed, 0);
}

void TestDispatcher::runsUntilStopped()
{
    Dispatcher dispatcher;
    QSignalSpy finished(&dispatcher, &Dispatcher::finished);
    dispatcher.start(config(RunMode::Continuous));
    QTRY_COMPARE(dispatcher.progress().state, DispatcherState::Running);
    for (int round = 1; round <= 3; ++round) {
        publish(25);
        QTRY_COMPARE(waitingJobs(), 25 * round);
    }
    dispatcher.stop();
    QVERIFY(finished.wait(5000));
    QVERIFY(!finished[0][0].value<std::optional<Error>>());
    QCOMPARE(dispatcher.progress().handedOver, 75);
    publish(1);
    QCOMPARE(rowsIn(Phase::Waiting), 1);
    // And again, with the same object.
    dispatcher.start(config(RunMode::Continuous));
    QTRY_COMPARE(waitingJobs(), 76);
    dispatcher.stop();
    QVERIFY(finished.wait(5000));
}

void TestDispatcher::stopReleasesWhatIsNotSent()
{
    publish(5000, "mail.welcome.sent", '"' + QByteArray(2000, 'x') + '"');
    DispatcherConfig c = config(RunMode::Continuous);
    c.settings.batchSize = 1000;
    c.settings.concurrency = 1;
    Dispatcher dispatcher;
    QSignalSpy finished(&dispatcher, &Dispatcher::finished);
    dispatcher.start(c);
    QTRY_VERIFY_WITH_TIMEOUT(dispatcher.progress().claimed > 0 && waitingJobs() > 0, 10'000);
    dispatcher.stop();
    QVERIFY(finished.wait(10'000));
    QCOMPARE(rowsIn(Phase::InFlight), 0);
    QCOMPARE(rowsIn(Phase::HandedOver), waitingJobs());
    QCOMPARE(dispatcher.progress().handedOver, waitingJobs());
    Progress progress;
    QVERIFY(!run(config(RunMode::Drain), &progress));
    QCOMPARE(progress.duplicates, 0);
    QCOMPARE(waitingJobs(), 5000);
}

void TestDispatcher::wakesUpByNotification()
{
    DispatcherConfig c = config(RunMode::Continuous);
    c.settings.interval = std::chrono::minutes(10);
    Dispatcher dispatcher;
    dispatcher.start(c);
    QTRY_COMPARE(dispatcher.progress().state, DispatcherState::Running);
    // The listener has to be there before the hint is sent.
    QTRY_COMPARE(query("SELECT count(*) FROM pg_stat_activity WHERE query = 'LISTEN outbox_wakeup'").integer(0, 0), 1);
    publish(1);
    query("NOTIFY outbox_wakeup");
    QTRY_COMPARE(waitingJobs(), 1);
}

void TestDispatcher::survivesARedisRestart()
{
    Dispatcher dispatcher;
    QSignalSpy finished(&dispatcher, &Dispatcher::finished);
    dispatcher.start(config(RunMode::Continuous));
    QTRY_COMPARE(dispatcher.progress().state, DispatcherState::Running);
    m_servers->redis().stop();
    publish(10);
    QTRY_COMPARE_WITH_TIMEOUT(dispatcher.progress().state, DispatcherState::Recovering, 10'000);
    QVERIFY(!dispatcher.progress().trouble.isEmpty());
    VERIFY_WORKED(m_servers->restartRedis());
    QTRY_COMPARE_WITH_TIMEOUT(rowsIn(Phase::HandedOver), 10, 10'000);
    QCOMPARE(waitingJobs(), 10);
    QCOMPARE(query("SELECT max(retries) FROM public.\"Outbox\"").integer(0, 0), 0);
    QTRY_COMPARE(dispatcher.progress().state, DispatcherState::Running);
    QVERIFY(dispatcher.progress().trouble.isEmpty());
    QCOMPARE(finished.size(), 0);
}

void TestDispatcher::stopsWithoutRedis()
{
    publish(3000, "mail.welcome.sent", '"' + QByteArray(2000, 'x') + '"');
    DispatcherConfig c = config(RunMode::Continuous);
    c.settings.concurrency = 1;
    c.settings.batchSize = 1000;
    Dispatcher dispatcher;
    QSignalSpy finished(&dispatcher, &Dispatcher::finished);
    dispatcher.start(c);
    QTRY_VERIFY_WITH_TIMEOUT(waitingJobs() > 0, 10'000);
    m_servers->redis().stop();
    // What could not be handed over goes back at once: another dispatcher may have its Redis.
    QTRY_VERIFY_WITH_TIMEOUT(dispatcher.progress().state == DispatcherState::Recovering && rowsIn(Phase::InFlight) == 0,
                             10'000);
    dispatcher.stop();
    QVERIFY(finished.wait(5000));
    QCOMPARE(rowsIn(Phase::Waiting) + rowsIn(Phase::HandedOver), 3000);
    VERIFY_WORKED(m_servers->restartRedis());
}

void TestDispatcher::survivesAPostgresRestart()
{
    publish(10);
    Dispatcher dispatcher;
    QSignalSpy finished(&dispatcher, &Dispatcher::finished);
    dispatcher.start(config(RunMode::Continuous));
    QTRY_COMPARE(waitingJobs(), 10);
    m_connection.reset();
    m_servers->postgres().stop();
    QTRY_COMPARE_WITH_TIMEOUT(dispatcher.progress().state, DispatcherState::Recovering, 10'000);
    VERIFY_WORKED(m_servers->restartPostgres());
    sql::ConnectOptions options;
    options.url = *sql::DatabaseUrl::parse(m_servers->databaseUrl());
    options.access = sql::Access::ReadWrite;
    m_connection = std::move(*sql::Connection::open(options));
    publish(10);
    QTRY_COMPARE_WITH_TIMEOUT(waitingJobs(), 20, 10'000);
    QCOMPARE(finished.size(), 0);
}

void TestDispatcher::chargesNothingForAFullRedis()
{
    publish(10);
    Dispatcher dispatcher;
    dispatcher.start(config(RunMode::Continuous));
    QTRY_COMPARE(waitingJobs(), 10);
    ask({"CONFIG", "SET", "maxmemory", "1"});
    publish(10);
    QTRY_COMPARE_WITH_TIMEOUT(dispatcher.progress().state, DispatcherState::Recovering, 10'000);
    QVERIFY(dispatcher.progress().trouble.contains(u"OOM"_s));
    ask({"CONFIG", "SET", "maxmemory", "0"});
    QTRY_COMPARE_WITH_TIMEOUT(rowsIn(Phase::HandedOver), 20, 10'000);
    QCOMPARE(query("SELECT max(retries) FROM public.\"Outbox\"").integer(0, 0), 0);
}

void TestDispatcher::retriesAQueueWithABrokenKey()
{
    ask({"SET", "bull:outbox.mail:wait", "no list"});
    publish(3);
    publish(2, "audit.user.login");
    Progress progress;
    QVERIFY(!run(config(RunMode::Drain), &progress));
    QCOMPARE(progress.handedOver, 2);
    QCOMPARE(progress.retried, 3);
    QCOMPARE(query("SELECT count(*) FROM public.\"Outbox\" WHERE retries = 1 AND \"lastError\" LIKE '%WRONGTYPE%'")
                 .integer(0, 0),
             3);
}

void TestDispatcher::refusesToStart_data()
{
    QTest::addColumn<QString>("fault");
    QTest::addColumn<ErrorCode>("code");
    QTest::newRow("no Redis") << u"redis"_s << ErrorCode::CannotConnect;
    QTest::newRow("no PostgreSQL") << u"postgres"_s << ErrorCode::CannotConnect;
    QTest::newRow("Redis may evict") << u"evict"_s << ErrorCode::Refused;
    QTest::newRow("bad template") << u"template"_s << ErrorCode::BadInput;
    QTest::newRow("table is gone") << u"table"_s << ErrorCode::NotFound;
}

void TestDispatcher::refusesToStart()
{
    QFETCH(QString, fault);
    QFETCH(ErrorCode, code);
    publish(3);
    // Without PostgreSQL only a drain ends: a service that came up a moment too early waits.
    DispatcherConfig c = config(fault == u"postgres" ? RunMode::Drain : RunMode::Continuous);
    if (fault == u"redis")
        c.redis = *redis::Endpoint::parse(u"redis://127.0.0.1:1"_s);
    else if (fault == u"postgres")
        c.database = *sql::DatabaseUrl::parse(u"postgresql://nobody@127.0.0.1:1/none"_s);
    else if (fault == u"template")
        c.jobIdTemplate = "outbox";
    else if (fault == u"table")
        query("ALTER TABLE public.\"Outbox\" RENAME TO gone");
    else
        ask({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
    const auto failure = run(c);
    ask({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
    QVERIFY(failure.has_value());
    QCOMPARE(failure->code, code);
    if (fault == u"table") {
        query("DROP TABLE public.gone");
        return;
    }
    QCOMPARE(rowsIn(Phase::Waiting), 3);
}

void TestDispatcher::routesByLongestPrefix()
{
    const Router router({{"mail.", "short"}, {"mail.digest.", "long"}});
    QCOMPARE(*router.queueFor("mail.welcome.sent"), "short");
    QCOMPARE(*router.queueFor("mail.digest.sent"), "long");
    QVERIFY(!router.queueFor("mailing.list.grew"));
    QVERIFY(!router.queueFor(""));
    QCOMPARE(*Router::builtIn(outbox::LayoutKind::Event).queueFor("plugin.capability-use.recorded"),
             "outbox.plugin-capability-use");
}

void TestDispatcher::readsRoutesFiles_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("said");
    QTest::newRow("good") << QByteArray(R"({"routes":[{"prefix":"a.b.","queue":"q"}]})") << QString();
    QTest::newRow("no JSON") << QByteArray("{") << u"not JSON"_s;
    QTest::newRow("empty") << QByteArray("{}") << u"no routes"_s;
    QTest::newRow("no dot") << QByteArray(R"({"routes":[{"prefix":"a","queue":"q"}]})") << u"\"a\""_s;
    QTest::newRow("no queue") << QByteArray(R"({"routes":[{"prefix":"a."}]})") << u"no queue"_s;
}

void TestDispatcher::readsRoutesFiles()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, said);
    QTemporaryDir folder;
    QFile file(folder.filePath(u"routes.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    const auto router = Router::fromFile(file.fileName());
    QCOMPARE(router.has_value(), said.isEmpty());
    if (!router)
        QVERIFY2(router.error().message.contains(said), qPrintable(router.error().message));
    QCOMPARE(Router::fromFile(folder.filePath(u"none"_s)).error().code, ErrorCode::NotFound);
}

QTEST_GUILESS_MAIN(TestDispatcher)
#include "tst_dispatcher.moc"
