// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <models/counttext.h>
#include <models/rowwindow.h>

#include <QTest>

#include <set>

using namespace Qt::StringLiterals;
using engine::outbox::Count;
using engine::outbox::PageDirection;
using engine::outbox::PageRequest;
using engine::outbox::RowPage;
using engine::outbox::RowSummary;
using models::RowWindow;
using Outcome = RowWindow::Outcome;

namespace {

// Rows `newest` down to `oldest`, each scheduled at its own number.
RowPage pageOf(int newest, int oldest, bool hasOlder, bool hasNewer)
{
    RowPage page;
    for (int n = newest; n >= oldest; --n) {
        RowSummary row;
        row.id = QByteArray::number(n);
        row.orderAt = n;
        page.rows.push_back(row);
    }
    page.hasOlder = hasOlder;
    page.hasNewer = hasNewer;
    return page;
}

PageRequest beyond(int n, PageDirection direction)
{
    PageRequest request;
    request.from = engine::outbox::PageKey{n, QByteArray::number(n)};
    request.direction = direction;
    return request;
}

// "9-5": rows without a gap; "9-7 5": with one.
QByteArray shape(const RowWindow &window)
{
    QByteArray text;
    for (size_t i = 0; i < window.rows().size();) {
        size_t end = i + 1;
        while (end < window.rows().size() && window.rows()[end].id.toInt() == window.rows()[end - 1].id.toInt() - 1)
            ++end;
        text += (text.isEmpty() ? "" : " ") + window.rows()[i].id
            + (end > i + 1 ? "-" + window.rows()[end - 1].id : QByteArray());
        i = end;
    }
    return text;
}

} // namespace

class RowWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void followsTheNewest();
    void beginsAnewWhereNothingConnects();
    void growsBothWays();
    void refreshesThePartInView();
    void movedRowsAreThereOnce();
    void movedRowsTearNoHole();
    void vanishedRowsGo();
    void staysBounded();
    void walksAWholeTable();
    void positionsSayHowSureTheyAre();
    void sumsAreAsSureAsTheirParts();
};

void RowWindowTest::followsTheNewest()
{
    RowWindow window;
    QCOMPARE(window.apply({}, pageOf(100, 91, true, false)), Outcome::Anew);
    QCOMPARE(window.apply({}, pageOf(103, 94, true, false)), Outcome::Joined);
    QCOMPARE(shape(window), "103-91");
    QVERIFY(!window.hasNewer());
    QVERIFY(window.hasOlder());
    QCOMPARE(window.before(), 0);
}

void RowWindowTest::beginsAnewWhereNothingConnects()
{
    RowWindow window;
    window.apply({}, pageOf(100, 91, true, false));
    QVERIFY(window.joins(pageOf(101, 92, true, false)));
    QVERIFY(!window.joins(pageOf(300, 291, true, false)));
    QCOMPARE(window.apply({}, pageOf(300, 291, true, false)), Outcome::Anew);
    QCOMPARE(shape(window), "300-291");
    PageRequest jump;
    jump.at = 50;
    QCOMPARE(window.apply(jump, pageOf(50, 41, true, true)), Outcome::Anew);
    QVERIFY(window.hasNewer());
    window.setBefore(0);
    QCOMPARE(window.before(), 1); // one at least is newer
    PageRequest oldest;
    oldest.direction = PageDirection::Newer;
    QCOMPARE(window.apply(oldest, pageOf(10, 1, false, true)), Outcome::Anew);
    QVERIFY(!window.hasOlder());
    QVERIFY(window.hasNewer());
}

void RowWindowTest::growsBothWays()
{
    RowWindow window;
    PageRequest jump;
    jump.at = 50;
    window.apply(jump, pageOf(50, 41, true, true));
    window.setBefore(1000);
    QCOMPARE(window.apply(beyond(41, PageDirection::Older), pageOf(40, 31, true, true)), Outcome::Joined);
    QCOMPARE(window.apply(beyond(50, PageDirection::Newer), pageOf(60, 51, true, true)), Outcome::Joined);
    QCOMPARE(shape(window), "60-31");
    QCOMPARE(window.before(), 990);
    window.apply(beyond(60, PageDirection::Newer), pageOf(63, 61, true, false));
    QCOMPARE(window.before(), 0); // what was estimated is known now
    QVERIFY(!window.hasNewer());
    window.apply(beyond(31, PageDirection::Older), pageOf(30, 29, false, true));
    QVERIFY(!window.hasOlder());
    window.apply(beyond(29, PageDirection::Older), {});
    QCOMPARE(shape(window), "63-29");
}

void RowWindowTest::refreshesThePartInView()
{
    RowWindow window;
    window.apply({}, pageOf(100, 51, true, false));
    auto again = pageOf(79, 70, true, true);
    again.rows[3].status = "DONE";
    QCOMPARE(window.apply(beyond(80, PageDirection::Older), again), Outcome::Joined);
    QCOMPARE(shape(window), "100-51");
    QCOMPARE(window.rows()[24].status, "DONE");
    QVERIFY(window.hasOlder());
}

void RowWindowTest::movedRowsAreThereOnce()
{
    RowWindow window;
    window.apply({}, pageOf(100, 91, true, false));
    auto page = pageOf(100, 91, true, false);
    std::rotate(page.rows.begin(), page.rows.begin() + 7, page.rows.begin() + 8); // 93 failed and is due later
    page.rows.front().orderAt = 200;
    window.apply({}, page);
    QCOMPARE(shape(window), "93 100-94 92-91");
}

void RowWindowTest::movedRowsTearNoHole()
{
    RowWindow window;
    window.apply({}, pageOf(100, 51, true, false));
    auto page = pageOf(100, 92, true, false);
    RowSummary moved;
    moved.id = "60";
    moved.orderAt = 200;
    page.rows.insert(page.rows.begin(), moved);
    window.apply({}, page);
    QCOMPARE(shape(window), "60 100-61 59-51");
}

void RowWindowTest::vanishedRowsGo()
{
    RowWindow window;
    window.apply({}, pageOf(100, 91, true, false));
    auto page = pageOf(100, 93, true, false);
    page.rows.erase(page.rows.begin() + 2, page.rows.begin() + 5);
    window.apply({}, page);
    QCOMPARE(shape(window), "100-99 95-91");
    window.apply({}, pageOf(100, 99, false, false)); // nothing else is left
    QCOMPARE(shape(window), "100-99");
    QVERIFY(!window.hasOlder());
    window.apply({}, {});
    QVERIFY(window.isEmpty());
}

void RowWindowTest::staysBounded()
{
    RowWindow window;
    window.apply({}, pageOf(10'000, 9001, true, false));
    for (int n = 9001; n > 5000; n -= 400) {
        window.apply(beyond(n, PageDirection::Older), pageOf(n - 1, n - 400, true, true));
        window.trim(static_cast<int>(window.rows().size()) - 440, static_cast<int>(window.rows().size()) - 401);
        QVERIFY(window.rows().size() <= size_t(RowWindow::mostRows));
        QCOMPARE(window.before(), 10'000 - window.rows().front().id.toInt());
    }
    QVERIFY(window.hasNewer());
    const int first = window.rows().front().id.toInt();
    window.apply(beyond(first, PageDirection::Newer), pageOf(first + 400, first + 1, true, true));
    window.trim(400, 440);
    QCOMPARE(window.rows().size(), size_t(RowWindow::mostRows));
    QCOMPARE(window.before(), 10'000 - first - 400);
    QVERIFY(window.hasOlder());
}

void RowWindowTest::walksAWholeTable()
{
    RowWindow window;
    std::set<int> seen;
    window.apply({}, pageOf(20'000, 19'801, true, false));
    while (window.hasOlder()) {
        for (const RowSummary &row : window.rows())
            seen.insert(row.id.toInt());
        const int last = window.rows().back().id.toInt();
        const int end = qMax(1, last - 400);
        window.apply(beyond(last, PageDirection::Older), pageOf(last - 1, end, end > 1, true));
        window.trim(static_cast<int>(window.rows().size()) - 40, static_cast<int>(window.rows().size()) - 1);
    }
    for (const RowSummary &row : window.rows())
        seen.insert(row.id.toInt());
    QCOMPARE(seen.size(), size_t(20'000));
    QCOMPARE(window.before() + qint64(window.rows().size()), 20'000);
}

void RowWindowTest::positionsSayHowSureTheyAre()
{
    using Kind = Count::Kind;
    QCOMPARE(models::positionText({}), QString());
    QCOMPARE(models::positionText({1, 38, true, {7513, Kind::Exact}}), u"Rows 1–38 of 7,513"_s);
    QCOMPARE(models::positionText({1, 38, true, {10'000'000, Kind::Estimated}}), u"Rows 1–38 of ≈ 10.00 M"_s);
    QCOMPARE(models::positionText({1, 38, true, {400, Kind::AtLeast}}), u"Rows 1–38 of 400+"_s);
    QCOMPARE(models::positionText({4'200'000, 4'200'038, false, {10'000'000, Kind::Estimated}}),
             u"About row 4.20 M of ≈ 10.00 M"_s);
    QVERIFY(models::positionText({5, 9, true, {}}).startsWith(u"Rows 5–9, "_s));
    QVERIFY(models::positionText({5, 9, false, {}}).contains(u"not available"_s));
}

void RowWindowTest::sumsAreAsSureAsTheirParts()
{
    using Kind = Count::Kind;
    QCOMPARE(models::sumOf({}), (Count{0, Kind::Exact}));
    QCOMPARE(models::sumOf({{2, Kind::Exact}, {3, Kind::Exact}}), (Count{5, Kind::Exact}));
    QCOMPARE(models::sumOf({{2, Kind::Exact}, {3, Kind::AtLeast}}), (Count{5, Kind::AtLeast}));
    QCOMPARE(models::sumOf({{2, Kind::AtLeast}, {3, Kind::Estimated}, {1, Kind::Exact}}), (Count{6, Kind::Estimated}));
    QCOMPARE(models::sumOf({{2, Kind::Estimated}, {}, {1, Kind::Exact}}).kind, Kind::Unavailable);
}

QTEST_GUILESS_MAIN(RowWindowTest)
#include "tst_rowwindow.moc"
