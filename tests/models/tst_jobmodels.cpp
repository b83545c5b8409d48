// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <models/commandline.h>
#include <models/depthseries.h>
#include <models/jobmodel.h>
#include <models/jobtext.h>
#include <models/queuefiltermodel.h>
#include <models/queuemodel.h>
#include <models/workergroupmodel.h>
#include <models/workermodel.h>

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using engine::bullmq::JobDetail;
using engine::bullmq::JobState;
using engine::bullmq::JobSummary;
using engine::bullmq::QueueState;
using engine::bullmq::WorkerState;
using models::JobModel;
using models::QueueModel;
using models::Severity;
using models::WorkerGroupModel;
using models::WorkerModel;
using Mode = QAbstractItemModelTester::FailureReportingMode;

namespace {

constexpr qint64 now = 1'769'871'731'000'000;

QStringList column(const QAbstractItemModel &model, int column)
{
    QStringList cells;
    for (int row = 0; row < model.rowCount(); ++row)
        cells << model.index(row, column).data().toString();
    return cells;
}

JobSummary job(const QByteArray &id, JobState state = JobState::Failed)
{
    JobSummary summary;
    summary.id = id;
    summary.name = "mail.a.sent";
    summary.state = state;
    summary.attemptsMade = 2;
    summary.mostAttempts = 5;
    summary.addedAt = now - 90'000'000;
    summary.startedAt = now - 60'000'000;
    summary.finishedAt = now - 59'000'000;
    return summary;
}

QueueState queue(const QByteArray &name, qint64 waiting, std::optional<int> workers)
{
    QueueState state;
    state.name = name;
    state.waiting = waiting;
    state.workers = workers;
    return state;
}

WorkerState worker(const QByteArray &queue, const QByteArray &name, const QByteArray &id)
{
    WorkerState state;
    state.queue = queue;
    state.name = name;
    state.clientId = id;
    state.waits = true;
    return state;
}

} // namespace

class JobModelsTest final : public QObject
{
    Q_OBJECT

private slots:
    void jobsAreComparedById();
    void jobsSayWhatTheirTimeMeans();
    void goneAndStalledJobsStandOut();
    void foundJobsAreBounded();
    void queuesKeepTheirTrend();
    void worstQueuesSortFirst();
    void depthsAreBounded();
    void workersAreComparedByConnection();
    void groupsSayWhatIsDown();
    void factsTellWhoHoldsAJob();
    void timelineKeepsWhatIsNoTime();
    void errorsComeNewestFirst();
    void commandsShowAJob();
};

void JobModelsTest::jobsAreComparedById()
{
    JobModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.applyPage(JobState::Failed, {job("a"), job("b"), job("c")}, now, true);
    QCOMPARE(column(model, JobModel::Id), QStringList({u"a"_s, u"b"_s, u"c"_s}));
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.applyPage(JobState::Failed, {job("a"), job("b"), job("c")}, now, false);
    QCOMPARE(changed.count(), 0);
    JobSummary retried = job("c");
    retried.attemptsMade = 3;
    model.applyPage(JobState::Failed, {job("z"), job("b"), retried}, now, false);
    QCOMPARE(column(model, JobModel::Id), QStringList({u"z"_s, u"b"_s, u"c"_s}));
    QCOMPARE(model.index(2, JobModel::Attempts).data().toString(), u"3 of 5"_s);
    QCOMPARE(reset.count(), 0);
    model.applyPage(JobState::Active, {job("b", JobState::Active)}, now, false);
    QCOMPARE(reset.count(), 1); // another question
    model.setZone(models::Zone::Local);
    model.applyPage(JobState::Active, {}, now, false);
    QCOMPARE(model.rowCount(), 0);
}

void JobModelsTest::jobsSayWhatTheirTimeMeans()
{
    JobModel model;
    const auto heading = [&] { return model.headerData(JobModel::Moment, Qt::Horizontal, Qt::DisplayRole).toString(); };
    model.applyPage(JobState::Failed, {job("a")}, now, true);
    QCOMPARE(heading(), u"Finished"_s);
    QCOMPARE(model.index(0, JobModel::Moment).data().toString(), u"15:01:12"_s);
    QCOMPARE(model.index(0, JobModel::Took).data().toString(), u"1.0 s"_s);
    JobSummary delayed = job("a", JobState::Delayed);
    delayed.dueAt = now + 60'000'000;
    delayed.startedAt = now; // clocks differ: a job that finished before it started took no negative time
    model.applyPage(JobState::Delayed, {delayed}, now, true);
    QCOMPARE(heading(), u"Due"_s);
    QCOMPARE(model.index(0, JobModel::Moment).data().toString(), u"15:03:11"_s);
    QCOMPARE(model.index(0, JobModel::Took).data().toString(), u"–"_s);
}

void JobModelsTest::goneAndStalledJobsStandOut()
{
    JobModel model;
    JobSummary gone;
    gone.id = "gone";
    gone.gone = true;
    JobSummary stalled = job("stalled", JobState::Active);
    stalled.locked = false;
    JobSummary held = job("held", JobState::Active);
    held.locked = true;
    model.applyPage(JobState::Active, {gone, stalled, held}, now, true);
    QVERIFY(model.index(0, JobModel::Error).data().toString().startsWith(u"gone"_s));
    QCOMPARE(model.index(0, JobModel::Attempts).data().toString(), u"–"_s);
    QVERIFY(model.index(1, JobModel::Error).data().toString().startsWith(u"stalled"_s));
    QCOMPARE(model.index(1, JobModel::Error).data(models::SeverityRole).toInt(), int(Severity::Warning));
    QCOMPARE(model.index(2, JobModel::Error).data().toString(), QString());
}

void JobModelsTest::foundJobsAreBounded()
{
    JobModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    std::vector<JobSummary> many;
    for (int i = 0; i < 700; ++i)
        many.push_back(job("job-" + QByteArray::number(i)));
    QCOMPARE(model.append({many.begin(), many.begin() + 600}), 600);
    QCOMPARE(model.append({many.begin() + 500, many.end()}), 700); // seen twice while others arrived
    for (JobSummary &summary : many)
        summary.id.prepend("other-");
    QCOMPARE(model.append(many), JobModel::mostFound);
}

void JobModelsTest::queuesKeepTheirTrend()
{
    QueueModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.applySnapshot({queue("a", 1, 1)}, 0);
    model.applySnapshot({queue("a", 5, 1), queue("b", 7, 1)}, 10'000);
    const auto points = [&](int row) {
        return model.index(row, QueueModel::Trend).data(models::SeriesRole).value<QList<QPointF>>();
    };
    QCOMPARE(points(0), (QList<QPointF>{{-10, 1}, {0, 5}}));
    QCOMPARE(points(1), (QList<QPointF>{{0, 7}}));
    model.applySnapshot({queue("b", 7, 1)}, 20'000);
    model.applySnapshot({queue("a", 2, 1)}, 30'000); // it was gone meanwhile
    QCOMPARE(points(0).size(), 1);
    QCOMPARE(model.index(0, QueueModel::Trend).data(Qt::AccessibleTextRole).toString(), u"2 ready"_s);
}

void JobModelsTest::worstQueuesSortFirst()
{
    QueueModel model;
    models::QueueFilterModel sorted;
    QAbstractItemModelTester tester(&sorted, Mode::Fatal);
    sorted.setSourceModel(&model);
    sorted.sort(QueueModel::Note, Qt::DescendingOrder);
    QueueState broken = queue("z-broken", 0, 0);
    broken.problem = u"WRONGTYPE"_s;
    QueueState stalled = queue("m-stalled", 0, 1);
    stalled.stalled = 1;
    stalled.stalledAtLeast = true;
    model.applySnapshot({queue("a-fine", 0, 1), queue("b-fine", 0, 1), stalled, broken});
    QCOMPARE(column(sorted, QueueModel::Name), QStringList({u"z-broken"_s, u"m-stalled"_s, u"a-fine"_s, u"b-fine"_s}));
    QCOMPARE(sorted.index(1, QueueModel::Stalled).data().toString(), u"1+"_s);
}

void JobModelsTest::depthsAreBounded()
{
    models::DepthSeries series(60'000);
    for (qint64 ms = 0; ms < 600'000; ms += 100)
        series.add(ms == 590'000 ? 1000 : ms / 1000, ms);
    const QList<QPointF> points = series.points();
    QVERIFY(points.size() <= models::DepthSeries::mostPoints);
    QVERIFY(points.first().x() >= -60);
    QCOMPARE(points.last().x(), 0.0);
    double highest = 0;
    for (const QPointF &point : points)
        highest = qMax(highest, point.y());
    QCOMPARE(highest, 1000.0); // a short peak is not lost between two readings
    QVERIFY(models::DepthSeries().points().isEmpty());
}

void JobModelsTest::workersAreComparedByConnection()
{
    WorkerModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    WorkerState busy = worker("b", "", "7");
    busy.waits = false;
    busy.quietMs = 2000;
    WorkerState named = worker("a", "first", "9");
    named.jobs = 3;
    model.applySnapshot({queue("a", 1, 1), queue("b", 1, 1), queue("stuck", 12, 0), queue("unknown", 3, std::nullopt)},
                        {busy, named});
    QCOMPARE(column(model, WorkerModel::Queue), QStringList({u"stuck"_s, u"a"_s, u"b"_s}));
    QCOMPARE(model.index(0, WorkerModel::Worker).data().toString(), u"none"_s);
    QCOMPARE(model.index(0, WorkerModel::Doing).data(models::SeverityRole).toInt(), int(Severity::Critical));
    QCOMPARE(model.index(1, WorkerModel::Jobs).data().toString(), u"3"_s);
    QCOMPARE(model.index(2, WorkerModel::Jobs).data().toString(), u"–"_s); // cannot be known, not none
    QVERIFY(!model.index(2, WorkerModel::Jobs).data(Qt::ToolTipRole).toString().isEmpty());
    QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
    model.applySnapshot({queue("a", 1, 1)}, {named});
    QCOMPARE(model.rowCount(), 1);
    model.applySnapshot({}, {});
    QCOMPARE(model.rowCount(), 0);
}

void JobModelsTest::groupsSayWhatIsDown()
{
    WorkerGroupModel model;
    QAbstractItemModelTester tester(&model, Mode::Fatal);
    model.applySnapshot({queue("outbox.mail", 5, 0), queue("outbox.webhook", 0, 2), queue("outbox.workflow", 0, 1)});
    QCOMPARE(column(model, WorkerGroupModel::Group), QStringList({u"general"_s, u"mail"_s}));
    QCOMPARE(column(model, WorkerGroupModel::Health), QStringList({u"Working"_s, u"Partly down"_s}));
    QVERIFY(model.index(1, WorkerGroupModel::Note).data().toString().contains(u"outbox.mail"_s));
    model.applySnapshot({queue("outbox.mail", 5, 0)});
    QCOMPARE(model.index(1, WorkerGroupModel::Health).data().toString(), u"Down"_s);
    model.applySnapshot({queue("outbox.mail", 5, std::nullopt)});
    QCOMPARE(column(model, WorkerGroupModel::Health), QStringList({u"No queues"_s, u"Unknown"_s}));
    QCOMPARE(model.index(1, WorkerGroupModel::Workers).data().toString(), u"–"_s);
    model.applySnapshot({queue("outbox.mail", 0, 0)});
    QCOMPARE(model.index(1, WorkerGroupModel::Health).data().toString(), u"Nobody there"_s);
}

void JobModelsTest::factsTellWhoHoldsAJob()
{
    JobDetail detail;
    detail.job = job("a", JobState::Active);
    detail.job.stalls = 2;
    const auto fact = [&](const QString &name) {
        for (const auto &[known, value] : models::jobFacts(detail)) {
            if (known == name)
                return value;
        }
        return QString();
    };
    QCOMPARE(fact(u"Lock"_s), u"nobody holds it: stalled"_s);
    QVERIFY(fact(u"Attempts"_s).contains(u"stalled 2 times"_s));
    detail.lock = JobDetail::Lock{"token:1", 21'400};
    QVERIFY(fact(u"Lock"_s).contains(u"token:1"_s) && fact(u"Lock"_s).contains(u"21"_s));
    detail.job.state = JobState::Unknown;
    QVERIFY(!fact(u"Place"_s).isEmpty());
    detail.deduplicationId = "once";
    QVERIFY(fact(u"Deduplication"_s).contains(u"free again"_s));
}

void JobModelsTest::timelineKeepsWhatIsNoTime()
{
    using Kind = JobDetail::Time::Kind;
    JobDetail detail;
    detail.job = job("a");
    detail.times = {{Kind::Added, std::nullopt, "timestamp", "null"},
                    {Kind::Finished, now, "finishedOn", "1"},
                    {Kind::Started, now - 5, "processedOn", "1"}};
    const auto steps = models::jobTimeline(detail);
    QCOMPARE(steps.size(), size_t(3));
    QVERIFY(steps[0].note.contains(u"\"null\" is no time"_s));
    QCOMPARE(steps[1].note, u"processedOn"_s);
    QCOMPARE(steps[2].note, u"finishedOn"_s);
}

void JobModelsTest::errorsComeNewestFirst()
{
    JobDetail detail;
    QCOMPARE(models::jobErrorText(detail), QString());
    detail.job.failedReason = u"broke"_s;
    detail.stackTraces = {u"third"_s, u"second"_s, u"first"_s};
    const QString text = models::jobErrorText(detail);
    QVERIFY(text.startsWith(u"broke"_s));
    QVERIFY(text.indexOf(u"third"_s) < text.indexOf(u"second"_s)
            && text.indexOf(u"second"_s) < text.indexOf(u"first"_s));
    QVERIFY(text.contains(u"Stack trace 3 of 3, the newest"_s));
}

void JobModelsTest::commandsShowAJob()
{
    engine::config::ConnectionProfile profile;
    profile.name = u"prod"_s;
    QCOMPARE(models::commandline::job(profile, "outbox.mail", "outbox:1"),
             u"outbox-console jobs outbox.mail --id outbox:1 --connection prod"_s);
    profile.name.clear();
    profile.redisUrl = u"redis://:secret@localhost:6379"_s;
    const QString line = models::commandline::job(profile, "a b", "1");
    QVERIFY2(!line.contains(u"secret"_s) && line.contains(u"'a b'"_s), qPrintable(line));
}

QTEST_GUILESS_MAIN(JobModelsTest)
#include "tst_jobmodels.moc"
