// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "watcher.h"

#include "session.h"

#include <engine/history/connectionkey.h>

#include <models/alertmodel.h>

#include <QApplication>
#include <QDateTime>
#include <QSettings>

#include <algorithm>

using namespace Qt::StringLiterals;
using engine::notify::Channel;
using engine::notify::NotifierSettings;
using engine::watch::AlertChange;
using engine::watch::AlertRules;
using engine::watch::ExecutionFeed;
using engine::watch::OutboxFeed;
using engine::watch::QueueFeed;

namespace app {

namespace {

constexpr int sampleEveryMs = 10'000;
constexpr int mostPoints = 1500; // of a line of a chart
constexpr qint64 hour = 3'600'000;
constexpr qint64 executionsEveryMs = 60'000; // what is usual has to be found out for every workflow that is late
const auto alertState = "alerts";
const auto webhookKey = u"alerts/webhook-url"_s;
const auto sentryKey = u"alerts/sentry-dsn"_s;

qint64 nowMs()
{
    return QDateTime::currentMSecsSinceEpoch();
}

} // namespace

Watcher::Watcher(views::OverviewPage &overview, views::AlertsPage &alerts, QSettings &settings,
                 engine::secrets::SecretStore &secrets, const QString &historyFile)
    : m_overview(overview)
    , m_alerts(alerts)
    , m_settings(settings)
    , m_secrets(secrets)
    , m_history(historyFile.isEmpty() ? engine::history::History::defaultFile() : historyFile)
{
    using engine::history::History;
    m_timer.setInterval(sampleEveryMs);
    connect(&m_timer, &QTimer::timeout, this, &Watcher::takeSample);
    connect(&m_history, &History::stateReady, this,
            [this](const QByteArray &connection, const QByteArray &, const std::optional<QByteArray> &state) {
                if (connection != m_key)
                    return;
                m_engine.restoreState(state.value_or(QByteArray()));
                m_stateKnown = true;
                showAlerts();
            });
    connect(&m_history, &History::seriesReady, this,
            [this](quint64 token, const engine::history::HistoryStore::Answer &answer) {
                if (token == m_historyToken)
                    m_overview.showHistory(answer, m_historyToMs);
            });
    connect(&m_history, &History::failed, this, [this](const engine::Error &error) {
        m_overview.showHistoryTrouble(tr("No history is kept"), error.text());
    });
    connect(&m_history, &History::recovered, this, [this](const QString &damagedFile) {
        m_overview.showHistoryTrouble(tr("The local history was damaged and begins anew"),
                                      tr("The damaged file is kept as %1.").arg(damagedFile));
    });
    connect(&m_notifier, &engine::notify::Notifier::delivered, &m_alerts, &views::AlertsPage::showDelivery);
    connect(&m_notifier, &engine::notify::Notifier::desktopWanted, this, &Watcher::showInTray);
    connect(&m_notifier, &engine::notify::Notifier::activated, this, [this] { emit pageWanted(u"overview"_s); });
    wirePages();
    readSettings();
}

Watcher::~Watcher() = default;

void Watcher::wirePages()
{
    using views::AlertsPage;
    using views::OverviewPage;
    const auto snooze = [this](const QString &id, qint64 untilMs) {
        m_engine.snooze(id, untilMs);
        m_history.saveState(m_key, alertState, m_engine.saveState());
        showAlerts();
    };
    const auto wake = [this](const QString &id) {
        m_engine.wake(id);
        m_history.saveState(m_key, alertState, m_engine.saveState());
        showAlerts();
    };
    connect(&m_overview, &OverviewPage::snoozeWanted, this, snooze);
    connect(&m_overview, &OverviewPage::wakeWanted, this, wake);
    connect(&m_overview, &OverviewPage::alertOpened, this, &Watcher::openAlert);
    connect(&m_overview, &OverviewPage::allAlertsWanted, this, [this] { emit pageWanted(u"alerts"_s); });
    connect(&m_overview, &OverviewPage::rangeChosen, this, &Watcher::askHistory);
    connect(&m_alerts, &AlertsPage::snoozeWanted, this, snooze);
    connect(&m_alerts, &AlertsPage::wakeWanted, this, wake);
    connect(&m_alerts, &AlertsPage::alertOpened, this, &Watcher::openAlert);
    connect(&m_alerts, &AlertsPage::rulesChanged, this, [this](const AlertRules &rules) {
        m_engine.setRules(rules);
        m_settings.setValue(u"alerts/rules"_s, rules.toJson());
        showAlerts();
    });
    connect(&m_alerts, &AlertsPage::preferencesChanged, this, &Watcher::applyPreferences);
    connect(&m_alerts, &AlertsPage::testWanted, this,
            [this](Channel channel, const views::AlertPreferences &preferences) {
                NotifierSettings settings = m_notifier.settings();
                settings.webhookUrl = preferences.webhookUrl;
                settings.sentryDsn = preferences.sentryDsn;
                settings.post.pauses = {std::chrono::seconds(1)}; // somebody is waiting
                m_notifier.sendTest(channel, settings, engine::notify::testNotice(m_profile.name, nowMs()));
            });
}

void Watcher::readSettings()
{
    if (const QByteArray saved = m_settings.value(u"alerts/rules"_s).toByteArray(); !saved.isEmpty()) {
        if (const auto rules = AlertRules::fromJson(saved))
            m_engine.setRules(*rules);
        else
            m_alerts.showTrouble(rules.error().text() + u' ' + tr("The default rules are in force."));
    }
    m_alerts.setRules(m_engine.rules());
    m_preferences.keepWatching = m_settings.value(u"alerts/keepWatching"_s, false).toBool();
    m_preferences.desktop = m_settings.value(u"alerts/desktop"_s, true).toBool();
    m_preferences.webhook = m_settings.value(u"alerts/webhook"_s, false).toBool();
    m_preferences.sentry = m_settings.value(u"alerts/sentry"_s, false).toBool();
    NotifierSettings settings;
    settings.desktop = m_preferences.desktop;
    settings.webhook = m_preferences.webhook;
    settings.sentry = m_preferences.sentry;
    settings.release = u"outbox-console@"_s + QCoreApplication::applicationVersion();
    m_notifier.setSettings(settings);
    m_alerts.setPreferences(m_preferences);
    // The keyring may ask to be unlocked: only for a channel that is on.
    if (m_preferences.webhook)
        readSecret(webhookKey, &NotifierSettings::webhookUrl);
    if (m_preferences.sentry)
        readSecret(sentryKey, &NotifierSettings::sentryDsn);
}

void Watcher::readSecret(const QString &key, QString NotifierSettings::*member)
{
    m_secrets.read(key, this, [this, member](const engine::Result<QString> &secret) {
        if (!secret) {
            m_alerts.showTrouble(secret.error().text());
            return;
        }
        NotifierSettings settings = m_notifier.settings();
        settings.*member = *secret;
        m_notifier.setSettings(settings);
        m_preferences.webhookUrl = settings.webhookUrl;
        m_preferences.sentryDsn = settings.sentryDsn;
        m_alerts.setPreferences(m_preferences);
    });
}

void Watcher::keepSecret(const QString &key, const QString &secret)
{
    const auto done = [this](const engine::Result<void> &kept) {
        m_alerts.showTrouble(kept ? QString()
                                  : kept.error().text() + u' ' + tr("The address holds until the window closes."));
    };
    if (secret.isEmpty())
        m_secrets.remove(key, this, [](const engine::Result<void> &) {});
    else
        m_secrets.write(key, secret, this, done);
}

void Watcher::applyPreferences(const views::AlertPreferences &preferences)
{
    if (preferences.webhookUrl != m_preferences.webhookUrl)
        keepSecret(webhookKey, preferences.webhookUrl);
    if (preferences.sentryDsn != m_preferences.sentryDsn)
        keepSecret(sentryKey, preferences.sentryDsn);
    // Switched on with an address that was given in an earlier run.
    const bool readsWebhook = preferences.webhook && !m_preferences.webhook && preferences.webhookUrl.isEmpty();
    const bool readsSentry = preferences.sentry && !m_preferences.sentry && preferences.sentryDsn.isEmpty();
    m_preferences = preferences;
    m_settings.setValue(u"alerts/keepWatching"_s, preferences.keepWatching);
    m_settings.setValue(u"alerts/desktop"_s, preferences.desktop);
    m_settings.setValue(u"alerts/webhook"_s, preferences.webhook);
    m_settings.setValue(u"alerts/sentry"_s, preferences.sentry);
    NotifierSettings settings = m_notifier.settings();
    settings.desktop = preferences.desktop;
    settings.webhook = preferences.webhook;
    settings.sentry = preferences.sentry;
    settings.webhookUrl = preferences.webhookUrl;
    settings.sentryDsn = preferences.sentryDsn;
    m_notifier.setSettings(settings);
    if (readsWebhook)
        readSecret(webhookKey, &NotifierSettings::webhookUrl);
    if (readsSentry)
        readSecret(sentryKey, &NotifierSettings::sentryDsn);
    schedule();
}

void Watcher::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    m_key = engine::history::connectionKey(profile);
    m_engine.restoreState({});
    m_stateKnown = false;
    m_sampled = false;
    m_queueNames.clear();
    m_overview.setProfile(profile);
    m_history.requestState(m_key, alertState);
    showAlerts();
}

void Watcher::attach(Session *session)
{
    if (m_session) {
        m_session->outbox().disconnect(this);
        m_session->queues().disconnect(this);
        m_session->executions().disconnect(this);
    }
    m_session = session;
    m_outboxPending = false;
    m_queuesPending = false;
    m_sample = {};
    m_executions.reset();
    m_executionsAskedMs = 0;
    if (!session) {
        m_timer.stop();
        return;
    }
    connect(&session->outbox(), &OutboxFeed::vitalsReady, this, [this](const engine::outbox::Vitals &vitals) {
        if (!std::exchange(m_outboxPending, false))
            return;
        m_sample.outbox = vitals;
        m_sample.unroutedTypes = engine::watch::unroutedTypes(vitals, m_router);
        finishSample();
    });
    connect(&session->outbox(), &OutboxFeed::failed, this,
            [this](const engine::Error &error) { m_overview.showError(error); });
    connect(&session->outbox(), &OutboxFeed::vitalsFailed, this, [this](const engine::Error &error) {
        m_overview.showError(error);
        if (std::exchange(m_outboxPending, false))
            finishSample(); // unknown
    });
    connect(&session->queues(), &QueueFeed::snapshotReady, this, [this](const engine::watch::QueueSnapshot &snapshot) {
        m_queueNames.clear();
        for (const auto &queue : snapshot.queues)
            m_queueNames.push_back(queue.name);
        if (!std::exchange(m_queuesPending, false))
            return;
        m_sample.queues = snapshot.queues;
        m_sample.failedLastDay = snapshot.failedLastDay;
        finishSample();
    });
    connect(&session->executions(), &ExecutionFeed::figuresReady, this,
            [this](const engine::watch::ExecutionFigures &figures) { m_executions = figures; });
    connect(&session->executions(), &ExecutionFeed::figuresFailed, this,
            [this] { m_executions.reset(); }); // unknown; a database without executions has none to worry about
    connect(&session->queues(), &QueueFeed::failed, this, [this] {
        if (std::exchange(m_queuesPending, false))
            finishSample(); // unknown
    });
    schedule();
}

void Watcher::setRouter(const engine::dispatch::Router &router)
{
    m_router = router;
    takeSample(); // the table has just been found
}

void Watcher::setView(bool watching, const QString &page)
{
    const bool came = watching && (!m_watching || page != m_page);
    m_watching = watching;
    m_page = page;
    schedule();
    if (came && page == u"overview"_s)
        askHistory();
}

void Watcher::schedule()
{
    if (!m_session || !(m_watching || m_preferences.keepWatching)) {
        m_timer.stop();
        return;
    }
    if (!m_timer.isActive()) {
        m_timer.start();
        takeSample();
    }
}

void Watcher::refreshNow()
{
    if (m_timer.isActive()) {
        m_timer.start();
        takeSample();
    }
}

void Watcher::takeSample()
{
    if (!m_timer.isActive() || !m_session)
        return;
    if (m_outboxPending || m_queuesPending) {
        // One that began before the table was found does not look at it.
        m_again = !m_outboxPending && m_session->outbox().layout().has_value() && !m_sample.outbox;
        return;
    }
    m_again = false;
    m_sample = {};
    m_outboxPending = m_session->outbox().layout().has_value();
    m_queuesPending = true;
    if (m_outboxPending)
        m_session->askVitals(vitalsRequestFor(m_engine.rules()));
    m_session->askQueues();
    askExecutions();
}

// Beside the samples and more rarely; a sample takes the figures of the last look.
void Watcher::askExecutions()
{
    const qint64 now = nowMs();
    if (m_executionsAskedMs > 0 && now - m_executionsAskedMs < executionsEveryMs && now >= m_executionsAskedMs)
        return;
    m_executionsAskedMs = now;
    m_session->executions().requestFigures();
}

void Watcher::finishSample()
{
    if (m_outboxPending || m_queuesPending || !m_session)
        return;
    m_sample.atMs = nowMs();
    m_sample.executions = m_executions;
    m_overview.showSample(m_sample);
    m_sampled = m_sampled || m_sample.outbox || m_sample.queues;
    if (const auto figures = namedFigures(m_sample); !figures.empty())
        m_history.record(m_key, m_sample.atMs, figures);
    judge();
    // Longer ranges move slowly.
    const bool slow = m_overview.rangeMs() > hour;
    if (m_watching && m_page == u"overview"_s && (!slow || m_sample.atMs - m_historyAskedMs >= 60'000))
        askHistory();
    if (m_again)
        takeSample();
}

void Watcher::judge()
{
    if (!m_stateKnown)
        return; // or what was told before would be told again
    for (const AlertChange &change : m_engine.evaluate(m_sample, m_sample.atMs))
        m_notifier.send(engine::notify::noticeOf(change, m_profile.name, m_sample.atMs));
    m_history.saveState(m_key, alertState, m_engine.saveState());
    showAlerts();
}

void Watcher::showAlerts()
{
    const QList<engine::watch::Alert> alerts = m_engine.active();
    m_overview.showAlerts(alerts, nowMs());
    m_alerts.showAlerts(alerts, nowMs(), m_sampled);
    const auto awake = std::ranges::count_if(alerts, [](const auto &alert) { return !alert.snoozedUntilMs; });
    const bool critical = std::ranges::any_of(alerts, [](const auto &alert) {
        return !alert.snoozedUntilMs && alert.level == engine::watch::AlertLevel::Critical;
    });
    emit alertsChanged(static_cast<int>(awake), critical);
}

void Watcher::askHistory()
{
    if (m_key.isEmpty())
        return;
    m_historyAskedMs = nowMs();
    m_historyToMs = m_historyAskedMs;
    m_history.requestSeries(++m_historyToken, m_key, views::OverviewPage::seriesNames(),
                            m_historyToMs - m_overview.rangeMs(), m_historyToMs, mostPoints);
}

void Watcher::showInTray(const engine::notify::Notice &notice)
{
    if (!QSystemTrayIcon::isSystemTrayAvailable())
        return;
    if (!m_tray) {
        m_tray = std::make_unique<QSystemTrayIcon>(QApplication::windowIcon());
        m_tray->setToolTip(QApplication::applicationDisplayName());
        connect(m_tray.get(), &QSystemTrayIcon::messageClicked, this, [this] { emit pageWanted(u"overview"_s); });
        m_tray->show();
    }
    m_tray->showMessage(notice.title(), notice.text(),
                        notice.alert.level == engine::watch::AlertLevel::Critical ? QSystemTrayIcon::Critical
                                                                                  : QSystemTrayIcon::Warning);
}

void Watcher::openAlert(const engine::watch::Alert &alert)
{
    emit pageWanted(models::pageFor(alert.metric));
}

} // namespace app
