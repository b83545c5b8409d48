// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"
#include "stage.h"

#include <models/jobmodel.h>
#include <models/queuemodel.h>

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include <ctime>

using namespace Qt::StringLiterals;
using engine::bullmq::JobDetail;
using engine::bullmq::JobPageRequest;
using engine::bullmq::JobSearchRequest;
using engine::bullmq::JobState;
using engine::bullmq::JobSummary;
using views::Theme;

// Queues, workers and jobs: pictures of every state, to be looked at, and what a person may rely on while the rows
// below change.
class JobScreensTest final : public QObject
{
    Q_OBJECT

private slots:
    void pictures_data();
    void pictures();
    void worstQueuesComeFirst();
    void opensJobsFromTheKeyboard();
    void keepsTheJobThatIsBeingRead();
    void aThousandChangesASecond();
    void searchSaysWhatItLookedAt();
    void goneJobsStayReadable();
    void everyControlHasAName();
};

namespace {

JobSummary summary(int number, JobState state)
{
    static constexpr const char *names[] = {"mail.invoice.sent", "mail.welcome.sent", "mail.report.weekly"};
    JobSummary job;
    job.id = "outbox:0198f0aa-7c1e-7b3a-9d7f-" + QByteArray::number(200000000000 + number);
    job.name = names[number % 3];
    job.state = state;
    job.attemptsMade = state == JobState::Failed ? 5 : number % 3;
    job.attemptsStarted = job.attemptsMade;
    job.mostAttempts = 5;
    job.addedAt = samples::now - (600 + number * 3) * 1'000'000LL;
    if (state != JobState::Waiting)
        job.startedAt = *job.addedAt + 31'000'000;
    if (state == JobState::Failed || state == JobState::Completed)
        job.finishedAt = *job.startedAt + 204'000 + number * 1000;
    if (state == JobState::Delayed)
        job.dueAt = samples::now + number * 1'000'000LL;
    if (state == JobState::Active)
        job.locked = number % 4 != 1;
    if (state == JobState::Failed)
        job.failedReason = number % 2 ? u"connect ECONNREFUSED 10.2.0.9:587"_s
                                      : u"template “invoice” not found\nlooked in 14 folders"_s;
    return job;
}

engine::watch::JobSnapshot snapshotOf(JobState state, int first, int count, qint64 total)
{
    engine::watch::JobSnapshot snapshot;
    for (int i = 0; i < count; ++i)
        snapshot.page.jobs.push_back(summary(first + i, state));
    snapshot.page.total = total;
    snapshot.page.serverTime = samples::now;
    snapshot.queue = samples::queues().at(2);
    snapshot.queue.failed = 1'000'000;
    snapshot.queue.stalled = 1;
    return snapshot;
}

JobDetail detailOf(const JobSummary &job)
{
    JobDetail detail;
    detail.queue = "outbox.mail";
    detail.job = job;
    detail.job.data = R"({"outboxEventId":"0198f0aa","tenantId":"t_8812","eventType":"mail.invoice.sent",)"
                      R"("payload":{"invoiceId":"inv_771","amountMinor":9007199254740993,"to":"ana@example.com"}})";
    detail.job.worker = "mailer-2";
    detail.options = R"({"attempts":5,"backoff":{"type":"exponential","delay":1000}})";
    detail.backoff = R"({"type":"exponential","delay":1000})";
    for (int attempt = 5; attempt > 0; --attempt)
        detail.stackTraces.push_back(
            u"Error: connect ECONNREFUSED 10.2.0.9:587 (attempt %1)\n    at TCPConnectWrap.afterConnect "
            "[as oncomplete] (node:net:1555:16)\n    at deliver (/app/mailer/smtp.js:41:11)"_s.arg(attempt));
    detail.logs = {u"connecting to smtp.internal"_s, u"refused, giving up"_s};
    detail.logCount = 2;
    detail.serverTime = samples::now;
    using Kind = JobDetail::Time::Kind;
    detail.times = {{Kind::Added, job.addedAt, "timestamp", {}}, {Kind::Started, job.startedAt, "processedOn", {}}};
    if (job.finishedAt)
        detail.times.push_back({Kind::Finished, job.finishedAt, "finishedOn", {}});
    return detail;
}

// What this thread has worked so far: other programs on the machine do not count.
double busyMs()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return double(time.tv_sec) * 1e3 + double(time.tv_nsec) / 1e6;
}

void show(Stage &stage, const engine::watch::JobSnapshot &snapshot)
{
    QVERIFY(stage.jobs->request());
    stage.jobs->showPage(*stage.jobs->request(), snapshot);
}

} // namespace

void JobScreensTest::pictures_data()
{
    addPictureRows();
}

void JobScreensTest::pictures()
{
    QFETCH(Theme::Choice, choice);
    QFETCH(QSize, size);
    const QString suffix = u'-' + QString::fromLatin1(QTest::currentDataTag());
    Stage stage(choice);
    stage.window->resize(size);
    stage.window->setCurrentPage(u"queues"_s);
    stage.fill(samples::production());
    auto *tabs = stage.window->findChild<QTabBar *>(u"queueTabs"_s);
    for (qint64 second = 0; second < 900; second += 10) {
        engine::watch::QueueSnapshot snapshot = samples::queueSnapshot();
        for (auto &queue : snapshot.queues)
            queue.waiting = queue.name == "outbox.mail" ? 30 + qMax<qint64>(0, second - 500) * 10
                                                        : queue.waiting + (second * 7919 / 10) % 9;
        stage.queues->showSnapshot(snapshot, second * 1000);
    }
    stage.shoot(u"queues-watched"_s + suffix);
    tabs->setCurrentIndex(1);
    stage.queues->showSnapshot(samples::queueSnapshot());
    stage.shoot(u"workers-full"_s + suffix);
    engine::watch::QueueSnapshot blind = samples::queueSnapshot();
    blind.workers.reset();
    for (auto &queue : blind.queues)
        queue.workers.reset();
    stage.queues->showSnapshot(blind);
    stage.shoot(u"workers-unknown"_s + suffix);
    tabs->setCurrentIndex(0);

    stage.window->setCurrentPage(u"jobs"_s);
    stage.shoot(u"jobs-none"_s + suffix);
    stage.jobs->openQueue("outbox.mail");
    show(stage, snapshotOf(JobState::Failed, 0, 100, 1'000'000));
    auto *table = stage.window->findChild<QTableView *>(u"jobTable"_s);
    table->selectRow(1);
    stage.jobs->showDetail(detailOf(summary(1, JobState::Failed)));
    auto *parts = stage.window->findChild<QTabBar *>(u"jobTabs"_s);
    static constexpr const char *names[] = {"data", "error", "options", "logs", "times"};
    for (int tab = 0; tab < parts->count(); ++tab) {
        parts->setCurrentIndex(tab);
        stage.shoot(u"jobs-failed-%1"_s.arg(QString::fromLatin1(names[tab])) + suffix);
    }
    parts->setCurrentIndex(1);
    stage.jobs->showDetailError("outbox.mail", summary(1, JobState::Failed).id,
                                {engine::ErrorCode::NotFound, u"Job is not in queue."_s, {}, false, {}});
    stage.shoot(u"jobs-gone"_s + suffix);
    stage.jobs->showPageError(*stage.jobs->request(), samples::cannotConnect());
    stage.shoot(u"jobs-stale"_s + suffix);

    stage.window->findChild<QTabBar *>(u"jobStates"_s)->setCurrentIndex(3);
    show(stage, snapshotOf(JobState::Active, 0, 4, 4));
    table->selectRow(0);
    JobDetail active = detailOf(summary(0, JobState::Active));
    active.lock = JobDetail::Lock{"3f1b7c52-worker:17", 21'400};
    active.children.pending = 1;
    active.children.processed = 2;
    active.children.pendingKeys = {"bull:outbox.webhook:outbox:7"};
    active.children.processedValues = {{"bull:outbox.webhook:outbox:5", R"({"ok":true})"},
                                       {"bull:outbox.webhook:outbox:6", "null"}};
    active.parentKey = "bull:outbox.workflow:outbox:1";
    active.progress = "33";
    active.deduplicationId = "invoice:inv_771";
    active.deduplicationOwner = active.job.id;
    stage.jobs->showDetail(active);
    parts->setCurrentIndex(4);
    stage.shoot(u"jobs-active"_s + suffix);
    stage.window->findChild<QTabBar *>(u"jobStates"_s)->setCurrentIndex(4);
    engine::watch::JobSnapshot none = snapshotOf(JobState::Delayed, 0, 0, 0);
    show(stage, none);
    stage.shoot(u"jobs-empty"_s + suffix);

    // Long texts of every kind.
    stage.window->findChild<QTabBar *>(u"jobStates"_s)->setCurrentIndex(0);
    engine::watch::JobSnapshot wide = snapshotOf(JobState::Failed, 0, 60, 60);
    for (JobSummary &job : wide.page.jobs) {
        job.id = "repeat:" + QByteArray(120, 'x') + ':' + job.id;
        job.name = "plugin.capability-use.recorded.with-a-very-long-name-that-nobody-should-have-chosen";
        job.failedReason = QString(u"Größe & Maße – 請求書 – \u202bשלום\u202c "_s).repeated(20);
    }
    wide.page.jobs[2].gone = true;
    show(stage, wide);
    table->selectRow(0);
    JobDetail endless = detailOf(wide.page.jobs[0]);
    endless.job.data = "{\"a\":\"" + QByteArray(300'000, 'y') + "\"}";
    endless.deferredFailure = "child bull:fx-flow-child:kid-fails failed";
    stage.jobs->showDetail(endless);
    parts->setCurrentIndex(0);
    stage.shoot(u"jobs-long"_s + suffix);

    stage.window->findChild<QLineEdit *>(u"jobSearch"_s)->setText(u"ECONNREFUSED"_s);
    stage.window->findChild<QPushButton *>(u"jobFind"_s)->click();
    stage.shoot(u"jobs-searching"_s + suffix);
    engine::watch::JobSearchProgress progress;
    progress.request.queue = "outbox.mail";
    progress.request.text = u"ECONNREFUSED"_s;
    progress.looked = 12'400;
    progress.total = 1'000'000;
    progress.bytes = 6'400'000;
    for (int i = 1; i < 40; i += 2)
        progress.found.push_back(summary(i, JobState::Failed));
    stage.jobs->showSearch(progress);
    stage.shoot(u"jobs-found"_s + suffix);
}

void JobScreensTest::worstQueuesComeFirst()
{
    Stage stage;
    stage.fill(samples::production());
    auto *table = stage.window->findChild<QTableView *>(u"queueTable"_s);
    QStringList first;
    for (int row = 0; row < 4; ++row)
        first << table->model()->index(row, models::QueueModel::Name).data().toString();
    QCOMPARE(first, (QStringList{u"legacy:imports"_s, u"outbox.mail"_s, u"outbox.rag-index"_s, u"outbox.workflow"_s}));
}

void JobScreensTest::opensJobsFromTheKeyboard()
{
    Stage stage;
    stage.window->setCurrentPage(u"queues"_s);
    stage.fill(samples::production());
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    auto *table = stage.window->findChild<QTableView *>(u"queueTable"_s);
    QSignalSpy wanted(stage.queues, &views::QueuesPage::jobsWanted);
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(wanted.count(), 1);
    QCOMPARE(wanted.first().first().toByteArray(), "outbox.mail");

    // An empty state that nobody asked for is skipped in favour of one that holds jobs.
    QSignalSpy pages(stage.jobs, &views::JobsPage::pageWanted);
    stage.jobs->openQueue("outbox.mail");
    QCOMPARE(pages.count(), 1);
    engine::watch::JobSnapshot snapshot = snapshotOf(JobState::Failed, 0, 0, 0);
    snapshot.queue.failed = 0;
    show(stage, snapshot);
    QCOMPARE(pages.count(), 2);
    QCOMPARE(pages.last().first().value<JobPageRequest>().state, JobState::Waiting);
}

void JobScreensTest::keepsTheJobThatIsBeingRead()
{
    Stage stage;
    stage.window->setCurrentPage(u"jobs"_s);
    stage.fill(samples::production());
    stage.window->show();
    stage.jobs->openQueue("outbox.mail", JobState::Failed);
    show(stage, snapshotOf(JobState::Failed, 0, 100, 1000));
    auto *table = stage.window->findChild<QTableView *>(u"jobTable"_s);
    table->setCurrentIndex(table->model()->index(40, 0));
    const JobSummary chosen = summary(40, JobState::Failed);
    stage.jobs->showDetail(detailOf(chosen));
    table->scrollTo(table->model()->index(55, 0));
    const QByteArray top = table->indexAt(QPoint(1, 1)).data(models::IdRole).toByteArray();
    QVERIFY(!top.isEmpty());
    auto *text = stage.window->findChild<QLineEdit *>(u"jobSearch"_s);
    text->setText(u"half-ty"_s);
    QSignalSpy details(stage.jobs, &views::JobsPage::detailWanted);

    // Ten new jobs push it down: selection and scrolling stay on the same jobs.
    engine::watch::JobSnapshot later = snapshotOf(JobState::Failed, 0, 90, 1010);
    for (int i = 0; i < 10; ++i)
        later.page.jobs.insert(later.page.jobs.begin(), summary(5000 + i, JobState::Failed));
    show(stage, later);
    QCOMPARE(table->currentIndex().data(models::IdRole).toByteArray(), chosen.id);
    QCOMPARE(table->indexAt(QPoint(1, 1)).data(models::IdRole).toByteArray(), top);
    QCOMPARE(text->text(), u"half-ty"_s);
    // It leaves the list: nobody else is opened in its place.
    show(stage, snapshotOf(JobState::Failed, 41, 100, 1000));
    QCOMPARE(details.count(), 0);
    QVERIFY(!table->currentIndex().isValid());
    stage.jobs->refreshDetail();
    QCOMPARE(details.count(), 1);
    QCOMPARE(details.first().at(1).toByteArray(), chosen.id);
    // And back again.
    show(stage, snapshotOf(JobState::Failed, 0, 100, 1000));
    QCOMPARE(table->currentIndex().data(models::IdRole).toByteArray(), chosen.id);
}

// What the interface does for one refresh of a page whose every row has changed: the refreshes of a busy queue come
// once a second or less, each has to leave the window free within 50 ms.
void JobScreensTest::aThousandChangesASecond()
{
    Stage stage;
    stage.window->setCurrentPage(u"jobs"_s);
    stage.fill(samples::production());
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    stage.jobs->openQueue("outbox.mail", JobState::Failed);
    show(stage, snapshotOf(JobState::Failed, 0, 100, 1'000'000));
    double worst = 0;
    const auto measure = [&](const auto &work) {
        const double start = busyMs();
        work();
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents(); // layouts and painting
        worst = qMax(worst, busyMs() - start);
    };
    for (int round = 1; round <= 20; ++round) {
        const auto snapshot = snapshotOf(JobState::Failed, round * 50, 100, 1'000'000 + round * 1000);
        measure([&] { show(stage, snapshot); });
        const JobDetail detail = detailOf(summary(round, JobState::Failed));
        measure([&] { stage.jobs->showDetail(detail); });
    }
    stage.window->setCurrentPage(u"queues"_s);
    for (int round = 1; round <= 20; ++round) {
        engine::watch::QueueSnapshot snapshot = samples::queueSnapshot();
        for (int i = 0; i < 60; ++i) {
            engine::bullmq::QueueState queue;
            queue.name = "queue-" + QByteArray::number(i);
            queue.waiting = (i * 7919 + round * 1000) % 5000;
            queue.workers = i % 3;
            snapshot.queues.push_back(queue);
        }
        measure([&] { stage.queues->showSnapshot(snapshot); });
    }
    qInfo("the longest of 60 refreshes kept the window busy for %.1f ms", worst);
#ifdef __OPTIMIZE__
    QVERIFY2(worst < 50, qPrintable(QString::number(worst)));
#else
    QVERIFY2(worst < 150, qPrintable(QString::number(worst))); // a build without optimisation
#endif
}

void JobScreensTest::searchSaysWhatItLookedAt()
{
    Stage stage;
    stage.window->setCurrentPage(u"jobs"_s);
    stage.fill(samples::production());
    stage.window->show();
    stage.jobs->openQueue("outbox.mail", JobState::Failed);
    show(stage, snapshotOf(JobState::Failed, 0, 100, 1'000'000));
    QSignalSpy searches(stage.jobs, &views::JobsPage::searchWanted);
    QSignalSpy stops(stage.jobs, &views::JobsPage::searchStopWanted);
    QSignalSpy resumes(stage.jobs, &views::JobsPage::searchResumeWanted);
    auto *text = stage.window->findChild<QLineEdit *>(u"jobSearch"_s);
    auto *stop = stage.window->findChild<QPushButton *>(u"jobStop"_s);
    auto *said = stage.window->findChild<QLabel *>(u"jobSearchState"_s);
    QVERIFY(!stop->isVisible());
    text->setText(u"needle"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QCOMPARE(searches.count(), 1);
    QVERIFY(stop->isVisible());
    QVERIFY(!stage.jobs->request()); // no refresh overwrites what is found

    engine::watch::JobSearchProgress progress;
    progress.request = searches.first().first().value<JobSearchRequest>();
    QCOMPARE(progress.request.states, QList<JobState>{JobState::Failed});
    progress.looked = 12'400;
    progress.total = 1'000'000;
    progress.found = {summary(1, JobState::Failed)};
    stage.jobs->showSearch(progress);
    QVERIFY2(said->text().contains(u"12,400"_s) && said->text().contains(u"1,000,000"_s), qPrintable(said->text()));
    auto *table = stage.window->findChild<QTableView *>(u"jobTable"_s);
    QCOMPARE(table->model()->rowCount(), 1);
    stop->click();
    QCOMPARE(stops.count(), 1);
    progress.running = false;
    progress.found.clear();
    stage.jobs->showSearch(progress);
    QVERIFY(said->text().contains(u"stopped"_s));
    stop->click();
    QCOMPARE(resumes.count(), 1);
    // However much is found, memory stays bounded and the search ends.
    progress.running = true;
    for (int i = 0; i < 1500; ++i)
        progress.found.push_back(summary(10 + i, JobState::Failed));
    stage.jobs->showSearch(progress);
    QCOMPARE(table->model()->rowCount(), models::JobModel::mostFound);
    QCOMPARE(stops.count(), 2);
}

void JobScreensTest::goneJobsStayReadable()
{
    Stage stage;
    stage.window->setCurrentPage(u"jobs"_s);
    stage.fill(samples::production());
    stage.window->show();
    stage.jobs->openQueue("outbox.mail", JobState::Failed);
    show(stage, snapshotOf(JobState::Failed, 0, 10, 10));
    auto *table = stage.window->findChild<QTableView *>(u"jobTable"_s);
    table->setCurrentIndex(table->model()->index(3, 0));
    const JobSummary job = summary(3, JobState::Failed);
    const engine::Error gone{engine::ErrorCode::NotFound, u"Job x is not in queue y."_s, u"It is gone."_s, false, {}};
    auto *pane = stage.window->findChild<QWidget *>(u"jobDetail"_s);
    const auto says = [pane](const QString &words) {
        const auto labels = pane->findChildren<QLabel *>();
        return std::any_of(labels.begin(), labels.end(),
                           [&](const QLabel *label) { return label->isVisible() && label->text().contains(words); });
    };
    stage.jobs->showDetailError("outbox.mail", job.id, gone); // before it was ever read
    QVERIFY(says(u"Job x is not in queue y."_s));
    stage.jobs->showDetail(detailOf(job));
    stage.jobs->showDetailError("outbox.mail", job.id, gone);
    QVERIFY(says(u"This job is gone"_s));
    stage.jobs->showDetailError("outbox.mail", "another", gone); // an answer to an older question
    stage.jobs->showDetail(detailOf(job));
    QVERIFY(!says(u"This job is gone"_s));
}

void JobScreensTest::everyControlHasAName()
{
    Stage stage;
    QVERIFY2(stage.actions.clashes().isEmpty(), qPrintable(stage.actions.clashes().join(u"; "_s)));
    for (QWidget *page : std::initializer_list<QWidget *>{stage.queues, stage.jobs}) {
        for (const QWidget *widget : page->findChildren<QWidget *>()) {
            const bool focusable = widget->focusPolicy() != Qt::NoFocus && !widget->objectName().startsWith(u"qt_"_s);
            const auto *button = qobject_cast<const QPushButton *>(widget);
            const bool named = !widget->accessibleName().isEmpty() || (button && !button->text().isEmpty());
            if (button && button->text().isEmpty() && widget->isHidden())
                continue; // gets its text with what it is there for
            if (focusable && widget->focusProxy() == nullptr && !qobject_cast<const QScrollBar *>(widget))
                QVERIFY2(
                    named,
                    qPrintable(QString::fromLatin1(widget->metaObject()->className()) + u' ' + widget->objectName()));
        }
    }
}

QTEST_MAIN(JobScreensTest)
#include "tst_jobscreens.moc"
