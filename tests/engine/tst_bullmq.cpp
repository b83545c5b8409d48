// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/bullmq/enqueuer.h>
#include <engine/bullmq/inspector.h>
#include <engine/bullmq/serverpolicy.h>

#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QTest>

using namespace engine::bullmq;
using namespace Qt::StringLiterals;
using engine::ErrorCode;
using engine::Result;
using engine::redis::Client;
using engine::redis::Command;
using engine::redis::Endpoint;
using engine::redis::Reply;

namespace {

NewJob job(const QByteArray &id, const QByteArray &data = R"({"n":1})")
{
    return {id, "mail.a.sent", data};
}

} // namespace

// The enqueue script and the inspector against a real Redis. That real workers read what the script writes is the
// business of tests/interop.
class TestBullmq final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void addsAJob();
    void keepsOrderAndCounts();
    void ignoresAnIdThatExists();
    void reportsAKeyThatIsNoJob();
    void writesNothingWhenAKeyHasTheWrongType();
    void putsJobsOfAPausedQueueWhereItsVersionLooks_data();
    void putsJobsOfAPausedQueueWhereItsVersionLooks();
    void wakesWorkers_data();
    void wakesWorkers();
    void survivesAFlushedScriptCache();
    void checksJobIds_data();
    void checksJobIds();

    void countsEveryState();
    void leavesMarkersOut();
    void findsQueuesWithOddNames();
    void oneBrokenQueueHidesNoOther();
    void tellsStalledJobs();
    void countsWorkersByTheirNames();
    void judgesEviction_data();
    void judgesEviction();

private:
    Reply ask(const Command &command);
    std::vector<AddResult> add(const QByteArray &queue, const std::vector<NewJob> &jobs);
    Result<std::vector<AddResult>> tryAdd(const QByteArray &queue, const std::vector<NewJob> &jobs);
    QueueState state(const QByteArray &queue);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<Client> m_client;
};

void TestBullmq::initTestCase()
{
    auto servers = test::PrivateServers::start(
        {.tcp = false, .postgres = {}, .redis = {}, .withPostgres = false, .withRedis = true});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    m_client = std::make_unique<Client>(*Endpoint::parse(m_servers->redisUrl()));
}

void TestBullmq::init()
{
    ask({"FLUSHALL"});
}

Reply TestBullmq::ask(const Command &command)
{
    auto reply = m_client->exchange(command, std::chrono::seconds(5));
    if (!reply)
        qFatal("%s", test::why(reply).constData());
    return *reply;
}

Result<std::vector<AddResult>> TestBullmq::tryAdd(const QByteArray &queue, const std::vector<NewJob> &jobs)
{
    std::optional<Result<std::vector<AddResult>>> answer;
    Enqueuer enqueuer(*m_client, "bull");
    enqueuer.add(queue, jobs, [&](const Result<std::vector<AddResult>> &added) { answer = added; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }))
        qFatal("no answer");
    return *answer;
}

std::vector<AddResult> TestBullmq::add(const QByteArray &queue, const std::vector<NewJob> &jobs)
{
    auto added = tryAdd(queue, jobs);
    if (!added)
        qFatal("%s", test::why(added).constData());
    return *added;
}

QueueState TestBullmq::state(const QByteArray &queue)
{
    auto states = Inspector(*m_client, "bull").states({queue});
    if (!states)
        qFatal("%s", test::why(states).constData());
    return states->front();
}

void TestBullmq::addsAJob()
{
    const QByteArray data = R"({"n":9007199254740993,"d":0.2345678901234568,"text":"żółć"})";
    QCOMPARE(add("mail", {job("outbox:1", data)}), (std::vector{AddResult::Added}));
    QCOMPARE(ask({"HGET", "bull:mail:outbox:1", "data"}).text, data);
    QCOMPARE(ask({"HGET", "bull:mail:outbox:1", "name"}).text, "mail.a.sent");
    QCOMPARE(ask({"HGET", "bull:mail:outbox:1", "opts"}).text,
             R"({"attempts":5,"backoff":{"type":"exponential","delay":1000}})");
    const qint64 now = ask({"TIME"}).items[0].text.toLongLong() * 1000;
    QVERIFY(std::abs(ask({"HGET", "bull:mail:outbox:1", "timestamp"}).text.toLongLong() - now) < 10'000);
    QCOMPARE(ask({"LRANGE", "bull:mail:wait", "0", "-1"}).items.size(), size_t(1));
    QCOMPARE(ask({"ZSCORE", "bull:mail:marker", "0"}).text, "0");
    QCOMPARE(ask({"HGET", "bull:mail:meta", "opts.maxLenEvents"}).text, "10000");
    QCOMPARE(ask({"GET", "bull:mail:id"}).text, "1");
    const Reply events = ask({"XRANGE", "bull:mail:events", "-", "+"});
    QCOMPARE(events.items.size(), size_t(2));
    QCOMPARE(events.items[0].items[1].items[1].text, "added");
    QCOMPARE(events.items[1].items[1].items[1].text, "waiting");
    QVERIFY(*Inspector(*m_client, "bull").hasJob("mail", "outbox:1"));
    QVERIFY(!*Inspector(*m_client, "bull").hasJob("mail", "outbox:2"));
}

void TestBullmq::keepsOrderAndCounts()
{
    std::vector<NewJob> jobs;
    for (size_t i = 0; i < Enqueuer::mostJobsPerCall; ++i)
        jobs.push_back(job("outbox:" + QByteArray::number(qulonglong(i))));
    add("mail", jobs);
    QCOMPARE(state("mail").waiting, qint64(jobs.size()));
    QCOMPARE(ask({"LINDEX", "bull:mail:wait", "-1"}).text, "outbox:0"); // runs first
    QCOMPARE(ask({"LINDEX", "bull:mail:wait", "0"}).text, jobs.back().id);
    QCOMPARE(ask({"GET", "bull:mail:id"}).text, QByteArray::number(qulonglong(jobs.size())));
}

void TestBullmq::ignoresAnIdThatExists()
{
    add("mail", {job("outbox:1", R"({"first":true})")});
    const auto results = add("mail", {job("outbox:2"), job("outbox:1", R"({"first":false})"), job("outbox:2")});
    QCOMPARE(results, (std::vector{AddResult::Added, AddResult::Duplicate, AddResult::Duplicate}));
    QCOMPARE(ask({"HGET", "bull:mail:outbox:1", "data"}).text, R"({"first":true})");
    QCOMPARE(state("mail").waiting, 2);
    // Also when it is finished: identity lasts as long as the job is kept.
    ask({"DEL", "bull:mail:wait"});
    ask({"ZADD", "bull:mail:completed", "1", "outbox:1"});
    QCOMPARE(add("mail", {job("outbox:1")}), (std::vector{AddResult::Duplicate}));
    QCOMPARE(state("mail").waiting, 0);
}

void TestBullmq::reportsAKeyThatIsNoJob()
{
    ask({"SET", "bull:mail:outbox:1", "something"});
    QCOMPARE(add("mail", {job("outbox:1"), job("outbox:2")}), (std::vector{AddResult::KeyTaken, AddResult::Added}));
    QCOMPARE(state("mail").waiting, 1);
}

void TestBullmq::writesNothingWhenAKeyHasTheWrongType()
{
    for (const char *suffix : {"meta", "id", "events", "wait", "paused", "marker", "active"}) {
        const QByteArray key = suffix;
        ask({"FLUSHALL"});
        ask({"GEOADD", "bull:mail:" + key, "1", "1", "x"}); // a sorted set
        if (key == "marker") {
            ask({"DEL", "bull:mail:marker"});
            ask({"SET", "bull:mail:marker", "x"});
        }
        const auto added = tryAdd("mail", {job("outbox:1")});
        QVERIFY2(!added, key.constData());
        QVERIFY2(added.error().message.contains(QString::fromUtf8(key)), qPrintable(added.error().message));
        QVERIFY(!added.error().retryable);
        QCOMPARE(ask({"DBSIZE"}).integer, 1);
    }
}

void TestBullmq::putsJobsOfAPausedQueueWhereItsVersionLooks_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<QByteArray>("existingList");
    QTest::addColumn<QByteArray>("expectedList");
    QTest::newRow("version 5") << QByteArray("bullmq:5.81.5") << QByteArray() << QByteArray("paused");
    QTest::newRow("version 3") << QByteArray("bullmq:3.16.2") << QByteArray() << QByteArray("paused");
    QTest::newRow("version 6") << QByteArray("bullmq:6.7.0") << QByteArray() << QByteArray("wait");
    QTest::newRow("unknown") << QByteArray() << QByteArray() << QByteArray("paused");
    QTest::newRow("6, but a paused list stands")
        << QByteArray("bullmq:6.7.0") << QByteArray("paused") << QByteArray("paused");
    QTest::newRow("5, but jobs stayed in wait")
        << QByteArray("bullmq:5.12.0") << QByteArray("wait") << QByteArray("wait");
}

void TestBullmq::putsJobsOfAPausedQueueWhereItsVersionLooks()
{
    QFETCH(QByteArray, version);
    QFETCH(QByteArray, existingList);
    QFETCH(QByteArray, expectedList);
    ask({"HSET", "bull:mail:meta", "paused", "1"});
    if (!version.isEmpty())
        ask({"HSET", "bull:mail:meta", "version", version});
    if (!existingList.isEmpty())
        ask({"LPUSH", "bull:mail:" + existingList, "older"});
    add("mail", {job("outbox:1")});
    QCOMPARE(ask({"LINDEX", "bull:mail:" + expectedList, "0"}).text, "outbox:1");
    QCOMPARE(ask({"EXISTS", "bull:mail:marker"}).integer, 0); // nobody is woken
    QVERIFY(state("mail").paused);
    QCOMPARE(state("mail").waiting, existingList.isEmpty() ? 1 : 2);
}

void TestBullmq::wakesWorkers_data()
{
    QTest::addColumn<QByteArray>("version");
    QTest::addColumn<bool>("wakesEach");
    QTest::newRow("unknown") << QByteArray() << true;
    QTest::newRow("5.12") << QByteArray("bullmq:5.12.15") << true;
    QTest::newRow("4, perhaps stale") << QByteArray("bullmq:4.18.3") << true;
    QTest::newRow("5.30") << QByteArray("bullmq:5.30.0") << false;
    QTest::newRow("6") << QByteArray("bullmq:6.7.0") << false;
}

void TestBullmq::wakesWorkers()
{
    QFETCH(QByteArray, version);
    QFETCH(bool, wakesEach);
    if (!version.isEmpty())
        ask({"HSET", "bull:mail:meta", "version", version});
    ask({"CONFIG", "RESETSTAT"});
    add("mail", {job("outbox:1"), job("outbox:2"), job("outbox:3")});
    const QByteArray stats = ask({"INFO", "commandstats"}).text;
    const qsizetype at = stats.indexOf("cmdstat_zadd:calls=");
    QVERIFY(at >= 0);
    QCOMPARE(stats.mid(at + 19, 1), wakesEach ? QByteArray("3") : QByteArray("1"));
}

void TestBullmq::survivesAFlushedScriptCache()
{
    add("mail", {job("outbox:1")});
    ask({"SCRIPT", "FLUSH"});
    QCOMPARE(add("mail", {job("outbox:2")}), (std::vector{AddResult::Added}));
}

void TestBullmq::checksJobIds_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<bool>("legal");
    QTest::newRow("usual") << QByteArray("outbox:0b0c") << true;
    QTest::newRow("dashes") << QByteArray("outbox-1") << true;
    QTest::newRow("empty") << QByteArray() << false;
    QTest::newRow("number") << QByteArray("17") << false;
    QTest::newRow("marker") << QByteArray("0:12") << false;
    QTest::newRow("own key") << QByteArray("meta") << false;
    QTest::newRow("another job's lock") << QByteArray("outbox:1:lock") << false;
}

void TestBullmq::checksJobIds()
{
    QFETCH(QByteArray, id);
    QFETCH(bool, legal);
    QCOMPARE(checkJobId(id).has_value(), legal);
}

void TestBullmq::countsEveryState()
{
    ask({"HSET", "bull:q:meta", "version", "bullmq:5.81.5"});
    ask({"LPUSH", "bull:q:wait", "a", "b"});
    ask({"ZADD", "bull:q:delayed", "1", "c"});
    ask({"ZADD", "bull:q:prioritized", "1", "d", "2", "e"});
    ask({"ZADD", "bull:q:failed", "1", "f"});
    ask({"ZADD", "bull:q:completed", "1", "g", "2", "h", "3", "i"});
    ask({"ZADD", "bull:q:waiting-children", "1", "j"});
    const qint64 now = ask({"TIME"}).items[0].text.toLongLong() * 1000;
    ask({"HSET", "bull:q:a", "timestamp", QByteArray::number(now - 90'000)});
    const QueueState q = state("q");
    QCOMPARE(q.waiting, 2);
    QCOMPARE(q.delayed, 1);
    QCOMPARE(q.prioritized, 2);
    QCOMPARE(q.failed, 1);
    QCOMPARE(q.completed, 3);
    QCOMPARE(q.waitingChildren, 1);
    QCOMPARE(q.version, "5.81.5");
    QVERIFY(q.oldestWaitingMs && std::abs(*q.oldestWaitingMs - 90'000) < 5'000);
    QCOMPARE(q.workers, std::optional<int>(0));
}

void TestBullmq::leavesMarkersOut()
{
    ask({"LPUSH", "bull:q:wait", "0:0", "a"});
    QCOMPARE(state("q").waiting, 1);
    ask({"DEL", "bull:q:wait"});
    ask({"LPUSH", "bull:q:wait", "0:1700000000000"});
    QCOMPARE(state("q").waiting, 0);
    QVERIFY(!state("q").oldestWaitingMs);
    QCOMPARE(ask({"LLEN", "bull:q:wait"}).integer, 1); // read, not popped
}

void TestBullmq::findsQueuesWithOddNames()
{
    const QList<QByteArray> names{"a:b", "c/d", "e#f?", "g h", "😀", QByteArray(200, 'x'), "[z]*"};
    for (const QByteArray &name : names)
        add(name, {job("outbox:1")});
    ask({"SET", "bull:worker-only:stalled-check", "1"});
    // Look like queues and are none: a job whose id ends in :meta, another prefix.
    ask({"HSET", "bull:a:x:meta", "name", "n", "data", "{}"});
    ask({"HSET", "bulls:other:meta", "version", "bullmq:5.0.0"});
    auto found = Inspector(*m_client, "bull").discover();
    VERIFY_WORKED(found);
    QList<QByteArray> expected = names;
    expected << "worker-only";
    std::ranges::sort(expected);
    QCOMPARE(QList<QByteArray>(found->begin(), found->end()), expected);
    const auto queues = Inspector(*m_client, "bull").queues();
    VERIFY_WORKED(queues);
    for (const QueueState &q : *queues)
        QVERIFY2(q.problem.isEmpty(), qPrintable(q.problem));
}

void TestBullmq::oneBrokenQueueHidesNoOther()
{
    add("good", {job("outbox:1")});
    add("bad", {job("outbox:1")});
    ask({"DEL", "bull:bad:wait"});
    ask({"SET", "bull:bad:wait", "no list"});
    auto queues = Inspector(*m_client, "bull").queues();
    VERIFY_WORKED(queues);
    QCOMPARE(queues->size(), size_t(2));
    QVERIFY(queues->at(0).problem.contains(u"WRONGTYPE"_s));
    QCOMPARE(queues->at(1).waiting, 1);
}

void TestBullmq::tellsStalledJobs()
{
    ask({"LPUSH", "bull:q:active", "a", "b", "c"});
    ask({"SET", "bull:q:b:lock", "token"});
    const QueueState q = state("q");
    QCOMPARE(q.active, 3);
    QCOMPARE(q.stalled, 2);
}

void TestBullmq::countsWorkersByTheirNames()
{
    Client worker(*Endpoint::parse(m_servers->redisUrl()));
    Client events(*Endpoint::parse(m_servers->redisUrl()));
    const QByteArray name = "bull:" + QByteArray("q").toBase64();
    VERIFY_WORKED(worker.exchange(Command{"CLIENT", "SETNAME", name + ":w:first"}, std::chrono::seconds(5)));
    VERIFY_WORKED(events.exchange(Command{"CLIENT", "SETNAME", name + ":qe"}, std::chrono::seconds(5)));
    QCOMPARE(state("q").workers, std::optional<int>(1));
}

void TestBullmq::judgesEviction_data()
{
    QTest::addColumn<QByteArray>("policy");
    QTest::addColumn<bool>("safe");
    QTest::newRow("noeviction") << QByteArray("noeviction") << true;
    QTest::newRow("allkeys-lru") << QByteArray("allkeys-lru") << false;
    QTest::newRow("volatile-ttl") << QByteArray("volatile-ttl") << false;
}

void TestBullmq::judgesEviction()
{
    QFETCH(QByteArray, policy);
    QFETCH(bool, safe);
    ask({"CONFIG", "SET", "maxmemory-policy", policy});
    std::optional<Result<void>> judged;
    checkEvictionPolicy(*m_client, [&](const Result<void> &result) { judged = result; });
    QTRY_VERIFY(judged.has_value());
    ask({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
    QCOMPARE(judged->has_value(), safe);
    if (!safe) {
        QCOMPARE(judged->error().code, ErrorCode::Refused);
        QVERIFY(judged->error().message.contains(QString::fromUtf8(policy)));
    }
}

QTEST_GUILESS_MAIN(TestBullmq)
#include "tst_bullmq.moc"
