// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/reconcilemodel.h>

#include <engine/config/profile.h>
#include <engine/trace/reconciler.h>

#include <map>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace views {

class ActionRegistry;
class Banner;
class ConsoleTable;
class PageState;

// Compares outbox, queues and executions, and lists what does not fit together.
class ReconcilePage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ReconcilePage)

public:
    // `theme` and `actions` outlive the page.
    ReconcilePage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    // A new connection: what was found is forgotten.
    void setProfile(const engine::config::ConnectionProfile &profile, bool connected);
    void setConnected(bool connected);
    void showProgress(const engine::trace::ReconcileProgress &progress, bool running);
    // What was found stays, and the comparison can be resumed.
    void showError(const engine::Error &error);
    void setNow(qint64 micros) { m_model.setNow(micros); }

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;

signals:
    void startWanted(const engine::trace::ReconcileRequest &request);
    void stopWanted();
    void traceWanted(const QByteArray &id);

private:
    void addActions(ActionRegistry &actions);
    void start();
    void resume();
    void updateButtons();
    void updateGroups();
    void updateWords();
    void updateExplanation();
    void traceChosen();
    void copyCommand();
    [[nodiscard]] const engine::trace::Finding *chosen() const;
    [[nodiscard]] static engine::trace::ReconcileReport joined(const engine::trace::ReconcileReport &before,
                                                               const engine::trace::ReconcileReport &now);

    const Theme &m_theme;
    engine::config::ConnectionProfile m_profile;
    models::ReconcileModel m_model;
    engine::trace::ReconcileProgress m_progress; // of the run in view
    engine::trace::ReconcileReport m_before; // of the runs it goes on from
    engine::trace::ReconcileReport m_report; // all of them
    bool m_connected = false;
    bool m_running = false;
    bool m_stopping = false;
    bool m_shown = false;

    QLabel *m_subtitle;
    QComboBox *m_since;
    QPushButton *m_start;
    QPushButton *m_stop;
    QPushButton *m_resume;
    Banner *m_banner;
    QProgressBar *m_bar;
    QLabel *m_words;
    QHBoxLayout *m_groupLayout;
    std::map<engine::trace::Finding::Kind, QToolButton *> m_groups;
    ConsoleTable *m_table;
    PageState *m_rowsState;
    PageState *m_state;
    QLabel *m_explanation;
    QPushButton *m_trace;
    QPushButton *m_command;
};

} // namespace views
