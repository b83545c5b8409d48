// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <engine/config/profile.h>

#include <QFrame>

namespace views {

// The strip at the top of a dialog that says which connection it works on; coloured on production.
class ConnectionTag final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ConnectionTag)

public:
    // `theme` outlives the widget.
    ConnectionTag(const Theme &theme, const engine::config::ConnectionProfile &profile, const QString &subject,
                  QWidget *parent = nullptr);
};

} // namespace views
