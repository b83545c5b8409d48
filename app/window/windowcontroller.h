// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <app/profiles/profilestore.h>
#include "documentdesk.h"
#include "outboxcontrol.h"
#include "queuecontrol.h"
#include "retentionhost.h"
#include "sandboxhost.h"
#include "window.h"

#include <views/shell/actions.h>

#include <models/timetext.h>

#include <engine/base/serialthread.h>
#include <engine/config/dispatchersettings.h>
#include <engine/dispatch/dispatcher.h>
#include <engine/secrets/secretstore.h>
#include <engine/watch/outboxfeed.h>
#include <engine/watch/queuefeed.h>

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <memory>
#include <optional>

class QSettings;

namespace models {
struct FindEntry;
}

namespace views {
class AlertsPage;
class ComposeDialog;
class ConnectDialog;
class DispatcherPage;
class FindDialog;
class JobsPage;
class MainWindow;
class OutboxPage;
class OverviewPage;
class QueuesPage;
class Theme;
} // namespace views

namespace app {

class Investigation;
class Session;
class Watcher;

// Wires the window to the engine: which connection is open, what is asked when, what a click does. Asks only for
// what is on screen; hidden or paused it asks for nothing.
class WindowController final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WindowController)

public:
    // All references outlive the controller.
    WindowController(views::Theme &theme, QSettings &settings, engine::secrets::SecretStore &secrets,
                     const WindowOptions &options);
    ~WindowController() override;

    void start(); // shows the window and begins to connect
    [[nodiscard]] views::MainWindow &window() { return *m_window; }

    // Hides the window, stops the dispatcher and the sandbox in the background, then closed().
    void close();

signals:
    void closed(); // the window is gone, the dispatcher and the sandbox have stopped

private:
    void buildWindow();
    void wirePages();
    void restore();
    void save();
    void finishClosing();

    // connections
    void connectTo(const engine::config::ConnectionProfile &profile);
    void open(const engine::config::ConnectionProfile &profile);
    void readSecrets(const engine::config::ConnectionProfile &profile);
    void openSandbox();
    void openSession(const engine::config::ConnectionProfile &profile);
    void wireSession();
    void dropSession();
    void retry();
    void showTable(const engine::outbox::Layout &layout);
    void showDatabaseFailure(const engine::Error &error);
    void showRedisFailure(const engine::Error &error);

    // refreshing
    [[nodiscard]] bool isWatching() const;
    void schedule();
    void tick();
    void refreshNow();
    void togglePause();
    void setZone(models::Zone zone);
    void showStats(const engine::watch::OutboxSnapshot &snapshot);
    void showCost();

    // dispatcher
    void startDispatcher();
    void stopDispatcher();
    void showProgress(const engine::dispatch::Progress &progress);
    [[nodiscard]] bool startsByItself() const;

    // dialogs
    void openFind();
    void goTo(const models::FindEntry &entry);
    void openConnectDialog();
    void openCompose(const std::optional<engine::outbox::NewEvent> &event);
    void testProfile(const engine::config::ConnectionProfile &profile);
    void saveProfile(const engine::config::ConnectionProfile &profile, const QString &previousName);
    void removeProfile(const QString &name);
    void fetchSecrets(const QString &name);

    views::Theme &m_theme;
    QSettings &m_settings;
    engine::secrets::SecretStore &m_secrets;
    const WindowOptions m_options;
    ProfileStore m_profiles;
    views::ActionRegistry m_actions;
    std::unique_ptr<views::MainWindow> m_window;
    views::OverviewPage *m_overviewPage = nullptr;
    views::AlertsPage *m_alertsPage = nullptr;
    views::OutboxPage *m_outboxPage = nullptr;
    views::QueuesPage *m_queuesPage = nullptr;
    views::JobsPage *m_jobsPage = nullptr;
    std::unique_ptr<OutboxControl> m_outboxControl; // ends before the window, as the next two
    std::unique_ptr<QueueControl> m_queueControl;
    std::unique_ptr<DocumentDesk> m_documentDesk;
    views::DispatcherPage *m_dispatcherPage = nullptr;
    std::unique_ptr<Investigation> m_investigation;
    QPointer<views::ComposeDialog> m_compose;
    QPointer<views::ConnectDialog> m_connect;
    QPointer<views::FindDialog> m_find;
    std::unique_ptr<Watcher> m_watcher;

    engine::config::ConnectionProfile m_profile; // of the connection in view
    std::optional<engine::config::ConnectionProfile> m_next; // once the dispatcher has stopped
    Session *m_session = nullptr; // owns itself; dropped by retire()
    int m_liveSessions = 0;
    quint64 m_generation = 0; // of the connection; late answers of others are dropped
    quint64 m_testGeneration = 0;
    std::optional<engine::outbox::Layout> m_layout;
    engine::dispatch::Router m_router;
    std::optional<engine::config::DispatcherSettings> m_dispatcherSettings;
    QStringList m_sandboxSteps;

    QTimer m_timer;
    int m_interval = 2; // seconds
    bool m_paused = false;
    models::Zone m_zone = models::Zone::Utc;
    int m_failures = 0; // one after the other: the time between questions grows
    int m_ticks = 0;
    bool m_databaseGood = false;
    bool m_redisGood = false;
    bool m_closing = false;
    bool m_sandboxStopped = false;

    engine::dispatch::Dispatcher m_dispatcher;
    std::unique_ptr<RetentionHost> m_retention; // once the pages are built
    SandboxHost m_sandbox;
    engine::SerialThread m_doctor;
};

} // namespace app
