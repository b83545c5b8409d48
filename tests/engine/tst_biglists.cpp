// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/outbox/discovery.h>
#include <engine/outbox/reader.h>
#include <engine/outbox/rowsearch.h>
#include <engine/outbox/spread.h>
#include <engine/watch/rowsearchfeed.h>

#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <set>
#include <thread>

using namespace engine::outbox;
using namespace Qt::StringLiterals;
namespace sql = engine::sql;
using engine::watch::RowSearchFeed;
using engine::watch::RowSearchProgress;

namespace {

constexpr char epoch[] = "timestamp '2026-01-01'";

} // namespace

// Lists over tables too large to be read or counted as a whole: pages by key while rows arrive, positions by estimate,
// searches that no index helps.
class TestBigLists final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void equalTimesAppearOnceWhileRowsArrive_data() { layouts(); }
    void equalTimesAppearOnceWhileRowsArrive();
    void jumpsToATime_data() { layouts(); }
    void jumpsToATime();
    void spreadFollowsStatistics_data() { layouts(); }
    void spreadFollowsStatistics();
    void spreadKnowsCommonTimes();
    void largeStatusesAreEstimated();
    void costsAreToldBefore_data() { layouts(); }
    void costsAreToldBefore();
    void searchesFindEveryRowOnce_data() { layouts(); }
    void searchesFindEveryRowOnce();
    void searchesWithoutTheIndexToo();
    void feedStopsAndGoesOn();
    void stoppingEndsTheStatement();

private:
    static void layouts();
    Layout makeTable(const test::TableVariant &variant);
    Layout makeTable() { return makeTable(test::tableVariants()[0]); }
    Layout fetchedLayout();
    void run(const QByteArray &statement) { VERIFY_WORKED(m_connection->execute(statement)); }
    [[nodiscard]] QByteArray wordFor(const Layout &layout, Phase phase) const { return layout.statusFor(phase); }
    [[nodiscard]] engine::config::ConnectionProfile profile() const;

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
};

void TestBigLists::initTestCase()
{
    auto servers = test::PrivateServers::start(
        {.tcp = false, .postgres = {{u"timezone"_s, u"Asia/Kathmandu"_s}}, .redis = {}, .withRedis = false});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

void TestBigLists::layouts()
{
    QTest::addColumn<test::TableVariant>("variant");
    for (const test::TableVariant &variant : test::tableVariants()) {
        if (variant.idType == "text")
            QTest::newRow(variant.name.constData()) << variant;
    }
}

Layout TestBigLists::fetchedLayout()
{
    auto layout = discover(*m_connection, u"public.\"Outbox\""_s);
    if (!layout)
        qFatal("%s", test::why(layout).constData());
    return *layout;
}

Layout TestBigLists::makeTable(const test::TableVariant &variant)
{
    if (auto made = m_connection->executeScript(test::tableText(variant, "public", "Outbox")); !made)
        qFatal("%s", test::why(made).constData());
    return fetchedLayout();
}

engine::config::ConnectionProfile TestBigLists::profile() const
{
    engine::config::ConnectionProfile profile;
    profile.databaseUrl = m_servers->databaseUrl();
    profile.table = u"public.\"Outbox\""_s;
    return profile;
}

void TestBigLists::equalTimesAppearOnceWhileRowsArrive()
{
    QFETCH(const test::TableVariant, variant);
    const Layout layout = makeTable(variant);
    const QByteArray status = "CASE WHEN n % 20 = 0 THEN '" + wordFor(layout, Phase::Waiting) + "' ELSE '"
        + wordFor(layout, Phase::HandedOver) + "' END";
    // Thousands of one time, between rows that differ.
    run(test::insertRows(
        layout, 1, 8000,
        {.status = status,
         .scheduledAt = QByteArray(epoch) + " + least(greatest(n, 1500), 6500) * interval '1 second'"}));
    // A writer of its own adds rows before, after and among them, and hands some over.
    std::atomic_bool writes = true;
    std::atomic_int written = 0;
    std::thread writer([&] {
        auto connection = test::connect(m_servers->databaseUrl());
        for (int n = 0; connection && writes && n < 20'000; ++n) {
            const QByteArray number = QByteArray::number(n);
            const QByteArray at = QByteArray(epoch) + " + interval '1 second' * (" + QByteArray::number(n % 9000) + ")";
            const bool worked =
                (*connection)
                    ->execute(test::insertRows(
                        layout, n, n,
                        {.status = status,
                         .scheduledAt = n % 3 == 0 ? QByteArray(epoch) + " + interval '1500 seconds'" : at,
                         .id = "'new' || n || '-" + number + "'"}))
                    .has_value()
                && (*connection)
                       ->execute("UPDATE " + layout.quotedTable() + " SET status = '"
                                 + layout.statusFor(Phase::HandedOver) + "' WHERE id = 'r" + QByteArray::number(n * 20)
                                 + "'")
                       .has_value();
            written += worked ? 1 : -1'000'000;
        }
    });
    const auto walk = [&](PageDirection direction) {
        Reader reader(*m_connection, layout);
        std::vector<QByteArray> seen;
        PageRequest request;
        request.direction = direction;
        request.limit = 137;
        while (true) {
            auto page = reader.page(request);
            if (!page)
                qFatal("%s", test::why(page).constData());
            for (const RowSummary &row : page->rows)
                seen.push_back(row.id);
            if (direction == PageDirection::Older ? !page->hasOlder : !page->hasNewer)
                return seen;
            request.from = direction == PageDirection::Older ? page->oldest : page->newest;
        }
    };
    for (const PageDirection direction : {PageDirection::Older, PageDirection::Newer}) {
        const auto seen = walk(direction);
        const std::set<QByteArray> different(seen.begin(), seen.end());
        QCOMPARE(different.size(), seen.size());
        QCOMPARE(std::ranges::count_if(different, [](const QByteArray &id) { return id.startsWith('r'); }), 8000);
    }
    writes = false;
    writer.join();
    QVERIFY2(written > 10, qPrintable(QString::number(written)));
}

void TestBigLists::jumpsToATime()
{
    QFETCH(const test::TableVariant, variant);
    const Layout layout = makeTable(variant);
    run(test::insertRows(layout, 1, 3000,
                         {.status = "'" + wordFor(layout, Phase::HandedOver) + "'",
                          .scheduledAt = QByteArray(epoch) + " + (n / 10) * interval '1 second'"}));
    Reader reader(*m_connection, layout);
    auto newest = reader.page({});
    VERIFY_WORKED(newest);
    PageRequest jump;
    jump.at = *newest->rows.front().orderAt - 100'000'000;
    jump.limit = 25;
    auto page = reader.page(jump);
    VERIFY_WORKED(page);
    QCOMPARE(page->rows.size(), size_t(25));
    QCOMPARE(page->rows.front().orderAt, jump.at); // all rows of that very time belong to it
    QVERIFY(page->hasNewer);
    QVERIFY(page->hasOlder);
    auto before = reader.page(PageRequest{{}, page->newest, PageDirection::Newer, 1, {}});
    VERIFY_WORKED(before);
    QVERIFY(*before->rows.front().orderAt > *jump.at);
}

void TestBigLists::spreadFollowsStatistics()
{
    QFETCH(const test::TableVariant, variant);
    const Layout layout = makeTable(variant);
    auto nothing = readSpread(*m_connection, layout, {});
    VERIFY_WORKED(nothing);
    QVERIFY(!nothing->isKnown());
    QVERIFY(!nothing->timeAt(0.5));
    // Ever denser towards the newest: half of the rows are in the last quarter or so of the time.
    run(test::insertRows(layout, 1, 20'000,
                         {.status = "CASE WHEN n % 100 = 0 THEN '" + wordFor(layout, Phase::Waiting) + "' ELSE '"
                              + wordFor(layout, Phase::HandedOver) + "' END",
                          .scheduledAt = QByteArray(epoch) + " + sqrt(n::float8) * interval '1 hour'"}));
    auto even = readSpread(*m_connection, layout, {});
    VERIFY_WORKED(even);
    QVERIFY(even->isKnown());
    QVERIFY(!even->isFromStatistics());
    run("ANALYZE " + layout.quotedTable());
    for (const QList<QByteArray> &statuses :
         {QList<QByteArray>{}, QList<QByteArray>{wordFor(layout, Phase::HandedOver)}}) {
        auto spread = readSpread(*m_connection, layout, statuses);
        VERIFY_WORKED(spread);
        QVERIFY(spread->isFromStatistics());
        for (const double share : {0.0, 0.1, 0.25, 0.5, 0.75, 0.99, 1.0}) {
            const auto at = spread->timeAt(share);
            QVERIFY(at);
            auto newer =
                m_connection->execute("SELECT count(*) FROM " + layout.quotedTable() + " WHERE extract(epoch FROM "
                                      + layout.scheduledAt.quoted() + ") * 1000000 > " + QByteArray::number(*at));
            VERIFY_WORKED(newer);
            const double real = static_cast<double>(newer->integer(0, 0)) / 20'000;
            QVERIFY2(qAbs(real - share) < 0.03, qPrintable(u"%1 is %2"_s.arg(share).arg(real)));
            QVERIFY(qAbs(*spread->shareAt(*at) - share) < 0.001);
        }
    }
}

void TestBigLists::spreadKnowsCommonTimes()
{
    const Layout layout = makeTable();
    // Half of the rows share one time, in the middle of the list.
    run(test::insertRows(layout, 1, 20'000,
                         {.status = "'DONE'",
                          .scheduledAt = QByteArray(epoch)
                              + " + greatest(least(n, 15000), 5000) * interval '1 second' "
                                "+ CASE WHEN n BETWEEN 5000 AND 15000 THEN (10000 - greatest(least(n, "
                                "15000), 5000)) * interval '1 second' ELSE (n - 10000) * interval "
                                "'1 second' END"}));
    run("ANALYZE " + layout.quotedTable());
    auto spread = readSpread(*m_connection, layout, {});
    VERIFY_WORKED(spread);
    QCOMPARE(*spread->timeAt(0.35), *spread->timeAt(0.65));
    QVERIFY(qAbs(*spread->shareAt(*spread->timeAt(0.5)) - 0.25) < 0.03); // where that time begins
    QVERIFY(*spread->timeAt(0.1) > *spread->timeAt(0.5));
    QVERIFY(*spread->timeAt(0.9) < *spread->timeAt(0.5));
}

void TestBigLists::largeStatusesAreEstimated()
{
    const Layout layout = makeTable();
    run(test::insertRows(layout, 1, 260'000,
                         {.status = "CASE WHEN n % 100 = 0 THEN 'FAILED' ELSE 'DONE' END",
                          .scheduledAt = QByteArray(epoch) + " + n * interval '1 second'"}));
    Reader reader(*m_connection, layout);
    const auto countOf = [&](const Stats &stats, const QByteArray &status) {
        return std::ranges::find(stats.counts, status, &std::pair<QByteArray, Count>::first)->second;
    };
    auto before = reader.stats(CountMode::Bounded);
    VERIFY_WORKED(before);
    QCOMPARE(countOf(*before, "DONE"), (Count{50'000, Count::Kind::AtLeast})); // nothing better is known
    QCOMPARE(countOf(*before, "FAILED"), (Count{2600, Count::Kind::Exact}));
    run("ANALYZE " + layout.quotedTable());
    auto after = reader.stats(CountMode::Bounded);
    VERIFY_WORKED(after);
    QCOMPARE(countOf(*after, "DONE").kind, Count::Kind::Estimated);
    QVERIFY(qAbs(countOf(*after, "DONE").value - 257'400) < 10'000);
    QCOMPARE(countOf(*after, "FAILED"), (Count{2600, Count::Kind::Exact}));
    QCOMPARE(countOf(*after, "PENDING"), (Count{0, Count::Kind::Exact}));
}

void TestBigLists::costsAreToldBefore()
{
    QFETCH(const test::TableVariant, variant);
    const Layout layout = makeTable(variant);
    run(test::insertRows(layout, 1, 60'000,
                         {.status = "CASE WHEN n % 10 = 0 THEN '" + wordFor(layout, Phase::Waiting) + "' ELSE '"
                              + wordFor(layout, Phase::HandedOver) + "' END",
                          .scheduledAt = QByteArray(epoch) + " + n * interval '1 second'"}));
    run("ANALYZE " + layout.quotedTable());
    const auto isAbout = [](qint64 value, qint64 expected) { return qAbs(value - expected) < expected / 10; };
    for (const RowFilter &filter : {RowFilter{.errorText = u"refused"_s}, RowFilter{.tenant = u"tenant_7"_s},
                                    RowFilter{.typePrefix = u"mail.x"_s}}) {
        auto cost = filterCost(*m_connection, layout, filter);
        VERIFY_WORKED(cost);
        QVERIFY2(isAbout(cost->looks, 60'000), qPrintable(QString::number(cost->looks)));
        QVERIFY(!cost->byIndex);
        QVERIFY(!cost->isCheap());
    }
    auto waiting =
        filterCost(*m_connection, layout, {.statuses = {wordFor(layout, Phase::Waiting)}, .errorText = u"refused"_s});
    VERIFY_WORKED(waiting);
    QVERIFY2(isAbout(waiting->looks, 6000), qPrintable(QString::number(waiting->looks)));
    QVERIFY(waiting->isCheap());
    run("CREATE INDEX ON " + layout.quotedTable() + " (" + layout.tenantId.quoted() + ")");
    auto indexed = filterCost(*m_connection, layout, {.tenant = u"tenant_7"_s});
    VERIFY_WORKED(indexed);
    QVERIFY(indexed->byIndex);
    QVERIFY(isAbout(indexed->looks, 1200));
    QVERIFY(!filterCost(*m_connection, layout, {.errorText = u"refused"_s})->byIndex);
}

void TestBigLists::searchesFindEveryRowOnce()
{
    QFETCH(const test::TableVariant, variant);
    const Layout layout = makeTable(variant);
    // Every 1000th row failed, many of them at one time.
    run(test::insertRows(layout, 1, 60'000,
                         {.status = "CASE WHEN n % 10 = 0 THEN '" + wordFor(layout, Phase::Dead) + "' ELSE '"
                              + wordFor(layout, Phase::HandedOver) + "' END",
                          .scheduledAt = QByteArray(epoch) + " + least(n, 40000) * interval '1 second'",
                          .lastError = "CASE WHEN n % 1000 = 0 THEN 'connect ECONNREFUSED ' || n END"}));
    run("ANALYZE " + layout.quotedTable());
    RowSearch search(*m_connection, layout);
    const RowFilter filter{.errorText = u"econnREFUSED"_s};
    std::vector<QByteArray> found;
    qint64 looked = 0;
    int steps = 0;
    RowSearchCursor cursor;
    for (bool done = false; !done; ++steps) {
        auto step = search.step(filter, cursor);
        VERIFY_WORKED(step);
        for (const RowSummary &row : step->found)
            found.push_back(row.id);
        cursor = step->next;
        looked += step->looked;
        done = step->done;
    }
    QVERIFY(steps > 3);
    QCOMPARE(looked, 60'000);
    QCOMPARE(found.size(), size_t(60));
    QCOMPARE(std::set<QByteArray>(found.begin(), found.end()).size(), size_t(60));
    // In the order of any list.
    PageRequest all;
    all.filter = filter;
    auto page = Reader(*m_connection, layout).page(all);
    VERIFY_WORKED(page);
    std::vector<QByteArray> listed;
    for (const RowSummary &row : page->rows)
        listed.push_back(row.id);
    QCOMPARE(found, listed);
}

void TestBigLists::searchesWithoutTheIndexToo()
{
    makeTable();
    run("DROP INDEX \"Outbox_status_scheduledAt_idx\"");
    const Layout layout = fetchedLayout();
    QVERIFY(!layout.hasDueIndex);
    run(test::insertRows(layout, 1, 5000,
                         {.status = "'DONE'",
                          .scheduledAt = QByteArray(epoch) + " + n * interval '1 second'",
                          .lastError = "CASE WHEN n % 1000 = 0 THEN 'boom' END"}));
    auto step = RowSearch(*m_connection, layout).step({.errorText = u"boom"_s}, {});
    VERIFY_WORKED(step);
    QVERIFY(step->done);
    QCOMPARE(step->found.size(), size_t(5));
    QCOMPARE(step->found.front().id, "r5000");

    // More than one statement may find: it goes on, and says that it has not seen everything yet.
    RowSearch search(*m_connection, layout);
    auto first = search.step({.typePrefix = u"mail"_s}, {});
    VERIFY_WORKED(first);
    QVERIFY(!first->done);
    QCOMPARE(first->found.size(), size_t(RowSearch::mostFoundAtOnce));
    auto second = search.step({.typePrefix = u"mail"_s}, first->next);
    VERIFY_WORKED(second);
    QCOMPARE(second->found.front().id, "r3000");
    auto third = search.step({.typePrefix = u"mail"_s}, second->next);
    VERIFY_WORKED(third);
    QVERIFY(third->done);
    QCOMPARE(third->found.back().id, "r1");
}

void TestBigLists::feedStopsAndGoesOn()
{
    const Layout layout = makeTable();
    run(test::insertRows(layout, 1, 60'000,
                         {.status = "'DONE'",
                          .scheduledAt = QByteArray(epoch) + " + n * interval '1 second'",
                          .lastError = "CASE WHEN n % 100 = 0 THEN 'boom' END"}));
    RowSearchFeed feed(profile());
    qint64 found = 0;
    RowSearchProgress last;
    QSignalSpy failed(&feed, &RowSearchFeed::failed);
    connect(&feed, &RowSearchFeed::progressed, this, [&](const RowSearchProgress &progress) {
        found += static_cast<qint64>(progress.found.size());
        last = progress;
    });
    feed.start({.errorText = u"boom"_s}, {.looks = 60'000});
    QTRY_VERIFY_WITH_TIMEOUT(!feed.isRunning(), 20'000); // enough for now
    QVERIFY(!last.done);
    QVERIFY(found >= RowSearchFeed::foundAtOnce);
    QVERIFY(last.looked < 60'000);
    feed.resume();
    feed.stop();
    QVERIFY(!last.running);
    QVERIFY(!last.done);
    while (!last.done && failed.isEmpty()) {
        feed.resume();
        QTRY_VERIFY_WITH_TIMEOUT(!feed.isRunning(), 20'000);
    }
    QCOMPARE(failed.count(), 0);
    QCOMPARE(found, 600);
    QCOMPARE(last.looked, 60'000);
}

void TestBigLists::stoppingEndsTheStatement()
{
    makeTable();
    auto watch = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(watch);
    const auto searching = [&] {
        auto rows = (*watch)->execute("SELECT count(*) FROM pg_stat_activity WHERE application_name = "
                                      "'outbox-console search' AND state = 'active' AND query LIKE '%piece_fits%'");
        return rows ? rows->integer(0, 0) : -1;
    };
    RowSearchFeed feed(profile());
    QSignalSpy failed(&feed, &RowSearchFeed::failed);
    QSignalSpy progressed(&feed, &RowSearchFeed::progressed);
    feed.start({.errorText = u"boom"_s}, {});
    QTRY_VERIFY_WITH_TIMEOUT(!feed.isRunning(), 20'000); // the table is found now; a lock would keep that waiting too
    // A piece that waits for somebody's lock, until it is told to stop.
    run("BEGIN");
    run("LOCK TABLE \"Outbox\" IN ACCESS EXCLUSIVE MODE");
    feed.start({.errorText = u"boom"_s}, {});
    QTRY_COMPARE_WITH_TIMEOUT(searching(), 1, 20'000);
    feed.stop();
    QTRY_COMPARE_WITH_TIMEOUT(searching(), 0, 5000);
    run("ROLLBACK");
    feed.resume();
    QTRY_VERIFY_WITH_TIMEOUT(!feed.isRunning(), 20'000);
    QCOMPARE(failed.count(), 0);
    QVERIFY(progressed.last()[0].value<RowSearchProgress>().done);
}

QTEST_GUILESS_MAIN(TestBigLists)
#include "tst_biglists.moc"
