// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Queues, jobs and workers as the console shows them, beside what live BullMQ of every supported version says itself.

#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

using namespace Qt::StringLiterals;

class TestLiveQueues : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void everyVersionAgrees_data();
    void everyVersionAgrees();

private:
    [[nodiscard]] QJsonDocument ask(const QStringList &arguments) const;
    [[nodiscard]] QStringList idsOf(const QString &queue, const QString &state, bool oldestFirst) const;

    std::unique_ptr<test::PrivateServers> m_servers;
    QString m_redisUrl;
};

void TestLiveQueues::initTestCase()
{
    QVERIFY2(QFileInfo::exists(QStringLiteral(INTEROP_MODULES "/node_modules/bullmq6")),
             "the npm packages are not installed: run ctest -R interop_packages");
    test::PrivateServersOptions options;
    options.tcp = true;
    options.withPostgres = false;
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
}

QJsonDocument TestLiveQueues::ask(const QStringList &arguments) const
{
    const auto outcome = test::console(arguments + QStringList{u"--json"_s, u"--redis"_s, m_redisUrl});
    if (outcome.exitCode != 0)
        qFatal("%s", outcome.text().constData());
    return outcome.json();
}

QStringList TestLiveQueues::idsOf(const QString &queue, const QString &state, bool oldestFirst) const
{
    QStringList arguments{u"jobs"_s, queue, u"--state"_s, state};
    if (oldestFirst)
        arguments << u"--oldest"_s;
    QStringList ids;
    for (const QJsonValue &job : ask(arguments).array())
        ids << job["id"_L1].toString();
    return ids;
}

void TestLiveQueues::everyVersionAgrees_data()
{
    QTest::addColumn<QString>("bullmq");
    for (const char *bullmq : {"bullmq3", "bullmq4", "bullmq5mid", "bullmq5", "bullmq6"})
        QTest::newRow(bullmq) << QString::fromLatin1(bullmq);
}

void TestLiveQueues::everyVersionAgrees()
{
    QFETCH(const QString, bullmq);
    static int database = 0;
    m_redisUrl = m_servers->redisUrl(++database);
    const auto library = test::start(
        u"node"_s,
        {QStringLiteral(INTEROP_SOURCES "/live-queues.mjs"), u"--redis"_s, m_redisUrl, u"--bullmq"_s, bullmq},
        {{u"INTEROP_MODULES"_s, QStringLiteral(INTEROP_MODULES)}});
    QTRY_VERIFY_WITH_TIMEOUT(library->canReadLine(), 60'000);
    const QJsonObject says = QJsonDocument::fromJson(library->readLine()).object();
    QVERIFY(!says.isEmpty());
    const QJsonObject names = says["names"_L1].toObject();
    const QString busyName = names["busy"_L1].toString();

    QHash<QString, QJsonObject> seen;
    for (const QJsonValue &queue : ask({u"queues"_s}).array())
        seen.insert(queue["name"_L1].toString(), queue.toObject());
    QCOMPARE(seen.size(), 3);
    for (const auto which : {"busy"_L1, "paused"_L1}) {
        const QJsonObject expected = says[which].toObject();
        const QJsonObject counts = expected["counts"_L1].toObject();
        const QJsonObject queue = seen.value(names[which].toString());
        QVERIFY(!queue.contains("problem"_L1));
        QCOMPARE(queue["waiting"_L1].toInt(-1), counts["waiting"_L1].toInt() + counts["paused"_L1].toInt());
        for (const auto state : {"active"_L1, "delayed"_L1, "prioritized"_L1, "failed"_L1, "completed"_L1})
            QCOMPARE(queue[state].toInt(-1), counts[state].toInt());
        QCOMPARE(queue["waitingChildren"_L1].toInt(-1), counts["waiting-children"_L1].toInt());
        QCOMPARE(queue["paused"_L1].toBool(), expected["isPaused"_L1].toBool());
        QCOMPARE(queue["workers"_L1].toInt(-1), expected["workers"_L1].toInt());
        QCOMPARE(queue["stalled"_L1].toInt(-1), 0);
        QVERIFY(queue["oldestWaitingMs"_L1].toInteger(-1) >= 0);
    }
    QCOMPARE(seen.value(busyName)["schedulers"_L1].toInt(), 1);
    QCOMPARE(seen.value(busyName)["waitingChildren"_L1].toInt(), 1);
    QVERIFY(seen.value(names["paused"_L1].toString())["trouble"_L1].toArray().contains(u"no-worker"_s));

    // The same jobs in the same order.
    const QJsonObject ids = says["busy"_L1]["ids"_L1].toObject();
    for (auto state = ids.begin(); state != ids.end(); ++state) {
        QStringList expected;
        for (const QJsonValue &id : state.value().toArray())
            expected << id.toString();
        const bool newestFirst = state.key() == u"failed" || state.key() == u"completed";
        QStringList listed = idsOf(busyName, state.key(), !newestFirst);
        if (state.key() == u"active") {
            listed.sort();
            expected.sort();
        }
        QCOMPARE(listed, expected);
    }

    // One job in full.
    const QJsonObject bad = ask({u"jobs"_s, busyName, u"--id"_s, u"bad-1"_s}).object();
    const QJsonObject expected = says["bad"_L1].toObject();
    QCOMPARE(bad["state"_L1].toString(), u"failed"_s);
    QCOMPARE(bad["attemptsMade"_L1], expected["attemptsMade"_L1]);
    QCOMPARE(bad["failedReason"_L1], expected["failedReason"_L1]);
    QCOMPARE(bad["logs"_L1], expected["logs"_L1]);
    QCOMPARE(bad["times"_L1][0]["stored"_L1].toString(), QString::number(expected["timestamp"_L1].toInteger()));
    const QJsonArray traces = expected["stacktrace"_L1].toArray();
    QVERIFY(traces.size() == 2 || !traces.isEmpty());
    QCOMPARE(bad["stacktrace"_L1].toArray().first(), traces.last()); // newest first

    // Who holds an active job, and who works.
    const QJsonObject held = ask({u"jobs"_s, busyName, u"--id"_s, u"hold-1"_s}).object();
    QCOMPARE(held["state"_L1].toString(), u"active"_s);
    QCOMPARE(held["locked"_L1].toBool(), true);
    QVERIFY(held["lock"_L1]["remainingMs"_L1].toInteger() > 0);
    const QJsonObject workers = ask({u"queues"_s, u"--workers"_s}).object();
    QCOMPARE(workers["workers"_L1].toArray().size(), 1);
    const QJsonObject worker = workers["workers"_L1][0].toObject();
    QCOMPARE(worker["queue"_L1].toString(), busyName);
    if (says["major"_L1].toInt() >= 5) {
        QCOMPARE(worker["name"_L1].toString(), u"holder"_s);
        QCOMPARE(worker["activeJobs"_L1].toInt(-1), 2);
    }
    const QJsonArray found =
        ask({u"jobs"_s, busyName, u"--state"_s, u"failed"_s, u"--search"_s, u"BROKEN 2"_s}).array();
    QCOMPARE(found.size(), 1);
    QCOMPARE(found[0]["id"_L1].toString(), u"bad-2"_s);

    library->closeWriteChannel();
    QVERIFY(library->waitForFinished(30'000));
    QCOMPARE(library->exitCode(), 0);
}

QTEST_GUILESS_MAIN(TestLiveQueues)
#include "tst_livequeues.moc"
