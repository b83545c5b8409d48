// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/config/profile.h>

#include <QList>

class QSettings;

namespace app {

// Saved connections, without their passwords.
class ProfileStore final
{
public:
    explicit ProfileStore(QSettings &settings); // outlives the store

    [[nodiscard]] QList<engine::config::ConnectionProfile> saved() const; // by name
    // The sandbox first, then the saved ones.
    [[nodiscard]] QList<engine::config::ConnectionProfile> all() const;
    [[nodiscard]] static engine::config::ConnectionProfile sandbox();

    // Replaces `previousName`, if there is one.
    void save(const engine::config::ConnectionProfile &profile, const QString &previousName);
    void remove(const QString &name);

private:
    void write(const QList<engine::config::ConnectionProfile> &profiles);

    QSettings &m_settings;
};

} // namespace app
