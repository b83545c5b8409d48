// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

namespace views {
class JsonView;
class MainWindow;
} // namespace views

namespace app {

class Session;

// Gives every document in the window the rest of it, where only the beginning was read, and writes whole ones to files.
class DocumentDesk final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DocumentDesk)

public:
    // The pages are there by now; `window` outlives the desk.
    explicit DocumentDesk(views::MainWindow &window, QObject *parent = nullptr);

    void setSession(Session *session); // null: there is none

private:
    const QList<views::JsonView *> m_views;
    Session *m_session = nullptr;
};

} // namespace app
