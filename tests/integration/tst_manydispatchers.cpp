// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Several dispatchers on one table, and one that dies: every row is handed over, and there is one job for each.

#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QSet>
#include <QTest>

#include <csignal>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestManyDispatchers : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void twoAtOnceTakeEachRowOnce();
    void theNextOneFinishesAfterAKill();

private:
    [[nodiscard]] QStringList dispatch(const QStringList &more) const
    {
        return QStringList{u"dispatch"_s, u"--drain"_s,         u"--json"_s, u"--database"_s, m_servers->databaseUrl(),
                           u"--redis"_s,  m_servers->redisUrl()}
        + more;
    }
    [[nodiscard]] qint64 number(const QByteArray &statement); // the one it answers; -1 if it fails
    [[nodiscard]] qint64 count(const QByteArray &condition);
    void verifyOneJobEach();

    static constexpr int rows = 20'000;
    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
};

void TestManyDispatchers::initTestCase()
{
    auto servers = test::PrivateServers::start();
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    const auto applied =
        test::console({u"schema"_s, u"apply"_s, u"--json"_s, u"--database"_s, m_servers->databaseUrl()});
    VERIFY_EXIT(applied, 0);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

void TestManyDispatchers::init()
{
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    const auto emptied = client.exchange(redis::Command{"FLUSHALL"}, 10s);
    VERIFY_WORKED(emptied);
    const auto filled = m_connection->executeScript(
        "TRUNCATE \"OutboxEvent\"; INSERT INTO \"OutboxEvent\" (id, \"tenantId\", \"eventType\", payload, "
        "\"scheduledAt\", \"createdAt\", \"updatedAt\") SELECT 'row-' || n, 't', 'mail.welcome.sent', '{}', due, due, "
        "due FROM generate_series(1, "
        + QByteArray::number(rows)
        + ") n, LATERAL (SELECT (now() AT TIME ZONE 'UTC') - interval '1 hour' + n * interval '1 ms' AS due) t");
    VERIFY_WORKED(filled);
    VERIFY_WORKED(m_connection->executeScript("ANALYZE \"OutboxEvent\""));
}

qint64 TestManyDispatchers::number(const QByteArray &statement)
{
    const auto answer = m_connection->execute(statement);
    return answer ? answer->integer(0, 0) : -1;
}

qint64 TestManyDispatchers::count(const QByteArray &condition)
{
    return number("SELECT count(*) FROM \"OutboxEvent\" WHERE " + condition);
}

void TestManyDispatchers::verifyOneJobEach()
{
    QCOMPARE(count("status = 'DONE' AND \"lockedUntil\" IS NULL AND \"processedAt\" IS NOT NULL"), rows);
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    const auto jobs = client.exchange(redis::Command{"LRANGE", "bull:outbox.mail:wait", "0", "-1"}, 10s);
    VERIFY_WORKED(jobs);
    QCOMPARE(jobs->items.size(), size_t(rows));
    QSet<QByteArray> ids;
    for (const redis::Reply &job : jobs->items)
        ids.insert(job.text);
    QCOMPARE(ids.size(), rows);
}

void TestManyDispatchers::twoAtOnceTakeEachRowOnce()
{
    const QStringList small{u"--batch"_s, u"200"_s, u"--concurrency"_s, u"1000"_s};
    const auto one = test::start(test::consoleProgram(), dispatch(small));
    const auto other = test::start(test::consoleProgram(), dispatch(small));
    const auto first = test::finish(*one);
    const auto second = test::finish(*other);
    VERIFY_EXIT(first, 0);
    VERIFY_EXIT(second, 0);
    const auto sum = [&](QLatin1StringView name) {
        return first.object()[name].toInt(-1'000'000) + second.object()[name].toInt(-1'000'000);
    };
    QCOMPARE(sum("claimed"_L1), rows);
    QCOMPARE(sum("handedOver"_L1), rows);
    for (const auto name : {"duplicates"_L1, "retried"_L1, "dead"_L1, "leaseLost"_L1})
        QCOMPARE(sum(name), 0);
    // Both had work, else this proves nothing.
    QVERIFY2(first.object()["claimed"_L1].toInt() > 0 && second.object()["claimed"_L1].toInt() > 0,
             (first.text() + second.text()).constData());
    verifyOneJobEach();
}

void TestManyDispatchers::theNextOneFinishesAfterAKill()
{
    const QStringList settings{u"--batch"_s, u"100"_s, u"--concurrency"_s, u"500"_s, u"--lease"_s, u"2"_s};
    const auto victim = test::start(test::consoleProgram(), dispatch(settings));
    // Killed while it holds rows: between a settle and the next claim there may be none, so it is stopped and looked at.
    const auto pid = static_cast<pid_t>(victim->processId());
    qint64 claimed = 0;
    qint64 done = 0;
    while (claimed == 0) {
        QTRY_VERIFY(count("status = 'DONE'") > done + 500);
        QCOMPARE(::kill(pid, SIGSTOP), 0);
        // What it had asked for is still carried out.
        QTRY_COMPARE(number("SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'outbox-console %' AND "
                            "state = 'active'"),
                     0);
        done = count("status = 'DONE'");
        claimed = count("status = 'PROCESSING'");
        QVERIFY2(done < rows, "it was done before it could be killed");
        if (claimed == 0)
            QCOMPARE(::kill(pid, SIGCONT), 0);
    }
    victim->kill();
    QVERIFY(victim->waitForFinished());
    QCOMPARE(victim->exitStatus(), QProcess::CrashExit);

    QTRY_COMPARE(count("status = 'PROCESSING' AND \"lockedUntil\" >= now() AT TIME ZONE 'UTC'"), 0);
    const auto second = test::console(dispatch(settings));
    VERIFY_EXIT(second, 0);
    QCOMPARE(second.object()["handedOver"_L1].toInteger(), rows - done);
    QVERIFY(second.object()["duplicates"_L1].toInteger() <= claimed);
    verifyOneJobEach();
}

QTEST_GUILESS_MAIN(TestManyDispatchers)
#include "tst_manydispatchers.moc"
