// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/watch/alertengine.h>

#include <tests/support/verify.h>

#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace engine::watch;
using namespace Qt::StringLiterals;
using engine::bullmq::QueueState;
using engine::outbox::Count;
using Kind = AlertChange::Kind;

namespace {

constexpr qint64 start = 1'769'871'600'000; // 2026-01-31 15:00:00 UTC
constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;

Sample quiet()
{
    Sample sample;
    sample.outbox.emplace();
    sample.outbox->dead = {0, Count::Kind::Exact};
    sample.queues.emplace();
    sample.executions.emplace();
    return sample;
}

Sample withDue(qint64 rows, qint64 rankedAgeMs)
{
    Sample sample = quiet();
    sample.outbox->dueOverAge = {rows, Count::Kind::Exact};
    if (rankedAgeMs > 0)
        sample.outbox->rankedDueAgeMs = rankedAgeMs;
    return sample;
}

Sample withDead(qint64 rows)
{
    Sample sample = quiet();
    sample.outbox->dead = {rows, Count::Kind::Exact};
    sample.outbox->deadLastDay = {rows, Count::Kind::Exact};
    return sample;
}

Sample withQueue(qint64 waiting, std::optional<int> workers, qint64 stalled = 0, const QString &problem = {})
{
    Sample sample = quiet();
    QueueState queue;
    queue.name = "outbox.mail";
    queue.waiting = waiting;
    queue.workers = workers;
    queue.stalled = stalled;
    queue.problem = problem;
    sample.queues->push_back(queue);
    return sample;
}

QByteArray words(const QList<AlertChange> &changes)
{
    QByteArrayList all;
    for (const AlertChange &change : changes) {
        const char *kind = change.kind == Kind::Fired ? "fired "
            : change.kind == Kind::Worsened           ? "worse "
            : change.kind == Kind::Resolved           ? "resolved "
                                                      : "summary ";
        all << kind + change.alert.id.toUtf8();
    }
    return all.join(", ");
}

AlertRules withoutSummary()
{
    AlertRules rules = AlertRules::defaults();
    rules.summaryAt.reset();
    return rules;
}

} // namespace

// The rules and their judgement, with every time given.
class TestAlerts final : public QObject
{
    Q_OBJECT

private slots:
    void firesOnceAndResolves_data();
    void firesOnceAndResolves();
    void provesTheBacklogByItself();
    void survivesARestart();
    void unknownChangesNothing();
    void gapsBeginAnew();
    void snoozes();
    void tellsWhenDeadLettersGrow();
    void summarisesOnceADay();
    void rulesThatAreOffAreSilent();
    void aClockSetBackIsNoTime();
    void checksOneSample_data();
    void checksOneSample();
    void readsAndWritesRules();
    void refusesBadRules_data();
    void refusesBadRules();
    void namesItsFigures();
};

// One step: seconds after the start, the sample, and what must be said.
struct Step
{
    qint64 at;
    Sample sample;
    QByteArray said;
};
Q_DECLARE_METATYPE(QList<Step>)

void TestAlerts::firesOnceAndResolves_data()
{
    QTest::addColumn<QList<Step>>("steps");
    QTest::newRow("backlog needs five minutes") << QList<Step>{{0, withDue(1001, 0), {}},
                                                               {100, withDue(1500, 0), {}},
                                                               {200, withDue(1500, 0), {}},
                                                               {299, withDue(1500, 0), {}},
                                                               {300, withDue(1500, 0), "fired due-backlog"},
                                                               {310, withDue(5000, 0), {}},
                                                               {320, withDue(0, 0), {}},
                                                               {379, withDue(0, 0), {}},
                                                               {380, withDue(0, 0), "resolved due-backlog"}};
    QTest::newRow("exactly the limit is not above it")
        << QList<Step>{{0, withDue(1000, 0), {}}, {400, withDue(1000, 0), {}}};
    QTest::newRow("a dip before it fires begins anew") << QList<Step>{{0, withDue(1001, 0), {}},
                                                                      {100, withDue(1001, 0), {}},
                                                                      {150, withDue(900, 0), {}},
                                                                      {200, withDue(1001, 0), {}},
                                                                      {310, withDue(1001, 0), {}},
                                                                      {420, withDue(1001, 0), {}},
                                                                      {500, withDue(1001, 0), "fired due-backlog"}};
    QTest::newRow("between the limits nothing changes")
        << QList<Step>{{0, withDue(1001, 0), {}},   {100, withDue(1001, 0), {}},
                       {200, withDue(1001, 0), {}}, {300, withDue(1001, 0), "fired due-backlog"},
                       {310, withDue(900, 0), {}},  {400, withDue(900, 0), {}},
                       {500, withDue(1001, 0), {}}, {510, withDue(700, 0), {}},
                       {560, withDue(900, 0), {}},  {600, withDue(700, 0), {}},
                       {659, withDue(700, 0), {}},  {660, withDue(700, 0), "resolved due-backlog"}};
    QTest::newRow("dead letters at once") << QList<Step>{
        {0, withDead(0), {}},  {10, withDead(1), "fired dead-letters"},    {20, withDead(1), {}},
        {30, withDead(0), {}}, {90, withDead(0), "resolved dead-letters"}, {100, withDead(1), "fired dead-letters"}};
    QTest::newRow("no worker for half a minute")
        << QList<Step>{{0, withQueue(5, 0), {}},
                       {29, withQueue(5, 0), {}},
                       {30, withQueue(5, 0), "fired queue-unserved/outbox.mail"},
                       {40, withQueue(5, 2), {}},
                       {50, withQueue(5, 0), {}},
                       {60, withQueue(5, 1), {}},
                       {90, withQueue(0, 1), "resolved queue-unserved/outbox.mail"}};
    QTest::newRow("a worker that restarts is not missed") << QList<Step>{{0, withQueue(5, 1), {}},
                                                                         {10, withQueue(5, 0), {}},
                                                                         {20, withQueue(5, 1), {}},
                                                                         {30, withQueue(5, 0), {}},
                                                                         {50, withQueue(5, 1), {}}};
    QTest::newRow("a queue that vanishes is well")
        << QList<Step>{{0, withQueue(0, 1, 2), "fired queue-stalled/outbox.mail"},
                       {10, quiet(), {}},
                       {130, quiet(), "resolved queue-stalled/outbox.mail"}};
    Sample failed = quiet();
    failed.executions = ExecutionFigures{2, 0, 1, 90'000};
    QTest::newRow("executions") << QList<Step>{{0, failed, "fired executions-failed, fired executions-queued"}};
    Sample unrouted = quiet();
    unrouted.unroutedTypes = QStringList{u"crm.contact.synced"_s};
    QTest::newRow("unrouted types") << QList<Step>{{0, unrouted, "fired unrouted-types"}};
}

void TestAlerts::firesOnceAndResolves()
{
    QFETCH(QList<Step>, steps);
    AlertEngine engine(withoutSummary(), QTimeZone::utc());
    for (const Step &step : steps) {
        const QByteArray said = words(engine.evaluate(step.sample, start + step.at * second));
        QVERIFY2(said == step.said, QByteArray(QByteArray::number(step.at) + ": " + said).constData());
    }
}

void TestAlerts::provesTheBacklogByItself()
{
    // The 1,001st oldest row has been due for six minutes: for five of them more than 1,000 were older than 60 s.
    AlertEngine engine(withoutSummary());
    QCOMPARE(words(engine.evaluate(withDue(1001, 6 * minute - 1), start)), "");
    QCOMPARE(words(engine.evaluate(withDue(1001, 6 * minute), start + 1)), "fired due-backlog");
    QCOMPARE(engine.active().first().sinceMs, start + 1 - 5 * minute);
}

void TestAlerts::survivesARestart()
{
    AlertEngine before(withoutSummary());
    QCOMPARE(words(before.evaluate(withDead(3), start)), "fired dead-letters");
    (void)before.evaluate(withDue(1500, 0), start + second);
    before.snooze(u"queue-stalled/outbox.mail"_s, start + 3 * minute);

    AlertEngine after(withoutSummary());
    after.restoreState(before.saveState());
    QCOMPARE(after.active().size(), 1);
    QCOMPARE(after.active().first().sinceMs, start);
    QVERIFY(after.active().first().stale);
    QVERIFY(!after.active().first().headline.isEmpty());
    Sample both = withDead(3);
    both.outbox->dueOverAge = {1500, Count::Kind::Exact};
    QCOMPARE(words(after.evaluate(both, start + 100 * second)), "");
    QVERIFY(!after.active().first().stale);
    // The backlog's five minutes went on, and the snooze holds.
    (void)after.evaluate(both, start + 200 * second);
    QCOMPARE(words(after.evaluate(both, start + 301 * second)), "fired due-backlog");

    AlertEngine confused(withoutSummary());
    confused.restoreState("{\"alerts\": 7");
    QCOMPARE(confused.active().size(), 0);
}

void TestAlerts::unknownChangesNothing()
{
    AlertEngine engine(withoutSummary());
    QCOMPARE(words(engine.evaluate(withQueue(5, 0, 1), start)), "fired queue-stalled/outbox.mail");
    QCOMPARE(words(engine.evaluate(Sample(), start + 5 * minute)), "");
    QCOMPARE(engine.active().size(), 1);
    QVERIFY(engine.active().first().stale);
    QCOMPARE(words(engine.evaluate(withQueue(0, {}, 0, u"WRONGTYPE"_s), start + 6 * minute)), "");
    QCOMPARE(engine.active().size(), 1);
    // Not knowing the workers is not "none".
    AlertEngine other(withoutSummary());
    (void)other.evaluate(withQueue(5, {}), start);
    QCOMPARE(words(other.evaluate(withQueue(5, {}), start + minute)), "");
}

void TestAlerts::gapsBeginAnew()
{
    AlertEngine engine(withoutSummary());
    (void)engine.evaluate(withDue(1500, 0), start);
    // Nobody looked for ten minutes.
    QCOMPARE(words(engine.evaluate(withDue(1500, 0), start + 10 * minute)), "");
    for (int i = 1; i < 5; ++i)
        QCOMPARE(words(engine.evaluate(withDue(1500, 0), start + (10 + i) * minute)), "");
    QCOMPARE(words(engine.evaluate(withDue(1500, 0), start + 15 * minute)), "fired due-backlog");
}

void TestAlerts::snoozes()
{
    AlertEngine engine(withoutSummary());
    engine.snooze(u"dead-letters"_s, start + 10 * minute);
    QCOMPARE(words(engine.evaluate(withDead(1), start)), "");
    QCOMPARE(engine.active().first().snoozedUntilMs, std::optional(start + 10 * minute));
    QCOMPARE(words(engine.evaluate(withDead(900), start + 5 * minute)), "");
    QCOMPARE(words(engine.evaluate(withDead(900), start + 10 * minute)), "fired dead-letters");
    QVERIFY(!engine.active().first().snoozedUntilMs);
    engine.snooze(u"dead-letters"_s, start + 60 * minute);
    engine.wake(u"dead-letters"_s);
    QCOMPARE(words(engine.evaluate(withDead(900), start + 11 * minute)), "");
    // Well again while snoozed: nothing to say, then or later.
    engine.snooze(u"dead-letters"_s, start + 60 * minute);
    (void)engine.evaluate(withDead(0), start + 12 * minute);
    QCOMPARE(words(engine.evaluate(withDead(0), start + 14 * minute)), "");
    QCOMPARE(engine.active().size(), 0);
}

void TestAlerts::tellsWhenDeadLettersGrow()
{
    AlertEngine engine(withoutSummary());
    QCOMPARE(words(engine.evaluate(withDead(1), start)), "fired dead-letters");
    QCOMPARE(words(engine.evaluate(withDead(50), start + minute)), "");
    QCOMPARE(words(engine.evaluate(withDead(80), start + 15 * minute)), "worse dead-letters");
    QCOMPARE(words(engine.evaluate(withDead(80), start + 40 * minute)), "");
    QCOMPARE(words(engine.evaluate(withDead(20), start + 41 * minute)), "");
    QCOMPARE(words(engine.evaluate(withDead(21), start + 42 * minute)), "worse dead-letters");
}

void TestAlerts::summarisesOnceADay()
{
    const QTimeZone kolkata("Asia/Kolkata"); // 15:00 UTC is 20:30 there
    AlertRules rules = AlertRules::defaults();
    rules.rules.clear();
    AlertEngine engine(rules, kolkata);
    QCOMPARE(words(engine.evaluate(withDead(7), start)), "summary dead-letters-summary");
    QCOMPARE(words(engine.evaluate(withDead(7), start + 60 * minute)), "");
    const qint64 nextNine = QDateTime(QDate(2026, 2, 1), QTime(9, 0), kolkata).toMSecsSinceEpoch();
    QCOMPARE(words(engine.evaluate(withDead(7), nextNine - 1)), "");
    AlertEngine restarted(rules, kolkata);
    restarted.restoreState(engine.saveState());
    QCOMPARE(words(restarted.evaluate(withDead(7), nextNine - 1)), "");
    QCOMPARE(words(restarted.evaluate(withDead(7), nextNine)), "summary dead-letters-summary");
    // Nothing dead, nothing to say; and it is not made up for later that day.
    QCOMPARE(words(restarted.evaluate(withDead(0), nextNine + 24 * 60 * minute)), "");
    QCOMPARE(words(restarted.evaluate(withDead(7), nextNine + 25 * 60 * minute)), "");
}

void TestAlerts::rulesThatAreOffAreSilent()
{
    AlertEngine engine(withoutSummary());
    QCOMPARE(words(engine.evaluate(withDead(1), start)), "fired dead-letters");
    AlertRules rules = withoutSummary();
    for (AlertRule &rule : rules.rules)
        rule.enabled = rule.metric != AlertMetric::DeadLetters;
    engine.setRules(rules);
    QCOMPARE(engine.active().size(), 0);
    QCOMPARE(words(engine.evaluate(withDead(1), start + minute)), "");
}

void TestAlerts::aClockSetBackIsNoTime()
{
    AlertEngine engine(withoutSummary());
    (void)engine.evaluate(withDue(1500, 0), start);
    (void)engine.evaluate(withDue(1500, 0), start + 100 * second);
    QCOMPARE(words(engine.evaluate(withDue(1500, 0), start - 60 * minute)), "");
    (void)engine.evaluate(withDue(1500, 0), start + 200 * second);
    QCOMPARE(words(engine.evaluate(withDue(1500, 0), start + 300 * second)), "fired due-backlog");
}

void TestAlerts::checksOneSample_data()
{
    QTest::addColumn<Sample>("sample");
    QTest::addColumn<QStringList>("ids");
    QTest::newRow("quiet") << quiet() << QStringList();
    QTest::newRow("unknown") << Sample() << QStringList();
    QTest::newRow("backlog, unproven") << withDue(1500, 3 * minute) << QStringList();
    QTest::newRow("backlog, proven") << withDue(1500, 7 * minute) << QStringList{u"due-backlog"_s};
    QTest::newRow("dead") << withDead(2) << QStringList{u"dead-letters"_s};
    QTest::newRow("unserved and stalled")
        << withQueue(5, 0, 1) << QStringList{u"queue-unserved/outbox.mail"_s, u"queue-stalled/outbox.mail"_s};
    QTest::newRow("deep") << withQueue(1001, 3) << QStringList{u"queue-depth/outbox.mail"_s};
    Sample failed = withQueue(0, 1);
    failed.failedLastDay.insert("outbox.mail", 4);
    QTest::newRow("failed jobs") << failed << QStringList{u"queue-failed/outbox.mail"_s};
    Sample other = withQueue(5000, 1, 3);
    other.queues->front().name = "outbox.audit";
    other.failedLastDay.insert("outbox.audit", 4);
    QTest::newRow("only the watched queues") << other << QStringList();
}

void TestAlerts::checksOneSample()
{
    QFETCH(Sample, sample);
    QFETCH(QStringList, ids);
    QStringList found;
    for (const Alert &alert : AlertEngine::check(AlertRules::defaults(), sample, start)) {
        found << alert.id;
        QVERIFY(!alert.headline.isEmpty());
        QVERIFY(!alert.advice.isEmpty());
    }
    QCOMPARE(found, ids);
}

void TestAlerts::readsAndWritesRules()
{
    AlertRules rules = AlertRules::defaults();
    rules.rules[0].above = 50;
    rules.rules[0].clearAtOrBelow = 10;
    rules.rules[3].queues = QStringList{u"a:b"_s};
    rules.rules[1].enabled = false;
    rules.summaryAt.reset();
    const auto again = AlertRules::fromJson(rules.toJson());
    VERIFY_WORKED(again);
    QCOMPARE(*again, rules);
    QCOMPARE(*AlertRules::fromJson("{}"), AlertRules::defaults());

    const auto partial = AlertRules::fromJson(
        R"({"rules":[{"id":"queue-depth","above":10,"queues":["one"]},{"id":"mine","metric":"queue-stalled","forSeconds":5}],"summaryAt":"07:30"})");
    VERIFY_WORKED(partial);
    QCOMPARE(partial->find(u"queue-depth"_s)->above, 10);
    QCOMPARE(partial->find(u"queue-depth"_s)->clearAtOrBelow, 8);
    QCOMPARE(partial->find(u"queue-depth"_s)->holdSeconds, 60);
    QCOMPARE(partial->find(u"mine"_s)->metric, AlertMetric::QueueStalled);
    QCOMPARE(partial->rules.size(), AlertRules::defaults().rules.size() + 1);
    QCOMPARE(partial->summaryAt, std::optional(QTime(7, 30)));
}

void TestAlerts::refusesBadRules_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QString>("names");
    QTest::newRow("no JSON") << QByteArray("{\"rules\":") << u"JSON"_s;
    QTest::newRow("no id") << QByteArray(R"({"rules":[{"above":3}]})") << u"id"_s;
    QTest::newRow("no metric") << QByteArray(R"({"rules":[{"id":"x"}]})") << u"x"_s;
    QTest::newRow("unknown metric") << QByteArray(R"({"rules":[{"id":"x","metric":"moon"}]})") << u"moon"_s;
    QTest::newRow("negative") << QByteArray(R"({"rules":[{"id":"due-backlog","above":-1}]})") << u"above"_s;
    QTest::newRow("a fraction") << QByteArray(R"({"rules":[{"id":"due-backlog","forSeconds":1.5}]})")
                                << u"forSeconds"_s;
    QTest::newRow("clear above") << QByteArray(R"({"rules":[{"id":"due-backlog","clearAtOrBelow":2000}]})")
                                 << u"clearAtOrBelow"_s;
    QTest::newRow("level") << QByteArray(R"({"rules":[{"id":"due-backlog","level":"red"}]})") << u"level"_s;
    QTest::newRow("enabled") << QByteArray(R"({"rules":[{"id":"due-backlog","enabled":"yes"}]})") << u"enabled"_s;
    QTest::newRow("queues") << QByteArray(R"({"rules":[{"id":"queue-depth","queues":"a"}]})") << u"queues"_s;
    QTest::newRow("summary") << QByteArray(R"({"summaryAt":"9 o'clock"})") << u"summaryAt"_s;
}

void TestAlerts::refusesBadRules()
{
    QFETCH(QByteArray, json);
    QFETCH(QString, names);
    const auto rules = AlertRules::fromJson(json);
    QVERIFY(!rules);
    QCOMPARE(rules.error().code, engine::ErrorCode::BadInput);
    QVERIFY2(rules.error().message.contains(names), qPrintable(rules.error().message));
}

void TestAlerts::namesItsFigures()
{
    QVERIFY(namedFigures(Sample()).empty());
    Sample sample = withQueue(7, 1);
    sample.outbox->due = {3, Count::Kind::Exact};
    sample.queues->push_back({});
    sample.queues->back().name = "broken";
    sample.queues->back().problem = u"WRONGTYPE"_s;
    QByteArrayList names;
    for (const auto &[name, value] : namedFigures(sample))
        names << name + '=' + QByteArray::number(value);
    // No latency, no failure rate, nothing of the broken queue: unknown is left out, never 0.
    QCOMPARE(
        names,
        (QByteArrayList{"due=3", "due.oldest=0", "dead=0", "queue.depth/outbox.mail=7", "queue.failed/outbox.mail=0"}));
}

QTEST_APPLESS_MAIN(TestAlerts)
#include "tst_alerts.moc"
