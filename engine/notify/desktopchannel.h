// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "notice.h"

#include <engine/base/error.h>

#include <QHash>
#include <QObject>

#include <functional>

namespace engine::notify {

// The desktop's notification service (org.freedesktop.Notifications on the session bus). A desktop without one is no
// fault of anybody: the answer says Unavailable, and the caller shows it in another way. Never waits.
class DesktopChannel final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DesktopChannel)

public:
    explicit DesktopChannel(QObject *parent = nullptr);

    // A later notice of the same alert takes the place of the earlier one.
    void show(const Notice &notice, std::function<void(const Result<void> &)> done);

signals:
    void activated(const QString &alertId); // somebody clicked the notification

private slots:
    void onActionInvoked(uint id, const QString &action);
    void onClosed(uint id, uint reason);

private:
    QHash<QString, uint> m_shown; // by alert id
    bool m_listening = false;
};

} // namespace engine::notify
