// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"
#include "stage.h"

#include <views/charts/throughputchart.h>
#include <views/dialogs/composedialog.h>
#include <views/dialogs/connectdialog.h>
#include <views/dialogs/keyboarddialog.h>
#include <views/dialogs/retentiondialog.h>
#include <views/pages/retentionpanel.h>

#include <QTabBar>
#include <QTableView>
#include <QTest>

using namespace Qt::StringLiterals;
using engine::dispatch::DispatcherState;
using engine::dispatch::LogEntry;
using views::Theme;

// Pictures of every page in every state, to be looked at: build/screenshots/<page>-<state>-<theme>-<size>.png.
class ScreenshotTest final : public QObject
{
    Q_OBJECT

private slots:
    void pages_data();
    void pages();
    void dialogs_data();
    void dialogs();

private:
    static void outboxPictures(Stage &stage, const QString &suffix);
    static void queuePictures(Stage &stage, const QString &suffix);
    static void dispatcherPictures(Stage &stage, const QString &suffix);
};

namespace {

engine::outbox::RowPage pageOf(std::vector<engine::outbox::RowSummary> rows)
{
    engine::outbox::RowPage page;
    page.hasOlder = rows.size() > 1;
    page.rows = std::move(rows);
    return page;
}

} // namespace

void ScreenshotTest::pages_data()
{
    addPictureRows();
}

void ScreenshotTest::pages()
{
    QFETCH(Theme::Choice, choice);
    QFETCH(QSize, size);
    const QString suffix = u'-' + QString::fromLatin1(QTest::currentDataTag());
    Stage stage(choice);
    stage.window->resize(size);
    outboxPictures(stage, suffix);
    queuePictures(stage, suffix);
    dispatcherPictures(stage, suffix);
}

void ScreenshotTest::outboxPictures(Stage &stage, const QString &suffix)
{
    stage.fill(samples::sandbox());
    stage.outbox->showWaiting(u"Starting the sandbox…"_s, {u"Creating the database cluster"_s, u"Starting Redis"_s});
    stage.shoot(u"outbox-starting"_s + suffix);
    stage.fill(samples::production());
    stage.outbox->showError(samples::cannotConnect());
    stage.shoot(u"outbox-error"_s + suffix);
    stage.outbox->showPage(stage.outbox->request(), {});
    stage.shoot(u"outbox-empty"_s + suffix);
    stage.fill(samples::sandbox());
    stage.outbox->showPage(stage.outbox->request(), pageOf(samples::rows(200)));
    auto *table = stage.window->findChild<QTableView *>(u"outboxTable"_s);
    table->selectRow(0);
    stage.outbox->showDetail(samples::detail(samples::rows(1).front()));
    stage.shoot(u"outbox-full"_s + suffix);
    stage.outbox->showError(samples::cannotConnect());
    stage.shoot(u"outbox-stale"_s + suffix);
    stage.fill(samples::production());
    stage.outbox->showPage(stage.outbox->request(), pageOf(samples::longRows(200)));
    table->selectRow(3);
    stage.outbox->showDetail(samples::detail(samples::longRows(4).back()));
    stage.shoot(u"outbox-long"_s + suffix);
}

void ScreenshotTest::queuePictures(Stage &stage, const QString &suffix)
{
    stage.window->setCurrentPage(u"queues"_s);
    stage.fill(samples::production());
    stage.shoot(u"queues-full"_s + suffix);
    stage.queues->forget();
    stage.queues->setPrefix(u"bull"_s);
    stage.queues->showSnapshot({});
    stage.shoot(u"queues-empty"_s + suffix);
    stage.queues->forget();
    stage.queues->showError(samples::cannotConnect());
    stage.shoot(u"queues-error"_s + suffix);
}

void ScreenshotTest::dispatcherPictures(Stage &stage, const QString &suffix)
{
    stage.window->setCurrentPage(u"dispatcher"_s);
    stage.fill(samples::production());
    stage.dispatcher->setSettings(engine::config::describe({}, {}));
    views::RetentionPanel &retention = stage.dispatcher->retention();
    retention.setRule(engine::outbox::RetentionRule{});
    stage.shoot(u"dispatcher-readonly"_s + suffix);
    auto *tabs = stage.dispatcher->findChild<QTabBar *>();
    tabs->setCurrentIndex(1);
    stage.shoot(u"dispatcher-settings"_s + suffix);
    tabs->setCurrentIndex(0);
    stage.fill(samples::sandbox());
    stage.dispatcher->setReady(true, {});
    stage.shoot(u"dispatcher-stopped"_s + suffix);

    engine::dispatch::Progress progress;
    progress.state = DispatcherState::Running;
    progress.claimed = 12'840;
    progress.handedOver = 12'700;
    progress.duplicates = 3;
    progress.retried = 31;
    progress.dead = 2;
    progress.inFlight = 100;
    progress.seconds = 372;
    stage.dispatcher->showProgress(progress);
    engine::dispatch::RetentionStatus retained;
    retained.lastRun = QDateTime::currentDateTimeUtc().addSecs(-7200);
    retained.nextRun = retained.lastRun->addSecs(87'000);
    retained.lastRemoved = 912;
    retention.setStatus(retained);
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(samples::now / 1000, Qt::UTC);
    stage.dispatcher->addLog({at.addSecs(-372), LogEntry::Level::Info, u"Started on public.\"OutboxEvent\"."_s});
    stage.dispatcher->addLog({at.addSecs(-61), LogEntry::Level::Warning,
                              u"evt_01J8Z100003M2 webhook.order.created: attempt 3 failed, next in 4 min."_s});
    stage.dispatcher->addLog({at.addSecs(-4), LogEntry::Level::Error,
                              u"evt_01J8Z100005M2 crm.contact.synced: no route for this type, dead."_s});
    auto *log = stage.window->findChild<QTableView *>(u"logTable"_s);
    QTRY_COMPARE(log->model()->rowCount(), 3);
    models::RateSeries series;
    qint64 total = 0;
    for (int second = 0; second <= 280; ++second) {
        total += second < 200 ? 300 + (second * 7919) % 60 : 40 + (second * 7919) % 25;
        series.add(total, second * 1000LL);
    }
    stage.window->findChild<views::ThroughputChart *>()->setSeries(series, 281'000);
    stage.shoot(u"dispatcher-running"_s + suffix);
    progress.state = DispatcherState::Recovering;
    progress.trouble = u"Redis at cache.internal:6380 does not answer."_s;
    stage.dispatcher->showProgress(progress);
    retained.trouble = u"PostgreSQL at db.internal:5432: canceling statement due to lock timeout."_s;
    retention.setStatus(retained);
    stage.shoot(u"dispatcher-recovering"_s + suffix);
}

void ScreenshotTest::dialogs_data()
{
    QTest::addColumn<Theme::Choice>("choice");
    QTest::newRow("light") << Theme::Choice::Light;
    QTest::newRow("dark") << Theme::Choice::Dark;
}

void ScreenshotTest::dialogs()
{
    QFETCH(Theme::Choice, choice);
    const QString suffix = u'-' + QString::fromLatin1(QTest::currentDataTag());
    Stage stage(choice);
    stage.fill(samples::production());
    const auto router = engine::dispatch::Router::builtIn(engine::outbox::LayoutKind::Event);

    views::ComposeDialog compose(stage.theme, samples::sandbox(), samples::eventLayout(), router);
    compose.prefill({"mail.invoice.sent",
                     "t_8812",
                     R"({"invoiceId":"inv_771","amountMinor":9007199254740993})",
                     {},
                     {},
                     {},
                     {},
                     {}});
    compose.showPublished({"0198f0aa-7c1e-7b3a-9d7f-2f1de1a4c001", false});
    stage.shoot(u"compose-published"_s + suffix, &compose);
    auto writable = samples::production();
    writable.readOnly = false;
    views::ComposeDialog wrong(stage.theme, writable, samples::messageLayout(), router);
    wrong.prefill({"Crm.contact", "t_8812", "{\n  \"a\": 1,\n  \"b\": tru\n}", {}, {}, {}, {}, {}});
    stage.shoot(u"compose-wrong"_s + suffix, &wrong);

    views::ConnectDialog connection(stage.theme);
    connection.setProfiles({samples::sandbox(), samples::production()}, u"billing-prod"_s);
    connection.showFindings(samples::findings());
    stage.shoot(u"connect"_s + suffix, &connection);
    connection.setProfiles({samples::sandbox(), samples::production()}, u"sandbox"_s);
    stage.shoot(u"connect-sandbox"_s + suffix, &connection);
    using engine::outbox::Count;
    const engine::outbox::RetentionRule rule;
    views::RetentionDialog retention(stage.theme, writable, samples::eventLayout(), rule, models::Zone::Utc);
    retention.showPreview({{100'000, Count::Kind::AtLeast}, samples::now - 41LL * 86'400'000'000, samples::now});
    stage.shoot(u"retention-preview"_s + suffix, &retention);
    retention.showFinished({1000, 3, 1, false}, {});
    retention.showPreview({{99'000, Count::Kind::Exact}, samples::now - 40LL * 86'400'000'000, samples::now});
    stage.shoot(u"retention-removed"_s + suffix, &retention);
    views::RetentionDialog reading(stage.theme, samples::production(), samples::messageLayout(), rule,
                                   models::Zone::Utc);
    reading.showPreview({{12'345, Count::Kind::Exact}, samples::now - 41LL * 86'400'000'000, samples::now});
    stage.shoot(u"retention-readonly"_s + suffix, &reading);
    views::KeyboardDialog keyboard(stage.actions);
    stage.shoot(u"keyboard"_s + suffix, &keyboard);
}

QTEST_MAIN(ScreenshotTest)
#include "tst_screenshots.moc"
