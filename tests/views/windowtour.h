// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <app/window/windowcontroller.h>

#include <views/shell/mainwindow.h>

#include <QAbstractItemView>

// Goes through the real window as somebody does who wants to see everything of an incident (test::Incident). Fails the
// running test by itself: look at QTest::currentTestFailed() afterwards.
class WindowTour final
{
public:
    explicit WindowTour(views::MainWindow &window) // outlives the tour
        : m_window(window)
    { }

    static QStringList pages(); // all of them, in the window's order

    void waitUntilKnown(); // the first figures of both servers are there
    [[nodiscard]] bool knows(const QString &tile) const; // of the overview
    [[nodiscard]] bool detailShows(const QString &text) const; // beside the outbox
    // An error is in view, or content marked as old.
    [[nodiscard]] bool complains() const;
    [[nodiscard]] bool looks() const; // something says that it is being looked for
    // Shows the page with its content, and the most telling thing of it in full beside it.
    void open(const QString &page);
    // Everything else that can be looked at there: filters, tabs, further pages, searches.
    void lookAround(const QString &page);
    void find(const QString &text); // from the keyboard, leads to the first hit

    // Widgets of the page in view.
    template <typename Widget>
    [[nodiscard]] Widget *widget(const QString &name = {}) const
    {
        return m_window.findChild<Widget *>(name);
    }
    [[nodiscard]] int rows(const QString &table) const;
    void choose(const QString &table, int row);
    void press(const QString &action); // of the window's action registry

private:
    void openOutbox();
    void openTrace();
    void openReconcile();
    void openQueues();
    void openJobs();
    void openExecutions();
    void lookAtOverview();
    void lookAtOutbox();
    void lookAtJobs();
    void lookAtExecutions();
    void clickThroughTabs(const QString &name);

    views::MainWindow &m_window;
};
