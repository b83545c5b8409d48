// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/outboxmodel.h>

#include <engine/config/profile.h>

#include <optional>

class QLabel;
class QPushButton;
class QSplitter;

namespace views {

class ActionRegistry;
class Banner;
class ConsoleTable;
class OutboxDetailPane;
class OutboxFilterBar;
class PageState;

// The outbox table: filter, one page of rows, and one row in full. Asks through signals, is answered through slots.
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
    void showStats(const engine::outbox::Stats &stats);
    void showDetail(const engine::outbox::RowDetail &detail);
    void showDetailError(const QByteArray &id, const engine::Error &error);
    // Rows that are on screen stay there, marked as old.
    void showError(const engine::Error &error);

    // Asks for the page in view (and the chosen row) again.
    void refresh();
    [[nodiscard]] const engine::outbox::PageRequest &request() const { return m_request; }

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;
    void reveal(const QString &id) override; // in full beside the list, whether it is on the page in view or not

signals:
    void pageWanted(const engine::outbox::PageRequest &request);
    void detailWanted(const QByteArray &id);
    void composeWanted();
    void composeSimilarWanted(const engine::outbox::RowDetail &detail);
    void retryWanted();
    void connectionWanted(); // to choose the table
    void traceWanted(const QByteArray &id);

private:
    void addActions(ActionRegistry &actions);
    QWidget *buildTable();
    void ask(std::optional<engine::outbox::PageKey> from, engine::outbox::PageDirection direction);
    void goOlder();
    void goNewer();
    void updatePaging();
    void updateTitle();
    void rowChosen();
    [[nodiscard]] QByteArray chosenId() const;
    [[nodiscard]] QString destinationOf(const QByteArray &type) const;
    void copyId();
    void copyCommand();

    const Theme &m_theme;
    models::OutboxModel m_model;
    engine::dispatch::Router m_router;
    engine::config::ConnectionProfile m_profile;
    engine::outbox::PageRequest m_request; // the page in view or on its way
    std::optional<engine::outbox::PageRequest> m_shown; // what the model holds
    engine::outbox::RowPage m_ends; // hasOlder and hasNewer of the page shown
    std::optional<QString> m_tableName;
    std::optional<engine::outbox::Stats> m_stats;
    qint64 m_now = 0;
    QByteArray m_askedDetail;
    QByteArray m_revealed; // shown though it is not in the list
    bool m_choosesTable = false; // the error in view is about which table is meant
    bool m_wantsFocus = false; // as soon as there are rows

    QLabel *m_title;
    QLabel *m_subtitle;
    QPushButton *m_compose;
    Banner *m_banner;
    OutboxFilterBar *m_filters;
    ConsoleTable *m_table;
    PageState *m_rowsState; // table, or "nothing matches"
    PageState *m_state; // everything, or loading and errors
    QPushButton *m_newest;
    QPushButton *m_newer;
    QPushButton *m_older;
    QLabel *m_position;
    OutboxDetailPane *m_detail;
    QSplitter *m_splitter;
};

} // namespace views
