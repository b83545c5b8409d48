// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <models/findingsmodel.h>
#include <models/logfiltermodel.h>
#include <models/logmodel.h>
#include <models/profilemodel.h>
#include <models/queuefiltermodel.h>
#include <models/queuemodel.h>
#include <models/settingsmodel.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using engine::bullmq::QueueState;
using engine::dispatch::LogEntry;
using models::QueueModel;
using models::Severity;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

QueueState queue(const char *name, qint64 waiting, std::optional<int> workers)
{
    QueueState state;
    state.name = name;
    state.waiting = waiting;
    state.workers = workers;
    return state;
}

QStringList column(const QAbstractItemModel &model, int column)
{
    QStringList cells;
    for (int row = 0; row < model.rowCount(); ++row)
        cells << model.index(row, column).data().toString();
    return cells;
}

LogEntry entry(int number, LogEntry::Level level = LogEntry::Level::Info)
{
    return {QDateTime::fromSecsSinceEpoch(1'769'871'731 + number, Qt::UTC), level, QString::number(number)};
}

} // namespace

class ListModelsTest final : public QObject
{
    Q_OBJECT

private slots:
    void queuesAreComparedByName();
    void jobsWithoutAWorkerStandOut();
    void unknownIsNeverZero();
    void queuesSortByValueAndUnknownLast();
    void queuesFilterByNameAndNote();
    void logKeepsItsCapacity();
    void logTakesMoreThanItHolds();
    void logFiltersByLevel();
    void settingsSayWhereTheyComeFrom();
    void findingsAreSummedUp();
    void profilesStartWithTheSandbox();
};

void ListModelsTest::queuesAreComparedByName()
{
    QueueModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.applySnapshot({queue("a", 0, 1), queue("b", 0, 1), queue("d", 0, 1)});
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    model.applySnapshot({queue("a", 0, 1), queue("b", 0, 1), queue("d", 0, 1)});
    QCOMPARE(changed.count(), 0);
    model.applySnapshot({queue("b", 5, 1), queue("c", 0, 1), queue("d", 0, 1)});
    QCOMPARE(column(model, QueueModel::Name), QStringList({u"b"_s, u"c"_s, u"d"_s}));
    QCOMPARE(column(model, QueueModel::Waiting), QStringList({u"5"_s, u"0"_s, u"0"_s}));
    QCOMPARE(changed.count(), 1);
    model.applySnapshot({});
    QCOMPARE(model.rowCount(), 0);
}

void ListModelsTest::jobsWithoutAWorkerStandOut()
{
    QueueModel model;
    model.applySnapshot({queue("idle", 0, 0), queue("stuck", 4120, 0)});
    QCOMPARE(model.needingAttention(), 1);
    QCOMPARE(model.index(0, QueueModel::Workers).data(models::SeverityRole).toInt(), int(Severity::Muted));
    QCOMPARE(model.index(1, QueueModel::Workers).data(models::SeverityRole).toInt(), int(Severity::Critical));
    QCOMPARE(model.index(1, QueueModel::Workers).data().toString(), u"none"_s);
    QCOMPARE(model.index(1, QueueModel::Waiting).data().toString(), u"4,120"_s);
    QVERIFY(model.index(1, QueueModel::Note).data().toString().contains(u"no worker"_s));
}

void ListModelsTest::unknownIsNeverZero()
{
    QueueState broken = queue("broken", 0, 0);
    broken.problem = u"The key holds a string."_s;
    QueueModel model;
    model.applySnapshot({broken, queue("hidden", 3, std::nullopt)});
    for (int figure = QueueModel::Waiting; figure <= QueueModel::Oldest; ++figure)
        QCOMPARE(model.index(0, figure).data().toString(), u"–"_s);
    QCOMPARE(model.index(1, QueueModel::Workers).data().toString(), u"–"_s);
    QCOMPARE(model.index(1, QueueModel::Note).data().toString(), QString());
}

void ListModelsTest::queuesSortByValueAndUnknownLast()
{
    QueueModel model;
    models::QueueFilterModel sorted;
    QAbstractItemModelTester tester(&sorted, Mode::Fatal);
    sorted.setSourceModel(&model);
    QueueState broken = queue("broken", 0, 0);
    broken.problem = u"x"_s;
    model.applySnapshot({broken, queue("nine", 9, 1), queue("ten", 10, 1), queue("two", 2, 1)});
    sorted.sort(QueueModel::Waiting, Qt::AscendingOrder);
    QCOMPARE(column(sorted, QueueModel::Name), QStringList({u"two"_s, u"nine"_s, u"ten"_s, u"broken"_s}));
    sorted.sort(QueueModel::Waiting, Qt::DescendingOrder);
    QCOMPARE(column(sorted, QueueModel::Name), QStringList({u"ten"_s, u"nine"_s, u"two"_s, u"broken"_s}));
    model.applySnapshot({queue("nine", 90, 1), queue("ten", 10, 1), queue("two", 2, 1)});
    QCOMPARE(column(sorted, QueueModel::Name), QStringList({u"nine"_s, u"ten"_s, u"two"_s}));
}

void ListModelsTest::queuesFilterByNameAndNote()
{
    QueueModel model;
    models::QueueFilterModel filtered;
    QAbstractItemModelTester tester(&filtered, Mode::Fatal);
    filtered.setSourceModel(&model);
    QueueState paused = queue("outbox.audit", 0, 1);
    paused.paused = true;
    model.applySnapshot({paused, queue("outbox.mail", 0, 1)});
    filtered.setText(u" MAIL "_s);
    QCOMPARE(column(filtered, QueueModel::Name), QStringList({u"outbox.mail"_s}));
    filtered.setText(u"paused"_s);
    QCOMPARE(column(filtered, QueueModel::Name), QStringList({u"outbox.audit"_s}));
    filtered.setText({});
    QCOMPARE(filtered.rowCount(), 2);
}

void ListModelsTest::logKeepsItsCapacity()
{
    models::LogModel model(3);
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    for (int i = 0; i < 5; ++i)
        model.append({entry(i)});
    QCOMPARE(column(model, models::LogModel::Text), QStringList({u"2"_s, u"3"_s, u"4"_s}));
    model.append({entry(5), entry(6)});
    QCOMPARE(column(model, models::LogModel::Text), QStringList({u"4"_s, u"5"_s, u"6"_s}));
    model.append({});
    model.clear();
    QCOMPARE(model.rowCount(), 0);
}

void ListModelsTest::logTakesMoreThanItHolds()
{
    models::LogModel model(2);
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.append({entry(0)});
    model.append({entry(1), entry(2), entry(3)});
    QCOMPARE(column(model, models::LogModel::Text), QStringList({u"2"_s, u"3"_s}));
    QCOMPARE(model.line(1), u"2026-01-31 15:02:14.000 UTC  Info  3"_s);
}

void ListModelsTest::logFiltersByLevel()
{
    models::LogModel model;
    models::LogFilterModel filtered;
    QAbstractItemModelTester tester(&filtered, Mode::Fatal);
    filtered.setSourceModel(&model);
    model.append({entry(0), entry(1, LogEntry::Level::Error), entry(2, LogEntry::Level::Warning)});
    filtered.setLowestLevel(LogEntry::Level::Warning);
    QCOMPARE(column(filtered, models::LogModel::Text), QStringList({u"1"_s, u"2"_s}));
    model.append({entry(3), entry(4, LogEntry::Level::Error)});
    filtered.setLowestLevel(LogEntry::Level::Error);
    QCOMPARE(column(filtered, models::LogModel::Text), QStringList({u"1"_s, u"4"_s}));
}

void ListModelsTest::settingsSayWhereTheyComeFrom()
{
    models::SettingsModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    QProcessEnvironment environment;
    environment.insert(u"OUTBOX_DISPATCH_BATCH_SIZE"_s, u"500"_s);
    const auto settings = engine::config::DispatcherSettings::fromEnvironment(environment);
    QVERIFY(settings);
    model.setLines(engine::config::describe(*settings, environment));
    QCOMPARE(model.rowCount(), 10);
    const qsizetype batch = column(model, models::SettingsModel::Variable).indexOf(u"OUTBOX_DISPATCH_BATCH_SIZE"_s);
    QVERIFY(batch >= 0);
    QCOMPARE(column(model, models::SettingsModel::Value)[batch], u"500"_s);
    QCOMPARE(column(model, models::SettingsModel::Source).count(u"environment"_s), 1);
}

void ListModelsTest::findingsAreSummedUp()
{
    using Verdict = engine::watch::Finding::Verdict;
    models::FindingsModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    QCOMPARE(model.summary(), QString());
    model.setFindings({{u"a"_s, Verdict::Good, u"A"_s, {}, {}}});
    QCOMPARE(model.worst(), Severity::Good);
    QCOMPARE(model.summary(), u"Everything is in order"_s);
    model.setFindings({{u"a"_s, Verdict::Good, u"A"_s, {}, {}},
                       {u"b"_s, Verdict::Problem, u"B"_s, u"is off"_s, u"Turn it on."_s},
                       {u"c"_s, Verdict::Warning, u"C"_s, {}, {}}});
    QCOMPARE(model.worst(), Severity::Critical);
    QCOMPARE(model.summary(), u"1 problem, 1 warning"_s);
    QCOMPARE(model.plainText(), u"Good: A\nProblem: B\n    is off\n    Turn it on.\nWarning: C"_s);
}

void ListModelsTest::profilesStartWithTheSandbox()
{
    engine::config::ConnectionProfile sandbox;
    sandbox.name = u"sandbox"_s;
    sandbox.sandbox = true;
    engine::config::ConnectionProfile production;
    production.name = u"billing"_s;
    production.production = true;
    models::ProfileModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.setProfiles({sandbox, production});
    QCOMPARE(column(model, 0), QStringList({u"Sandbox"_s, u"billing"_s}));
    QCOMPARE(model.index(1).data(models::DetailRole).toString(), u"Production · Read-only"_s);
    QCOMPARE(model.rowOf(u"billing"_s), 1);
    QCOMPARE(model.rowOf(u"other"_s), -1);
}

QTEST_GUILESS_MAIN(ListModelsTest)
#include "tst_listmodels.moc"
