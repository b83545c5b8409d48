// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <models/timetext.h>

#include <engine/config/profile.h>
#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/retention.h>

#include <QObject>
#include <QPointer>

#include <memory>
#include <optional>

namespace engine::watch {
class RetentionFeed;
}

namespace views {
class DispatcherPage;
class RetentionDialog;
class Theme;
} // namespace views

namespace app {

// Retention in the window: the dispatcher page's line about it, and the dialog that previews and removes. A
// connection of its own exists only while the dialog is open.
class RetentionHost final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RetentionHost)

public:
    // All references outlive the host.
    RetentionHost(views::Theme &theme, engine::dispatch::Dispatcher &dispatcher, views::DispatcherPage &page,
                  QObject *parent = nullptr);
    ~RetentionHost() override;

    // Absent: the settings cannot be used.
    void setRule(const std::optional<engine::outbox::RetentionRule> &rule);
    void setZone(models::Zone zone) { m_zone = zone; } // for dialogs to come
    void open(const engine::config::ConnectionProfile &profile, const engine::outbox::Layout &layout);
    void close(); // the connection is given up: the dialog closes, a run in progress is rolled back

private:
    void showDialog();

    views::Theme &m_theme;
    views::DispatcherPage &m_page;
    std::optional<engine::outbox::RetentionRule> m_rule;
    models::Zone m_zone = models::Zone::Utc;
    engine::config::ConnectionProfile m_profile;
    std::optional<engine::outbox::Layout> m_layout;
    QPointer<views::RetentionDialog> m_dialog;
    std::unique_ptr<engine::watch::RetentionFeed> m_feed; // while the dialog is open
};

} // namespace app
