// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/tracemodel.h>

#include <engine/config/profile.h>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSplitter;

namespace views {

class ActionRegistry;
class Banner;
class ConsoleTable;
class ElidedLabel;
class PageState;
class Pill;
class TraceDetailPane;

// One id followed through outbox, queue and execution.
class TracePage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TracePage)

public:
    // `theme` and `actions` outlive the page.
    TracePage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    // A new connection: what is shown is forgotten, the id stays.
    void setProfile(const engine::config::ConnectionProfile &profile);
    // Puts the id into the field and asks for it.
    void traceId(const QByteArray &id);
    void showTrace(const engine::trace::Trace &trace);
    // A trace that is on screen stays there, marked as old.
    void showError(const engine::Error &error);

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;

signals:
    void traceWanted(const QByteArray &id);

private:
    void addActions(ActionRegistry &actions);
    void ask();
    void updateWay();
    void entryChosen();
    void copyAll();
    void copyCommand();
    void forget();

    struct Station
    {
        QLabel *arrow; // null before the first
        Pill *pill;
    };
    const Theme &m_theme;
    engine::config::ConnectionProfile m_profile;
    models::TraceModel m_model;
    engine::trace::Trace m_trace;
    bool m_shown = false;

    QLineEdit *m_field;
    QPushButton *m_go;
    QPushButton *m_copy;
    QPushButton *m_command;
    QLabel *m_subtitle;
    Banner *m_banner;
    QWidget *m_head;
    QHBoxLayout *m_way;
    std::vector<Station> m_stations;
    ElidedLabel *m_looked;
    ElidedLabel *m_unknown;
    ConsoleTable *m_table;
    TraceDetailPane *m_detail;
    QSplitter *m_splitter;
    PageState *m_state;
};

} // namespace views
