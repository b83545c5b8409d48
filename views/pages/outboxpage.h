// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/timetext.h>

#include <engine/config/profile.h>
#include <engine/dispatch/router.h>
#include <engine/outbox/spread.h>
#include <engine/watch/rowsearchfeed.h>

#include <optional>

class QLabel;
class QPushButton;
class QSplitter;

namespace views {

class ActionRegistry;
class Banner;
class OutboxDetailPane;
class OutboxFilterBar;
class OutboxList;
class PageState;

// The outbox table: filter, rows, and one row in full. Asks through signals, is answered through slots.
class OutboxPage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OutboxPage)

public:
    // `theme` and `actions` outlive the page.
    OutboxPage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    // A new connection: everything known is forgotten, the filter stays.
    void setProfile(const engine::config::ConnectionProfile &profile);
    void setRouter(const engine::dispatch::Router &router);

    void showWaiting(const QString &headline, const QStringList &steps = {});
    void showTable(const engine::outbox::Layout &layout);
    void showPage(const engine::outbox::PageRequest &request, const engine::outbox::RowPage &page);
    // No index answers the filter in a large table: it is looked through piece by piece.
    void showSearchNeeded(const engine::outbox::PageRequest &request, const engine::outbox::FilterCost &cost);
    void showSearch(const engine::watch::RowSearchProgress &progress);
    void stopSearch();
    void showSearchError(const engine::Error &error);
    void showSpread(const QList<QByteArray> &statuses, const engine::outbox::Spread &spread);
    void showStats(const engine::outbox::Stats &stats);
    void showDetail(const engine::outbox::RowDetail &detail);
    void showDetailError(const QByteArray &id, const engine::Error &error);
    // Rows that are on screen stay there, marked as old.
    void showError(const engine::Error &error);

    // Asks for the rows in view and the chosen one again.
    void refresh();
    void refreshQuietly(); // the rows in view alone, unless a question is on its way already
    [[nodiscard]] engine::outbox::PageRequest request() const; // on its way, or that a refresh would ask

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;
    void reveal(const QString &id) override; // in full beside the list, whether it is on the page in view or not

signals:
    void pageWanted(const engine::outbox::PageRequest &request);
    void spreadWanted(const QList<QByteArray> &statuses);
    void searchWanted(const engine::outbox::RowFilter &filter, const engine::outbox::FilterCost &cost);
    void searchStopWanted();
    void searchResumeWanted();
    void detailWanted(const QByteArray &id);
    void composeWanted();
    void composeSimilarWanted(const engine::outbox::RowDetail &detail);
    void retryWanted();
    void connectionWanted(); // to choose the table
    void traceWanted(const QByteArray &id);

private:
    void addActions(ActionRegistry &actions);
    void answered();
    void updateTitle();
    void chooseRow(const QByteArray &id);
    [[nodiscard]] QString destinationOf(const QByteArray &type) const;
    void copyId();
    void copyCommand();

    const Theme &m_theme;
    engine::dispatch::Router m_router;
    engine::config::ConnectionProfile m_profile;
    std::optional<QString> m_tableName;
    std::optional<engine::outbox::Stats> m_stats;
    qint64 m_now = 0;
    bool m_choosesTable = false; // the error in view is about which table is meant
    bool m_wantsFocus = false; // as soon as there are rows

    QLabel *m_title;
    QLabel *m_subtitle;
    QPushButton *m_compose;
    Banner *m_banner;
    OutboxFilterBar *m_filters;
    OutboxList *m_list;
    PageState *m_state; // everything, or loading and errors
    OutboxDetailPane *m_detail;
    QSplitter *m_splitter;
};

} // namespace views
