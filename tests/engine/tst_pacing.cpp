// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/dispatch/pacing.h>

#include <QTest>

using engine::dispatch::Pacing;
using std::chrono::milliseconds;
using namespace std::chrono_literals;

// How often an idle dispatcher looks, over times of its own: nothing here waits.
class TestPacing final : public QObject
{
    Q_OBJECT

private slots:
    void fixedIsTheInterval();
    void relaxesWithQuiet_data();
    void relaxesWithQuiet();
    void looksAtOnceUnderTraffic();
    void wantsNoWakeUpsWhileBusy();
    void countsWakeUpsAsTraffic();
    void mutesFruitlessWakeUps();
    void neverExceedsTheInterval();
};

void TestPacing::fixedIsTheInterval()
{
    Pacing pacing(700ms, false);
    pacing.claimed(5000, 100);
    QCOMPARE(pacing.pause(false, 101), 700ms);
    QCOMPARE(pacing.pause(true, 100'000), 700ms);
}

void TestPacing::relaxesWithQuiet_data()
{
    QTest::addColumn<int>("quiet");
    QTest::addColumn<int>("without");
    QTest::addColumn<int>("with");
    QTest::newRow("at once") << 0 << 10 << 100;
    QTest::newRow("after 1 s") << 1'000 << 50 << 100;
    QTest::newRow("after 4 s") << 4'000 << 200 << 200;
    QTest::newRow("after 20 s") << 20'000 << 1'000 << 1'000;
    QTest::newRow("after a day") << 86'400'000 << 1'000 << 1'000;
}

void TestPacing::relaxesWithQuiet()
{
    QFETCH(int, quiet);
    QFETCH(int, without);
    QFETCH(int, with);
    Pacing pacing(1000ms, true);
    pacing.claimed(1, 5'000);
    QCOMPARE(pacing.pause(false, 5'000 + quiet), milliseconds(without));
    QCOMPARE(pacing.pause(true, 5'000 + quiet), milliseconds(with));
}

void TestPacing::looksAtOnceUnderTraffic()
{
    Pacing pacing(1000ms, true);
    for (int now = 0; now < 2'000; now += 2)
        pacing.claimed(1, now); // 500 a second
    QVERIFY(pacing.pause(false, 2'000) <= 2ms);
    QVERIFY(pacing.pause(false, 2'000) >= 1ms);
}

void TestPacing::wantsNoWakeUpsWhileBusy()
{
    Pacing pacing(1000ms, true);
    QVERIFY(pacing.wantsToBeWoken(0));
    int now = 0;
    for (; now < 2'000; ++now)
        pacing.claimed(1, now); // 1,000 a second
    QVERIFY(!pacing.wantsToBeWoken(now));
    QVERIFY(!pacing.wantsToBeWoken(now + 300)); // not for a short lull
    QVERIFY(pacing.wantsToBeWoken(now + 1'100));
    // Between the two bounds it stays as it was.
    for (now = 10'000; now < 12'000; now += 25)
        pacing.claimed(1, now); // 40 a second
    QVERIFY(pacing.wantsToBeWoken(now));
}

void TestPacing::countsWakeUpsAsTraffic()
{
    // Another dispatcher gets the rows; what this one gets is the noise.
    Pacing pacing(1000ms, true);
    for (int now = 0; now < 1'000; ++now)
        pacing.woken(now);
    QVERIFY(!pacing.wantsToBeWoken(1'000));
}

void TestPacing::mutesFruitlessWakeUps()
{
    // Producers write rows for tomorrow, a thousand a second, as long as they are asked to notify.
    Pacing pacing(1000ms, true);
    QList<int> notified; // when notifications began
    bool asked = false;
    for (int now = 0; now < 100'000; ++now) {
        const bool wanted = pacing.wantsToBeWoken(now);
        if (wanted && !asked)
            notified << now;
        asked = wanted;
        if (asked)
            pacing.woken(now);
        else
            QVERIFY(pacing.pause(false, now) <= 100ms);
    }
    QVERIFY2(notified.size() >= 6 && notified.size() <= 8, qPrintable(QString::number(notified.size())));
    for (qsizetype i = 2; i < notified.size(); ++i) {
        const int gap = notified[i] - notified[i - 1];
        QVERIFY(gap >= notified[i - 1] - notified[i - 2]);
        QVERIFY(gap <= 33'500);
    }
    // A row that is due ends that.
    pacing.claimed(1, 100'000);
    int woken = 0;
    for (int now = 140'000; now < 143'000; ++now) {
        if (pacing.wantsToBeWoken(now)) {
            pacing.woken(now);
            ++woken;
        }
    }
    QVERIFY2(woken >= 60 && woken < 90, qPrintable(QString::number(woken)));
}

void TestPacing::neverExceedsTheInterval()
{
    Pacing pacing(5ms, true);
    for (const qint64 now : {0, 10, 1'000, 1'000'000}) {
        QVERIFY(pacing.pause(false, now) <= 5ms);
        QVERIFY(pacing.pause(true, now) <= 5ms);
    }
}

QTEST_GUILESS_MAIN(TestPacing)
#include "tst_pacing.moc"
