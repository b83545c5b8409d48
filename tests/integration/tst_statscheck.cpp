// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;

// `stats` and `stats --check` as cron calls them, on a real table and real queues.
class TestStatsCheck final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void tellsFigures();
    void holdsWhatTheRulesSay_data();
    void holdsWhatTheRulesSay();
    void takesRulesFromAFile();
    void looksAtExecutions();
    void saysWhatItCouldNotSee();

private:
    void insert(int count, const QByteArray &status, const QByteArray &type, int scheduledSecondsAgo,
                const QByteArray &more = "NULL");
    [[nodiscard]] QStringList servers() const
    {
        return {u"--database"_s, m_servers->databaseUrl(), u"--redis"_s, m_servers->redisUrl()};
    }
    [[nodiscard]] test::Outcome check(const QStringList &more = {}) const
    {
        return test::console(QStringList{u"stats"_s, u"--check"_s, u"--json"_s} + servers() + more,
                             {{u"XDG_CONFIG_HOME"_s, m_folder.path()}});
    }
    static QStringList idsOf(const test::Outcome &outcome)
    {
        QStringList ids;
        for (const QJsonValue alert : outcome.object()["alerts"_L1].toArray())
            ids << alert["id"_L1].toString();
        return ids;
    }

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    std::unique_ptr<redis::Client> m_redis;
    QTemporaryDir m_folder;
    int m_inserted = 0;
};

void TestStatsCheck::initTestCase()
{
    auto servers = test::PrivateServers::start();
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    m_redis = std::make_unique<redis::Client>(*redis::Endpoint::parse(m_servers->redisUrl()));
    VERIFY_WORKED(m_connection->executeScript(R"(CREATE TABLE "OutboxEvent" (id text PRIMARY KEY,
        "tenantId" text NOT NULL, "eventType" text NOT NULL, payload jsonb NOT NULL, "dispatchKey" text UNIQUE,
        status text NOT NULL DEFAULT 'PENDING', retries int NOT NULL DEFAULT 0, "scheduledAt" timestamp(3) NOT NULL,
        "lockedUntil" timestamp(3), "processedAt" timestamp(3), "lastError" text, "createdAt" timestamp(3) NOT NULL,
        "updatedAt" timestamp(3) NOT NULL); CREATE INDEX ON "OutboxEvent" (status, "scheduledAt"))"));
}

void TestStatsCheck::init()
{
    VERIFY_WORKED(m_connection->executeScript(R"(TRUNCATE "OutboxEvent")"));
    VERIFY_WORKED(m_redis->exchange(redis::Command{"FLUSHALL"}, std::chrono::seconds(5)));
}

void TestStatsCheck::insert(int count, const QByteArray &status, const QByteArray &type, int scheduledSecondsAgo,
                            const QByteArray &more)
{
    const QByteArray at =
        "now() AT TIME ZONE 'UTC' - interval '" + QByteArray::number(scheduledSecondsAgo) + " seconds'";
    const QByteArray from = QByteArray::number(m_inserted + 1);
    m_inserted += count;
    VERIFY_WORKED(m_connection->execute(
        R"(INSERT INTO "OutboxEvent" (id, "tenantId", "eventType", payload, status, "scheduledAt", "createdAt", "updatedAt", "processedAt") SELECT i::text, 't', ')"
        + type + "', '{}', '" + status + "', " + at + ", " + at + ", now() AT TIME ZONE 'UTC', " + more
        + " FROM generate_series(" + from + ", " + QByteArray::number(m_inserted) + ") AS i"));
}

void TestStatsCheck::tellsFigures()
{
    insert(3, "PENDING", "mail.sent", 30);
    insert(4, "DONE", "mail.sent", 20, "now() AT TIME ZONE 'UTC'");
    const auto stats = test::console(QStringList{u"stats"_s, u"--json"_s} + servers());
    VERIFY_EXIT(stats, 0);
    const QJsonObject object = stats.object();
    QCOMPARE(object["countKind"_L1].toString(), u"exact"_s);
    QCOMPARE(object["counts"_L1]["PENDING"_L1].toInt(), 3);
    QCOMPARE(object["due"_L1].toInt(), 3);
    QCOMPARE(object["handedOverPerMinute"_L1].toInt(), 4);
    QVERIFY(qAbs(object["latencyMs"_L1]["p95"_L1].toInt() - 20'000) < 1000);
    QCOMPARE(object["failureRate"_L1].toDouble(-1), 0.0);
    QCOMPARE(object["retries"_L1]["handedOver"_L1]["0"_L1].toInt(), 4);
    QVERIFY(object["nextRetryInMs"_L1].isNull());
    QVERIFY(!object.contains("alerts"_L1));
}

void TestStatsCheck::holdsWhatTheRulesSay_data()
{
    QTest::addColumn<QByteArray>("rows"); // status,type,count,seconds ago
    QTest::addColumn<QByteArray>("queue"); // as Redis commands, ';' between
    QTest::addColumn<QStringList>("ids");
    QTest::newRow("nothing") << QByteArray() << QByteArray() << QStringList();
    QTest::newRow("a thousand due") << QByteArray("PENDING,mail.sent,1000,600") << QByteArray() << QStringList();
    QTest::newRow("one more") << QByteArray("PENDING,mail.sent,1001,600") << QByteArray()
                              << QStringList{u"due-backlog"_s};
    QTest::newRow("not for long") << QByteArray("PENDING,mail.sent,1001,300") << QByteArray() << QStringList();
    QTest::newRow("dead") << QByteArray("FAILED,mail.sent,1,5") << QByteArray() << QStringList{u"dead-letters"_s};
    QTest::newRow("no route") << QByteArray("PENDING,crm.contact,1,5") << QByteArray()
                              << QStringList{u"unrouted-types"_s};
    const QByteArray meta = "HSET bull:outbox.mail:meta opts.maxLenEvents 10000";
    QTest::newRow("no worker") << QByteArray() << meta + ";LPUSH bull:outbox.mail:wait 1"
                               << QStringList{u"queue-unserved/outbox.mail"_s};
    QTest::newRow("stalled") << QByteArray() << meta + ";LPUSH bull:outbox.mail:active 1"
                             << QStringList{u"queue-stalled/outbox.mail"_s};
    QTest::newRow("failed long ago") << QByteArray() << meta + ";ZADD bull:outbox.mail:failed 1000 1" << QStringList();
    QTest::newRow("failed now") << QByteArray()
                                << meta + ";ZADD bull:outbox.mail:failed "
            + QByteArray::number(QDateTime::currentMSecsSinceEpoch()) + " 1"
                                << QStringList{u"queue-failed/outbox.mail"_s};
}

void TestStatsCheck::holdsWhatTheRulesSay()
{
    QFETCH(QByteArray, rows);
    QFETCH(QByteArray, queue);
    QFETCH(QStringList, ids);
    if (const QByteArrayList part = rows.split(','); part.size() == 4)
        insert(part[2].toInt(), part[0], part[1], part[3].toInt());
    for (const QByteArray &command : queue.split(';')) {
        if (!command.isEmpty())
            VERIFY_WORKED(m_redis->exchange(redis::Command(command.split(' ')), std::chrono::seconds(5)));
    }
    const test::Outcome outcome = check();
    VERIFY_EXIT(outcome, ids.isEmpty() ? 0 : 1);
    QCOMPARE(idsOf(outcome), ids);
}

void TestStatsCheck::takesRulesFromAFile()
{
    insert(5, "PENDING", "mail.sent", 30);
    QFile file(m_folder.filePath(u"rules.json"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"rules":[{"id":"due-backlog","above":4,"forSeconds":0,"olderThanSeconds":10}]})");
    file.close();
    QCOMPARE(idsOf(check({u"--rules"_s, file.fileName()})), QStringList{u"due-backlog"_s});
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"rules":[{"id":"due-backlog","above":"many"}]})");
    file.close();
    const test::Outcome refused = check({u"--rules"_s, file.fileName()});
    VERIFY_EXIT(refused, 2);
    QVERIFY(refused.errors.contains("due-backlog") && refused.errors.contains("above"));
    VERIFY_EXIT(check({u"--rules"_s, u"/nowhere.json"_s}), 1);
}

void TestStatsCheck::looksAtExecutions()
{
    VERIFY_EXIT(test::console(
                    {u"schema"_s, u"apply"_s, u"--layout"_s, u"workflow"_s, u"--database"_s, m_servers->databaseUrl()}),
                0);
    QCOMPARE(idsOf(check()), QStringList());
    VERIFY_WORKED(m_connection->executeScript(
        R"(INSERT INTO "Workflow" (id, "tenantId", name, definition, "updatedAt") VALUES ('w', 't', 'W', '{}', now());
        INSERT INTO "WorkflowExecution" (id, "tenantId", "workflowId", status, trigger, "queuedAt", "startedAt",
            "finishedAt", "updatedAt")
        SELECT kind, 't', 'w', status::"WorkflowExecutionStatus", 'event', at, started, finished, at FROM (SELECT
            now() AT TIME ZONE 'UTC' - interval '1 hour' AS hour, now() AT TIME ZONE 'UTC' - interval '9 days' AS days) AS t,
        LATERAL (VALUES ('failed', 'FAILED', hour, hour, hour), ('old', 'FAILED', days, days, days),
            ('queued', 'QUEUED', hour, NULL, NULL), ('running', 'RUNNING', hour, hour, NULL),
            ('done', 'COMPLETED', hour, hour, hour)) AS v(kind, status, at, started, finished))"));
    const test::Outcome outcome = check();
    VERIFY_EXIT(outcome, 1);
    QCOMPARE(idsOf(outcome), (QStringList{u"executions-failed"_s, u"executions-stalled"_s, u"executions-queued"_s}));
    for (const QJsonValue alert : outcome.object()["alerts"_L1].toArray())
        QCOMPARE(alert["value"_L1].toInt(), 1);
    VERIFY_WORKED(m_connection->executeScript(R"(DROP TABLE "WorkflowExecution", "Workflow")"));
}

void TestStatsCheck::saysWhatItCouldNotSee()
{
    const auto alone = test::console({u"stats"_s, u"--check"_s, u"--database"_s, m_servers->databaseUrl()},
                                     {{u"XDG_CONFIG_HOME"_s, m_folder.path()}});
    VERIFY_EXIT(alone, 0);
    QVERIFY(alone.errors.contains("queues"));
    const auto away = test::console({u"stats"_s, u"--check"_s, u"--database"_s, m_servers->databaseUrl(), u"--redis"_s,
                                     u"redis+unix:///nonexistent"_s},
                                    {{u"XDG_CONFIG_HOME"_s, m_folder.path()}});
    VERIFY_EXIT(away, 4);
}

QTEST_GUILESS_MAIN(TestStatsCheck)
#include "tst_statscheck.moc"
