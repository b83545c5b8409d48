// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/discovery.h>

#include <tests/support/outboxtables.h>
#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QJsonArray>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// Retention as it is started: daily beside a dispatcher, and by hand from the command line.
class TestRetentionRuns final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void dryRunOnlyCounts();
    void wantsAYes();
    void removesOneRunOrAll();
    void takesAnAge();
    void refuses_data();
    void refuses();
    void savedConnectionsAreReadOnlyUnlessAsked();
    void aCrashRemovesNothing();
    void stopsAfterTheRunInProgress();
    void runsBesideTheDispatcher();
    void leavesADrainAlone();

private:
    void addDone(int count, const QByteArray &age);
    [[nodiscard]] QStringList retention(const QStringList &more) const
    {
        return QStringList{u"retention"_s, u"--json"_s, u"--database"_s, m_servers->databaseUrl()} + more;
    }
    [[nodiscard]] qint64 rows() const;
    [[nodiscard]] dispatch::DispatcherConfig config() const;

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    outbox::Layout m_layout;
};

void TestRetentionRuns::initTestCase()
{
    auto servers = test::PrivateServers::start();
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    sql::ConnectOptions options;
    options.url = *sql::DatabaseUrl::parse(m_servers->databaseUrl());
    options.access = sql::Access::ReadWrite;
    auto connection = sql::Connection::open(options);
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

void TestRetentionRuns::init()
{
    VERIFY_WORKED(m_connection->executeScript(test::tableText(test::tableVariants()[0], "public", "OutboxEvent")));
    auto layout = outbox::discover(*m_connection, {});
    VERIFY_WORKED(layout);
    m_layout = *layout;
    addDone(25, "40 days");
    addDone(10, "29 days");
}

void TestRetentionRuns::addDone(int count, const QByteArray &age)
{
    const QByteArray at = "now() AT TIME ZONE 'UTC' - interval '" + age + "'";
    VERIFY_WORKED(m_connection->execute("INSERT INTO \"OutboxEvent\" (id, \"tenantId\", \"eventType\", payload, "
                                        "status, \"dispatchKey\", \"scheduledAt\", "
                                        "\"processedAt\", \"updatedAt\") SELECT gen_random_uuid(), 't', 'mail.a.sent', "
                                        "'{}', 'DONE', gen_random_uuid(), "
                                        + at + ", " + at + ", now() FROM generate_series(1, "
                                        + QByteArray::number(count) + ")"));
}

qint64 TestRetentionRuns::rows() const
{
    const auto rows = m_connection->execute("SELECT count(*) FROM \"OutboxEvent\"");
    return rows ? rows->integer(0, 0) : -1;
}

dispatch::DispatcherConfig TestRetentionRuns::config() const
{
    dispatch::DispatcherConfig config;
    config.database = *sql::DatabaseUrl::parse(m_servers->databaseUrl());
    config.redis = *redis::Endpoint::parse(m_servers->redisUrl());
    config.layout = m_layout;
    config.router = dispatch::Router::builtIn(outbox::LayoutKind::Event);
    config.settings.doneRetentionBatchSize = 10;
    config.retention = {.firstAfter = 0ms, .every = 50ms, .again = 50ms, .spread = 20ms};
    return config;
}

void TestRetentionRuns::dryRunOnlyCounts()
{
    const auto outcome = test::console(retention({u"--dry-run"_s}));
    VERIFY_EXIT(outcome, 0);
    const QJsonObject object = outcome.object();
    QCOMPARE(object["removable"_L1], 25);
    QCOMPARE(object["countKind"_L1], u"exact"_s);
    QCOMPARE(object["removed"_L1], 0);
    QCOMPARE(object["runs"_L1], 0);
    QCOMPARE(object["dryRun"_L1], true);
    QCOMPARE(object["olderThanHours"_L1], 720);
    QVERIFY(object["oldestProcessedAt"_L1].isString());
    QVERIFY2(object["warnings"_L1].toArray().at(0).toString().contains(u"dispatchKey"_s), outcome.text().constData());
    QCOMPARE(rows(), 35);
}

void TestRetentionRuns::wantsAYes()
{
    const auto outcome = test::console(retention({}));
    VERIFY_EXIT(outcome, 3);
    QVERIFY2(outcome.errors.contains("25") && outcome.errors.contains("--yes"), outcome.text().constData());
    QCOMPARE(rows(), 35);
}

void TestRetentionRuns::removesOneRunOrAll()
{
    const test::Environment small{{u"OUTBOX_DONE_RETENTION_BATCH_SIZE"_s, u"10"_s}};
    auto outcome = test::console(retention({u"--yes"_s}), small);
    VERIFY_EXIT(outcome, 0);
    QCOMPARE(outcome.object()["removable"_L1], 25);
    QCOMPARE(outcome.object()["removed"_L1], 10);
    QCOMPARE(outcome.object()["runs"_L1], 1);
    QCOMPARE(outcome.object()["dryRun"_L1], false);
    QVERIFY2(outcome.output.contains("--all"), outcome.text().constData()); // there may be more
    QCOMPARE(rows(), 25);

    outcome = test::console(retention({u"--yes"_s, u"--all"_s}), small);
    VERIFY_EXIT(outcome, 0);
    QCOMPARE(outcome.object()["removed"_L1], 15);
    QCOMPARE(outcome.object()["runs"_L1], 2);
    QVERIFY2(!outcome.output.contains("--all"), outcome.text().constData());
    QCOMPARE(rows(), 10);

    outcome = test::console(retention({u"--yes"_s, u"--all"_s}), small);
    VERIFY_EXIT(outcome, 0);
    QCOMPARE(outcome.object()["removable"_L1], 0);
    QCOMPARE(outcome.object()["removed"_L1], 0);
    QCOMPARE(rows(), 10);
}

void TestRetentionRuns::takesAnAge()
{
    // The setting, and the option over it.
    auto outcome = test::console(retention({u"--dry-run"_s}), {{u"OUTBOX_DONE_RETENTION_HOURS"_s, u"24"_s}});
    QCOMPARE(outcome.object()["removable"_L1], 35);
    QCOMPARE(outcome.object()["olderThanHours"_L1], 24);
    outcome = test::console(retention({u"--dry-run"_s, u"--older-than"_s, u"90m"_s}),
                            {{u"OUTBOX_DONE_RETENTION_HOURS"_s, u"24"_s}});
    QCOMPARE(outcome.object()["removable"_L1], 35);
    QCOMPARE(outcome.object()["olderThanHours"_L1], 1.5);
    outcome = test::console(retention({u"--yes"_s, u"--older-than"_s, u"28d"_s}));
    VERIFY_EXIT(outcome, 0);
    QCOMPARE(outcome.object()["removed"_L1], 35);
}

void TestRetentionRuns::refuses_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<test::Environment>("environment");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("no age") << QStringList{u"--older-than"_s, u"soon"_s} << test::Environment{} << QByteArray("soon");
    QTest::newRow("age of nothing") << QStringList{u"--older-than"_s, u"0s"_s} << test::Environment{}
                                    << QByteArray("--older-than");
    QTest::newRow("age of ever") << QStringList{u"--older-than"_s, u"999999d"_s} << test::Environment{}
                                 << QByteArray("--older-than");
    QTest::newRow("bad setting") << QStringList{u"--yes"_s}
                                 << test::Environment{{u"OUTBOX_DONE_RETENTION_HOURS"_s, u"0"_s}}
                                 << QByteArray("OUTBOX_DONE_RETENTION_HOURS");
    QTest::newRow("a stray word") << QStringList{u"--yes"_s, u"everything"_s} << test::Environment{}
                                  << QByteArray("everything");
}

void TestRetentionRuns::refuses()
{
    QFETCH(QStringList, arguments);
    QFETCH(test::Environment, environment);
    QFETCH(QByteArray, named);
    const auto outcome = test::console(retention(arguments), environment);
    VERIFY_EXIT(outcome, 2);
    QVERIFY2(outcome.errors.contains(named), outcome.text().constData());
    QCOMPARE(rows(), 35);
}

void TestRetentionRuns::savedConnectionsAreReadOnlyUnlessAsked()
{
    QTemporaryDir settingsFolder;
    const test::Environment environment{{u"XDG_CONFIG_HOME"_s, settingsFolder.path()}};
    {
        QSettings settings(settingsFolder.filePath(u"outbox-console/outbox-console.conf"_s), QSettings::IniFormat);
        settings.beginWriteArray(u"connections"_s, 1);
        settings.setArrayIndex(0);
        settings.setValue(u"name"_s, u"orders"_s);
        settings.setValue(u"database"_s, m_servers->databaseSocketUrl());
        settings.endArray();
    }
    const QStringList on{u"retention"_s, u"--json"_s, u"--connection"_s, u"orders"_s};
    VERIFY_EXIT(test::console(on + QStringList{u"--dry-run"_s}, environment), 0);
    const auto refused = test::console(on + QStringList{u"--yes"_s}, environment);
    VERIFY_EXIT(refused, 3);
    QVERIFY2(refused.errors.contains("--write"), refused.text().constData());
    QCOMPARE(rows(), 35);
    VERIFY_EXIT(test::console(on + QStringList{u"--yes"_s, u"--write"_s}, environment), 0);
    QCOMPARE(rows(), 10);
}

void TestRetentionRuns::aCrashRemovesNothing()
{
    const auto outcome = test::console(retention({u"--yes"_s}), {{u"OUTBOX_CRASH_POINT"_s, u"in_retention"_s}});
    VERIFY_EXIT(outcome, -1);
    QCOMPARE(rows(), 35);
    // Its locks went with it.
    VERIFY_EXIT(test::console(retention({u"--yes"_s})), 0);
    QTRY_COMPARE(rows(), 10);
}

void TestRetentionRuns::stopsAfterTheRunInProgress()
{
    // It freezes in its first of three runs, is asked to stop, and thaws.
    const auto process = test::start(
        test::consoleProgram(), retention({u"--yes"_s, u"--all"_s}),
        {{u"OUTBOX_CRASH_POINT"_s, u"in_retention:1:stop"_s}, {u"OUTBOX_DONE_RETENTION_BATCH_SIZE"_s, u"10"_s}});
    QVERIFY(process->waitForStarted());
    const auto pid = static_cast<pid_t>(process->processId());
    const auto isFrozen = [&] {
        QFile status(u"/proc/%1/stat"_s.arg(pid));
        return status.open(QIODevice::ReadOnly) && status.readAll().contains(") T ");
    };
    QTRY_VERIFY_WITH_TIMEOUT(isFrozen(), 20'000);
    kill(pid, SIGTERM);
    kill(pid, SIGCONT);
    const auto outcome = test::finish(*process);
    VERIFY_EXIT(outcome, 0);
    // The request and the end of the run meet: one run more may have begun.
    QVERIFY2(outcome.object()["runs"_L1].toInt() <= 2, outcome.text().constData());
    QCOMPARE(rows(), 35 - outcome.object()["removed"_L1].toInteger());
    QVERIFY2(outcome.output.contains("There may be more"), outcome.text().constData());
}

void TestRetentionRuns::runsBesideTheDispatcher()
{
    dispatch::Dispatcher dispatcher;
    QSignalSpy logged(&dispatcher, &dispatch::Dispatcher::logged);
    QSignalSpy changed(&dispatcher, &dispatch::Dispatcher::retentionChanged);
    QSignalSpy finished(&dispatcher, &dispatch::Dispatcher::finished);
    dispatcher.start(config());
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 10, 20'000);
    QTRY_VERIFY(dispatcher.retention().removed == 25);
    QVERIFY(dispatcher.retention().lastRun);
    QVERIFY(dispatcher.retention().nextRun);
    QVERIFY(dispatcher.retention().trouble.isEmpty());
    QVERIFY(changed.count() >= 3); // 10, 10 and 5: never more than a batch at once

    // Somebody at work there: left to them. A failure: told, counted, tried again, and the dispatcher goes on.
    VERIFY_WORKED(m_connection->executeScript("BEGIN; LOCK TABLE \"OutboxEvent\" IN SHARE MODE"));
    addDone(5, "50 days");
    QTRY_VERIFY_WITH_TIMEOUT(dispatcher.retention().failures > 0, 20'000);
    VERIFY_WORKED(m_connection->executeScript("COMMIT"));
    QTRY_COMPARE_WITH_TIMEOUT(rows(), 10, 20'000);
    QTRY_VERIFY(dispatcher.retention().trouble.isEmpty());

    dispatcher.stop();
    QVERIFY(finished.wait(20'000));
    QVERIFY(!dispatcher.retention().nextRun);
    QStringList texts;
    for (const auto &entry : logged)
        texts << entry[0].value<dispatch::LogEntry>().text;
    QVERIFY2(texts.join(u'\n').contains(u"OUTBOX_DONE_RETENTION_BATCH_SIZE"_s), qPrintable(texts.join(u'\n')));
}

void TestRetentionRuns::leavesADrainAlone()
{
    dispatch::Dispatcher dispatcher;
    dispatch::DispatcherConfig drain = config();
    drain.mode = dispatch::RunMode::Drain;
    QSignalSpy finished(&dispatcher, &dispatch::Dispatcher::finished);
    dispatcher.start(drain);
    QVERIFY(finished.wait(20'000));
    QCOMPARE(rows(), 35);
}

QTEST_GUILESS_MAIN(TestRetentionRuns)
#include "tst_retentionruns.moc"
