// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/outbox/discovery.h>

#include <tests/support/outboxtables.h>
#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QJsonArray>
#include <QTest>

#include <csignal>

using namespace Qt::StringLiterals;

// The command `rows` on a table that is too large for a filter without an index.
class TestRowsCommand final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void searchesSayWhatTheyCost();
    void indexedFiltersDoNot();
    void interruptedSearchesEndOnTheServerToo();

private:
    [[nodiscard]] QStringList with(const QStringList &arguments) const
    {
        return QStringList{u"rows"_s, u"--database"_s, m_servers->databaseUrl()} + arguments;
    }

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<engine::sql::Connection> m_connection;
};

void TestRowsCommand::initTestCase()
{
    auto servers = test::PrivateServers::start({.tcp = false, .postgres = {}, .redis = {}, .withRedis = false});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    VERIFY_WORKED(m_connection->executeScript(test::tableText(test::tableVariants()[0], "public", "OutboxEvent")));
    auto layout = engine::outbox::discover(*m_connection, {});
    VERIFY_WORKED(layout);
    VERIFY_WORKED(m_connection->execute(
        test::insertRows(*layout, 1, 50'000,
                         {.status = "'DONE'",
                          .scheduledAt = "timestamp '2026-01-01' + n * interval '1 second'",
                          .lastError = "CASE WHEN n % 5000 = 0 THEN 'connect ECONNREFUSED' END"})));
    VERIFY_WORKED(m_connection->execute("CREATE INDEX ON \"OutboxEvent\" (\"tenantId\")"));
    VERIFY_WORKED(m_connection->execute("ANALYZE \"OutboxEvent\""));
}

void TestRowsCommand::searchesSayWhatTheyCost()
{
    const auto outcome = test::console(with({u"--error"_s, u"econnrefused"_s, u"--json"_s}));
    VERIFY_EXIT(outcome, 0);
    QVERIFY2(outcome.errors.contains("No index helps this filter: looking through about 50"),
             outcome.errors.constData());
    const QJsonArray rows = outcome.json().array();
    QCOMPARE(rows.size(), 10);
    QCOMPARE(rows.first()["id"_L1].toString(), u"r50000"_s);
    const auto few = test::console(with({u"--error"_s, u"econnrefused"_s, u"--limit"_s, u"3"_s}));
    VERIFY_EXIT(few, 0);
    QCOMPARE(few.output.count('\n'), 3);
    QVERIFY2(few.errors.contains("There are more"), few.errors.constData());
}

void TestRowsCommand::indexedFiltersDoNot()
{
    const auto outcome = test::console(with({u"--tenant"_s, u"tenant_7"_s, u"--json"_s}));
    VERIFY_EXIT(outcome, 0);
    QVERIFY2(!outcome.errors.contains("No index"), outcome.errors.constData());
    QCOMPARE(outcome.json().array().size(), 50);
}

void TestRowsCommand::interruptedSearchesEndOnTheServerToo()
{
    // Every row takes two milliseconds to this reader, so the search takes minutes.
    VERIFY_WORKED(m_connection->executeScript(
        "CREATE ROLE slow_reader; GRANT SELECT ON \"OutboxEvent\" TO slow_reader; ALTER TABLE \"OutboxEvent\" ENABLE "
        "ROW LEVEL SECURITY; CREATE POLICY slow ON \"OutboxEvent\" FOR SELECT TO slow_reader USING "
        "(pg_sleep(0.002) IS NOT NULL)"));
    QString url = m_servers->databaseUrl();
    url += (url.contains(u'?') ? u"&"_s : u"?"_s) + u"options=-crole%3Dslow_reader"_s;
    const auto searching = [&] {
        auto rows = m_connection->execute("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE "
                                          "'%piece_fits%' AND pid <> pg_backend_pid()");
        return rows ? rows->integer(0, 0) : -1;
    };
    const auto program =
        test::start(test::consoleProgram(), {u"rows"_s, u"--database"_s, url, u"--error"_s, u"econnrefused"_s});
    QTRY_COMPARE_WITH_TIMEOUT(searching(), 1, 30'000);
    ::kill(static_cast<pid_t>(program->processId()), SIGINT);
    QTRY_COMPARE_WITH_TIMEOUT(searching(), 0, 1500); // a piece alone takes longer
    const auto outcome = test::finish(*program);
    VERIFY_EXIT(outcome, 1);
    QVERIFY2(outcome.errors.contains("Stopped after"), outcome.errors.constData());
}

QTEST_GUILESS_MAIN(TestRowsCommand)
#include "tst_rowscommand.moc"
