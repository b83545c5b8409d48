// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

namespace views {
class JobsPage;
class MainWindow;
class QueuesPage;
} // namespace views

namespace app {

class Session;

// Wires the pages about jobs to a session: what they want is asked there, what it answers is shown on them.
class QueueControl final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QueueControl)

public:
    // All references outlive the control.
    QueueControl(views::MainWindow &window, views::QueuesPage &queuesPage, views::JobsPage &jobsPage,
                 QObject *parent = nullptr);

    void setSession(Session *session); // null: none; nothing of the last one reaches the pages any more
    void tick(); // a moment to refresh, the jobs page being in view
    void rest(); // hidden or paused: no question at all

private:
    views::MainWindow &m_window;
    views::QueuesPage &m_queuesPage;
    views::JobsPage &m_jobsPage;
    QPointer<Session> m_session;
};

} // namespace app
