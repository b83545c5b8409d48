// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/config/profile.h>

#include <QObject>

namespace views {
class ActionRegistry;
class ExecutionsPage;
class MainWindow;
class OutboxPage;
class ReconcilePage;
class Theme;
class TracePage;
} // namespace views

namespace app {

class Session;

// Wires the pages that look across the stores: executions, trace and reconcile.
class Investigation final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Investigation)

public:
    // Adds nothing to the window by itself; all references outlive it.
    Investigation(views::MainWindow &window, const views::Theme &theme, views::ActionRegistry &actions,
                  views::OutboxPage &outbox);

    void addTracePages(); // under the heading given last
    void addExecutionsPage();

    void setProfile(const engine::config::ConnectionProfile &profile);
    void setSession(Session *session); // null: none any more
    void showError(const engine::Error &error); // there is no session, and this is why
    // One round of refreshing: asks for what the page in view shows.
    void refresh(bool all);
    void rest(); // hidden or paused: a comparison stops after its step, to be resumed
    // Shows the page Trace and follows the id.
    void trace(const QByteArray &id);

signals:
    void retryWanted();

private:
    void wireSession();

    views::MainWindow &m_window;
    Session *m_session = nullptr;
    engine::config::ConnectionProfile m_profile;
    views::ExecutionsPage *m_executions; // owned by the window once added
    views::TracePage *m_trace;
    views::ReconcilePage *m_reconcile;
};

} // namespace app
