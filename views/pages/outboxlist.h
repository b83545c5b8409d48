// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <models/outboxmodel.h>
#include <models/rowwindow.h>

#include <engine/outbox/spread.h>
#include <engine/watch/rowsearchfeed.h>

#include <QElapsedTimer>
#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;

namespace views {

class ActionRegistry;
class ConsoleTable;
class PageState;
class RowSearchLine;
class WholeScrollBar;

// The outbox page's rows: a window of bounded size over a table of any size, which follows the scrolling; or what a
// search found where no index answers the filter. Refreshes move neither rows in view nor the chosen one. Asks through
// signals, is answered through slots.
class OutboxList final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OutboxList)

public:
    // `theme` outlives the list.
    explicit OutboxList(const Theme &theme, QWidget *parent = nullptr);

    void addActions(ActionRegistry &actions, const QString &group, QWidget *owner);

    void forget(); // a new connection
    void setReady(const engine::outbox::RowFilter &filter); // the table is known
    void setFilter(const engine::outbox::RowFilter &filter); // and asks for its rows
    void setStats(const engine::outbox::Stats &stats);
    void setRouter(const engine::dispatch::Router &router) { m_model.setRouter(router); }
    void setZone(models::Zone zone);

    // The question on its way, or the one that a refresh would ask.
    [[nodiscard]] engine::outbox::PageRequest request() const;
    // False: an answer to a question nobody asks any more.
    bool showPage(const engine::outbox::PageRequest &request, const engine::outbox::RowPage &page);
    bool showSearchNeeded(const engine::outbox::PageRequest &request, const engine::outbox::FilterCost &cost);
    void showSearch(const engine::watch::RowSearchProgress &progress);
    void stopSearch(); // until the user lets it go on
    void showSpread(const QList<QByteArray> &statuses, const engine::outbox::Spread &spread);
    void showFailure(); // the question on its way will not be answered

    void refresh(); // asked for by the user
    void refreshQuietly(); // by the clock: only what is in view, and only if nothing is on its way

    [[nodiscard]] bool hasAnswer() const { return m_answered; } // to the filter in force, rows or none
    [[nodiscard]] bool isEmpty() const { return m_model.rows().empty(); }
    [[nodiscard]] bool isSearching() const { return m_search.has_value(); }
    [[nodiscard]] const QByteArray &chosenId() const { return m_chosen; } // whether in the list now or not
    void choose(const QByteArray &id);
    [[nodiscard]] ConsoleTable &table() { return *m_table; }
    [[nodiscard]] PageState &state() { return *m_state; } // the table, or words in its place

signals:
    void pageWanted(const engine::outbox::PageRequest &request);
    void spreadWanted(const QList<QByteArray> &statuses);
    void searchWanted(const engine::outbox::RowFilter &filter, const engine::outbox::FilterCost &cost);
    void searchStopWanted();
    void searchResumeWanted();
    void chosen(const QByteArray &id); // another row, or none

private:
    enum class Goal { Keep, Top, Bottom }; // where an answer leaves the view

    void ask(engine::outbox::PageRequest request, Goal goal = Goal::Keep);
    [[nodiscard]] engine::outbox::PageRequest refreshRequest() const;
    void goToNewest(bool choosing);
    void goToOldest(bool choosing);
    void jumpTo(qint64 row);
    void turn(int pages);
    void fill();
    void endSearch();
    void resumeSearch();

    struct View; // what is in view, to be found again after rows have changed
    [[nodiscard]] View view() const;
    void showRows(const View &before, bool joined);
    void currentChanged();
    void updatePosition();
    void askSpread();
    [[nodiscard]] engine::outbox::Count total() const;
    [[nodiscard]] qint64 estimatedBefore(const engine::outbox::PageRequest &request) const;

    models::OutboxModel m_model;
    models::RowWindow m_window;
    engine::outbox::RowFilter m_filter;
    std::optional<engine::outbox::Stats> m_stats;
    engine::outbox::Spread m_spread;
    QElapsedTimer m_spreadAge; // invalid: never asked for this filter
    models::Zone m_zone = models::Zone::Utc;
    bool m_ready = false;
    bool m_answered = false;
    engine::outbox::PageRequest m_request;
    bool m_pending = false; // m_request is on its way
    bool m_again = false; // m_request only looks again at what is here
    Goal m_goal = Goal::Keep;
    bool m_choosing = false; // the row the view ends at is to be chosen
    qint64 m_jump = -1; // the row a jump aims at; -1: none
    QByteArray m_chosen;
    bool m_applying = false; // rows are being exchanged: selection and scrolling are not the user's

    struct Search
    {
        engine::watch::RowSearchProgress progress; // without its rows
        models::RowWindow::Rows found;
        bool stopped = false; // by the user
    };
    std::optional<Search> m_search;

    ConsoleTable *m_table;
    WholeScrollBar *m_bar;
    PageState *m_state;
    RowSearchLine *m_searchLine;
    QAction *m_stop = nullptr;
    QPushButton *m_newest;
    QPushButton *m_newer;
    QPushButton *m_older;
    QPushButton *m_oldest;
    QLabel *m_position;
};

} // namespace views
