// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <models/timetext.h>

#include <engine/config/profile.h>

#include <QFrame>

class QLabel;
class QMenu;
class QToolButton;

namespace views {

class ActionRegistry;

// Where we are and how carefully: connection, read-only state, zone of the times, refreshing, the menu.
class HeaderBar final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HeaderBar)

public:
    // `theme` and `actions` outlive the widget. Uses the actions find, connect, refresh, pause and zone.
    HeaderBar(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    // `state`: how the connection is doing, as severity and words for the tool tip.
    void setProfile(const engine::config::ConnectionProfile &profile);
    void setConnectionState(models::Severity severity, const QString &words);
    void setZone(models::Zone zone);
    void setRefresh(int seconds, bool paused);
    [[nodiscard]] QMenu *menu() const { return m_menu; }

signals:
    void connectWanted();
    void zoneChosen(models::Zone zone);
    void intervalChosen(int seconds);

private:
    void dress();

    const Theme &m_theme;
    ActionRegistry &m_actions;
    engine::config::ConnectionProfile m_profile;
    models::Severity m_state = models::Severity::Muted;
    bool m_paused = false;
    QToolButton *m_connection;
    QToolButton *m_access;
    QToolButton *m_find;
    QToolButton *m_zone;
    QToolButton *m_refresh;
    QToolButton *m_pause;
    QToolButton *m_interval;
    QToolButton *m_menuButton;
    QMenu *m_menu;
};

} // namespace views
