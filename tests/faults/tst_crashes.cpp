// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Dispatchers that die, freeze, are told to end or lose sight of their leases, and others that take over.

#include "rig.h"

#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::DispatcherProcess;
using test::Ledger;
using test::NetworkFault;

class TestCrashes final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void theNextOneFinishes();
    void oneProcessMayClaimTwice();
    void anotherClaimMayEndAtTheSameTime();
    void leasesAreRenewedWhileTheWorkStands();
    void endsInOrderUnderLoad();

private:
    static constexpr int lease = 2; // seconds
    [[nodiscard]] std::unique_ptr<Ledger> newLedger(const QByteArray &name) const;
    [[nodiscard]] DispatcherProcess::Options optionsFor(const Ledger &ledger) const;

    std::unique_ptr<test::Rig> m_rig;
};

void TestCrashes::initTestCase()
{
    auto rig = test::Rig::start();
    VERIFY_WORKED(rig);
    m_rig = std::move(*rig);
}

// A table and queues of its own.
std::unique_ptr<Ledger> TestCrashes::newLedger(const QByteArray &name) const
{
    Ledger::Options options = m_rig->ledgerOptions();
    options.table = name;
    options.prefix = name;
    options.lease = std::chrono::seconds(lease);
    auto ledger = std::make_unique<Ledger>(options);
    if (const auto created = ledger->create(); !created)
        qFatal("%s", test::why(created).constData());
    return ledger;
}

DispatcherProcess::Options TestCrashes::optionsFor(const Ledger &ledger) const
{
    DispatcherProcess::Options options = m_rig->dispatcherOptions();
    options.databaseUrl = ledger.options().databaseUrl;
    options.redisUrl = ledger.options().redisUrl;
    options.table = ledger.options().table;
    options.prefix = ledger.options().prefix;
    options.lease = lease;
    return options;
}

// Every place at which a crash matters, killed and frozen, all at once.
void TestCrashes::theNextOneFinishes()
{
    struct Scene
    {
        QByteArray name;
        bool isKilled;
        bool mayRepeat; // the crash lies between the handover and its outcome
        std::unique_ptr<Ledger> ledger;
        std::unique_ptr<DispatcherProcess> victim;
        std::unique_ptr<DispatcherProcess> heir;
    };
    constexpr int rows = 120;
    std::vector<Scene> scenes;
    for (const QByteArray &place : {QByteArray("after_claim"), QByteArray("after_enqueue"), QByteArray("before_done"),
                                    QByteArray("after_done")}) {
        for (const QByteArray &fate : {QByteArray("kill"), QByteArray("stop")})
            scenes.push_back({place + '_' + fate, fate == "kill", place == "after_enqueue" || place == "before_done",
                              newLedger(place + '_' + fate), nullptr, nullptr});
    }
    for (Scene &scene : scenes) {
        VERIFY_WORKED(scene.ledger->produce({rows}));
        DispatcherProcess::Options options = optionsFor(*scene.ledger);
        const QByteArray place = scene.name.left(scene.name.lastIndexOf('_'));
        options.environment.insert(u"OUTBOX_CRASH_POINT"_s,
                                   QString::fromLatin1(place + (scene.isKilled ? ":1:kill" : ":1:stop")));
        scene.victim = std::make_unique<DispatcherProcess>(options);
    }
    for (Scene &scene : scenes) {
        if (scene.isKilled)
            SOON_VERIFY2(!scene.victim->isRunning(), scene.name.constData());
        else
            SOON_VERIFY2(scene.victim->isStopped(), scene.name.constData());
        QVERIFY2(scene.ledger->unfinished() > 0, scene.name.constData());
        scene.heir = std::make_unique<DispatcherProcess>(optionsFor(*scene.ledger));
    }
    for (Scene &scene : scenes)
        SOON_VERIFY2(scene.ledger->unfinished() == 0, scene.name.constData());
    for (Scene &scene : scenes) {
        if (!scene.isKilled)
            scene.victim->send(SIGCONT);
    }
    for (Scene &scene : scenes) {
        QByteArray context = scene.name + ": ";
        if (!scene.isKilled) {
            // What it held was somebody else's meanwhile: it says so, and changes nothing.
            if (!scene.name.startsWith("after_done"))
                SOON_VERIFY2(scene.victim->log().contains("too late"), (context + scene.victim->log()).constData());
            const auto ended = scene.victim->stop();
            QVERIFY2(ended.exitCode == 0, (context + ended.text()).constData());
            const QJsonObject result = ended.object();
            if (!scene.name.startsWith("after_done"))
                QVERIFY2(result["leaseLost"_L1].toInt() > 0, (context + ended.text()).constData());
            QCOMPARE(result["retried"_L1].toInt(-1), 0);
        }
        const auto ended = scene.heir->stop();
        QVERIFY2(ended.exitCode == 0, (context + ended.text()).constData());
        const auto account = scene.ledger->check();
        VERIFY_WORKED(account);
        QVERIFY2(account->holds(), (context + account->text()).constData());
        QCOMPARE(account->jobs, rows);
        if (scene.isKilled && scene.mayRepeat)
            QVERIFY2(account->repeats > 0, (context + account->text()).constData()); // else nothing was tested
        if (scene.name == "after_claim_kill")
            QCOMPARE(account->repeats, 0);
    }
}

// Its replies and its renewals stand still until its lease is over and it has claimed the same rows once more: the
// outcome of the first claim must not pass for that of the second.
void TestCrashes::oneProcessMayClaimTwice()
{
    const auto ledger = newLedger("twice");
    auto redis = m_rig->newRedisProxy();
    VERIFY_WORKED(redis);
    auto postgres = m_rig->newPostgresProxy();
    VERIFY_WORKED(postgres);
    DispatcherProcess::Options options = optionsFor(*ledger);
    options.redisUrl = test::Rig::redisUrl(**redis);
    options.databaseUrl = test::Rig::databaseUrl(**postgres);
    options.concurrency = 500;
    DispatcherProcess dispatcher(options);
    VERIFY_WORKED(ledger->produce({1}));
    SOON_COMPARE(ledger->done(), 1);

    (*postgres)->set(NetworkFault::Stall, "outbox-console renew");
    (*redis)->set(NetworkFault::HoldReplies);
    VERIFY_WORKED(ledger->produce({30}));
    const auto claimsOfTheSame = [&] {
        const auto rows = ledger->query("SELECT coalesce(min(n), 0) FROM (SELECT count(*) FILTER (WHERE h.by LIKE "
                                        "'%claim') AS n FROM \"twice\" r LEFT JOIN \"twice_history\" h USING (id) "
                                        "WHERE r.status = 'PROCESSING' GROUP BY r.id) AS claims");
        return rows ? rows->integer(0, 0) : -1;
    };
    SOON_VERIFY2(claimsOfTheSame() >= 2, dispatcher.log().constData());
    (*redis)->set(NetworkFault::None);
    SOON_VERIFY2(dispatcher.log().contains("too late"), dispatcher.log().constData());
    (*postgres)->set(NetworkFault::None);
    SOON_COMPARE(ledger->unfinished(), 0);
    const auto ended = dispatcher.stop();
    VERIFY_EXIT(ended, 0);
    QVERIFY2(ended.object()["leaseLost"_L1].toInt() > 0, ended.text().constData());
    VERIFY_ACCOUNT(*ledger);
}

// Tokens are times: a dispatcher that was frozen must not take for its own renewal what is somebody else's claim, made
// a whole number of seconds after its own.
void TestCrashes::anotherClaimMayEndAtTheSameTime()
{
    const auto ledger = newLedger("equal");
    auto redis = m_rig->newRedisProxy();
    VERIFY_WORKED(redis);
    DispatcherProcess::Options options = optionsFor(*ledger);
    options.redisUrl = test::Rig::redisUrl(**redis);
    DispatcherProcess frozen(options);
    VERIFY_WORKED(ledger->produce({1}));
    SOON_COMPARE(ledger->done(), 1);
    (*redis)->set(NetworkFault::HoldReplies);
    VERIFY_WORKED(ledger->produce({20}));
    SOON_VERIFY((*redis)->isHolding());
    frozen.send(SIGSTOP);
    SOON_VERIFY(frozen.isStopped());

    const QByteArray held = "status = 'PROCESSING' AND \"lockedUntil\" = \"createdAt\"";
    VERIFY_WORKED(ledger->query("UPDATE \"equal\" SET \"lockedUntil\" = \"lockedUntil\" + interval '4 seconds', "
                                "\"createdAt\" = \"lockedUntil\" + interval '4 seconds' WHERE status = 'PROCESSING'"));
    QCOMPARE(ledger->count(held), 20);
    // Half way between four and five seconds after its claim.
    SOON_COMPARE(ledger->count("status = 'PROCESSING' AND \"lockedUntil\" - interval '2 seconds' + interval "
                               "'300 ms' > now() AT TIME ZONE 'UTC'"),
                 0);
    frozen.send(SIGCONT);
    QElapsedTimer time;
    time.start();
    while (time.elapsed() < 700) {
        QCOMPARE(ledger->count(held), 20);
        QTest::qWait(50); // nothing may happen
    }
    (*redis)->set(NetworkFault::None);
    SOON_VERIFY(frozen.log().contains("too late") || ledger->count(held) != 20);
    QCOMPARE(ledger->count(held), 20);
    VERIFY_EXIT(frozen.stop(), 0);
    QCOMPARE(ledger->count(held), 20);
}

// Redis does not answer for several leases, and the connections that claim and settle stand still as well. The rows
// stay with their dispatcher all the same, and another one that looks for work gets none of them.
void TestCrashes::leasesAreRenewedWhileTheWorkStands()
{
    const auto ledger = newLedger("renewed");
    auto redis = m_rig->newRedisProxy();
    VERIFY_WORKED(redis);
    auto postgres = m_rig->newPostgresProxy();
    VERIFY_WORKED(postgres);
    DispatcherProcess::Options options = optionsFor(*ledger);
    options.redisUrl = test::Rig::redisUrl(**redis);
    options.databaseUrl = test::Rig::databaseUrl(**postgres);
    options.lease = 3;
    DispatcherProcess holder(options);
    VERIFY_WORKED(ledger->produce({1}));
    SOON_COMPARE(ledger->done(), 1);

    (*redis)->set(NetworkFault::HoldReplies);
    VERIFY_WORKED(ledger->produce({30}));
    SOON_COMPARE(ledger->count("status = 'PROCESSING'"), 30);
    (*postgres)->set(NetworkFault::Stall, "outbox-console settle");
    options.redisUrl = ledger->options().redisUrl;
    options.databaseUrl = ledger->options().databaseUrl;
    DispatcherProcess other(options);
    QElapsedTimer time;
    time.start();
    while (time.elapsed() < 3 * options.lease * 1000) {
        QCOMPARE(ledger->count("status = 'PROCESSING' AND \"lockedUntil\" > now() AT TIME ZONE 'UTC'"), 30);
        QTest::qWait(100); // nothing may happen
    }
    (*redis)->set(NetworkFault::None);
    (*postgres)->set(NetworkFault::None);
    SOON_COMPARE(ledger->unfinished(), 0);
    const auto idle = other.stop();
    VERIFY_EXIT(idle, 0);
    QCOMPARE(idle.object()["claimed"_L1].toInt(-1), 0);
    const auto ended = holder.stop();
    VERIFY_EXIT(ended, 0);
    QCOMPARE(ended.object()["leaseLost"_L1].toInt(-1), 0);
    QCOMPARE(ended.object()["duplicates"_L1].toInt(-1), 0);
    VERIFY_ACCOUNT(*ledger);
}

// Told to end in the middle of the work, again and again: nothing is handed over twice, nothing stays claimed, and
// the next one goes on at once.
void TestCrashes::endsInOrderUnderLoad()
{
    const auto ledger = newLedger("ended");
    constexpr int rounds = 6;
    constexpr int rows = 4000;
    VERIFY_WORKED(ledger->produce({rows}));
    DispatcherProcess::Options options = optionsFor(*ledger);
    options.lease = 300; // whatever stays claimed is seen
    for (int round = 0; round < rounds; ++round) {
        const qint64 before = ledger->done();
        QVERIFY(before < rows);
        DispatcherProcess dispatcher(options);
        SOON_VERIFY(ledger->done() > before);
        const auto ended = dispatcher.stop();
        VERIFY_EXIT(ended, 0);
        QCOMPARE(ledger->count("status = 'PROCESSING'"), 0);
        QCOMPARE(ended.object()["duplicates"_L1].toInt(-1), 0);
        QCOMPARE(ended.object()["leaseLost"_L1].toInt(-1), 0);
        if (ledger->done() == rows)
            QVERIFY2(round > 0, "it was done before it could be told to end");
        if (ledger->done() == rows)
            break;
    }
    DispatcherProcess last(options);
    SOON_COMPARE(ledger->done(), rows);
    VERIFY_EXIT(last.stop(), 0);
    const auto account = ledger->check();
    VERIFY_WORKED(account);
    QVERIFY2(account->holds(), account->text().constData());
    QCOMPARE(account->repeats, 0);
}

QTEST_GUILESS_MAIN(TestCrashes)
#include "tst_crashes.moc"
