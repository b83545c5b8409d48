// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <models/commandline.h>
#include <models/executionmodel.h>
#include <models/reconcilemodel.h>
#include <models/tracemodel.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using namespace models;
using engine::trace::Certainty;
using engine::trace::Entry;
using engine::trace::Finding;
using engine::trace::Lane;
using engine::trace::Tone;
using engine::workflow::Execution;
using engine::workflow::Lateness;
using engine::workflow::Phase;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

constexpr qint64 now = 1'769'871'731'000'000; // 2026-01-31 15:02:11 UTC
constexpr qint64 second = 1'000'000;

Execution run(const char *id, Phase phase, int ago)
{
    Execution execution;
    execution.id = id;
    execution.phase = phase;
    execution.status = "STATUS";
    execution.workflowId = "wfl_1";
    execution.queuedAt = now - ago * second;
    execution.startedAt = execution.queuedAt;
    return execution;
}

QStringList column(const QAbstractItemModel &model, int column, int role = Qt::DisplayRole)
{
    QStringList cells;
    for (int row = 0; row < model.rowCount(); ++row)
        cells << model.index(row, column).data(role).toString();
    return cells;
}

Entry entry(Lane lane, std::optional<qint64> at, Tone tone = Tone::Good)
{
    Entry one;
    one.lane = lane;
    one.at = at;
    one.tone = tone;
    one.kind = "kind";
    one.what = u"what"_s;
    one.source = u"source"_s;
    one.subject = "id";
    return one;
}

Finding finding(Finding::Kind kind, const char *id)
{
    Finding one;
    one.kind = kind;
    one.id = id;
    one.detail = u"why"_s;
    return one;
}

} // namespace

class InvestigationModelsTest final : public QObject
{
    Q_OBJECT

private slots:
    void executionsKeepTheirRows();
    void lateRunsSayWhatIsUsual();
    void durationsAreNeverGuessed();
    void lanesReachFromFirstToLast();
    void traceTimes();
    void findingsByKind();
    void commandLines();
};

void InvestigationModelsTest::executionsKeepTheirRows()
{
    ExecutionModel model;
    QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setNow(now);
    model.applyPage({run("a", Phase::Running, 10), run("b", Phase::Completed, 20)}, false);
    QCOMPARE(model.rowCount(), 2);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QPersistentModelIndex kept = model.index(1, ExecutionModel::Status);
    model.applyPage({run("new", Phase::Queued, 1), run("a", Phase::Failed, 10), run("b", Phase::Completed, 20)}, true);
    QCOMPARE(resets.size(), 0);
    QCOMPARE(kept.row(), 2);
    QCOMPARE(model.rowOf("a"), 1);
    QCOMPARE(model.index(1, ExecutionModel::Status).data(SeverityRole).toInt(), int(Severity::Critical));
    model.applyPage({}, false);
    QCOMPARE(model.rowCount(), 0);
    model.setZone(Zone::Local);
}

void InvestigationModelsTest::lateRunsSayWhatIsUsual()
{
    ExecutionModel model;
    QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setNow(now);
    Execution measured = run("a", Phase::Running, 600);
    measured.lateness = Lateness::Running;
    measured.usual = {120'000, 1'000, 57};
    Execution guessed = run("b", Phase::Running, 4200);
    guessed.lateness = Lateness::PossiblyInterrupted;
    guessed.usual = {engine::workflow::defaultRunMs, engine::workflow::defaultQueueMs, 0};
    Execution waiting = run("c", Phase::Waiting, 60);
    waiting.waitingFor = u"approval"_s;
    model.applyPage({measured, guessed, waiting}, false);
    const QStringList notes = column(model, ExecutionModel::Note);
    QVERIFY2(notes[0].contains(u"10 min") && notes[0].contains(u"2 min") && notes[0].contains(u"57"),
             qPrintable(notes[0]));
    QVERIFY2(notes[1].contains(u"possibly interrupted") && notes[1].contains(u"too few"), qPrintable(notes[1]));
    QVERIFY2(notes[2].contains(u"approval"), qPrintable(notes[2]));
    QCOMPARE(model.index(0, ExecutionModel::Note).data(SeverityRole).toInt(), int(Severity::Warning));
    QCOMPARE(model.index(2, ExecutionModel::Note).data(SeverityRole).toInt(), int(Severity::Muted));
}

void InvestigationModelsTest::durationsAreNeverGuessed()
{
    ExecutionModel model;
    model.setNow(now);
    Execution ended = run("a", Phase::Completed, 60);
    ended.finishedAt = *ended.startedAt + 1'500'000;
    Execution running = run("b", Phase::Running, 61);
    Execution noEnd = run("c", Phase::Failed, 60);
    Execution queued = run("d", Phase::Queued, 60);
    queued.startedAt.reset();
    model.applyPage({ended, running, noEnd, queued}, false);
    QCOMPARE(column(model, ExecutionModel::Duration), (QStringList{u"1.5 s"_s, u"1 min 1 s"_s, u"–"_s, u"–"_s}));
}

void InvestigationModelsTest::lanesReachFromFirstToLast()
{
    TraceModel model;
    QAbstractItemModelTester tester(&model, Mode::QtTest);
    model.setTimeline({entry(Lane::Outbox, now), entry(Lane::Job, now), entry(Lane::Outbox, now),
                       entry(Lane::Execution, {}, Tone::Bad)},
                      now);
    using T = TraceModel;
    const auto tracks = [&](int lane) {
        QStringList all;
        for (int row = 0; row < model.rowCount(); ++row)
            all << QString::number(model.index(row, lane).data(T::TrackRole).toInt());
        return all.join(u' ');
    };
    QCOMPARE(tracks(T::OutboxLane),
             u"%1 %2 %3 0"_s.arg(T::TrackBelow | T::TrackDot)
                 .arg(T::TrackAbove | T::TrackBelow)
                 .arg(T::TrackAbove | T::TrackDot));
    QCOMPARE(tracks(T::JobLane), u"0 4 0 0"_s);
    QCOMPARE(tracks(T::ExecutionLane), u"0 0 0 4"_s);
    QCOMPARE(model.index(3, T::ExecutionLane).data(SeverityRole).toInt(), int(Severity::Critical));
    QCOMPARE(model.index(0, T::What).data(SeverityRole).toInt(), int(Severity::Normal));
    QVERIFY(!model.index(0, T::What).data(T::TrackRole).isValid());
    model.setTimeline({}, 0);
    QCOMPARE(model.rowCount(), 0);
}

void InvestigationModelsTest::traceTimes()
{
    TraceModel model;
    model.setTimeline({entry(Lane::Outbox, now + 7'000), entry(Lane::Outbox, {}), entry(Lane::Outbox, -1'000)}, now);
    const QStringList times = column(model, TraceModel::Time);
    QCOMPARE(times[0], u"15:02:11.007"_s);
    QCOMPARE(times[1], u"–"_s);
    QVERIFY2(times[2].endsWith(u".999"), qPrintable(times[2])); // before 1970 too
}

void InvestigationModelsTest::findingsByKind()
{
    ReconcileModel model;
    QAbstractItemModelTester tester(&model, Mode::QtTest);
    engine::trace::ReconcileReport report;
    report.add(finding(Finding::Kind::JobRemoved, "quiet"));
    report.add(finding(Finding::Kind::DuplicateJob, "twice"));
    report.add(finding(Finding::Kind::RowWithoutJob, "lost"));
    model.setReport(report);
    // What needs somebody comes first.
    QCOMPARE(column(model, ReconcileModel::Id), (QStringList{u"lost"_s, u"twice"_s, u"quiet"_s}));
    model.setKind(Finding::Kind::DuplicateJob);
    QCOMPARE(column(model, ReconcileModel::Id), QStringList{u"twice"_s});
    report.add(finding(Finding::Kind::DuplicateJob, "again"));
    model.setReport(report);
    QCOMPARE(column(model, ReconcileModel::Id), (QStringList{u"twice"_s, u"again"_s}));
    model.setKind({});
    QCOMPARE(model.rowCount(), 4);
    // Only so many are listed, all are counted.
    for (int i = 0; i < 1500; ++i)
        report.add(finding(Finding::Kind::JobWithoutRow, QByteArray::number(i).constData()));
    QCOMPARE(report.counts.value(Finding::Kind::JobWithoutRow), 1500);
    model.setKind(Finding::Kind::JobWithoutRow);
    model.setReport(report);
    QCOMPARE(model.rowCount(), 1000);
}

void InvestigationModelsTest::commandLines()
{
    engine::config::ConnectionProfile profile;
    profile.sandbox = true;
    QCOMPARE(commandline::trace(profile, "it's"), u"outbox-console trace --sandbox 'it'\\''s'"_s);
    QCOMPARE(commandline::trace(profile, "-x"), u"outbox-console trace --sandbox -- -x"_s);
    QCOMPARE(commandline::execution(profile, "e"), u"outbox-console executions --id e --sandbox"_s);
    QCOMPARE(commandline::reconcile(profile, {}), u"outbox-console reconcile --sandbox"_s);
    QCOMPARE(commandline::reconcile(profile, "abc"), u"outbox-console reconcile --resume abc --sandbox"_s);
}

QTEST_GUILESS_MAIN(InvestigationModelsTest)
#include "tst_investigationmodels.moc"
