// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The commands `queues` and `jobs`, run as a person or a script runs them, on what real BullMQ left behind.

#include <engine/transport/redis/client.h>

#include <tests/support/programs.h>
#include <tests/support/queuefixtures.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;
using engine::redis::Command;

class TestJobsCommand final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void queuesSayWhatIsWrong();
    void queuesLineUp();
    void workersAndGroups();
    void jobsAreListed();
    void jobsArePaged();
    void jobsAreFoundAndTheSearchGoesOn();
    void oneJobInFull();
    void dataStaysAsItIsStored();
    void wrongUseIsRefused_data();
    void wrongUseIsRefused();
    void serverAwayIsSaid();

private:
    [[nodiscard]] test::Outcome run(const QStringList &arguments) const
    {
        return test::console(arguments + QStringList{u"--redis"_s, m_servers->redisUrl()});
    }

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<engine::redis::Client> m_client;
};

void TestJobsCommand::initTestCase()
{
    auto servers = test::PrivateServers::start(
        {.tcp = false, .postgres = {}, .redis = {}, .withPostgres = false, .withRedis = true});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    m_client = std::make_unique<engine::redis::Client>(*engine::redis::Endpoint::parse(m_servers->redisUrl()));
    VERIFY_WORKED(test::restoreQueues(*m_client, u"bullmq5-5.81.5"_s));
    const std::vector<Command> more{
        {"HSET", "bull:broken/one:meta", "version", "bullmq:5.81.5"},
        {"SET", "bull:broken/one:wait", "no list"},
        {"HSET", "bull:" + QByteArray(200, 'n') + ":meta", "version", "bullmq:5.81.5"},
        {"HSET", "bull:fx-failed:exact", "name", "n", "data",
         R"({"n":9007199254740993, "d":0.2345678901234568,"x":1e400,"a":1,"a":2,"":"żółć"})", "timestamp", "1"},
        {"ZADD", "bull:fx-failed:failed", "1", "exact", "2", "vanished"}};
    VERIFY_WORKED(m_client->exchange(more, std::chrono::seconds(5)));
}

void TestJobsCommand::queuesSayWhatIsWrong()
{
    const auto outcome = run({u"queues"_s, u"--json"_s});
    VERIFY_EXIT(outcome, 0);
    QHash<QString, QJsonObject> queues;
    for (const QJsonValue &queue : outcome.json().array())
        queues.insert(queue["name"_L1].toString(), queue.toObject());
    QCOMPARE(queues.size(), 18);
    const QJsonObject paused = queues.value(u"fx-paused"_s);
    for (const auto key : {"waiting"_L1, "active"_L1, "delayed"_L1, "prioritized"_L1, "failed"_L1, "completed"_L1,
                           "waitingChildren"_L1, "stalled"_L1, "schedulers"_L1, "workers"_L1, "oldestWaitingMs"_L1})
        QVERIFY2(paused[key].isDouble(), key.data());
    QCOMPARE(paused["waiting"_L1].toInt(), 2);
    QCOMPARE(paused["paused"_L1].toBool(), true);
    QCOMPARE(paused["trouble"_L1].toArray(), (QJsonArray{u"no-worker"_s, u"paused"_s}));
    QCOMPARE(queues.value(u"fx-stalled-marked"_s)["trouble"_L1].toArray(), QJsonArray{u"stalled"_s});
    QCOMPARE(queues.value(u"fx-sched"_s)["schedulers"_L1].toInt(), 2);
    const QJsonObject broken = queues.value(u"broken/one"_s);
    QVERIFY(broken["problem"_L1].toString().contains(u"bull:broken/one:wait"_s));
    QVERIFY(!broken.contains("waiting"_L1)); // unknown is never 0
}

void TestJobsCommand::queuesLineUp()
{
    const auto outcome = run({u"queues"_s});
    VERIFY_EXIT(outcome, 0);
    const QStringList lines = QString::fromUtf8(outcome.output).split(u'\n', Qt::SkipEmptyParts);
    QCOMPARE(lines.size(), 19);
    const qsizetype waiting = lines.first().indexOf(u"waiting"_s) + 7;
    for (const QString &line : lines.mid(1)) {
        QVERIFY2(line[waiting - 1].isDigit() || line[waiting - 1] == u'?', qPrintable(line)); // its last figure
        QCOMPARE(line[waiting], u' ');
    }
}

void TestJobsCommand::workersAndGroups()
{
    engine::redis::Client worker(*engine::redis::Endpoint::parse(m_servers->redisUrl()));
    VERIFY_WORKED(worker.exchange(Command{"CLIENT", "SETNAME", "bull:" + QByteArray("fx-wait").toBase64() + ":w:first"},
                                  std::chrono::seconds(5)));
    const auto outcome = run({u"queues"_s, u"--workers"_s, u"--json"_s});
    VERIFY_EXIT(outcome, 0);
    const QJsonObject document = outcome.object();
    QCOMPARE(document["workers"_L1].toArray().size(), 1);
    QCOMPARE(document["workers"_L1][0]["name"_L1].toString(), u"first"_s);
    QCOMPARE(document["groups"_L1].toArray().size(), 2);
    QCOMPARE(document["groups"_L1][0]["name"_L1].toString(), u"general"_s);
    QVERIFY(document["groups"_L1][0]["queuesWithoutWorkers"_L1].toArray().contains(u"fx-prio"_s));
    QVERIFY(!document["groups"_L1][0]["queuesWithoutWorkers"_L1].toArray().contains(u"fx-wait"_s));
    VERIFY_EXIT(run({u"queues"_s, u"--workers"_s}), 0);
}

void TestJobsCommand::jobsAreListed()
{
    const auto outcome = run({u"jobs"_s, u"fx-failed"_s, u"--state"_s, u"failed"_s, u"--limit"_s, u"3"_s, u"--json"_s});
    VERIFY_EXIT(outcome, 0);
    const QJsonArray jobs = outcome.json().array();
    QCOMPARE(jobs.size(), 3);
    const QJsonObject newest = jobs.first().toObject();
    QCOMPARE(newest["id"_L1].toString(), u"fail-3x"_s);
    QCOMPARE(newest["name"_L1].toString(), u"boom"_s);
    QCOMPARE(newest["state"_L1].toString(), u"failed"_s);
    QCOMPARE(newest["attemptsMade"_L1].toInt(), 3);
    QCOMPARE(newest["failedReason"_L1].toString(), u"boom attempt 2"_s);
    QCOMPARE(newest["data"_L1]["f"_L1].toInt(), 1);
}

void TestJobsCommand::jobsArePaged()
{
    const auto idsOf = [this](const QStringList &more) {
        QStringList ids;
        const auto outcome = run(QStringList{u"jobs"_s, u"fx-wait"_s, u"--state"_s, u"waiting"_s, u"--json"_s} + more);
        for (const QJsonValue &job : outcome.json().array())
            ids << job["id"_L1].toString();
        return ids;
    };
    const QStringList oldest = idsOf({u"--oldest"_s});
    QCOMPARE(oldest.size(), 5);
    QCOMPARE(oldest.first(), u"outbox-lifo"_s); // runs next
    QStringList newest = idsOf({});
    std::reverse(newest.begin(), newest.end());
    QCOMPARE(newest, oldest);
    QCOMPARE(idsOf({u"--oldest"_s, u"--offset"_s, u"2"_s, u"--limit"_s, u"2"_s}), oldest.mid(2, 2));
    QCOMPARE(idsOf({u"--offset"_s, u"99"_s}), QStringList());
    const auto gone = run({u"jobs"_s, u"fx-failed"_s, u"--oldest"_s, u"--json"_s, u"--limit"_s, u"2"_s});
    QVERIFY2(gone.output.contains("\"gone\":true"), gone.output.constData());
}

void TestJobsCommand::jobsAreFoundAndTheSearchGoesOn()
{
    const auto found = run({u"jobs"_s, u"fx-wait"_s, u"--state"_s, u"all"_s, u"--search"_s, u"ŻÓŁW"_s, u"--json"_s});
    VERIFY_EXIT(found, 0);
    QCOMPARE(found.json().array().size(), 1);
    QCOMPARE(found.json().array().first()["id"_L1].toString(), u"outbox-0001"_s);
    QVERIFY2(found.errors.contains("Looked at 5 jobs"), found.errors.constData());

    std::vector<Command> many;
    for (int i = 0; i < 1000; ++i) {
        const QByteArray id = "job-" + QByteArray::number(i);
        many.push_back({"HSET", "bull:many:" + id, "name", "n", "data", i % 500 == 400 ? R"({"a":"needle"})" : "{}"});
        many.push_back({"ZADD", "bull:many:failed", QByteArray::number(i), id});
    }
    VERIFY_WORKED(m_client->exchange(many, std::chrono::seconds(20)));
    const QStringList search{u"jobs"_s,     u"many"_s,   u"--state"_s,  u"failed"_s,
                             u"--search"_s, u"needle"_s, u"--oldest"_s, u"--json"_s};
    const auto first = run(search + QStringList{u"--scan"_s, u"1"_s, u"--limit"_s, u"1"_s});
    VERIFY_EXIT(first, 0);
    const qsizetype at = first.errors.indexOf("--offset ");
    if (at >= 0) { // a fast machine may be through before it looks at the clock
        const auto rest =
            run(search + QStringList{u"--offset"_s, QString::fromUtf8(first.errors.mid(at + 9).trimmed())});
        VERIFY_EXIT(rest, 0);
        QCOMPARE(first.json().array().size() + rest.json().array().size(), 2);
    } else {
        QCOMPARE(first.json().array().size(), 2);
    }
    VERIFY_WORKED(m_client->exchange(Command{"DEL", "bull:many:failed"}, std::chrono::seconds(5)));
}

void TestJobsCommand::oneJobInFull()
{
    const auto outcome = run({u"jobs"_s, u"fx-failed"_s, u"--id"_s, u"fail-3x"_s});
    VERIFY_EXIT(outcome, 0);
    const QJsonObject job = outcome.object();
    QCOMPARE(job["stacktrace"_L1].toArray().size(), 3);
    QVERIFY(job["stacktrace"_L1][0].toString().contains(u"boom attempt 2"_s)); // newest first
    QCOMPARE(job["times"_L1].toArray().size(), 3);
    QCOMPARE(job["times"_L1][0]["source"_L1].toString(), u"timestamp"_s);
    const auto parent = run({u"jobs"_s, u"fx-flow-parent"_s, u"--id"_s, u"par-wait"_s});
    QCOMPARE(parent.object()["state"_L1].toString(), u"waiting-children"_s);
    QVERIFY(parent.object()["children"_L1]["pendingCount"_L1].toInt() > 0);
    const auto gone = run({u"jobs"_s, u"fx-failed"_s, u"--id"_s, u"vanished"_s, u"--json"_s});
    VERIFY_EXIT(gone, 1);
    QCOMPARE(gone.object()["error"_L1]["code"_L1].toString(), u"not-found"_s);
}

void TestJobsCommand::dataStaysAsItIsStored()
{
    const QByteArray data = R"({"n":9007199254740993, "d":0.2345678901234568,"x":1e400,"a":1,"a":2,"":"żółć"})";
    for (const QStringList &arguments : {QStringList{u"jobs"_s, u"fx-failed"_s, u"--json"_s},
                                         QStringList{u"jobs"_s, u"fx-failed"_s, u"--id"_s, u"exact"_s}}) {
        const auto outcome = run(arguments);
        VERIFY_EXIT(outcome, 0);
        QVERIFY2(outcome.output.contains("\"data\":" + data), outcome.output.constData());
    }
}

void TestJobsCommand::wrongUseIsRefused_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("no queue") << QStringList{};
    QTest::newRow("two queues") << QStringList{u"a"_s, u"b"_s};
    QTest::newRow("no such state") << QStringList{u"a"_s, u"--state"_s, u"broken"_s};
    QTest::newRow("all states without a search") << QStringList{u"a"_s, u"--state"_s, u"all"_s};
    QTest::newRow("limit") << QStringList{u"a"_s, u"--limit"_s, u"0"_s};
    QTest::newRow("offset") << QStringList{u"a"_s, u"--offset"_s, u"-1"_s};
    QTest::newRow("search for nothing") << QStringList{u"a"_s, u"--search"_s, QString()};
}

void TestJobsCommand::wrongUseIsRefused()
{
    QFETCH(const QStringList, arguments);
    VERIFY_EXIT(run(QStringList{u"jobs"_s} + arguments), 2);
}

void TestJobsCommand::serverAwayIsSaid()
{
    const QString nowhere = u"redis+unix:///nowhere/redis.sock"_s;
    VERIFY_EXIT(test::console({u"jobs"_s, u"a"_s, u"--redis"_s, nowhere}), 4);
    VERIFY_EXIT(test::console({u"queues"_s, u"--redis"_s, nowhere}), 4);
}

QTEST_GUILESS_MAIN(TestJobsCommand)
#include "tst_jobscommand.moc"
