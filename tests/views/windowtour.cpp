// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowtour.h"

#include <views/charts/timechart.h>
#include <views/dialogs/finddialog.h>
#include <views/pages/alertspage.h>
#include <views/pages/dispatcherpage.h>
#include <views/pages/jobspage.h>
#include <views/pages/overviewpage.h>
#include <views/pages/tracepage.h>
#include <views/shell/page.h>
#include <views/widgets/banner.h>
#include <views/widgets/tile.h>

#include <QAbstractButton>
#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QTabBar>
#include <QTest>

using namespace Qt::StringLiterals;

namespace {

constexpr int patience = 30'000; // ms; a machine that does much else takes its time

} // namespace

QStringList WindowTour::pages()
{
    return {u"overview"_s, u"alerts"_s, u"outbox"_s,     u"trace"_s,     u"reconcile"_s,
            u"queues"_s,   u"jobs"_s,   u"executions"_s, u"dispatcher"_s};
}

int WindowTour::rows(const QString &table) const
{
    const auto *view = widget<QAbstractItemView>(table);
    return view && view->model() ? view->model()->rowCount() : 0;
}

void WindowTour::choose(const QString &table, int row)
{
    auto *view = widget<QAbstractItemView>(table);
    QVERIFY(view);
    QVERIFY(row < view->model()->rowCount());
    view->setCurrentIndex(view->model()->index(row, 0));
}

void WindowTour::press(const QString &action)
{
    auto *found = m_window.findChild<QAction *>(action);
    QVERIFY2(found, qPrintable(action));
    found->trigger();
}

void WindowTour::waitUntilKnown()
{
    m_window.setCurrentPage(u"overview"_s);
    QTRY_VERIFY_WITH_TIMEOUT(knows(u"Dead"_s) || knows(u"Dead Letter"_s), patience);
}

bool WindowTour::knows(const QString &tile) const
{
    return std::ranges::any_of(widget<views::OverviewPage>()->findChildren<views::Tile *>(), [&](const auto *each) {
        const QString name = each->accessibleName();
        return name.startsWith(tile + u": "_s) && !name.startsWith(tile + u": –"_s);
    });
}

bool WindowTour::detailShows(const QString &text) const
{
    const auto *pane = widget<QWidget>(u"detailPane"_s);
    return std::ranges::any_of(pane->findChildren<QLineEdit *>(),
                               [&](const auto *field) { return field->isVisible() && field->text() == text; });
}

bool WindowTour::complains() const
{
    const auto inView = [](const QWidget *widget) { return widget->isVisible(); };
    return std::ranges::any_of(m_window.findChildren<views::Banner *>(), inView)
        || std::ranges::any_of(m_window.findChildren<QAbstractButton *>(u"stateButton"_s), inView);
}

bool WindowTour::looks() const
{
    return std::ranges::any_of(m_window.findChildren<QProgressBar *>(),
                               [](const auto *bar) { return bar->isVisible() && bar->maximum() == 0; });
}

void WindowTour::open(const QString &page)
{
    m_window.setCurrentPage(page);
    QCOMPARE(m_window.currentPage(), page);
    if (page == u"outbox")
        openOutbox();
    else if (page == u"trace")
        openTrace();
    else if (page == u"reconcile")
        openReconcile();
    else if (page == u"queues")
        openQueues();
    else if (page == u"jobs")
        openJobs();
    else if (page == u"executions")
        openExecutions();
    else if (page == u"alerts") {
        QTRY_VERIFY_WITH_TIMEOUT(rows(u"alertTable"_s) > 0, patience);
        choose(u"alertTable"_s, 0);
    }
}

void WindowTour::openOutbox()
{
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"outboxTable"_s) > 10, patience);
    choose(u"outboxTable"_s, 0);
    choose(u"outboxTable"_s, 1); // another one, so that it is asked for
    auto *detail = widget<QWidget>(u"detailPane"_s);
    QVERIFY(detail);
    QTRY_VERIFY_WITH_TIMEOUT(detail->findChild<QWidget *>(u"copyPayload"_s)->isVisible(), patience);
}

void WindowTour::openTrace()
{
    widget<views::TracePage>()->traceId("evt_00010");
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"traceTable"_s) > 4, patience);
    choose(u"traceTable"_s, rows(u"traceTable"_s) - 1);
}

void WindowTour::openReconcile()
{
    auto *start = widget<QAbstractButton>(u"reconcileStart"_s);
    QTRY_VERIFY(start->isEnabled());
    if (rows(u"findingTable"_s) == 0) {
        start->click();
        const auto *stop = widget<QAbstractButton>(u"reconcileStop"_s);
        QTRY_VERIFY_WITH_TIMEOUT(start->isEnabled() && !stop->isEnabled(), patience);
        QVERIFY2(rows(u"findingTable"_s) > 0, qPrintable(widget<QLabel>(u"reconcileWords"_s)->text()));
    }
    choose(u"findingTable"_s, 0);
}

void WindowTour::openQueues()
{
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"queueTable"_s) > 8, patience);
    choose(u"queueTable"_s, 0);
}

void WindowTour::openJobs()
{
    widget<views::JobsPage>()->openQueue("outbox.mail", engine::bullmq::JobState::Failed);
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"jobTable"_s) > 3, patience);
    choose(u"jobTable"_s, 0);
    QTRY_VERIFY_WITH_TIMEOUT(widget<QTabBar>(u"jobTabs"_s)->isVisible(), patience);
}

void WindowTour::openExecutions()
{
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"executionTable"_s) > 10, patience);
    choose(u"executionTable"_s, 0);
    choose(u"executionTable"_s, 1);
    QTRY_VERIFY_WITH_TIMEOUT(widget<QWidget>(u"executionSteps"_s)->isVisible(), patience);
}

void WindowTour::clickThroughTabs(const QString &name)
{
    auto *tabs = widget<QTabBar>(name);
    QVERIFY2(tabs, qPrintable(name));
    for (int tab = tabs->count() - 1; tab >= 0; --tab) {
        tabs->setCurrentIndex(tab);
        QCoreApplication::processEvents();
    }
}

void WindowTour::lookAround(const QString &page)
{
    m_window.setCurrentPage(page);
    if (page == u"overview") {
        lookAtOverview();
    } else if (page == u"alerts") {
        for (auto *tabs : widget<views::AlertsPage>()->findChildren<QTabBar *>()) {
            for (int tab = tabs->count() - 1; tab >= 0; --tab)
                tabs->setCurrentIndex(tab);
        }
    } else if (page == u"outbox") {
        lookAtOutbox();
    } else if (page == u"trace") {
        // A job, an execution, an id that nobody knows.
        for (const char *id : {"outbox:evt_00012", "exe_0001", "nobody knows it"}) {
            widget<views::TracePage>()->traceId(id);
            auto *go = widget<QAbstractButton>(u"traceButton"_s);
            QTRY_VERIFY_WITH_TIMEOUT(go->isEnabled(), patience);
        }
    } else if (page == u"queues") {
        clickThroughTabs(u"queueTabs"_s);
        QTest::keyClicks(widget<QLineEdit>(u"queueFilter"_s), u"mail"_s);
        QTRY_VERIFY(rows(u"queueTable"_s) < 4);
        widget<QLineEdit>(u"queueFilter"_s)->clear();
    } else if (page == u"jobs") {
        lookAtJobs();
    } else if (page == u"executions") {
        lookAtExecutions();
    } else if (page == u"dispatcher") {
        for (auto *tabs : widget<views::DispatcherPage>()->findChildren<QTabBar *>())
            tabs->setCurrentIndex(tabs->count() - 1);
    }
    press(u"refresh"_s);
}

void WindowTour::lookAtOverview()
{
    auto *overview = widget<views::OverviewPage>();
    QList<QAbstractButton *> ranges;
    for (auto *button : overview->findChildren<QAbstractButton *>()) {
        if (button->isCheckable())
            ranges << button;
    }
    QVERIFY(ranges.size() > 3);
    std::ranges::reverse(ranges); // the longest first, back to the shortest
    for (auto *range : ranges)
        range->click();
    for (auto *chart : overview->findChildren<views::TimeChart *>())
        QTest::mouseMove(chart, chart->rect().center());
}

void WindowTour::lookAtOutbox()
{
    auto *type = widget<QLineEdit>(u"typeFilter"_s);
    QTest::keyClicks(type, u"crm."_s);
    QTRY_COMPARE_WITH_TIMEOUT(rows(u"outboxTable"_s), 1, patience);
    type->clear();
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"outboxTable"_s) > 10, patience);
    auto *failed = widget<QAbstractButton>(u"chip-FAILED"_s);
    QVERIFY(failed);
    failed->click();
    QTest::keyClick(widget<QWidget>(u"outboxTable"_s), Qt::Key_End);
    // The broken rows in full.
    for (const auto &id : {u"odd_digits"_s, u"odd_long"_s, u"odd_null"_s}) {
        m_window.page(u"outbox"_s)->reveal(id);
        auto *detail = widget<QWidget>(u"detailPane"_s)->findChild<QWidget *>(u"copyPayload"_s);
        QVERIFY2(QTest::qWaitFor([detail] { return detail->isVisible(); }, patience), qPrintable(id));
    }
    failed->click();
}

void WindowTour::lookAtJobs()
{
    auto *jobs = widget<views::JobsPage>();
    clickThroughTabs(u"jobStates"_s);
    clickThroughTabs(u"jobTabs"_s);
    for (const QByteArray &queue :
         {QByteArray("outbox.workflow"), QByteArray("outbox.marketing"), QByteArray("toolctrl.email"),
          QByteArray("imports / nightly #1? 🎉"), QByteArray("legacy-report")}) {
        jobs->openQueue(queue);
        clickThroughTabs(u"jobStates"_s);
    }
    jobs->openQueue("outbox.mail", engine::bullmq::JobState::Completed);
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"jobTable"_s) > 0, patience);
    auto *text = widget<QLineEdit>(u"jobSearch"_s);
    QTest::keyClicks(text, u"ECONNREFUSED"_s);
    QTest::keyClick(text, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!widget<QAbstractButton>(u"jobStop"_s)->isEnabled(), patience);
    text->clear();
}

void WindowTour::lookAtExecutions()
{
    auto *workflow = widget<QLineEdit>(u"workflowFilter"_s);
    QVERIFY(workflow);
    QTest::keyClicks(workflow, u"wfl_publish"_s);
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"executionTable"_s) == 4, patience);
    for (int row = 0; row < 4; ++row)
        choose(u"executionTable"_s, row);
    workflow->clear();
    QTRY_VERIFY_WITH_TIMEOUT(rows(u"executionTable"_s) > 10, patience);
}

void WindowTour::find(const QString &text)
{
    press(u"find"_s);
    auto *dialog = m_window.findChild<views::FindDialog *>();
    QVERIFY(dialog);
    auto *input = dialog->findChild<QLineEdit *>();
    QTest::keyClicks(input, text);
    QTest::keyClick(input, Qt::Key_Return);
}
