// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The pages that look across the stores: what they ask, what they keep, and pictures of them in every state
// (build/screenshots/<page>-<state>-<theme>-<size>.png).

#include "samples.h"
#include "stage.h"

#include <views/pages/executionspage.h>
#include <views/pages/reconcilepage.h>
#include <views/pages/tracepage.h>
#include <views/widgets/pagestate.h>

#include <engine/trace/entries.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;
using namespace engine::workflow;
using engine::trace::Finding;
using engine::trace::ReconcilePhase;
using engine::trace::ReconcileProgress;
using engine::trace::Trace;
using views::Theme;

namespace {

constexpr qint64 second = 1'000'000;

// The whole window with these pages in it.
struct Bench : Stage
{
    explicit Bench(Theme::Choice choice = Theme::Choice::Light)
        : Stage(choice)
        , executions(new views::ExecutionsPage(theme, actions))
        , trace(new views::TracePage(theme, actions))
        , reconcile(new views::ReconcilePage(theme, actions))
    {
        window->addPage(u"trace"_s, u"Trace"_s, u"trace"_s, trace);
        window->addPage(u"reconcile"_s, u"Reconcile"_s, u"reconcile"_s, reconcile);
        window->addPage(u"executions"_s, u"Executions"_s, u"executions"_s, executions);
    }
    void fillAll(const engine::config::ConnectionProfile &profile)
    {
        fill(profile);
        executions->setProfile(profile);
        trace->setProfile(profile);
        reconcile->setProfile(profile, true);
    }

    views::ExecutionsPage *executions;
    views::TracePage *trace;
    views::ReconcilePage *reconcile;
};

ExecutionLayout executionLayout()
{
    ExecutionLayout layout;
    layout.schema = "public";
    layout.table = "WorkflowExecution";
    layout.statuses = {"QUEUED", "RUNNING", "WAITING", "COMPLETED", "FAILED", "CANCELLED"};
    layout.queuedAt.name = "queuedAt";
    layout.startedAt.name = "startedAt";
    layout.finishedAt.name = "finishedAt";
    layout.steps.name = "steps";
    layout.status.name = "status";
    return layout;
}

std::vector<Execution> runs(int count, bool longTexts = false)
{
    struct Kind
    {
        const char *status;
        const char *workflow;
        const char *trigger;
        int ago; // seconds since queued
        int took;
        const char *error;
        Lateness lateness;
    };
    static constexpr Kind kinds[] = {
        {"FAILED", "Confirm a new order", "event", 40, 2, "Block \"confirm\": template \"order-followup\" not found",
         Lateness::None},
        {"RUNNING", "Publish a document", "stream", 4200, 0, "", Lateness::PossiblyInterrupted},
        {"COMPLETED", "Confirm a new order", "event", 95, 1, "", Lateness::None},
        {"QUEUED", "Weekly report", "manual", 780, 0, "", Lateness::Queued},
        {"WAITING", "Confirm a new order", "event", 14400, 0, "", Lateness::None},
        {"COMPLETED", "Follow up a lead", "event", 130, 64, "", Lateness::None},
        {"RUNNING", "Follow up a lead", "event", 20, 0, "", Lateness::None},
        {"CANCELLED", "Sort incoming forms", "manual", 900, 0, "cancelled: started for the wrong lead", Lateness::None},
    };
    std::vector<Execution> all;
    for (int i = 0; i < count; ++i) {
        const Kind &kind = kinds[i % std::size(kinds)];
        Execution run;
        run.id = "exe_01J8Z" + QByteArray::number(500000 + i);
        run.status = kind.status;
        run.phase = phaseOf(run.status);
        run.workflowId = "wfl_000" + QByteArray::number(i % 5);
        run.workflowName = QString::fromUtf8(kind.workflow);
        run.tenantId = i % 3 ? "t_0411" : "t_8812";
        run.trigger = kind.trigger;
        run.isStream = run.trigger == "stream";
        run.waitingFor = run.phase == Phase::Waiting ? u"approval"_s : QString();
        run.error = QString::fromUtf8(kind.error);
        run.outboxEventId = run.isStream ? QByteArray() : "evt_01J8Z" + QByteArray::number(100000 + i) + "M2";
        run.queuedAt = samples::now - (kind.ago + i) * second;
        if (run.phase != Phase::Queued)
            run.startedAt = *run.queuedAt + 240'000;
        if (isTerminal(run.phase))
            run.finishedAt = *run.startedAt + kind.took * second + 210'000;
        run.lateness = kind.lateness;
        run.usual = i % 2 ? Usual{128'000, 4'000, 200} : Usual{defaultRunMs, defaultQueueMs, 0};
        if (longTexts) {
            run.workflowName = u"Send a very long confirmation to everybody who ever ordered “Größe & Maße – 請求書”"_s;
            run.tenantId = "organisation-0f8fad5b-d9cb-469f-a165-70867728950e";
            run.error = u"TypeError: Cannot read properties of undefined (reading 'templateIdentifier') at "
                        "/srv/app/node_modules/@acme/workflow-engine/dist/blocks/email/renderer.js:1402:17"_s;
        }
        all.push_back(run);
    }
    return all;
}

ExecutionPage pageOf(std::vector<Execution> executions)
{
    ExecutionPage page;
    page.hasOlder = executions.size() > 1;
    page.executions = std::move(executions);
    page.databaseTime = samples::now;
    return page;
}

ExecutionStats executionStats()
{
    using engine::outbox::Count;
    return {{{"QUEUED", Count{12, Count::Kind::Exact}},
             {"RUNNING", Count{4, Count::Kind::Exact}},
             {"WAITING", Count{31, Count::Kind::Exact}},
             {"COMPLETED", Count{100'000, Count::Kind::AtLeast}},
             {"FAILED", Count{214, Count::Kind::Exact}},
             {"CANCELLED", Count{9, Count::Kind::Exact}}},
            samples::now};
}

ExecutionDetail detailOf(const Execution &run)
{
    ExecutionDetail detail;
    detail.execution = run;
    detail.error = run.error;
    detail.stepsText =
        R"([{"block":"large","type":"if","status":"COMPLETED","startedAt":"2026-01-31T15:01:31.410Z",)"
        R"("finishedAt":"2026-01-31T15:01:31.411Z","result":true},{"block":"notify","type":"httpRequest",)"
        R"("status":"COMPLETED","startedAt":"2026-01-31T15:01:31.412Z","finishedAt":"2026-01-31T15:01:31.572Z"},)"
        R"({"block":"confirm","type":"email","status":"FAILED","startedAt":"2026-01-31T15:01:31.580Z",)"
        R"("finishedAt":"2026-01-31T15:01:31.590Z","error":"template \"order-followup\" not found"}])";
    detail.stepsBytes = detail.stepsText.size();
    detail.steps = parseSteps(detail.stepsText);
    return detail;
}

engine::outbox::Layout outboxLayout()
{
    engine::outbox::Layout layout = samples::eventLayout();
    layout.createdAt.name = "createdAt";
    layout.processedAt.name = "processedAt";
    layout.scheduledAt.name = "scheduledAt";
    return layout;
}

Trace sampleTrace(bool longTexts = false)
{
    Trace trace;
    trace.understoodAs = u"row id"_s;
    trace.databaseTime = samples::now;
    engine::outbox::RowDetail row;
    row.row = samples::rows(3)[2];
    if (longTexts)
        row.row.eventType = samples::longRows(1)[0].eventType;
    row.row.createdAt = samples::now - 44 * second;
    row.row.processedAt = *row.row.createdAt + 10'000;
    row.row.scheduledAt = row.row.createdAt;
    row.payload = R"({"event":"order.created","entity":"order","entityId":"9007199254740993"})";
    row.payloadBytes = row.payload.size();
    row.payloadType = "jsonb";
    trace.asked = row.row.id;
    trace.rows.push_back(row);

    engine::trace::TracedJob job;
    job.queue = "outbox.workflow";
    job.id = "outbox:" + row.row.id;
    job.rowId = row.row.id;
    engine::bullmq::JobDetail detail;
    detail.job.id = job.id;
    detail.job.state = engine::bullmq::JobState::Completed;
    detail.job.addedAt = *row.row.createdAt + 6'000;
    detail.job.startedAt = *detail.job.addedAt + 1'020'000;
    detail.job.finishedAt = *detail.job.startedAt + 400'000;
    detail.job.attemptsMade = 2;
    detail.job.attemptsStarted = 2;
    detail.job.data = R"({"outboxEventId":"x"})";
    job.detail = detail;
    job.events.events = {{*detail.job.addedAt, "added", job.id, {}, {}, {}},
                         {*detail.job.addedAt + 15'000, "active", job.id, "waiting", {}, {}},
                         {*detail.job.addedAt + 20'000, "stalled", job.id, {}, {}, {}},
                         {*detail.job.startedAt, "active", job.id, "waiting", {}, {}},
                         {*detail.job.finishedAt, "completed", job.id, {}, {}, {}}};
    trace.jobs.push_back(job);

    Execution run = runs(1, longTexts)[0];
    run.queuedAt = *detail.job.startedAt + 9'000;
    run.startedAt = *run.queuedAt + 1'000;
    run.finishedAt = *run.startedAt + 361'000;
    ExecutionDetail execution = detailOf(run);
    const qint64 shift = *run.startedAt;
    for (size_t i = 0; i < execution.steps.steps.size(); ++i) {
        execution.steps.steps[i].startedAt = shift + qint64(i) * 100'000;
        execution.steps.steps[i].finishedAt = shift + qint64(i) * 100'000 + 90'000;
    }
    trace.executions.push_back(execution);

    engine::outbox::RowDetail followUp;
    followUp.row = samples::rows(2)[1];
    followUp.row.eventType = "plugin.hook.workflow.failed";
    followUp.row.createdAt = *run.finishedAt + 3'000;
    followUp.row.scheduledAt = followUp.row.createdAt;
    trace.followUps.push_back(followUp);
    trace.looked = {u"public.\"OutboxEvent\": row "_s + QString::fromUtf8(row.row.id),
                    u"public.\"WorkflowExecution\": 1 execution"_s,
                    u"outbox.workflow: job outbox:evt_01J8Z100002M2, and its events"_s,
                    u"Redis: no receiver's record of evt_01J8Z100002M2"_s,
                    u"public.\"OutboxEvent\": follow-up events of the executions, 1"_s};
    trace.unknown = {u"events of correlation or saga 5e1c: the search without an index stopped at its limit of 3 s"_s};
    trace.timeline = engine::trace::merged(
        {engine::trace::entriesOf(row, outboxLayout(), "outbox.workflow", false, samples::now),
         engine::trace::entriesOf(followUp, outboxLayout(), {}, true, samples::now), engine::trace::entriesOf(job),
         engine::trace::entriesOf(execution, executionLayout(), samples::now)});
    return trace;
}

ReconcileProgress comparison(int findings, ReconcilePhase phase)
{
    struct Kind
    {
        Finding::Kind kind;
        const char *id;
        const char *name;
        const char *queue;
        const char *detail;
    };
    static constexpr Kind kinds[] = {
        {Finding::Kind::RowWithoutJob, "evt_01J8Z7", "mail.invoice.sent", "outbox.mail",
         "no job, and the queue's events, which reach back to then, do not know it"},
        {Finding::Kind::StuckExecution, "exe_01J8Z3", "Confirm a new order", "",
         "RUNNING: the job of its event has ended"},
        {Finding::Kind::DuplicateJob, "8841", "webhook.order.created", "outbox.webhook",
         "the same event as outbox.webhook / outbox:evt_01J8Z100003M2"},
        {Finding::Kind::JobWithoutRow, "outbox:evt_gone", "audit.user.login", "outbox.audit",
         "public.\"OutboxEvent\" has no row evt_gone"},
        {Finding::Kind::JobRemoved, "evt_01J8Z9", "search.index.updated", "outbox.search-index",
         "no job; this queue removes finished jobs, and its events do not reach back that far"},
        {Finding::Kind::InterruptedStream, "exe_01J8Z8", "Publish a document", "",
         "RUNNING: a stream run, which a restart of the web process interrupts, lasts longer than usual"},
    };
    ReconcileProgress progress;
    progress.phase = phase;
    progress.fraction = 0.4;
    progress.token = phase == ReconcilePhase::Finished ? QByteArray() : QByteArray("eyJ2IjoxfQ");
    progress.report.rowsLooked = 48'210;
    progress.report.jobsLooked = 31'007;
    progress.report.executionsLooked = phase == ReconcilePhase::Finished ? 16 : 0;
    for (int i = 0; i < findings; ++i) {
        const Kind &kind = kinds[i % std::size(kinds)];
        Finding finding;
        finding.kind = kind.kind;
        finding.id = QByteArray(kind.id) + (i < 6 ? QByteArray() : QByteArray::number(i));
        finding.name = kind.name;
        finding.queue = kind.queue;
        finding.detail = QString::fromUtf8(kind.detail);
        finding.at = samples::now - (90 + i * 37) * second;
        progress.report.add(finding);
    }
    return progress;
}

} // namespace

class InvestigationTest final : public QObject
{
    Q_OBJECT

private slots:
    void enterTraces();
    void aTraceOfAnotherAnswerKeepsTheSelection();
    void errorsKeepWhatIsThere();
    void executionsPageWalksAndFilters();
    void comparisonStopsAndResumes();
    void groupsFilterTheList();
    void noKeyMeansTwoThings();
    void everythingFocusableHasAName();
    void pictures_data();
    void pictures();
};

void InvestigationTest::enterTraces()
{
    Bench bench;
    bench.fillAll(samples::production());
    bench.window->setCurrentPage(u"trace"_s);
    bench.window->show();
    QSignalSpy wanted(bench.trace, &views::TracePage::traceWanted);
    auto *field = bench.window->findChild<QLineEdit *>(u"traceField"_s);
    field->setFocus();
    QTest::keyClicks(field, u"  evt_1 "_s);
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted[0][0].toByteArray(), "evt_1");
    field->clear();
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(wanted.size(), 1);
    bench.trace->traceId("exe_9");
    QCOMPARE(wanted.size(), 2);
    QCOMPARE(field->text(), u"exe_9"_s);

    Trace nothing;
    nothing.asked = "exe_9";
    nothing.looked = {u"public.\"OutboxEvent\": no row with this id"_s};
    bench.trace->showTrace(nothing);
    auto *table = bench.window->findChild<QTableView *>(u"traceTable"_s);
    QCOMPARE(table->model()->rowCount(), 0);
    QVERIFY(!table->isVisible());
}

void InvestigationTest::aTraceOfAnotherAnswerKeepsTheSelection()
{
    Bench bench;
    bench.fillAll(samples::production());
    bench.window->setCurrentPage(u"trace"_s);
    const Trace trace = sampleTrace();
    bench.trace->showTrace(trace);
    auto *table = bench.window->findChild<QTableView *>(u"traceTable"_s);
    QCOMPARE(table->model()->rowCount(), int(trace.timeline.size()));
    table->selectRow(3);
    bench.trace->showTrace(trace);
    QCOMPARE(table->currentIndex().row(), 3);
    // The clipboard gets times in UTC, whatever is shown.
    bench.trace->setZone(models::Zone::Local);
    const auto buttons = bench.trace->findChildren<QPushButton *>();
    for (QPushButton *button : buttons) {
        if (button->text() == u"Copy trace"_s)
            button->click();
    }
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(u"2026-01-31T15:01:27.000Z"), qPrintable(copied));
    QVERIFY(copied.contains(u"not known: "));
}

void InvestigationTest::errorsKeepWhatIsThere()
{
    Bench bench;
    bench.fillAll(samples::production());
    bench.window->show();
    bench.window->setCurrentPage(u"trace"_s);
    bench.trace->showTrace(sampleTrace());
    bench.trace->showError(samples::cannotConnect());
    QVERIFY(bench.window->findChild<QTableView *>(u"traceTable"_s)->isVisible());
    bench.window->setCurrentPage(u"executions"_s);
    bench.executions->showStats(u"public.\"WorkflowExecution\""_s, executionStats());
    bench.executions->showPage(bench.executions->request(), pageOf(runs(20)));
    bench.executions->showError(samples::cannotConnect());
    auto *table = bench.window->findChild<QTableView *>(u"executionTable"_s);
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->rowCount(), 20);
}

void InvestigationTest::executionsPageWalksAndFilters()
{
    Bench bench;
    bench.fillAll(samples::production());
    bench.window->setCurrentPage(u"executions"_s);
    bench.window->show();
    QSignalSpy pages(bench.executions, &views::ExecutionsPage::pageWanted);
    QSignalSpy details(bench.executions, &views::ExecutionsPage::detailWanted);
    bench.executions->showStats(u"t"_s, executionStats());
    const auto all = runs(50);
    bench.executions->showPage(bench.executions->request(), pageOf(all));
    auto *table = bench.window->findChild<QTableView *>(u"executionTable"_s);
    table->selectRow(2);
    QCOMPARE(details.size(), 1);
    QCOMPARE(details[0][0].toByteArray(), all[2].id);
    bench.actions.action(u"executions-older"_s)->trigger();
    QCOMPARE(pages.size(), 1);
    const auto older = pages[0][0].value<ExecutionRequest>();
    QVERIFY(older.from && older.from->id == all.back().id && older.from->scheduledAt == all.back().queuedAt);
    bench.executions->findChild<QToolButton *>(u"chip-FAILED"_s)->click();
    bench.executions->findChild<QToolButton *>(u"chip-late"_s)->click();
    QCOMPARE(pages.size(), 3);
    const auto filtered = pages[2][0].value<ExecutionRequest>();
    QCOMPARE(filtered.filter.statuses, QList<QByteArray>{"FAILED"});
    QVERIFY(filtered.filter.lateOnly && !filtered.from);
    // An answer to the question before is dropped.
    bench.executions->showPage(older, pageOf(runs(1)));
    QCOMPARE(table->model()->rowCount(), 50);
    // What was chosen is there again at the next start.
    const QJsonObject state = bench.executions->saveState();
    Bench next;
    next.executions->restoreState(state);
    next.fillAll(samples::production());
    next.executions->showStats(u"t"_s, executionStats());
    QCOMPARE(next.executions->request().filter, filtered.filter);
}

void InvestigationTest::comparisonStopsAndResumes()
{
    Bench bench;
    bench.fillAll(samples::production());
    bench.window->setCurrentPage(u"reconcile"_s);
    bench.window->show();
    QSignalSpy starts(bench.reconcile, &views::ReconcilePage::startWanted);
    QSignalSpy stops(bench.reconcile, &views::ReconcilePage::stopWanted);
    auto *start = bench.window->findChild<QPushButton *>(u"reconcileStart"_s);
    auto *stop = bench.window->findChild<QPushButton *>(u"reconcileStop"_s);
    auto *resume = bench.window->findChild<QPushButton *>(u"reconcileResume"_s);
    start->click();
    QCOMPARE(starts.size(), 1);
    QCOMPARE(starts[0][0].value<engine::trace::ReconcileRequest>().since, std::chrono::hours(24));
    QVERIFY(!start->isEnabled() && stop->isEnabled() && !resume->isVisible());
    bench.reconcile->showProgress(comparison(3, ReconcilePhase::Rows), true);
    stop->click();
    QCOMPARE(stops.size(), 1);
    QVERIFY(!stop->isEnabled());
    bench.reconcile->showProgress(comparison(4, ReconcilePhase::Jobs), false);
    QVERIFY(resume->isVisible() && resume->isEnabled() && start->isEnabled());
    auto *table = bench.window->findChild<QTableView *>(u"findingTable"_s);
    QCOMPARE(table->model()->rowCount(), 4);
    resume->click();
    QCOMPARE(starts.size(), 2);
    QCOMPARE(starts[1][0].value<engine::trace::ReconcileRequest>().resume, "eyJ2IjoxfQ");
    // What was found before stays beside what is found now.
    ReconcileProgress rest = comparison(0, ReconcilePhase::Finished);
    rest.report.add({Finding::Kind::StuckExecution, {}, "exe_late", {}, {}, {}, {}, {}, u"why"_s});
    bench.reconcile->showProgress(rest, false);
    QCOMPARE(table->model()->rowCount(), 5);
    QVERIFY(!resume->isVisible());
    // A failure leaves the way to go on.
    start->click();
    bench.reconcile->showProgress(comparison(1, ReconcilePhase::Rows), true);
    bench.reconcile->showError(samples::cannotConnect());
    QVERIFY(resume->isVisible() && start->isEnabled());
    QCOMPARE(table->model()->rowCount(), 1);
}

void InvestigationTest::groupsFilterTheList()
{
    Bench bench;
    bench.fillAll(samples::production());
    bench.window->setCurrentPage(u"reconcile"_s);
    bench.window->show();
    bench.reconcile->showProgress(comparison(12, ReconcilePhase::Finished), false);
    auto *table = bench.window->findChild<QTableView *>(u"findingTable"_s);
    QCOMPARE(table->model()->rowCount(), 12);
    auto *group = bench.window->findChild<QToolButton *>(u"group-duplicate-job"_s);
    QVERIFY(group->isVisible() && group->text().contains(u"2"));
    group->click();
    QCOMPARE(table->model()->rowCount(), 2);
    QSignalSpy traces(bench.reconcile, &views::ReconcilePage::traceWanted);
    table->selectRow(0);
    bench.actions.action(u"reconcile-trace"_s)->trigger();
    QCOMPARE(traces.size(), 1);
    QCOMPARE(traces[0][0].toByteArray(), "8841");
    group->click();
    QCOMPARE(table->model()->rowCount(), 12);
    QVERIFY(!bench.window->findChild<QToolButton *>(u"group-row-retired"_s)->isVisible());
}

void InvestigationTest::noKeyMeansTwoThings()
{
    Bench bench;
    QCOMPARE(bench.actions.clashes(), QStringList());
}

void InvestigationTest::everythingFocusableHasAName()
{
    Bench bench;
    bench.fillAll(samples::production());
    for (const QWidget *page : {static_cast<QWidget *>(bench.trace), static_cast<QWidget *>(bench.reconcile),
                                static_cast<QWidget *>(bench.executions)}) {
        const auto edits = page->findChildren<QLineEdit *>();
        for (const QLineEdit *edit : edits)
            QVERIFY2(!edit->accessibleName().isEmpty(), qPrintable(edit->placeholderText()));
        const auto buttons = page->findChildren<QAbstractButton *>();
        for (const QAbstractButton *button : buttons)
            QVERIFY2(button->isHidden() || button->inherits("QTableCornerButton")
                         || button->focusPolicy() == Qt::NoFocus || !button->text().isEmpty()
                         || !button->accessibleName().isEmpty(),
                     qPrintable(button->objectName()));
        const auto lists = page->findChildren<QAbstractItemView *>();
        for (const QAbstractItemView *list : lists)
            QVERIFY2(!list->accessibleName().isEmpty() || list->parentWidget()->inherits("QComboBoxPrivateContainer")
                         || list->inherits("QHeaderView"),
                     list->metaObject()->className());
    }
}

void InvestigationTest::pictures_data()
{
    addPictureRows();
}

void InvestigationTest::pictures()
{
    QFETCH(Theme::Choice, choice);
    QFETCH(QSize, size);
    const QString suffix = u'-' + QString::fromLatin1(QTest::currentDataTag());
    Bench bench(choice);
    bench.window->resize(size);
    bench.fillAll(samples::production());

    bench.window->setCurrentPage(u"trace"_s);
    bench.shoot(u"trace-empty"_s + suffix);
    bench.trace->traceId("evt_01J8Z100002M2");
    bench.shoot(u"trace-loading"_s + suffix);
    bench.trace->showTrace(sampleTrace());
    bench.shoot(u"trace-full"_s + suffix);
    auto *timeline = bench.window->findChild<QTableView *>(u"traceTable"_s);
    timeline->selectRow(9);
    bench.shoot(u"trace-entry"_s + suffix);
    bench.trace->showError(samples::cannotConnect());
    bench.shoot(u"trace-stale"_s + suffix);
    bench.trace->showTrace(sampleTrace(true));
    timeline->selectRow(0);
    bench.shoot(u"trace-long"_s + suffix);
    Trace nothing;
    nothing.asked = "evt_nobody";
    nothing.looked = sampleTrace().looked;
    nothing.unknown = sampleTrace().unknown;
    bench.trace->showTrace(nothing);
    bench.shoot(u"trace-nothing"_s + suffix);
    bench.trace->setProfile(samples::production());
    bench.trace->showError(samples::cannotConnect());
    bench.shoot(u"trace-error"_s + suffix);

    bench.window->setCurrentPage(u"executions"_s);
    bench.executions->showError(samples::cannotConnect());
    bench.shoot(u"executions-error"_s + suffix);
    bench.executions->showStats(u"public.\"WorkflowExecution\""_s, executionStats());
    bench.executions->showPage(bench.executions->request(), pageOf({}));
    bench.shoot(u"executions-empty"_s + suffix);
    bench.executions->showPage(bench.executions->request(), pageOf(runs(200)));
    auto *executions = bench.window->findChild<QTableView *>(u"executionTable"_s);
    executions->selectRow(0);
    bench.executions->showDetail(detailOf(runs(1)[0]));
    bench.shoot(u"executions-full"_s + suffix);
    executions->selectRow(1);
    ExecutionDetail broken = detailOf(runs(2)[1]);
    broken.stepsText = "[{\"block\": \"notify\", oops";
    broken.stepsBytes = broken.stepsText.size();
    broken.steps = parseSteps(broken.stepsText);
    bench.executions->showDetail(broken);
    bench.shoot(u"executions-late"_s + suffix);
    bench.executions->setProfile(samples::production());
    bench.executions->showStats(u"public.\"WorkflowExecution\""_s, executionStats());
    bench.executions->showPage(bench.executions->request(), pageOf(runs(200, true)));
    executions->selectRow(0);
    bench.executions->showDetail(detailOf(runs(1, true)[0]));
    bench.shoot(u"executions-long"_s + suffix);

    bench.window->setCurrentPage(u"reconcile"_s);
    bench.shoot(u"reconcile-empty"_s + suffix);
    bench.window->findChild<QPushButton *>(u"reconcileStart"_s)->click();
    bench.reconcile->setNow(samples::now);
    bench.reconcile->showProgress(comparison(0, ReconcilePhase::Rows), true);
    bench.shoot(u"reconcile-running"_s + suffix);
    bench.reconcile->showProgress(comparison(40, ReconcilePhase::Jobs), true);
    bench.window->findChild<QTableView *>(u"findingTable"_s)->selectRow(1);
    bench.shoot(u"reconcile-full"_s + suffix);
    bench.reconcile->showError(samples::cannotConnect());
    bench.shoot(u"reconcile-stopped"_s + suffix);
    bench.reconcile->setProfile(samples::production(), true);
    bench.window->findChild<QPushButton *>(u"reconcileStart"_s)->click();
    bench.reconcile->showProgress(comparison(0, ReconcilePhase::Finished), false);
    bench.shoot(u"reconcile-good"_s + suffix);
    bench.reconcile->setProfile(samples::production(), true);
    bench.reconcile->showError(samples::cannotConnect());
    bench.shoot(u"reconcile-error"_s + suffix);
}

QTEST_MAIN(InvestigationTest)
#include "tst_investigation.moc"
