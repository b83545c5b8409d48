// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>

namespace views {
class OutboxPage;
}

namespace app {

class Session;

// Wires the outbox page's rows to a session: what they want is asked there, what it answers is shown on them.
class OutboxControl final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OutboxControl)

public:
    // `page` outlives the control.
    explicit OutboxControl(views::OutboxPage &page, QObject *parent = nullptr);

    void setSession(Session *session); // null: none; nothing of the last one reaches the page any more
    void rest(); // hidden, paused or another page in view: no question at all

private:
    views::OutboxPage &m_page;
    QPointer<Session> m_session;
};

} // namespace app
