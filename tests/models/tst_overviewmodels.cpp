// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <models/alertmodel.h>
#include <models/alertrulemodel.h>
#include <models/chartline.h>
#include <models/findmodel.h>
#include <models/timeaxis.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using engine::history::HistoryStore;
using engine::history::Point;
using engine::watch::Alert;
using engine::watch::AlertLevel;
using engine::watch::AlertMetric;
using engine::watch::AlertRules;
using models::AlertModel;
using models::AlertRuleModel;
using models::FindEntry;
using models::FindModel;
using models::Severity;
using models::Zone;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

constexpr qint64 start = 1'769'871'600'000; // 2026-01-31 15:00:00 UTC
constexpr qint64 minute = 60'000;

Alert alert(const QString &id, AlertLevel level, qint64 since = start)
{
    Alert made;
    made.id = id;
    made.rule = id;
    made.level = level;
    made.sinceMs = since;
    made.headline = u"Headline of "_s + id;
    made.advice = u"Do something."_s;
    return made;
}

std::vector<FindEntry> entries()
{
    return {{FindEntry::Kind::Page, u"outbox"_s, u"Outbox"_s, u"Ctrl+3"_s, {}},
            {FindEntry::Kind::Page, u"queues"_s, u"Queues"_s, u"Ctrl+4"_s, {}},
            {FindEntry::Kind::Queue, u"outbox.mail"_s, u"outbox.mail"_s, {}, {}},
            {FindEntry::Kind::Queue, u"outbox.audit"_s, u"outbox.audit"_s, {}, {}},
            {FindEntry::Kind::Action, u"refresh"_s, u"Refresh now"_s, u"F5"_s, {}},
            {FindEntry::Kind::Action, u"pause"_s, u"Pause or resume refreshing"_s, {}, {}}};
}

QStringList titles(const FindModel &model)
{
    QStringList all;
    for (int row = 0; row < model.rowCount(); ++row)
        all << model.index(row).data().toString();
    return all;
}

} // namespace

class OverviewModelsTest final : public QObject
{
    Q_OBJECT

private slots:
    void alertsKeepTheirRows();
    void snoozedAndStaleAlertsSaySo();
    void rulesAreEdited();
    void findsPagesActionsAndQueues();
    void offersIds_data();
    void offersIds();
    void ticksAreRound_data();
    void ticksAreRound();
    void gapsBreakLines();
    void picksTheDeepestQueues();
    void writesValues();
};

void OverviewModelsTest::alertsKeepTheirRows()
{
    AlertModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setAlerts({alert(u"a"_s, AlertLevel::Critical), alert(u"b"_s, AlertLevel::Warning)}, start + minute);
    QCOMPARE(model.rowCount(), 2);
    const QPersistentModelIndex second = model.index(1, AlertModel::What);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.setAlerts(
        {alert(u"c"_s, AlertLevel::Critical), alert(u"a"_s, AlertLevel::Critical), alert(u"b"_s, AlertLevel::Warning)},
        start + minute);
    QVERIFY(resets.isEmpty());
    QCOMPARE(second.row(), 2);
    QCOMPARE(second.data().toString(), u"Headline of b"_s);
    QCOMPARE(model.index(0, AlertModel::Level).data(models::SeverityRole).toInt(), int(Severity::Critical));
    QCOMPARE(model.index(2, AlertModel::Level).data().toString(), u"Warning"_s);
    QCOMPARE(model.index(0, AlertModel::Since).data().toString(), u"15:00:00"_s);
    model.setAlerts({}, start);
    QVERIFY(!second.isValid());
}

void OverviewModelsTest::snoozedAndStaleAlertsSaySo()
{
    Alert one = alert(u"a"_s, AlertLevel::Critical);
    QCOMPARE(models::stateText(one, Zone::Utc, start), QString());
    one.stale = true;
    QCOMPARE(models::stateText(one, Zone::Utc, start), u"last known state"_s);
    one.snoozedUntilMs = start + 90 * minute;
    QCOMPARE(models::stateText(one, Zone::Utc, start), u"snoozed until 16:30:00"_s);
    QCOMPARE(models::severityOf(one), Severity::Muted);
}

void OverviewModelsTest::rulesAreEdited()
{
    AlertRuleModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    QSignalSpy edits(&model, &AlertRuleModel::edited);
    QCOMPARE(model.rowCount(), int(AlertRules::defaults().rules.size()));
    QVERIFY(edits.isEmpty());
    const auto cell = [&](int row, int column) { return model.index(row, column); };
    QCOMPARE(cell(0, AlertRuleModel::What).data().toString(), u"Due rows that nobody takes for 1 min"_s);
    QCOMPARE(cell(0, AlertRuleModel::Above).data().toString(), u"more than 1,000"_s);
    QCOMPARE(cell(0, AlertRuleModel::Hold).data().toString(), u"for 5 min"_s);
    QCOMPARE(cell(1, AlertRuleModel::Hold).data().toString(), u"at once"_s);
    QVERIFY(model.setData(cell(0, AlertRuleModel::On), Qt::Unchecked, Qt::CheckStateRole));
    QVERIFY(model.setData(cell(0, AlertRuleModel::Above), 50));
    QVERIFY(model.setData(cell(0, AlertRuleModel::Hold), 30));
    QVERIFY(model.setData(cell(0, AlertRuleModel::Level), int(AlertLevel::Warning)));
    QVERIFY(model.setData(cell(3, AlertRuleModel::Queues), u"a:b,  c "_s));
    QCOMPARE(edits.size(), 5);
    QVERIFY(!model.setData(cell(0, AlertRuleModel::Above), -1));
    QVERIFY(!model.setData(cell(0, AlertRuleModel::Above), u"many"_s));
    QVERIFY(!model.setData(cell(0, AlertRuleModel::Queues), u"a"_s)); // not a rule of queues
    QVERIFY(model.setData(cell(0, AlertRuleModel::Above), 50)); // as it is: nothing to say
    QCOMPARE(edits.size(), 5);
    const AlertRules &rules = model.rules();
    QVERIFY(!rules.rules[0].enabled);
    QCOMPARE(rules.rules[0].above, 50);
    QCOMPARE(rules.rules[0].clearAtOrBelow, 40);
    QCOMPARE(rules.rules[0].holdSeconds, 30);
    QCOMPARE(rules.rules[3].queues, (QStringList{u"a:b"_s, u"c"_s}));
    model.setRules(AlertRules::defaults());
    QVERIFY(model.rules().rules[0].enabled);
}

void OverviewModelsTest::findsPagesActionsAndQueues()
{
    FindModel model;
    const QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setEntries(entries());
    QCOMPARE(model.rowCount(), 6);
    model.setQuery(u"refr"_s);
    QCOMPARE(titles(model), (QStringList{u"Refresh now"_s, u"Pause or resume refreshing"_s}));
    model.setQuery(u"now REF"_s); // words in any order and case
    QCOMPARE(titles(model), QStringList{u"Refresh now"_s});
    model.setQuery(u"outbox"_s);
    QCOMPARE(titles(model).first(), u"Outbox"_s);
    QCOMPARE(titles(model).size(), 3);
    model.setQuery(u"xyzzy"_s);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.entry(model.index(0)), nullptr);
}

void OverviewModelsTest::offersIds_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("isId");
    QTest::newRow("uuid") << u"0198f0aa-7c1e-7b3a-9d7f-2f1de1a4c001"_s << true;
    QTest::newRow("cuid") << u"clx8f3k2p0000qw12"_s << true;
    QTest::newRow("job") << u"outbox:42"_s << true;
    QTest::newRow("number") << u"42"_s << true;
    QTest::newRow("long word") << u"abcdefghijklmnop"_s << true;
    QTest::newRow("word") << u"pause"_s << false;
    QTest::newRow("words") << u"page 2"_s << false;
    QTest::newRow("nothing") << u"  "_s << false;
    QTest::newRow("a novel") << QString(4000, u'x') << false;
}

void OverviewModelsTest::offersIds()
{
    QFETCH(QString, text);
    QFETCH(bool, isId);
    FindModel model;
    model.setEntries(entries());
    model.setLookUps(true, true);
    model.setQuery(text);
    const FindEntry *first = model.entry(model.index(0));
    QCOMPARE(first && first->kind == FindEntry::Kind::Trace && first->id == text, isId);
    if (!isId)
        return;
    QCOMPARE(model.entry(model.index(1))->kind, FindEntry::Kind::Row);
    QCOMPARE(model.entry(model.index(2))->kind, FindEntry::Kind::Job);
    QCOMPARE(model.entry(model.index(2))->queue, u"outbox.mail"_s);
    model.setLookUps(false, false);
    QCOMPARE(model.entry(model.index(0))->kind, FindEntry::Kind::Row);
    QCOMPARE(model.entry(model.index(1)), nullptr);
}

void OverviewModelsTest::ticksAreRound_data()
{
    QTest::addColumn<qint64>("from");
    QTest::addColumn<qint64>("span");
    QTest::addColumn<int>("most");
    QTest::addColumn<QStringList>("texts");
    QTest::newRow("15 min") << start + 123'456 << 15 * minute << 4 << QStringList{u"15:05"_s, u"15:10"_s, u"15:15"_s};
    QTest::newRow("1 h") << start << 60 * minute << 5
                         << QStringList{u"15:00"_s, u"15:15"_s, u"15:30"_s, u"15:45"_s, u"16:00"_s};
    QTest::newRow("over midnight") << start << 24 * 60 * minute << 5
                                   << QStringList{u"18:00"_s, u"1 Feb"_s, u"06:00"_s, u"12:00"_s};
    QTest::newRow("a week") << start << 7 * 24 * 60 * minute << 4 << QStringList{u"2 Feb"_s, u"4 Feb"_s, u"6 Feb"_s};
    QTest::newRow("backwards") << start << -5 * minute << 4 << QStringList();
}

void OverviewModelsTest::ticksAreRound()
{
    QFETCH(qint64, from);
    QFETCH(qint64, span);
    QFETCH(int, most);
    QFETCH(QStringList, texts);
    QStringList found;
    for (const models::Tick &tick : models::timeTicks(from, from + span, Zone::Utc, most)) {
        QVERIFY(tick.atMs >= from && tick.atMs <= from + span);
        found << tick.text;
    }
    QCOMPARE(found, texts);
}

void OverviewModelsTest::gapsBreakLines()
{
    models::ChartLine line;
    line.stepMs = 10'000;
    for (const qint64 at : {0, 10'000, 20'000, 60'000, 70'000, 120'000})
        line.points.push_back({start + at, double(at), double(at)});
    QList<qsizetype> lengths;
    for (const auto &run : line.runs())
        lengths << run.size();
    QCOMPARE(lengths, (QList<qsizetype>{3, 2, 1}));
    QCOMPARE(line.at(start + 12'000)->value, 10'000);
    QVERIFY(!line.at(start - 1));
    QVERIFY(!line.at(start + 50'000)); // in the gap nothing is told
    QVERIFY(models::ChartLine().runs().isEmpty());
    QCOMPARE(models::ChartLine().highest(), 0);
}

void OverviewModelsTest::picksTheDeepestQueues()
{
    HistoryStore::Answer answer;
    answer.stepMs = 10'000;
    const auto add = [&](const QByteArray &name, double peak) {
        answer.series.push_back({name, {{start, 1, 1}, {start + 10'000, peak, peak}}});
    };
    add("due", 9999);
    add("queue.depth/a", 3);
    add("queue.depth/b/c", 70);
    add("queue.depth/d", 8);
    const auto lines = models::deepestQueues(answer, 2);
    QCOMPARE(lines.size(), 2);
    QCOMPARE(lines[0].name, u"b/c"_s);
    QCOMPARE(lines[1].name, u"d"_s);
    QCOMPARE(models::lineOf(answer, "due", u"Due"_s).points.size(), 2U);
    QVERIFY(models::lineOf(answer, "dead", u"Dead"_s).points.empty());
}

void OverviewModelsTest::writesValues()
{
    using models::Unit;
    QCOMPARE(models::unitText(0.5, Unit::Count), u"0.5"_s);
    QCOMPARE(models::unitText(1482, Unit::Count), u"1,482"_s);
    QCOMPARE(models::unitText(4200, Unit::Milliseconds), u"4.2 s"_s);
    QCOMPARE(models::unitText(0.034, Unit::Share), u"3.4 %"_s);
    QCOMPARE(models::unitText(0.5, Unit::Share), u"50 %"_s);
    QCOMPARE(models::roundedUp(0, 4), 4);
    QCOMPARE(models::roundedUp(7, 4), 10);
    QCOMPARE(models::roundedUp(0.013, 0.02), 0.02);
    QCOMPARE(models::roundedUpDuration(0), 10);
    QCOMPARE(models::roundedUpDuration(3000), 4000);
    QCOMPARE(models::roundedUpDuration(61'000), 120'000);
}

QTEST_GUILESS_MAIN(OverviewModelsTest)
#include "tst_overviewmodels.moc"
