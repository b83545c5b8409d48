// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"
#include "stage.h"

#include <views/charts/timechart.h>
#include <views/dialogs/finddialog.h>
#include <views/pages/alertspage.h>
#include <views/pages/overviewpage.h>
#include <views/shell/statusline.h>
#include <views/widgets/alertrow.h>

#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include <cmath>

using namespace Qt::StringLiterals;
using engine::history::HistoryStore;
using engine::history::Point;
using engine::outbox::Count;
using engine::watch::Alert;
using engine::watch::AlertLevel;
using engine::watch::AlertMetric;
using views::Theme;

namespace {

constexpr qint64 now = samples::now / 1000;
constexpr qint64 minute = 60'000;

Alert alert(const QString &id, AlertMetric metric, AlertLevel level, qint64 since, const QString &headline,
            const QString &detail)
{
    Alert made;
    made.id = id;
    made.rule = id;
    made.metric = metric;
    made.level = level;
    made.sinceMs = since;
    made.headline = headline;
    made.detail = detail;
    made.advice = u"Start the workers of this queue."_s;
    return made;
}

QList<Alert> alerts()
{
    QList<Alert> all{
        alert(u"queue-unserved/outbox.mail"_s, AlertMetric::QueueUnserved, AlertLevel::Critical, now - 21 * minute,
              u"Queue outbox.mail has 4,120 waiting jobs and no worker"_s, u"oldest for 20 min"_s),
        alert(u"dead-letters"_s, AlertMetric::DeadLetters, AlertLevel::Critical, now - 23 * minute,
              u"1,000+ dead letters within a day"_s,
              u"18 tenants · mail.invoice.sent · most often “connect ECONNREFUSED 10.2.0.9:587”"_s),
        alert(u"executions-queued"_s, AlertMetric::ExecutionsQueued, AlertLevel::Warning, now - 22 * minute,
              u"7 workflow executions are queued longer than usual"_s, u"oldest for 22 min"_s)};
    return all;
}

engine::watch::Sample sample()
{
    engine::watch::Sample made;
    made.atMs = now;
    auto &vitals = made.outbox.emplace();
    vitals.databaseTime = samples::now;
    vitals.due = {1482, Count::Kind::Exact};
    vitals.oldestDueAgeMs = 432'000;
    vitals.inFlight = {100, Count::Kind::Exact};
    vitals.retrying = {6031, Count::Kind::AtLeast};
    vitals.nextRetryInMs = 41'000;
    vitals.dead = {3214, Count::Kind::Exact};
    vitals.deadLastDay = {1000, Count::Kind::AtLeast};
    vitals.handedOverLastMinute = {418, Count::Kind::Exact};
    vitals.latencyP50Ms = 900;
    vitals.latencyP95Ms = 4200;
    vitals.failureRate = 0.034;
    vitals.retriesHandedOver = {902, 61, 20, 9, 4, 2, 1, 1};
    vitals.retriesWaiting = {0, 310, 120, 44, 20, 9, 3, 0};
    return made;
}

// A day that turned bad 23 minutes ago, with the console closed for a while in between.
HistoryStore::Answer history(qint64 rangeMs)
{
    HistoryStore::Answer answer;
    answer.stepMs = rangeMs <= 4 * 60 * minute ? 10'000 : rangeMs <= 24 * 60 * minute ? minute : 15 * minute;
    const auto add = [&](const QByteArray &name, auto value) {
        engine::history::Series series{name, {}};
        for (qint64 at = now - rangeMs; at <= now; at += answer.stepMs) {
            const double place = double(at - now + rangeMs) / double(rangeMs);
            if (place > 0.30 && place < 0.38)
                continue;
            const double bad = std::max(0.0, double(at - (now - 23 * minute)) / double(23 * minute));
            const double v = value(double(at) / double(minute), bad);
            series.points.push_back({at, v, v});
        }
        answer.series.push_back(series);
    };
    add("dead", [](double, double bad) { return 214 + std::floor(3000 * bad); });
    add("due.oldest", [](double t, double bad) { return bad > 0 ? bad * 432'000 : 900 + 600 * std::sin(t); });
    add("failure", [](double t, double bad) { return bad > 0 ? 0.4 + 0.1 * std::sin(t * 3) : 0.01; });
    add("handed", [](double t, double bad) { return (bad > 0 ? 418 : 2600) + 180 * std::sin(t * 1.7); });
    add("latency.p50", [](double t, double bad) { return 700 + 3000 * bad + 150 * std::sin(t); });
    add("latency.p95", [](double t, double bad) { return 2100 + 9000 * bad + 500 * std::sin(t * 2); });
    for (const char *name :
         {"outbox.audit", "outbox.mail", "outbox.notification", "outbox.webhook", "outbox.workflow", "toolctrl.email"})
        add("queue.depth/" + QByteArray(name), [name](double t, double bad) {
            return QByteArray(name) == "outbox.mail" ? 4120 * bad : 40 + 30 * std::sin(t + name[8]);
        });
    return answer;
}

struct OverviewStage : Stage
{
    explicit OverviewStage(Theme::Choice choice)
        : Stage(choice)
        , overview(new views::OverviewPage(theme, actions))
        , alertsPage(new views::AlertsPage(theme, actions))
    {
        window->addPage(u"overview"_s, u"Overview"_s, u"overview"_s, overview);
        window->addPage(u"alerts"_s, u"Alerts"_s, u"alerts"_s, alertsPage);
        window->setBadge(u"alerts"_s, 3, models::Severity::Critical);
        fill(samples::production());
        window->setCurrentPage(u"overview"_s);
        window->statusLine().setItem(views::StatusLine::Item::Cost, models::Severity::Muted,
                                     u"This console: 1.1 questions/s, 2.4 ms/s"_s);
    }
    void fillOverview()
    {
        overview->showSample(sample());
        overview->showAlerts(alerts(), now);
        overview->showHistory(history(overview->rangeMs()), now);
    }
    views::OverviewPage *overview;
    views::AlertsPage *alertsPage;
};

} // namespace

// The pages Overview and Alerts and the dialog Find: pictures to look at, and what a keyboard and a screen reader need.
class OverviewTest final : public QObject
{
    Q_OBJECT

private slots:
    void pictures_data();
    void pictures();
    void unknownIsADash();
    void calmOnlyWhenItIsKnown();
    void alertsLeadSomewhere();
    void chartsTellTheirValues();
    void rulesByKeyboard();
    void preferencesAreAnnouncedOnce();
    void findByKeyboard();
};

void OverviewTest::pictures_data()
{
    addPictureRows();
}

void OverviewTest::pictures()
{
    QFETCH(Theme::Choice, choice);
    QFETCH(QSize, size);
    const QString suffix = u'-' + QString::fromLatin1(QTest::currentDataTag());
    OverviewStage stage(choice);
    stage.window->resize(size);
    stage.overview->showWaiting(u"Starting the sandbox…"_s, {u"Creating the database cluster"_s});
    stage.shoot(u"overview-starting"_s + suffix);
    stage.overview->showError(samples::cannotConnect());
    stage.shoot(u"overview-error"_s + suffix);
    engine::watch::Sample empty;
    empty.atMs = now;
    empty.outbox.emplace();
    for (Count *count : {&empty.outbox->due, &empty.outbox->inFlight, &empty.outbox->retrying, &empty.outbox->dead,
                         &empty.outbox->handedOverLastMinute, &empty.outbox->deadLastDay})
        *count = {0, Count::Kind::Exact};
    stage.overview->showSample(empty);
    stage.overview->showAlerts({}, now);
    stage.overview->showHistory({}, now);
    stage.shoot(u"overview-empty"_s + suffix);
    stage.fillOverview();
    stage.shoot(u"overview-full"_s + suffix);
    auto *scroll = stage.window->findChild<QScrollArea *>(u"overviewScroll"_s);
    scroll->verticalScrollBar()->setValue(scroll->verticalScrollBar()->maximum());
    stage.shoot(u"overview-below"_s + suffix);
    scroll->verticalScrollBar()->setValue(0);
    stage.overview->showError(samples::cannotConnect());
    QList<Alert> many = alerts();
    many[0].headline = u"Queue "_s + QString(80, u'q') + u" has 4,120 waiting jobs and no worker"_s;
    many[1].snoozedUntilMs = now + 60 * minute;
    many[2].stale = true;
    for (int i = 0; i < 9; ++i)
        many << alert(u"queue-depth/q%1"_s.arg(i), AlertMetric::QueueDepth, AlertLevel::Warning,
                      now - i * 9000 * minute, u"Queue q%1 has 12,000 waiting jobs"_s.arg(i),
                      u"oldest for 3 d 4 h · 2 workers"_s);
    stage.overview->showAlerts(many, now);
    stage.overview->restoreState({{u"range"_s, 30LL * 24 * 60 * minute}});
    stage.overview->showHistory(history(stage.overview->rangeMs()), now);
    stage.overview->showHistoryTrouble(
        u"The local history was damaged and begins anew"_s,
        u"The damaged file is kept as /home/ann/.local/share/outbox-console/history.sqlite.damaged-1."_s);
    stage.shoot(u"overview-long"_s + suffix);

    stage.window->setCurrentPage(u"alerts"_s);
    stage.alertsPage->showAlerts({}, now, true);
    stage.shoot(u"alerts-empty"_s + suffix);
    stage.alertsPage->showAlerts(many, now, true);
    stage.shoot(u"alerts-full"_s + suffix);
    auto *tabs = stage.alertsPage->findChild<QTabBar *>();
    tabs->setCurrentIndex(1);
    stage.shoot(u"alerts-rules"_s + suffix);
    tabs->setCurrentIndex(2);
    views::AlertPreferences preferences;
    preferences.webhook = true;
    preferences.webhookUrl = u"https://hooks.example/T0K3N"_s;
    stage.alertsPage->setPreferences(preferences);
    stage.alertsPage->showDelivery({engine::notify::Channel::Webhook, now, false,
                                    u"hooks.example answered with status 403. Check the address and its key."_s});
    stage.alertsPage->showDelivery({engine::notify::Channel::Desktop, now, true, u"Shown by the desktop."_s});
    stage.shoot(u"alerts-notifications"_s + suffix);

    std::vector<models::FindEntry> entries;
    for (const auto &entry : stage.actions.entries()) {
        if (entry.action)
            entries.push_back(
                {entry.id.startsWith(u"page-") ? models::FindEntry::Kind::Page : models::FindEntry::Kind::Action,
                 entry.id,
                 entry.action->text(),
                 entry.action->shortcut().toString(),
                 {}});
    }
    entries.push_back({models::FindEntry::Kind::Queue, u"outbox.mail"_s, u"outbox.mail"_s, {}, {}});
    views::FindDialog find(stage.theme, entries, true, true, stage.window.get());
    stage.shoot(u"find"_s + suffix, &find);
    find.findChild<QLineEdit *>()->setText(u"0198f0aa-7c1e-7b3a-9d7f-2f1de1a4c001"_s);
    stage.shoot(u"find-id"_s + suffix, &find);
}

void OverviewTest::unknownIsADash()
{
    OverviewStage stage(Theme::Choice::Light);
    engine::watch::Sample unknown = sample();
    unknown.outbox->due = {};
    unknown.outbox->latencyP50Ms.reset();
    unknown.outbox->latencyP95Ms.reset();
    unknown.outbox->failureRate.reset();
    stage.overview->showSample(unknown);
    QStringList names;
    for (const QWidget *widget : stage.overview->findChildren<QWidget *>()) {
        if (widget->accessibleName().contains(u':'))
            names << widget->accessibleName();
    }
    QVERIFY2(names.contains(u"Created → handed over: –, nothing handed over"_s), qPrintable(names.join(u'\n')));
    QVERIFY2(names.filter(u"Due, not claimed: –"_s).size() == 1, qPrintable(names.join(u'\n')));
}

void OverviewTest::calmOnlyWhenItIsKnown()
{
    OverviewStage stage(Theme::Choice::Light);
    stage.window->show();
    const auto calm = [&] {
        for (const QLabel *label : stage.overview->findChildren<QLabel *>()) {
            if (label->text() == u"Nothing is wrong" && label->isVisible())
                return true;
        }
        return false;
    };
    stage.overview->showAlerts({}, now);
    QVERIFY(!calm());
    stage.overview->showSample(sample());
    QVERIFY(calm());
    stage.overview->showError(samples::cannotConnect());
    QVERIFY(!calm());
    stage.overview->showSample(sample());
    stage.overview->showAlerts(alerts(), now);
    QVERIFY(!calm());
}

void OverviewTest::alertsLeadSomewhere()
{
    OverviewStage stage(Theme::Choice::Light);
    stage.fillOverview();
    stage.window->show();
    QSignalSpy opened(stage.overview, &views::OverviewPage::alertOpened);
    QSignalSpy snoozed(stage.overview, &views::OverviewPage::snoozeWanted);
    const auto rows = stage.overview->findChildren<views::AlertRow *>();
    QCOMPARE(rows.size(), 3);
    QVERIFY(rows[0]->accessibleName().startsWith(u"Critical: Queue outbox.mail"));
    QTest::mouseClick(rows[1]->findChild<QPushButton *>(), Qt::LeftButton);
    QCOMPARE(opened.size(), 1);
    QCOMPARE(opened[0][0].value<Alert>().id, u"dead-letters"_s);
    rows[2]->findChild<QMenu *>()->actions().first()->trigger();
    QCOMPARE(snoozed.size(), 1);
    QCOMPARE(snoozed[0][0].toString(), u"executions-queued"_s);
    QVERIFY(snoozed[0][1].toLongLong() > QDateTime::currentMSecsSinceEpoch());
}

void OverviewTest::chartsTellTheirValues()
{
    OverviewStage stage(Theme::Choice::Light);
    stage.fillOverview();
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    auto *chart = stage.overview->findChildren<views::TimeChart *>().first();
    auto *view = chart->findChild<QWidget *>(QString(), Qt::FindDirectChildrenOnly);
    for (QWidget *child : chart->findChildren<QWidget *>()) {
        if (child->inherits("QChartView"))
            view = child;
    }
    const QString latest = chart->readout();
    QVERIFY(!latest.isEmpty());
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Left);
    QVERIFY2(chart->readout().startsWith(u"15:02:0"), qPrintable(chart->readout()));
    QVERIFY(view->accessibleName().contains(chart->readout()));
    QTest::keyClick(view, Qt::Key_Escape);
    QCOMPARE(chart->readout(), latest);
}

void OverviewTest::rulesByKeyboard()
{
    OverviewStage stage(Theme::Choice::Light);
    stage.window->setCurrentPage(u"alerts"_s);
    stage.window->show();
    stage.alertsPage->findChild<QTabBar *>()->setCurrentIndex(1);
    auto *table = stage.alertsPage->findChild<QTableView *>(u"ruleTable"_s);
    QSignalSpy changed(stage.alertsPage, &views::AlertsPage::rulesChanged);
    table->setFocus();
    table->setCurrentIndex(table->model()->index(2, 1));
    QTest::keyClick(table, Qt::Key_Space);
    QCOMPARE(changed.size(), 1);
    QVERIFY(!changed[0][0].value<engine::watch::AlertRules>().rules[2].enabled);
}

void OverviewTest::preferencesAreAnnouncedOnce()
{
    OverviewStage stage(Theme::Choice::Light);
    QSignalSpy changed(stage.alertsPage, &views::AlertsPage::preferencesChanged);
    views::AlertPreferences preferences;
    preferences.sentryDsn = u"https://key@host/1"_s;
    preferences.keepWatching = true;
    stage.alertsPage->setPreferences(preferences);
    QVERIFY(changed.isEmpty());
    QCOMPARE(stage.alertsPage->preferences(), preferences);
}

void OverviewTest::findByKeyboard()
{
    OverviewStage stage(Theme::Choice::Light);
    views::FindDialog find(stage.theme,
                           {{models::FindEntry::Kind::Page, u"queues"_s, u"Queues"_s, {}, {}},
                            {models::FindEntry::Kind::Action, u"refresh"_s, u"Refresh now"_s, {}, {}},
                            {models::FindEntry::Kind::Action, u"pause"_s, u"Pause or resume refreshing"_s, {}, {}}},
                           false, false);
    QSignalSpy chosen(&find, &views::FindDialog::chosen);
    find.show();
    auto *input = find.findChild<QLineEdit *>();
    QTest::keyClicks(input, u"refr"_s);
    QTest::keyClick(input, Qt::Key_Down);
    QVERIFY(input->accessibleDescription().startsWith(u"Pause or resume"));
    QTest::keyClick(input, Qt::Key_Up);
    QTest::keyClick(input, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QCOMPARE(chosen[0][0].value<models::FindEntry>().id, u"refresh"_s);
    QVERIFY(!find.isVisible());
}

QTEST_MAIN(OverviewTest)
#include "tst_overview.moc"
