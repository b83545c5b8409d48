// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/executionmodel.h>

#include <engine/config/profile.h>

#include <optional>

class QLabel;
class QPushButton;
class QSplitter;

namespace views {

class ActionRegistry;
class Banner;
class ConsoleTable;
class ExecutionDetailPane;
class ExecutionFilterBar;
class PageState;

// The executions of the user's workflows, newest first.
class ExecutionsPage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExecutionsPage)

public:
    // `theme` and `actions` outlive the page.
    ExecutionsPage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    // A new connection: everything known is forgotten, the filter stays.
    void setProfile(const engine::config::ConnectionProfile &profile);
    void showStats(const QString &table, const engine::workflow::ExecutionStats &stats);
    void showPage(const engine::workflow::ExecutionRequest &request, const engine::workflow::ExecutionPage &page);
    void showDetail(const engine::workflow::ExecutionDetail &detail);
    void showDetailError(const QByteArray &id, const engine::Error &error);
    // Executions that are on screen stay there, marked as old.
    void showError(const engine::Error &error);

    // Asks for the page in view (and the chosen execution) again.
    void refresh();
    [[nodiscard]] engine::workflow::ExecutionRequest request();

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;

signals:
    void pageWanted(const engine::workflow::ExecutionRequest &request);
    void detailWanted(const QByteArray &id);
    void traceWanted(const QByteArray &id);
    void retryWanted();

private:
    void addActions(ActionRegistry &actions);
    void ask(std::optional<engine::outbox::PageKey> from, engine::outbox::PageDirection direction);
    void turn(engine::outbox::PageDirection direction);
    void updatePaging();
    void executionChosen();
    [[nodiscard]] QByteArray chosenId() const;
    void copyCommand();

    const Theme &m_theme;
    models::ExecutionModel m_model;
    engine::config::ConnectionProfile m_profile;
    engine::workflow::ExecutionRequest m_request; // the page in view or on its way
    std::optional<engine::workflow::ExecutionRequest> m_shown; // what the model holds
    engine::workflow::ExecutionPage m_ends; // hasOlder and hasNewer of the page shown
    qint64 m_now = 0;
    QByteArray m_askedDetail;

    QLabel *m_subtitle;
    Banner *m_banner;
    ExecutionFilterBar *m_filters;
    ConsoleTable *m_table;
    PageState *m_rowsState; // table, or "nothing matches"
    PageState *m_state; // everything, or loading and errors
    QPushButton *m_newest;
    QPushButton *m_newer;
    QPushButton *m_older;
    QLabel *m_position;
    ExecutionDetailPane *m_detail;
    QSplitter *m_splitter;
};

} // namespace views
