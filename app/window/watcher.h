// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "window.h"

#include <views/pages/alertspage.h>
#include <views/pages/overviewpage.h>

#include <engine/history/history.h>
#include <engine/notify/notifier.h>
#include <engine/secrets/secretstore.h>
#include <engine/watch/alertengine.h>
#include <engine/watch/queuefeed.h>

#include <QObject>
#include <QPointer>
#include <QSystemTrayIcon>
#include <QTimer>

#include <optional>

class QSettings;

namespace app {

class Session;

// Takes a sample of the open connection every ten seconds, keeps it in the local history, judges it by the alert rules
// and tells who has to know; shows all of it on the pages Overview and Alerts. Hidden, minimised or paused it takes
// none, unless the user wants the watch kept.
class Watcher final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Watcher)

public:
    // All references outlive the watcher. An empty history file: the usual one.
    Watcher(views::OverviewPage &overview, views::AlertsPage &alerts, QSettings &settings,
            engine::secrets::SecretStore &secrets, const QString &historyFile);
    ~Watcher() override;

    void setProfile(const engine::config::ConnectionProfile &profile); // another connection: nothing is known of it
    void attach(Session *session); // null: there is none any more
    void setRouter(const engine::dispatch::Router &router);
    // Whether somebody looks, and at which page.
    void setView(bool watching, const QString &page);
    void refreshNow(); // a sample at once

    [[nodiscard]] const std::vector<QByteArray> &queueNames() const { return m_queueNames; }

signals:
    void pageWanted(const QString &page);
    void alertsChanged(int count, bool critical); // those that are not snoozed

private:
    void wirePages();
    void readSettings();
    void applyPreferences(const views::AlertPreferences &preferences);
    void keepSecret(const QString &key, const QString &secret);
    void readSecret(const QString &key, QString engine::notify::NotifierSettings::*member);
    void schedule();
    void takeSample();
    void askExecutions();
    void finishSample();
    void judge();
    void showAlerts();
    void askHistory();
    void showInTray(const engine::notify::Notice &notice);
    void openAlert(const engine::watch::Alert &alert);

    views::OverviewPage &m_overview;
    views::AlertsPage &m_alerts;
    QSettings &m_settings;
    engine::secrets::SecretStore &m_secrets;
    engine::history::History m_history;
    engine::watch::AlertEngine m_engine;
    engine::notify::Notifier m_notifier;
    std::unique_ptr<QSystemTrayIcon> m_tray; // made when it is needed
    views::AlertPreferences m_preferences;

    engine::config::ConnectionProfile m_profile;
    QByteArray m_key; // of the connection in the history
    QPointer<Session> m_session;
    engine::dispatch::Router m_router;
    bool m_watching = false;
    QString m_page;
    bool m_stateKnown = false; // what was told in an earlier run
    bool m_sampled = false; // of this connection, at least once
    quint64 m_historyToken = 0;
    qint64 m_historyAskedMs = 0;
    qint64 m_historyToMs = 0;

    engine::watch::Sample m_sample; // under way
    bool m_outboxPending = false;
    bool m_queuesPending = false;
    std::optional<engine::watch::ExecutionFigures> m_executions; // of the last look at them
    qint64 m_executionsAskedMs = 0; // 0: not yet
    bool m_again = false; // as soon as this one is complete
    std::vector<QByteArray> m_queueNames;
    QTimer m_timer;
};

} // namespace app
