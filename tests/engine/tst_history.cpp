// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/history/connectionkey.h>
#include <engine/history/history.h>

#include <tests/support/verify.h>

#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace engine::history;
using namespace Qt::StringLiterals;

namespace {

constexpr qint64 start = 1'769'871'600'000; // 2026-01-31 15:00:00 UTC, a whole quarter
constexpr qint64 minute = 60'000;
const QByteArray here = "here";

std::vector<Point> pointsOf(HistoryStore &store, const QByteArray &name, qint64 from, qint64 to, int most = 1500)
{
    const auto answer = store.series(here, {name}, from, to, most);
    return answer && answer->series.size() == 1 ? answer->series.front().points : std::vector<Point>();
}

} // namespace

// The local history in real SQLite files.
class TestHistory final : public QObject
{
    Q_OBJECT

private slots:
    void init() { QVERIFY(m_folder.emplace().isValid()); }

    void keepsGaps();
    void rollsUpAndForgets();
    void rollsUpAfterACrash();
    void survivesARestart();
    void setsADamagedFileAside_data();
    void setsADamagedFileAside();
    void leavesANewerFileAlone();
    void saysWhenItCannotWrite();
    void twoConsolesShareIt();
    void staysBelowItsLimit();
    void namesConnectionsWithoutSecrets();
    void answersBySignals();

private:
    [[nodiscard]] QString file() const { return m_folder->filePath(u"below/history.sqlite"_s); }
    std::optional<QTemporaryDir> m_folder;
};

void TestHistory::keepsGaps()
{
    HistoryStore store(file());
    VERIFY_WORKED(store.record(here, start, {{"due", 5}, {"queue.depth/a:b", 1}}));
    VERIFY_WORKED(store.record(here, start + 10'000, {{"queue.depth/a:b", 2}}));
    VERIFY_WORKED(store.record(here, start + 20'000, {{"due", 7.5}, {"queue.depth/c/d", 3}}));
    VERIFY_WORKED(store.record("elsewhere", start + 10'000, {{"due", 99}}));
    // The same step again, by another console or after the clock was set: one point.
    VERIFY_WORKED(store.record(here, start + 25'000, {{"due", 8}}));
    QCOMPARE(pointsOf(store, "due", start, start + minute),
             (std::vector<Point>{{start, 5, 5}, {start + 20'000, 8, 8}}));
    QVERIFY(pointsOf(store, "dead", start, start + minute).empty());

    const auto queues = store.series(here, {"queue.depth/", "due"}, start, start + minute, 100);
    VERIFY_WORKED(queues);
    QByteArrayList names;
    for (const Series &series : queues->series)
        names << series.name;
    QCOMPARE(names, (QByteArrayList{"due", "queue.depth/a:b", "queue.depth/c/d"}));
    QCOMPARE(queues->stepMs, 10'000);
}

void TestHistory::rollsUpAndForgets()
{
    HistoryStore store(file());
    for (qint64 at = start; at < start + 30 * minute; at += 10'000)
        VERIFY_WORKED(store.record(here, at, {{"due", double((at - start) / minute)}}));
    VERIFY_WORKED(store.record(here, start + 29 * minute, {{"due", 1000}}));
    VERIFY_WORKED(store.tidy(start + 30 * minute));
    const auto minutes = pointsOf(store, "due", start, start + 30 * minute, 60);
    QCOMPARE(minutes.size(), 30U);
    QCOMPARE(minutes[4], (Point{start + 4 * minute, 4, 4}));
    QCOMPARE(minutes[29].peak, 1000);
    const auto quarters = pointsOf(store, "due", start, start + 30 * minute, 2);
    QCOMPARE(quarters.size(), 2U);
    QCOMPARE(quarters[0], (Point{start, 7, 14}));
    // Doing it again, or late, changes nothing.
    VERIFY_WORKED(store.tidy(start + 31 * minute));
    QCOMPARE(pointsOf(store, "due", start, start + 30 * minute, 60), minutes);

    const qint64 day = 24 * 60 * minute;
    VERIFY_WORKED(store.tidy(start + 3 * day));
    QVERIFY(pointsOf(store, "due", start, start + 30 * minute).empty());
    QCOMPARE(pointsOf(store, "due", start, start + 30 * minute, 60).size(), 30U);
    VERIFY_WORKED(store.tidy(start + 9 * day));
    QVERIFY(pointsOf(store, "due", start, start + 30 * minute, 60).empty());
    QCOMPARE(pointsOf(store, "due", start, start + 30 * minute, 2).size(), 2U);
    VERIFY_WORKED(store.tidy(start + 32 * day));
    QVERIFY(pointsOf(store, "due", start, start + 30 * minute, 2).empty());
}

void TestHistory::rollsUpAfterACrash()
{
    {
        HistoryStore store(file());
        VERIFY_WORKED(store.tidy(start));
        VERIFY_WORKED(store.record(here, start + 10'000, {{"due", 4}}));
    }
    HistoryStore later(file());
    VERIFY_WORKED(later.tidy(start + 5 * 60 * minute));
    QCOMPARE(pointsOf(later, "due", start, start + 30 * minute, 60), (std::vector<Point>{{start, 4, 4}}));
    QCOMPARE(pointsOf(later, "due", start, start + 30 * minute, 2), (std::vector<Point>{{start, 4, 4}}));
}

void TestHistory::survivesARestart()
{
    {
        HistoryStore store(file());
        VERIFY_WORKED(store.record(here, start, {{"due", 5}}));
        VERIFY_WORKED(store.saveState(here, "alerts", "{\"a\":1}"));
        VERIFY_WORKED(store.saveState(here, "alerts", QByteArray("{\"a\":2}\0x", 9)));
    }
    HistoryStore store(file());
    QCOMPARE(pointsOf(store, "due", start, start).size(), 1U);
    QCOMPARE(*store.state(here, "alerts"), QByteArray("{\"a\":2}\0x", 9));
    QCOMPARE(*store.state("elsewhere", "alerts"), QByteArray());
    QCOMPARE(QFileInfo(file()).permissions() & (QFile::ReadGroup | QFile::ReadOther), QFile::Permissions());
}

void TestHistory::setsADamagedFileAside_data()
{
    QTest::addColumn<bool>("whole");
    QTest::newRow("no database at all") << true;
    QTest::newRow("damaged inside") << false;
}

void TestHistory::setsADamagedFileAside()
{
    QFETCH(bool, whole);
    {
        HistoryStore store(file());
        Figures figures;
        for (int i = 0; i < 200; ++i)
            figures.emplace_back("queue.depth/q" + QByteArray::number(i), i);
        for (int i = 0; i < 20; ++i)
            VERIFY_WORKED(store.record(here, start + i * 10'000, figures));
        VERIFY_WORKED(store.tidy(start + 20 * 10'000));
    }
    QFile damaged(file());
    QVERIFY(damaged.open(QIODevice::ReadWrite));
    const qint64 size = damaged.size();
    QVERIFY(size > 16'384);
    damaged.seek(whole ? 0 : 4096);
    damaged.write(QByteArray(whole ? size : size - 8192, 'x'));
    damaged.close();

    HistoryStore store(file());
    // Found out at the opening, or in the middle of the work; either way the work is done on a fresh file.
    (void)store.series(here, {"queue.depth/"}, start, start + 5000 * minute, 99999);
    VERIFY_WORKED(store.record(here, start, {{"due", 1}}));
    const QString aside = store.takeSetAside();
    QVERIFY(!aside.isEmpty());
    QVERIFY(QFile::exists(aside));
    QVERIFY(store.takeSetAside().isEmpty());
    QCOMPARE(pointsOf(store, "due", start, start + minute).size(), 1U);
}

void TestHistory::leavesANewerFileAlone()
{
    {
        HistoryStore store(file());
        VERIFY_WORKED(store.open());
    }
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(u"QSQLITE"_s, u"newer"_s);
        database.setDatabaseName(file());
        QVERIFY(database.open());
        QVERIFY(QSqlQuery(database).exec(u"PRAGMA user_version = 99"_s));
    }
    QSqlDatabase::removeDatabase(u"newer"_s);
    HistoryStore store(file());
    const auto refused = store.record(here, start, {{"due", 1}});
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, engine::ErrorCode::Refused);
    QVERIFY(store.takeSetAside().isEmpty());
}

void TestHistory::saysWhenItCannotWrite()
{
    HistoryStore store(u"/proc/nowhere/history.sqlite"_s);
    const auto failed = store.record(here, start, {{"due", 1}});
    QVERIFY(!failed);
    QVERIFY(failed.error().message.contains(u"/proc/nowhere/history.sqlite"));
}

void TestHistory::twoConsolesShareIt()
{
    constexpr int count = 150;
    std::atomic<int> failures = 0;
    const auto work = [&](int which) {
        HistoryStore store(file());
        for (int i = 0; i < count; ++i) {
            if (!store.record(here, start + i * 10'000, {{"due", 1}, {"of" + QByteArray::number(which), double(i)}}))
                ++failures;
            if (i % 50 == 0 && !store.tidy(start + i * 10'000))
                ++failures;
        }
    };
    std::thread one(work, 1);
    std::thread other(work, 2);
    one.join();
    other.join();
    QCOMPARE(failures.load(), 0);
    HistoryStore store(file());
    for (const char *name : {"due", "of1", "of2"})
        QCOMPARE(pointsOf(store, name, start, start + count * 10'000).size(), size_t(count));
}

void TestHistory::staysBelowItsLimit()
{
    constexpr qint64 limit = 256 * 1024;
    HistoryStore store(file(), limit);
    Figures figures;
    for (int i = 0; i < 60; ++i)
        figures.emplace_back("queue.depth/q" + QByteArray::number(i), i);
    for (int i = 0; i < 400; ++i) {
        VERIFY_WORKED(store.record(here, start + i * 10'000, figures));
        if (i % 6 == 0)
            VERIFY_WORKED(store.tidy(start + i * 10'000));
    }
    QVERIFY2(QFileInfo(file()).size() < 2 * limit, qPrintable(QString::number(QFileInfo(file()).size())));
    // The newest are there.
    QCOMPARE(pointsOf(store, "queue.depth/q1", start + 390 * 10'000, start + 399 * 10'000).size(), 10U);
}

void TestHistory::namesConnectionsWithoutSecrets()
{
    engine::config::ConnectionProfile profile;
    profile.databaseUrl = u"postgresql://ann:geheim@db.internal:5432/shop?schema=a&sslmode=require"_s;
    profile.redisUrl = u"redis://:geheim@cache:6379/1"_s;
    const QByteArray key = connectionKey(profile);
    QCOMPARE(key.size(), 64);
    auto same = profile;
    same.name = u"renamed"_s;
    same.databaseUrl = u"postgresql://bob:other@db.internal:5432/shop?schema=a"_s;
    same.redisUrl = u"redis://cache:6379/1"_s;
    QCOMPARE(connectionKey(same), key);
    auto other = profile;
    other.databaseUrl.replace(u"schema=a"_s, u"schema=b"_s);
    QVERIFY(connectionKey(other) != key);
    other = profile;
    other.redisUrl.replace(u"/1"_s, u"/2"_s);
    QVERIFY(connectionKey(other) != key);
    other = profile;
    other.table = u"public.other"_s;
    QVERIFY(connectionKey(other) != key);
}

void TestHistory::answersBySignals()
{
    {
        History history(file());
        history.record(here, start, {{"due", 3}});
        history.saveState(here, "alerts", "{}");
        QSignalSpy states(&history, &History::stateReady);
        history.requestState(here, "alerts");
        QVERIFY(states.wait());
        QSignalSpy series(&history, &History::seriesReady);
        history.requestSeries(7, here, {"due"}, start, start, 10);
        QVERIFY(series.wait());
        QCOMPARE(series[0][0].toULongLong(), 7U);
        QCOMPARE(series[0][1].value<HistoryStore::Answer>().series.size(), 1U);
        history.record(here, start + 10'000, {{"due", 4}}); // written before it ends
    }
    HistoryStore store(file());
    QCOMPARE(pointsOf(store, "due", start, start + minute).size(), 2U);

    History failing(u"/proc/nowhere/history.sqlite"_s);
    QSignalSpy failures(&failing, &History::failed);
    failing.record(here, start, {{"due", 3}});
    QVERIFY(failures.wait());
}

QTEST_GUILESS_MAIN(TestHistory)
#include "tst_history.moc"
