// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/watch/metrics.h>
#include <engine/watch/readiness.h>

#include <QTest>

using namespace engine;
using namespace engine::watch;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using dispatch::DispatcherState;
using dispatch::Progress;
using outbox::Count;
using outbox::DueLook;

// What is concluded from what is seen of a dispatcher, by a clock of the test's own.
class TestReadiness final : public QObject
{
    Q_OBJECT

private slots:
    void followsTheState_data();
    void followsTheState();
    void noticesThatNothingDrains();
    void aHandOverIsEnough();
    void noticesASilentLoop();
    void noticesAnUnseenTable();
    void noticesEviction();
    void countersOutliveARun();
    void unknownIsAbsent();
};

namespace {

Progress progressOf(DispatcherState state, qint64 handedOver = 0)
{
    Progress progress;
    progress.state = state;
    progress.handedOver = handedOver;
    return progress;
}

QByteArrayList codesOf(const Readiness &readiness, qint64 now)
{
    QByteArrayList codes;
    const QList<HealthReason> reasons = readiness.reasons(now);
    for (const HealthReason &reason : reasons)
        codes << reason.code;
    return codes;
}

Result<DueLook> waiting(qint64 ms)
{
    return DueLook{{7, Count::Kind::Exact}, ms, ms};
}

outbox::Layout layout()
{
    outbox::Layout layout;
    layout.schema = "public";
    layout.table = "outbox_event";
    return layout;
}

std::optional<double> sample(const Metrics &metrics, const QByteArray &name)
{
    const QList<QByteArray> lines = metrics.text().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith(name + '{'))
            return line.mid(line.lastIndexOf(' ') + 1).toDouble();
    }
    return std::nullopt;
}

} // namespace

void TestReadiness::followsTheState_data()
{
    QTest::addColumn<DispatcherState>("state");
    QTest::addColumn<QByteArrayList>("codes");
    QTest::newRow("stopped") << DispatcherState::Stopped << QByteArrayList{"not-started"};
    QTest::newRow("starting") << DispatcherState::Starting << QByteArrayList{"starting"};
    QTest::newRow("running") << DispatcherState::Running << QByteArrayList{};
    QTest::newRow("recovering") << DispatcherState::Recovering << QByteArrayList{"recovering"};
    QTest::newRow("stopping") << DispatcherState::Stopping << QByteArrayList{"stopping"};
}

void TestReadiness::followsTheState()
{
    QFETCH(DispatcherState, state);
    QFETCH(QByteArrayList, codes);
    Readiness readiness(60s);
    QCOMPARE(codesOf(readiness, 0), QByteArrayList{"not-started"});
    readiness.setProgress(progressOf(state), 10);
    QCOMPARE(codesOf(readiness, 20), codes);
}

void TestReadiness::noticesThatNothingDrains()
{
    Readiness readiness(60s);
    for (qint64 now = 0; now <= 120'000; now += 500) {
        readiness.setProgress(progressOf(DispatcherState::Running), now);
        if (now % 15'000 == 0)
            readiness.setDue(waiting(now + 1), now); // due since the start
        const bool red = codesOf(readiness, now).contains("nothing-drains");
        // Within a minute of the limit, and not before it.
        QVERIFY2(now >= 60'000 || !red, QByteArray::number(now).constData());
        QVERIFY2(now < 75'000 || red, QByteArray::number(now).constData());
    }
    QVERIFY(readiness.reasons(120'000)[0].message.startsWith(u"7 rows are due"_s));
}

void TestReadiness::aHandOverIsEnough()
{
    Readiness readiness(60s);
    readiness.setProgress(progressOf(DispatcherState::Running), 0);
    readiness.setProgress(progressOf(DispatcherState::Running), 100'000);
    readiness.setDue(waiting(600'000), 100'000);
    QCOMPARE(codesOf(readiness, 100'000), QByteArrayList{"nothing-drains"});
    readiness.setProgress(progressOf(DispatcherState::Running, 1), 100'500);
    QCOMPARE(codesOf(readiness, 100'500), QByteArrayList{});
    // A long backlog that is being worked on is no reason.
    for (qint64 now = 101'000; now < 400'000; now += 500) {
        readiness.setProgress(progressOf(DispatcherState::Running, now / 30'000), now);
        readiness.setDue(waiting(now + 600'000), now);
        QCOMPARE(codesOf(readiness, now), QByteArrayList{});
    }
    // What was seen before the last hand-over says nothing once time has passed.
    readiness.setProgress(progressOf(DispatcherState::Running, 100), 400'000);
    readiness.setProgress(progressOf(DispatcherState::Running, 100), 500'000);
    QCOMPARE(codesOf(readiness, 500'000), QByteArrayList{});
}

void TestReadiness::noticesASilentLoop()
{
    Readiness readiness(60s);
    readiness.setProgress(progressOf(DispatcherState::Running), 1000);
    QVERIFY(readiness.isAlive(15'000));
    QVERIFY(!readiness.isAlive(16'000));
    QCOMPARE(codesOf(readiness, 16'000), QByteArrayList{"loop-stuck"});
    readiness.setProgress(progressOf(DispatcherState::Stopped), 16'500);
    QVERIFY(readiness.isAlive(100'000)); // it has nothing to tell any more
}

void TestReadiness::noticesAnUnseenTable()
{
    Readiness readiness(60s);
    const Result<DueLook> away = fail(ErrorCode::Timeout, u"too slow"_s);
    for (qint64 now = 0; now <= 60'000; now += 500) {
        readiness.setProgress(progressOf(DispatcherState::Running), now);
        if (now % 15'000 == 0)
            readiness.setDue(away, now);
        QCOMPARE(codesOf(readiness, now).contains("table-unknown"), now >= 45'000);
    }
    readiness.setDue(DueLook{{0, Count::Kind::Exact}, {}, {}}, 60'000);
    QCOMPARE(codesOf(readiness, 60'000), QByteArrayList{});
}

void TestReadiness::noticesEviction()
{
    Readiness readiness(60s);
    readiness.setProgress(progressOf(DispatcherState::Running), 0);
    readiness.setEviction(fail(ErrorCode::Refused, u"may evict"_s));
    QCOMPARE(codesOf(readiness, 0), QByteArrayList{"redis-may-evict"});
    readiness.setEviction(fail(ErrorCode::Unavailable, u"away"_s)); // says nothing about it
    QCOMPARE(codesOf(readiness, 0), QByteArrayList{"redis-may-evict"});
    readiness.setEviction({});
    QCOMPARE(codesOf(readiness, 0), QByteArrayList{});
}

void TestReadiness::countersOutliveARun()
{
    Metrics metrics(layout());
    metrics.setProgress(progressOf(DispatcherState::Running, 100));
    metrics.setProgress(progressOf(DispatcherState::Running, 150));
    QCOMPARE(sample(metrics, "outbox_handed_over_total"), 150);
    metrics.setProgress(progressOf(DispatcherState::Starting, 0)); // a new run counts from 0
    metrics.setProgress(progressOf(DispatcherState::Running, 30));
    QCOMPARE(sample(metrics, "outbox_handed_over_total"), 180);
}

void TestReadiness::unknownIsAbsent()
{
    Metrics metrics(layout());
    for (const QByteArray name :
         {"outbox_due_rows", "outbox_oldest_due_age_seconds", "outbox_in_flight", "outbox_last_look_age_seconds",
          "outbox_due_sample_timestamp_seconds", "outbox_retention_last_run_timestamp_seconds"})
        QVERIFY2(!metrics.text().contains('\n' + name), name.constData());
    metrics.setDue(waiting(2500));
    QCOMPARE(sample(metrics, "outbox_due_rows"), 7);
    QCOMPARE(sample(metrics, "outbox_oldest_due_age_seconds"), 2.5);
    metrics.setDue(DueLook{{0, Count::Kind::Exact}, {}, {}});
    QCOMPARE(sample(metrics, "outbox_due_rows"), 0);
    QVERIFY(!sample(metrics, "outbox_oldest_due_age_seconds"));
    metrics.setDue(fail(ErrorCode::Timeout, u"too slow"_s));
    QVERIFY(!sample(metrics, "outbox_due_rows"));
    Progress progress = progressOf(DispatcherState::Running);
    progress.seconds = 12;
    progress.lastLook = 7000; // five seconds before
    metrics.setProgress(progress);
    const double age = *sample(metrics, "outbox_last_look_age_seconds");
    QVERIFY2(age >= 5 && age < 10, QByteArray::number(age).constData());
}

QTEST_APPLESS_MAIN(TestReadiness)
#include "tst_readiness.moc"
