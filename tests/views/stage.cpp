// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "stage.h"

#include "samples.h"

#include <views/shell/headerbar.h>
#include <views/shell/page.h>
#include <views/shell/statusline.h>

#include <QDir>
#include <QTest>

using namespace Qt::StringLiterals;

Stage::Stage(views::Theme::Choice choice)
    : theme(choice)
    , window(std::make_unique<views::MainWindow>(theme, actions))
    , outbox(new views::OutboxPage(theme, actions))
    , queues(new views::QueuesPage(theme, actions))
    , jobs(new views::JobsPage(theme, actions))
    , dispatcher(new views::DispatcherPage(theme, actions))
{
    window->addHeading(u"Events"_s);
    window->addPage(u"outbox"_s, u"Outbox"_s, u"outbox"_s, outbox);
    window->addHeading(u"Downstream"_s);
    window->addPage(u"queues"_s, u"Queues"_s, u"queues"_s, queues);
    window->addPage(u"jobs"_s, u"Jobs"_s, u"jobs"_s, jobs);
    window->addHeading(u"Operate"_s);
    window->addPage(u"dispatcher"_s, u"Dispatcher"_s, u"dispatcher"_s, dispatcher);
    window->header().setZone(models::Zone::Utc);
    window->header().setRefresh(2, false);
    window->resize(1280, 800);
}

void Stage::fill(const engine::config::ConnectionProfile &profile)
{
    using Item = views::StatusLine::Item;
    using models::Severity;
    window->setProfile(profile);
    window->header().setConnectionState(Severity::Good, {});
    outbox->setProfile(profile);
    outbox->setRouter(engine::dispatch::Router::builtIn(engine::outbox::LayoutKind::Event));
    outbox->showTable(samples::eventLayout());
    outbox->showStats(samples::stats());
    queues->showSnapshot(samples::queueSnapshot());
    jobs->setProfile(profile);
    jobs->setQueueNames(samples::queues());
    dispatcher->setProfile(profile);
    window->page(window->currentPage())->focusContent();
    window->statusLine().setItem(Item::Database, Severity::Good, u"PostgreSQL 2.1 ms"_s);
    window->statusLine().setItem(Item::Redis, Severity::Good, u"Redis 0.4 ms"_s);
    window->statusLine().setItem(Item::OldestDue, Severity::Warning, u"Oldest due 7 min 12 s"_s);
    window->statusLine().setItem(Item::Dispatcher, Severity::Muted, u"Dispatcher stopped"_s);
    window->statusLine().setItem(Item::Cost, Severity::Muted, u"This console: 1.1 questions/s"_s);
}

void Stage::shoot(const QString &name, QWidget *widget)
{
    QWidget *shown = widget ? widget : window.get();
    shown->show();
    QVERIFY(QTest::qWaitForWindowExposed(shown));
    // Texts and visibility changed since: let the layouts follow.
    QCoreApplication::sendPostedEvents();
    const QDir folder(QStringLiteral(SCREENSHOT_FOLDER));
    QVERIFY(folder.mkpath(u"."_s));
    QVERIFY(shown->grab().save(folder.filePath(name + u".png"_s)));
}

void addPictureRows()
{
    using views::Theme;
    QTest::addColumn<Theme::Choice>("choice");
    QTest::addColumn<QSize>("size");
    QTest::newRow("light-1280x800") << Theme::Choice::Light << QSize(1280, 800);
    QTest::newRow("dark-1280x800") << Theme::Choice::Dark << QSize(1280, 800);
    QTest::newRow("light-1920x1080") << Theme::Choice::Light << QSize(1920, 1080);
    QTest::newRow("dark-1920x1080") << Theme::Choice::Dark << QSize(1920, 1080);
}
