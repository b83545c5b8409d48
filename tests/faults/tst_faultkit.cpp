// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The kit itself: the ledger finds what was tampered with, and the proxy does what it is told.

#include "rig.h"

#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::Account;
using test::FaultProxy;
using test::Ledger;
using test::NetworkFault;

namespace {

// Something that no dispatcher does.
struct Tampering
{
    QByteArray name;
    qint64 Account::*counter; // that has to show it
    QByteArray statement; // run as a dispatcher would
    redis::Command command;
};

const QList<Tampering> &tamperings()
{
    static const QList<Tampering> all{
        {"a job is gone", &Account::lost, {}, {"DEL", "bull:outbox.mail:outbox:row-3"}},
        {"a row is gone", &Account::lost, "DELETE FROM \"Outbox\" WHERE id = 'row-3'", {}},
        {"a row is not done", &Account::lost, "UPDATE \"Outbox\" SET status = 'PENDING' WHERE id = 'row-3'", {}},
        {"no worker finds the job", &Account::lost, {}, {"LREM", "bull:outbox.mail:wait", "1", "outbox:row-3"}},
        {"a job runs twice", &Account::duplicates, {}, {"LPUSH", "bull:outbox.mail:wait", "outbox:row-3"}},
        {"a job has other data", &Account::wrongBytes, {}, {"HSET", "bull:outbox.mail:outbox:row-3", "data", "{}"}},
        {"a payload changed", &Account::wrongBytes, "UPDATE \"Outbox\" SET payload = '{}' WHERE id = 'row-3'", {}},
        {"an attempt was charged", &Account::attemptsWrong, "UPDATE \"Outbox\" SET retries = 1 WHERE id = 'row-3'", {}},
        {"a dead row was charged",
         &Account::attemptsWrong,
         "UPDATE \"Outbox\" SET retries = 1 WHERE status = 'FAILED'",
         {}},
        {"a row that nobody committed",
         &Account::strangers,
         "INSERT INTO \"Outbox\" (id, \"tenantId\", \"eventType\", payload, \"updatedAt\") VALUES ('x', 't', 'mail.a', "
         "'{}', now())",
         {}},
        {"a job that nobody committed", &Account::strangers, {}, {"HSET", "bull:outbox.mail:outbox:x", "name", "x"}},
        {"a row is changed after its end",
         &Account::illegalWrites,
         "UPDATE \"Outbox\" SET \"updatedAt\" = now() WHERE id = 'row-3'",
         {}},
        {"a handover without a claim",
         &Account::unexplained,
         {},
         {"XADD", "bull:outbox.mail:events", "*", "event", "duplicated", "jobId", "outbox:row-3"}},
    };
    return all;
}

} // namespace

class TestFaultKit final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theLedgerSeesWhatHappened_data();
    void theLedgerSeesWhatHappened();
    void theLedgerSeesStolenLeases();
    void theProxyDoesAsToldWithPostgres();
    void theProxyDoesAsToldWithRedis();

private:
    [[nodiscard]] Result<std::unique_ptr<sql::Connection>> connect(const QString &url, const QByteArray &name,
                                                                   std::chrono::milliseconds patience = 10s) const;
    std::unique_ptr<test::Rig> m_rig;
};

void TestFaultKit::initTestCase()
{
    auto rig = test::Rig::start();
    VERIFY_WORKED(rig);
    m_rig = std::move(*rig);
}

Result<std::unique_ptr<sql::Connection>> TestFaultKit::connect(const QString &url, const QByteArray &name,
                                                               std::chrono::milliseconds patience) const
{
    sql::ConnectOptions options;
    options.url = *sql::DatabaseUrl::parse(url);
    options.access = sql::Access::ReadWrite;
    options.applicationName = name;
    options.callTimeout = patience;
    options.connectTimeout = patience;
    return sql::Connection::open(options);
}

void TestFaultKit::theLedgerSeesWhatHappened_data()
{
    QTest::addColumn<int>("number");
    QTest::newRow("nothing happened") << -1;
    for (int i = 0; i < tamperings().size(); ++i)
        QTest::newRow(tamperings()[i].name.constData()) << i;
}

void TestFaultKit::theLedgerSeesWhatHappened()
{
    QFETCH(const int, number);
    Ledger ledger(m_rig->ledgerOptions());
    VERIFY_WORKED(ledger.ask({"FLUSHALL"}));
    VERIFY_WORKED(ledger.create());
    VERIFY_WORKED(ledger.produce({.rows = 10}));
    VERIFY_WORKED(ledger.produce({.rows = 2, .fate = test::Fate::Dead}));
    VERIFY_WORKED(ledger.produce({.rows = 2, .fate = test::Fate::Waiting}));
    test::DispatcherProcess::Options options = m_rig->dispatcherOptions();
    options.drain = true;
    VERIFY_EXIT(test::DispatcherProcess(options).finish(), 0);
    VERIFY_ACCOUNT(ledger);
    const auto clean = ledger.check();
    QCOMPARE(clean->inserted, 14);
    QCOMPARE(clean->handedOver, 10);
    QCOMPARE(clean->dead, 2);
    QCOMPARE(clean->waiting, 2);
    QCOMPARE(clean->jobs, 10);
    QCOMPARE(clean->repeats, 0);
    if (number < 0)
        return;

    const Tampering &tampering = tamperings()[number];
    if (!tampering.statement.isEmpty()) {
        auto connection = connect(m_rig->servers().databaseSocketUrl(), "outbox-console settle");
        VERIFY_WORKED(connection);
        VERIFY_WORKED((*connection)->execute(tampering.statement));
    } else {
        VERIFY_WORKED(ledger.ask(tampering.command));
    }
    const auto account = ledger.check();
    VERIFY_WORKED(account);
    QVERIFY2(!account->holds(), account->text().constData());
    QVERIFY2((*account).*tampering.counter > 0, account->text().constData());
}

void TestFaultKit::theLedgerSeesStolenLeases()
{
    Ledger ledger(m_rig->ledgerOptions());
    VERIFY_WORKED(ledger.create());
    VERIFY_WORKED(ledger.produce({.rows = 1}));
    auto thief = connect(m_rig->servers().databaseSocketUrl(), "outbox-console claim");
    VERIFY_WORKED(thief);
    const QByteArray claim =
        "UPDATE \"Outbox\" SET status = 'PROCESSING', \"lockedUntil\" = now() AT TIME ZONE 'UTC' + "
        "interval '5 seconds'";
    VERIFY_WORKED((*thief)->execute(claim));
    QCOMPARE(ledger.check()->illegalWrites, 0);
    VERIFY_WORKED((*thief)->execute(claim));
    QCOMPARE(ledger.check()->illegalWrites, 1);
}

void TestFaultKit::theProxyDoesAsToldWithPostgres()
{
    FaultProxy &proxy = m_rig->postgres();
    (void)proxy.takeOpenings();
    auto one = connect(m_rig->databaseUrl(), "one", 500ms);
    VERIFY_WORKED(one);
    auto other = connect(m_rig->databaseUrl(), "another", 500ms);
    VERIFY_WORKED(other);
    const auto openings = proxy.takeOpenings();
    QCOMPARE(openings.size(), 2);
    QVERIFY(openings[1].firstBytes.contains("another"));
    QCOMPARE(proxy.liveConnections(), 2);

    proxy.setDelay(60ms);
    const auto trip = (*one)->roundTrip();
    VERIFY_WORKED(trip);
    QVERIFY(*trip >= 120ms && *trip < 450ms);
    proxy.setDelay(0ms);

    proxy.set(NetworkFault::Stall, "another");
    VERIFY_WORKED((*one)->roundTrip());
    QCOMPARE((*other)->roundTrip().error().code, ErrorCode::Timeout);
    QVERIFY(proxy.isHolding());
    proxy.set(NetworkFault::None);

    proxy.forgetServer("one");
    QCOMPARE((*one)->roundTrip().error().code, ErrorCode::Timeout); // not Unavailable: nobody says so

    other = connect(m_rig->databaseUrl(), "another");
    VERIFY_WORKED(other);
    VERIFY_WORKED((*other)->executeScript("CREATE TABLE IF NOT EXISTS dropped ()"));
    proxy.dropNextReply("another");
    QCOMPARE((*other)->execute("CREATE TABLE kept ()").error().code, ErrorCode::Unavailable);
    QVERIFY(proxy.hasDroppedReply());
    Ledger ledger(m_rig->ledgerOptions());
    QCOMPARE(ledger.query("SELECT to_regclass('kept') IS NOT NULL")->boolean(0, 0), true);

    other = connect(m_rig->databaseUrl(), "another");
    VERIFY_WORKED(other);
    proxy.resetAll();
    QCOMPARE((*other)->roundTrip().error().code, ErrorCode::Unavailable);
    proxy.set(NetworkFault::Refuse);
    QCOMPARE(connect(m_rig->databaseUrl(), "third").error().code, ErrorCode::CannotConnect);
    proxy.set(NetworkFault::None);
    VERIFY_WORKED(connect(m_rig->databaseUrl(), "fourth"));
}

void TestFaultKit::theProxyDoesAsToldWithRedis()
{
    FaultProxy &proxy = m_rig->redis();
    redis::Client client(*redis::Endpoint::parse(m_rig->redisUrl()));
    VERIFY_WORKED(client.exchange(redis::Command{"SET", "key", "1"}, 5s));
    proxy.dropNextReply();
    QCOMPARE(client.exchange(redis::Command{"INCR", "key"}, 5s).error().code, ErrorCode::Unavailable);
    QCOMPARE(client.exchange(redis::Command{"GET", "key"}, 5s)->text, "2");
    proxy.set(NetworkFault::HoldRequests);
    QCOMPARE(client.exchange(redis::Command{"INCR", "key"}, 200ms).error().code, ErrorCode::Timeout);
    proxy.resetAll(); // what was held is gone with its connection
    proxy.set(NetworkFault::HoldReplies);
    QCOMPARE(client.exchange(redis::Command{"PING"}, 200ms).error().code, ErrorCode::CannotConnect);
    proxy.set(NetworkFault::None);
    QCOMPARE(client.exchange(redis::Command{"GET", "key"}, 5s)->text, "2");
}

QTEST_GUILESS_MAIN(TestFaultKit)
#include "tst_faultkit.moc"
