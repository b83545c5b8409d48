// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The window on somebody else's servers: whatever is looked at, nothing is written, everything has a time limit, and
// nothing at all is asked while nobody looks. The servers are the witnesses: PostgreSQL's statement log and its
// transaction counter, Redis' MONITOR and its digest.

#include "traffic.h"
#include "windowtour.h"

#include <views/theme/theme.h>

#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/incident.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QFileInfo>
#include <QProcess>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr int refreshMs = 1000; // the shortest that can be chosen
constexpr int sampleMs = 10'000; // between two samples for charts and alerts
constexpr auto callLimit = 5s;
const QByteArray consoleName = "outbox-console";

} // namespace

class ReadsOnlyTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theWitnessesSeeWrites();
    void nothingIsWritten();
    void nobodyLooksNothingIsAsked_data();
    void nobodyLooksNothingIsAsked();
    void noSamplesWhileNobodyLooks();
    void aServerThatGoesAndComesIsOnlyRead();
    void cleanupTestCase();

private:
    [[nodiscard]] QByteArray databaseDigest();
    [[nodiscard]] QByteArray redisDigest();
    [[nodiscard]] QByteArray ask(const QByteArray &statement);
    redis::Reply askRedis(const redis::Command &command);
    void openWindow();
    [[nodiscard]] qsizetype asked(); // of both servers since the last mark
    void markBoth();
    // What was on its way has been answered: nothing new for as long as any answer may take to lead to the next.
    void waitUntilQuiet();
    void verifyTraffic();

    QTemporaryDir m_folder;
    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    std::unique_ptr<redis::Client> m_redis;
    QSet<QByteArray> m_readOnly; // commands, by the server's own word
    std::unique_ptr<StatementLog> m_log;
    RedisMonitor m_monitor;

    std::unique_ptr<views::Theme> m_theme;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<secrets::SecretStore> m_secrets;
    std::unique_ptr<app::WindowController> m_controller;
    std::unique_ptr<WindowTour> m_tour;
};

QByteArray ReadsOnlyTest::ask(const QByteArray &statement)
{
    const auto rows = m_connection->execute(statement);
    if (!rows)
        qFatal("%s", test::why(rows.error()).constData());
    return rows->bytes(0, 0).toByteArray();
}

redis::Reply ReadsOnlyTest::askRedis(const redis::Command &command)
{
    const auto reply = m_redis->exchange(command, callLimit);
    if (!reply || reply->isError())
        qFatal("%s", reply ? reply->text.constData() : test::why(reply.error()).constData());
    return *reply;
}

// Every row of every table, the sequences, and whether any transaction of the whole cluster has written since.
QByteArray ReadsOnlyTest::databaseDigest()
{
    QByteArray digest = "next transaction " + ask("SELECT pg_snapshot_xmax(pg_current_snapshot())::text") + '\n';
    const QByteArray tables =
        ask("SELECT string_agg(format('%I.%I', schemaname, tablename), ',' ORDER BY 1) FROM pg_tables "
            "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')");
    for (const QByteArray &table : tables.split(',')) {
        digest += table + ' '
            + ask("SELECT count(*) || ' ' || md5(coalesce(string_agg(row::text, E'\\n' ORDER BY row::text), '')) FROM "
                  + table + " AS row")
            + '\n';
    }
    digest +=
        ask("SELECT coalesce(string_agg(sequencename || ' ' || coalesce(last_value, -1), ','), '') FROM pg_sequences");
    digest +=
        '\n'
        + ask(
            "SELECT string_agg(format('%s %s %s %s', relname, n_tup_ins, n_tup_upd, n_tup_del), ', ' ORDER BY relname) "
            "FROM pg_stat_user_tables");
    return digest;
}

QByteArray ReadsOnlyTest::redisDigest()
{
    return askRedis({"DEBUG", "DIGEST"}).text + ' ' + QByteArray::number(askRedis({"DBSIZE"}).integer);
}

void ReadsOnlyTest::initTestCase()
{
    test::PrivateServersOptions options;
    options.postgres = {{u"log_statement"_s, u"all"_s},
                        {u"log_line_prefix"_s, QString::fromLatin1(statementPrefix)},
                        {u"autovacuum"_s, u"off"_s}}; // it writes by itself
    options.redis = {{u"enable-debug-command"_s, u"yes"_s}};
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    m_redis = std::make_unique<redis::Client>(*redis::Endpoint::parse(m_servers->redisUrl()));

    auto incident = test::Incident::make(m_servers->databaseUrl(), m_servers->redisUrl());
    VERIFY_WORKED(incident);
    VERIFY_WORKED(incident->endWorkers());
    // Nothing may end by itself while it is watched.
    QByteArray cursor = "0";
    do {
        const redis::Reply page = askRedis({"SCAN", cursor, "COUNT", "1000"});
        cursor = page.items[0].text;
        for (const redis::Reply &key : page.items[1].items) {
            if (askRedis({"PTTL", key.text}).integer >= 0)
                askRedis({"PEXPIRE", key.text, "86400000"});
        }
    } while (cursor != "0");

    for (const redis::Reply &command : askRedis({"COMMAND"}).items) {
        for (const redis::Reply &flag : command.items[2].items) {
            if (flag.text == "readonly")
                m_readOnly << command.items[0].text.toLower();
        }
    }
    QVERIFY(m_readOnly.contains("hgetall") && !m_readOnly.contains("hset"));
    m_log = std::make_unique<StatementLog>(m_servers->postgres().options().logFile);
}

// A proof that could not fail would be none.
void ReadsOnlyTest::theWitnessesSeeWrites()
{
    const auto faults = [](const QList<QByteArray> &texts) {
        std::vector<Statement> statements;
        for (const QByteArray &text : texts)
            statements.push_back({1, consoleName, text});
        return faultsOf(statements);
    };
    const QByteArray begin = "BEGIN READ ONLY; SET LOCAL jit = off; SET LOCAL statement_timeout = 5000";
    QCOMPARE(faults({begin, "SELECT 'INSERT; DELETE' AS \"update\" -- UPDATE", "ROLLBACK"}), QStringList());
    for (const char *text : {"INSERT INTO t VALUES (1)", "UPDATE t SET a = 1", "SELECT nextval('s')",
                             "SELECT a FROM t FOR UPDATE SKIP LOCKED", "SELECT pg_try_advisory_xact_lock(1)",
                             "WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x", "NOTIFY outbox",
                             "SELECT set_config('a', 'b', false)", "SELECT * INTO u FROM t", "SET work_mem = '1GB'",
                             "SELECT 1; DELETE FROM t"})
        QVERIFY2(!faults({begin, text, "ROLLBACK"}).isEmpty(), text);
    QCOMPARE(faults({"BEGIN READ ONLY", "SELECT 1", "ROLLBACK"}).size(), 1);
    QCOMPARE(faults({begin, "SELECT 1", "ROLLBACK", "SELECT 1"}).size(), 2);
    QVERIFY(faults({"BEGIN", "SELECT 1"}).size() >= 2);
    QVERIFY(!faultsOf(QList<QList<QByteArray>>{{"hset", "a", "b", "c"}}, m_readOnly).isEmpty());
    QVERIFY(!faultsOf(QList<QList<QByteArray>>{{"KEYS", "*"}}, m_readOnly).isEmpty());
    QVERIFY(!faultsOf(QList<QList<QByteArray>>{{"evalsha", "abc", "0"}}, m_readOnly).isEmpty());
    QCOMPARE(faultsOf(QList<QList<QByteArray>>{{"HGETALL", "a"}, {"CLIENT", "LIST"}}, m_readOnly), QStringList());

    // And the servers' own records.
    const QByteArray before = databaseDigest();
    VERIFY_WORKED(m_connection->executeScript("CREATE TABLE probe (a int); INSERT INTO probe VALUES (1)"));
    QVERIFY(databaseDigest() != before);
    VERIFY_WORKED(m_connection->executeScript("DROP TABLE probe"));
    const QByteArray digest = redisDigest();
    askRedis({"SET", "probe", "1"});
    QVERIFY(redisDigest() != digest);
    askRedis({"DEL", "probe"});
    QCOMPARE(redisDigest(), digest);
}

void ReadsOnlyTest::openWindow()
{
    m_theme = std::make_unique<views::Theme>(views::Theme::Choice::Light);
    m_settings = std::make_unique<QSettings>(m_folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
    m_settings->setValue(u"window/interval"_s, refreshMs / 1000);
    m_settings->setValue(u"alerts/desktop"_s, false);
    m_secrets = secrets::makeMemoryStore();
    app::WindowOptions options;
    options.historyFile = m_folder.filePath(u"history.sqlite"_s);
    config::ConnectionProfile profile;
    profile.name = u"shop-production"_s;
    profile.databaseUrl = m_servers->databaseUrl();
    profile.redisUrl = m_servers->redisUrl();
    profile.production = true;
    options.profile = profile;
    m_controller = std::make_unique<app::WindowController>(*m_theme, *m_settings, *m_secrets, options);
    m_tour = std::make_unique<WindowTour>(m_controller->window());
    m_controller->start();
    QVERIFY(QTest::qWaitForWindowExposed(&m_controller->window()));
}

void ReadsOnlyTest::verifyTraffic()
{
    const auto statements = m_log->statements(consoleName);
    const auto commands = m_monitor.commands();
    QVERIFY(!statements.empty());
    QVERIFY(!commands.isEmpty());
    const QStringList sql = faultsOf(statements);
    QVERIFY2(sql.isEmpty(), qPrintable(sql.mid(0, 20).join(u'\n')));
    const QStringList redis = faultsOf(commands, m_readOnly);
    QVERIFY2(redis.isEmpty(), qPrintable(redis.mid(0, 20).join(u'\n')));
    qInfo("%zu statements and %lld commands, all of them reads", statements.size(), qlonglong(commands.size()));
}

void ReadsOnlyTest::nothingIsWritten()
{
    const QByteArray database = databaseDigest();
    const QByteArray redis = redisDigest();
    QVERIFY(m_monitor.start(m_servers->redis().options().socketFile));
    markBoth();

    openWindow();
    m_tour->waitUntilKnown();
    for (const QString &page : WindowTour::pages()) {
        m_tour->open(page);
        if (!QTest::currentTestFailed())
            m_tour->lookAround(page);
        if (QTest::currentTestFailed())
            QFAIL(qPrintable(page));
    }
    m_tour->find(u"evt_00012"_s);
    m_tour->press(u"zone"_s);
    m_tour->press(u"refresh"_s);
    // Each page once more, until it has refreshed by itself.
    for (const QString &page : WindowTour::pages()) {
        m_controller->window().setCurrentPage(page);
        waitUntilQuiet();
        const qsizetype before = asked();
        QTRY_VERIFY_WITH_TIMEOUT(asked() > before, 10'000);
    }
    m_controller->window().hide();
    waitUntilQuiet();
    verifyTraffic();
    QCOMPARE(databaseDigest(), database);
    QCOMPARE(redisDigest(), redis);
    m_controller->window().show();
}

qsizetype ReadsOnlyTest::asked()
{
    return static_cast<qsizetype>(m_log->statements(consoleName).size()) + m_monitor.commands().size();
}

void ReadsOnlyTest::markBoth()
{
    m_log->mark();
    (void)m_monitor.commands();
    m_monitor.mark();
}

void ReadsOnlyTest::waitUntilQuiet()
{
    qsizetype last = -1;
    QElapsedTimer still;
    const bool quiet = QTest::qWaitFor(
        [&] {
            if (const qsizetype now = asked(); now != last) {
                last = now;
                still.start();
            }
            return still.elapsed() > refreshMs / 3;
        },
        20'000);
    QVERIFY(quiet);
}

void ReadsOnlyTest::nobodyLooksNothingIsAsked_data()
{
    QTest::addColumn<QString>("page");
    for (const QString &page : WindowTour::pages())
        QTest::newRow(qPrintable(page)) << page;
}

void ReadsOnlyTest::nobodyLooksNothingIsAsked()
{
    QFETCH(const QString, page);
    QVERIFY(m_controller);
    views::MainWindow &window = m_controller->window();
    m_tour->open(page);
    const auto restsWhile = [this](const char *state) {
        waitUntilQuiet();
        markBoth();
        QTest::qWait(5 * refreshMs / 2); // there is nothing to wait for: this is how long nothing happens
        QVERIFY2(asked() == 0, state);
    };
    const auto asksAgain = [this] {
        markBoth();
        QTRY_VERIFY_WITH_TIMEOUT(asked() > 0, 10'000);
    };
    window.hide();
    restsWhile("hidden");
    window.show();
    asksAgain();
    window.showMinimized();
    restsWhile("minimised");
    window.showNormal();
    asksAgain();
    m_tour->press(u"pause"_s);
    restsWhile("paused");
    m_tour->press(u"pause"_s);
    asksAgain();
}

void ReadsOnlyTest::noSamplesWhileNobodyLooks()
{
    QVERIFY(m_controller);
    m_controller->window().setCurrentPage(u"overview"_s);
    m_tour->press(u"pause"_s);
    waitUntilQuiet();
    markBoth();
    QTest::qWait(sampleMs + 2 * refreshMs);
    QCOMPARE(asked(), 0);
    m_tour->press(u"pause"_s);
}

void ReadsOnlyTest::aServerThatGoesAndComesIsOnlyRead()
{
    QVERIFY(m_controller);
    views::MainWindow &window = m_controller->window();
    const QByteArray redis = redisDigest();
    markBoth();
    m_connection.reset();
    m_servers->postgres().kill();
    for (const QString &page : WindowTour::pages()) {
        window.setCurrentPage(page);
        m_tour->press(u"refresh"_s);
        QCoreApplication::processEvents();
    }
    VERIFY_WORKED(m_servers->restartPostgres());
    m_log->mark(); // the server has begun its log anew
    m_tour->press(u"refresh"_s);
    m_tour->waitUntilKnown();
    for (const QString &page : WindowTour::pages())
        m_tour->open(page);
    window.hide();
    waitUntilQuiet();
    verifyTraffic();
    QCOMPARE(redisDigest(), redis);
}

void ReadsOnlyTest::cleanupTestCase()
{
    if (!m_controller)
        return;
    QSignalSpy closed(m_controller.get(), &app::WindowController::closed);
    m_controller->close();
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, 30'000);
    m_tour.reset();
    m_controller.reset();
}

QTEST_MAIN(ReadsOnlyTest)
#include "tst_readsonly.moc"
