// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// One dispatcher lives through every fault that a database, a Redis and the network between are known for. Each has
// to be noticed, to charge nothing, to cause no storm of connections, and to be over soon after it has gone. Each lasts
// until it is noticed, and OUTBOX_FAULT_SECONDS more.

#include "rig.h"

#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QTest>

#include <functional>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::NetworkFault;

namespace {

constexpr auto recoveryTime = 10s;

struct FaultCase
{
    QByteArray name;
    std::function<void()> strike;
    std::function<bool()> isNoticed; // it took effect: without this the test would prove nothing
    std::function<void()> mend;
    bool databaseTakesWrites = true; // producers can work meanwhile
};

} // namespace

class TestFaults final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void heals_data();
    void heals();
    void nothingIsWrongAfterAll();
    void endsInOrder();

private:
    [[nodiscard]] QList<FaultCase> cases();
    [[nodiscard]] FaultCase raised(const QByteArray &state);
    [[nodiscard]] qint64 number(const QByteArray &statement);
    void tell(const QByteArray &statement);
    void ask(const redis::Command &command);

    std::unique_ptr<test::Rig> m_rig;
    std::unique_ptr<test::Ledger> m_ledger;
    std::unique_ptr<test::DispatcherProcess> m_dispatcher;
    QList<FaultCase> m_cases;
    qsizetype m_troubles = 0; // logged before the fault
};

void TestFaults::initTestCase()
{
    auto rig = test::Rig::start();
    VERIFY_WORKED(rig);
    m_rig = std::move(*rig);
    m_ledger = std::make_unique<test::Ledger>(m_rig->ledgerOptions());
    VERIFY_WORKED(m_ledger->create());
    m_dispatcher = std::make_unique<test::DispatcherProcess>(m_rig->dispatcherOptions());
    VERIFY_WORKED(m_ledger->produce({100}));
    SOON_COMPARE(m_ledger->done(), 100);
}

qint64 TestFaults::number(const QByteArray &statement)
{
    const auto rows = m_ledger->query(statement);
    return rows && rows->count() > 0 ? rows->integer(0, 0) : -1;
}

void TestFaults::tell(const QByteArray &statement)
{
    VERIFY_WORKED(m_ledger->query(statement));
}

void TestFaults::ask(const redis::Command &command)
{
    VERIFY_WORKED(m_ledger->ask(command));
}

// An error of the database's own at the next three changes of the table.
FaultCase TestFaults::raised(const QByteArray &state)
{
    const auto strike = [this, state] {
        tell("CREATE SEQUENCE raised");
        tell(
            "CREATE FUNCTION raise() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF nextval('raised') <= 3 THEN RAISE "
            "EXCEPTION 'as told' USING ERRCODE = '"
            + state + "'; END IF; RETURN NULL; END $$");
        tell("CREATE TRIGGER raise BEFORE UPDATE ON \"Outbox\" FOR EACH STATEMENT EXECUTE FUNCTION raise()");
    };
    const auto mend = [this] {
        tell("DROP FUNCTION raise CASCADE");
        tell("DROP SEQUENCE raised");
    };
    return {"SQLSTATE " + state, strike, [this] { return number("SELECT last_value FROM raised") >= 3; }, mend};
}

QList<FaultCase> TestFaults::cases()
{
    using test::FaultProxy;
    const auto logged = [this] { return m_dispatcher->troubles() > m_troubles; };
    const auto nothing = [] {};
    FaultProxy &postgres = m_rig->postgres();
    FaultProxy &redis = m_rig->redis();
    const auto network = [&](const QByteArray &name, FaultProxy &proxy, NetworkFault fault, const QByteArray &marker) {
        const bool refuses = fault == NetworkFault::Refuse;
        const auto strike = [&proxy, fault, marker] { proxy.set(fault, marker); };
        const auto mend = [&proxy] { proxy.set(NetworkFault::None); };
        return refuses ? FaultCase{name, strike, logged, mend}
                       : FaultCase{name, strike, [&proxy] { return proxy.isHolding(); }, mend};
    };
    return {
        {"PostgreSQL crashes", [this] { m_rig->servers().postgres().kill(); }, logged,
         [this] { VERIFY_WORKED(m_rig->servers().restartPostgres()); }, false},
        {"PostgreSQL only reads",
         [this] {
             tell("SET default_transaction_read_only = off"); // for this session
             tell("ALTER SYSTEM SET default_transaction_read_only = on");
             tell("SELECT pg_reload_conf()");
         },
         logged,
         [this] {
             tell("ALTER SYSTEM RESET default_transaction_read_only");
             tell("SELECT pg_reload_conf()");
         }},
        {"connections are terminated",
         [this] {
             tell("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE "
                  "'outbox-console%'");
         },
         logged, nothing},
        {"connections to PostgreSQL are reset", [&] { postgres.resetAll(); }, logged, nothing},
        network("PostgreSQL refuses", postgres, NetworkFault::Refuse, {}),
        network("the claim's connection stands still", postgres, NetworkFault::Stall, "outbox-console claim"),
        network("the claim's replies stand still", postgres, NetworkFault::HoldReplies, "outbox-console claim"),
        network("the settle's connection stands still", postgres, NetworkFault::Stall, "outbox-console settle"),
        network("the settle's replies stand still", postgres, NetworkFault::HoldReplies, "outbox-console settle"),
        {"PostgreSQL is far away", [&] { postgres.setDelay(200ms); }, [this] { return m_ledger->unfinished() == 0; },
         [&] { postgres.setDelay(0ms); }},
        raised("40001"), // serialisation failure
        raised("40P01"), // deadlock
        raised("55P03"), // lock not available
        raised("53100"), // disk full
        {"Redis crashes", [this] { m_rig->servers().redis().kill(); }, logged,
         [this] { VERIFY_WORKED(m_rig->servers().restartRedis()); }},
        {"Redis pauses",
         [this] {
             ask({"CLIENT", "PAUSE", "1500", "ALL"});
         },
         [this] { return number("SELECT count(*) FROM \"Outbox\" WHERE status = 'PROCESSING'") > 0; }, nothing},
        {"Redis only reads",
         [this] {
             ask({"REPLICAOF", "127.0.0.1", "1"});
         },
         logged,
         [this] {
             ask({"REPLICAOF", "NO", "ONE"});
         }},
        {"Redis is full",
         [this] {
             ask({"CONFIG", "SET", "maxmemory", "1"});
         },
         logged,
         [this] {
             ask({"CONFIG", "SET", "maxmemory", "0"});
         }},
        {"Redis forgets its scripts",
         [this] {
             ask({"SCRIPT", "FLUSH"});
         },
         [this] { return m_ledger->unfinished() == 0; }, nothing},
        {"a reply of Redis is lost", [&] { redis.dropNextReply(); }, [&] { return redis.hasDroppedReply(); }, nothing},
        {"connections to Redis are reset", [&] { redis.resetAll(); }, logged, nothing},
        network("Redis refuses new and old", redis, NetworkFault::Refuse, {}),
        network("Redis' replies stand still", redis, NetworkFault::HoldReplies, {}),
    };
}

void TestFaults::heals_data()
{
    m_cases = cases();
    QTest::addColumn<int>("number");
    for (int i = 0; i < m_cases.size(); ++i)
        QTest::newRow(m_cases[i].name.constData()) << i;
}

void TestFaults::heals()
{
    QFETCH(const int, number);
    const FaultCase &fault = m_cases[number];
    QCOMPARE(m_ledger->unfinished(), 0);
    m_troubles = m_dispatcher->troubles();
    (void)m_rig->postgres().takeOpenings();
    (void)m_rig->redis().takeOpenings();
    QElapsedTimer duration;
    duration.start();

    VERIFY_WORKED(m_ledger->produce({200})); // some of them are on their way when it strikes
    fault.strike();
    if (QTest::currentTestFailed())
        return;
    if (fault.databaseTakesWrites)
        VERIFY_WORKED(m_ledger->produce({100}));
    SOON_VERIFY(fault.isNoticed());
    if (const int longer = qEnvironmentVariableIntValue("OUTBOX_FAULT_SECONDS"); longer > 0)
        QTest::qWait(longer * 1000);
    fault.mend();
    if (QTest::currentTestFailed())
        return;

    QElapsedTimer recovery;
    recovery.start();
    SOON_VERIFY2(m_ledger->unfinished() == 0, m_dispatcher->log().right(2000).constData());
    const qint64 took = recovery.elapsed();
    QVERIFY2(took < std::chrono::milliseconds(recoveryTime).count(), qPrintable(QString::number(took)));
    QVERIFY2(m_dispatcher->isRunning(), m_dispatcher->log().right(2000).constData());
    QCOMPARE(this->number("SELECT count(*) FROM \"Outbox\" WHERE retries <> 0 OR status <> 'DONE'"), 0);

    // No connection is opened more than once a second.
    const double seconds = static_cast<double>(duration.elapsed()) / 1000;
    QHash<QByteArray, int> openings;
    for (const auto &opening : m_rig->postgres().takeOpenings()) {
        const qsizetype at = opening.firstBytes.indexOf("outbox-console ");
        ++openings[at < 0 ? QByteArray("PostgreSQL") : opening.firstBytes.mid(at, 22)];
    }
    openings["Redis"] = static_cast<int>(m_rig->redis().takeOpenings().size());
    // Refused before they say who they are: claim, settle, listen and renew together.
    openings["PostgreSQL"] /= 4;
    for (const auto &[name, count] : openings.asKeyValueRange())
        QVERIFY2(count <= 1 + seconds,
                 qPrintable(u"%1: %2 in %3 s"_s.arg(QLatin1StringView(name)).arg(count).arg(seconds)));
    qInfo("recovered after %lld ms", took);
}

void TestFaults::nothingIsWrongAfterAll()
{
    const auto account = m_ledger->check();
    VERIFY_WORKED(account);
    // The crash of the database may have undone claims of rows that were handed over already.
    QVERIFY2(account->holds(0, 200), account->text().constData());
}

void TestFaults::endsInOrder()
{
    const auto outcome = m_dispatcher->stop();
    VERIFY_EXIT(outcome, 0);
    const QJsonObject result = outcome.object();
    QCOMPARE(result["retried"_L1].toInt(-1), 0);
    QCOMPARE(result["dead"_L1].toInt(-1), 0);
    QCOMPARE(m_ledger->count("status = 'PROCESSING'"), 0);
}

QTEST_GUILESS_MAIN(TestFaults)
#include "tst_faults.moc"
