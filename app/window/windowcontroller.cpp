// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowcontroller.h"

#include "investigation.h"
#include "session.h"
#include "watcher.h"

#include <views/dialogs/composedialog.h>
#include <views/pages/alertspage.h>
#include <views/pages/dispatcherpage.h>
#include <views/pages/jobspage.h>
#include <views/pages/outboxpage.h>
#include <views/pages/overviewpage.h>
#include <views/pages/queuespage.h>
#include <views/shell/headerbar.h>
#include <views/shell/mainwindow.h>
#include <views/shell/statusline.h>
#include <views/theme/theme.h>

#include <models/counttext.h>
#include <models/urlsecret.h>

#include <QJsonDocument>
#include <QSettings>

using namespace Qt::StringLiterals;
using engine::config::ConnectionProfile;
using engine::dispatch::DispatcherState;
using engine::watch::OutboxFeed;
using engine::watch::QueueFeed;
using models::Severity;
using Item = views::StatusLine::Item;

namespace app {

namespace {

constexpr int longestPauseMs = 30'000; // between two attempts to reach a server that is away
constexpr int slowEveryTicks = 5; // for figures of the status line that the page in view does not need

} // namespace

WindowController::WindowController(views::Theme &theme, QSettings &settings, engine::secrets::SecretStore &secrets,
                                   const WindowOptions &options)
    : m_theme(theme)
    , m_settings(settings)
    , m_secrets(secrets)
    , m_options(options)
    , m_profiles(settings)
    , m_sandbox(options.sandboxFolder)
    , m_doctor(u"doctor"_s)
{
    buildWindow();
    wirePages();
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &WindowController::tick);
    connect(&m_sandbox, &SandboxHost::progressed, this, [this](const QString &step) {
        m_sandboxSteps << step;
        if (m_profile.sandbox && !m_session) {
            m_overviewPage->showWaiting(tr("Starting the sandbox…"), m_sandboxSteps);
            m_outboxPage->showWaiting(tr("Starting the sandbox…"), m_sandboxSteps);
            m_queuesPage->showWaiting(tr("Starting the sandbox…"), m_sandboxSteps);
        }
    });
    connect(&m_sandbox, &SandboxHost::started, this, [this](const engine::sandbox::SandboxAddress &address) {
        if (!m_profile.sandbox || m_session || m_closing)
            return;
        ConnectionProfile profile = m_profile;
        profile.databaseUrl = address.databaseUrl;
        profile.redisUrl = address.redisUrl;
        openSession(profile);
    });
    connect(&m_sandbox, &SandboxHost::failed, this, [this](const engine::Error &error) {
        if (!m_profile.sandbox)
            return;
        m_overviewPage->showError(error);
        m_outboxPage->showError(error);
        m_queuesPage->showError(error);
        m_investigation->showError(error);
        m_dispatcherPage->setReady(false, error.message);
        m_window->header().setConnectionState(Severity::Critical, error.text());
    });
    connect(&m_sandbox, &SandboxHost::stopped, this, [this] {
        m_sandboxStopped = true;
        finishClosing();
    });
    connect(&m_dispatcher, &engine::dispatch::Dispatcher::progressed, this, &WindowController::showProgress);
    connect(&m_dispatcher, &engine::dispatch::Dispatcher::logged, m_dispatcherPage, &views::DispatcherPage::addLog);
    connect(&m_dispatcher, &engine::dispatch::Dispatcher::finished, this,
            [this](const std::optional<engine::Error> &failure) {
                showProgress(m_dispatcher.progress());
                if (failure)
                    m_dispatcherPage->showFailure(*failure);
                if (m_next)
                    open(*std::exchange(m_next, std::nullopt));
                finishClosing();
            });
}

WindowController::~WindowController() = default;

void WindowController::buildWindow()
{
    m_window = std::make_unique<views::MainWindow>(m_theme, m_actions);
    m_overviewPage = new views::OverviewPage(m_theme, m_actions);
    m_alertsPage = new views::AlertsPage(m_theme, m_actions);
    m_outboxPage = new views::OutboxPage(m_theme, m_actions);
    m_queuesPage = new views::QueuesPage(m_theme, m_actions);
    m_jobsPage = new views::JobsPage(m_theme, m_actions);
    m_outboxControl = std::make_unique<OutboxControl>(*m_outboxPage);
    m_queueControl = std::make_unique<QueueControl>(*m_window, *m_queuesPage, *m_jobsPage);
    m_dispatcherPage = new views::DispatcherPage(m_theme, m_actions);
    m_window->addHeading(tr("Now", "heading of the navigation"));
    m_window->addPage(u"overview"_s, tr("Overview"), u"overview"_s, m_overviewPage);
    m_window->addPage(u"alerts"_s, tr("Alerts"), u"alerts"_s, m_alertsPage);
    m_watcher = std::make_unique<Watcher>(*m_overviewPage, *m_alertsPage, m_settings, m_secrets, m_options.historyFile);
    m_window->addHeading(tr("Events", "heading of the navigation"));
    m_window->addPage(u"outbox"_s, tr("Outbox"), u"outbox"_s, m_outboxPage);
    m_investigation = std::make_unique<Investigation>(*m_window, m_theme, m_actions, *m_outboxPage);
    m_investigation->addTracePages();
    m_window->addHeading(tr("Downstream", "heading of the navigation"));
    m_window->addPage(u"queues"_s, tr("Queues"), u"queues"_s, m_queuesPage);
    m_window->addPage(u"jobs"_s, tr("Jobs"), u"jobs"_s, m_jobsPage);
    m_investigation->addExecutionsPage();
    m_window->addHeading(tr("Operate", "heading of the navigation"));
    m_window->addPage(u"dispatcher"_s, tr("Dispatcher"), u"dispatcher"_s, m_dispatcherPage);
    m_documentDesk = std::make_unique<DocumentDesk>(*m_window);
}

void WindowController::wirePages()
{
    using views::MainWindow;
    using views::OutboxPage;
    const auto on = [this](const char *id, auto function) {
        connect(m_actions.action(QString::fromLatin1(id)), &QAction::triggered, this, function);
    };
    on("connect", [this] { openConnectDialog(); });
    on("compose", [this] { openCompose({}); });
    on("find", [this] { openFind(); });
    on("refresh", [this] { refreshNow(); });
    on("pause", [this] { togglePause(); });
    on("zone", [this] { setZone(m_zone == models::Zone::Utc ? models::Zone::Local : models::Zone::Utc); });
    connect(&m_window->header(), &views::HeaderBar::zoneChosen, this, &WindowController::setZone);
    connect(&m_window->header(), &views::HeaderBar::intervalChosen, this, [this](int seconds) {
        m_interval = seconds;
        m_paused = false;
        m_window->header().setRefresh(m_interval, m_paused);
        refreshNow();
    });
    connect(m_window.get(), &MainWindow::pageChanged, this, &WindowController::refreshNow);
    connect(m_window.get(), &MainWindow::visibilityChanged, this, &WindowController::schedule);
    connect(m_window.get(), &MainWindow::closeWanted, this, &WindowController::close);

    connect(m_watcher.get(), &Watcher::pageWanted, this, [this](const QString &page) {
        m_window->show();
        m_window->activateWindow();
        m_window->setCurrentPage(page);
    });
    connect(m_watcher.get(), &Watcher::alertsChanged, this, [this](int count, bool critical) {
        const Severity severity = critical ? Severity::Critical : Severity::Warning;
        m_window->setBadge(u"alerts"_s, count, severity);
    });
    connect(m_overviewPage, &views::OverviewPage::retryWanted, this, &WindowController::retry);
    connect(m_outboxPage, &OutboxPage::composeWanted, this, [this] { openCompose({}); });
    connect(m_outboxPage, &OutboxPage::composeSimilarWanted, this, [this](const engine::outbox::RowDetail &detail) {
        engine::outbox::NewEvent event;
        event.eventType = detail.row.eventType;
        event.tenantId = detail.row.tenantId;
        event.payload = detail.payload;
        event.aggregateType = detail.aggregateType;
        event.aggregateId = detail.aggregateId;
        event.metadata = detail.metadata;
        openCompose(event);
    });
    connect(m_outboxPage, &OutboxPage::retryWanted, this, &WindowController::retry);
    connect(m_outboxPage, &OutboxPage::connectionWanted, this, &WindowController::openConnectDialog);
    connect(m_queuesPage, &views::QueuesPage::retryWanted, this, &WindowController::retry);
    connect(m_jobsPage, &views::JobsPage::retryWanted, this, &WindowController::retry);
    connect(m_dispatcherPage, &views::DispatcherPage::startWanted, this, [this] {
        m_settings.setValue(u"dispatcher/sandboxStart"_s, true);
        startDispatcher();
    });
    connect(m_dispatcherPage, &views::DispatcherPage::stopWanted, this, &WindowController::stopDispatcher);
    connect(m_dispatcherPage, &views::DispatcherPage::connectWanted, this, &WindowController::openConnectDialog);

    m_retention = std::make_unique<RetentionHost>(m_theme, m_dispatcher, *m_dispatcherPage);
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    if (auto settings = engine::config::DispatcherSettings::fromEnvironment(environment)) {
        m_dispatcherSettings = *settings;
        m_retention->setRule(engine::outbox::RetentionRule{settings->doneRetention, settings->doneRetentionBatchSize});
        m_dispatcherPage->setSettings(engine::config::describe(*settings, environment));
    } else {
        m_dispatcherPage->showFailure(settings.error());
    }
}

void WindowController::start()
{
    restore();
    m_window->show();
    m_window->page(m_window->currentPage())->focusContent();
    if (m_options.profile) {
        connectTo(*m_options.profile);
        return;
    }
    const QString wanted =
        m_options.connection.isEmpty() ? m_settings.value(u"window/connection"_s).toString() : m_options.connection;
    const auto saved = m_profiles.saved();
    for (const ConnectionProfile &profile : saved) {
        if (profile.name == wanted) {
            readSecrets(profile);
            return;
        }
    }
    connectTo(ProfileStore::sandbox());
}

void WindowController::restore()
{
    m_window->restoreGeometry(m_settings.value(u"window/geometry"_s).toByteArray());
    m_interval = qBound(1, m_settings.value(u"window/interval"_s, m_interval).toInt(), 3600);
    m_window->header().setRefresh(m_interval, m_paused);
    setZone(m_settings.value(u"window/zone"_s).toString() == u"local"_s ? models::Zone::Local : models::Zone::Utc);
    for (const auto &[id, page] : m_window->pages()) {
        const auto document = QJsonDocument::fromJson(m_settings.value(u"pages/"_s + id).toByteArray());
        if (document.isObject())
            page->restoreState(document.object());
    }
    m_window->setCurrentPage(m_settings.value(u"window/page"_s).toString());
}

void WindowController::save()
{
    m_settings.setValue(u"window/geometry"_s, m_window->saveGeometry());
    m_settings.setValue(u"window/interval"_s, m_interval);
    m_settings.setValue(u"window/zone"_s, m_zone == models::Zone::Local ? u"local"_s : u"utc"_s);
    m_settings.setValue(u"window/page"_s, m_window->currentPage());
    m_settings.setValue(u"window/connection"_s, m_profile.name);
    for (const auto &[id, page] : m_window->pages())
        m_settings.setValue(u"pages/"_s + id, QJsonDocument(page->saveState()).toJson(QJsonDocument::Compact));
    m_settings.sync();
}

void WindowController::close()
{
    if (std::exchange(m_closing, true))
        return;
    save();
    m_window->hide();
    m_timer.stop();
    m_next.reset();
    dropSession();
    m_dispatcher.stop();
    m_sandbox.stop();
}

void WindowController::finishClosing()
{
    if (m_closing && m_sandboxStopped && m_liveSessions == 0
        && m_dispatcher.progress().state == DispatcherState::Stopped)
        emit closed();
}

void WindowController::connectTo(const ConnectionProfile &profile)
{
    if (m_dispatcher.progress().state == DispatcherState::Stopped) {
        open(profile);
        return;
    }
    // What the dispatcher holds is settled before the console looks elsewhere.
    m_next = profile;
    m_outboxPage->showWaiting(tr("Stopping the dispatcher…"));
    m_dispatcher.stop();
}

void WindowController::readSecrets(const ConnectionProfile &profile)
{
    const auto open = [this](ConnectionProfile complete, const engine::Result<QString> &database,
                             const engine::Result<QString> &redis) {
        complete.databaseUrl = models::joinSecret(complete.databaseUrl, database.value_or(QString()));
        complete.redisUrl = models::joinSecret(complete.redisUrl, redis.value_or(QString()));
        connectTo(complete);
    };
    m_window->setProfile(profile);
    m_outboxPage->showWaiting(tr("Asking the keyring for the passwords of %1…").arg(profile.name));
    m_secrets.read(profile.name + u"/postgresql"_s, this,
                   [this, profile, open](const engine::Result<QString> &database) {
                       m_secrets.read(profile.name + u"/redis"_s, this,
                                      [profile, database, open](const engine::Result<QString> &redis) {
                                          open(profile, database, redis);
                                      });
                   });
}

void WindowController::open(const ConnectionProfile &profile)
{
    if (m_closing)
        return;
    dropSession();
    m_profile = profile;
    m_layout.reset();
    m_failures = 0;
    m_window->setProfile(profile);
    m_window->header().setConnectionState(Severity::Muted, tr("Connecting"));
    m_watcher->setProfile(profile);
    m_outboxPage->setProfile(profile);
    m_queuesPage->forget();
    m_queuesPage->setPrefix(profile.queuePrefix);
    m_jobsPage->setProfile(profile);
    m_investigation->setProfile(profile);
    m_dispatcherPage->setProfile(profile);
    m_dispatcherPage->setReady(false, tr("Waiting for the connection."));
    views::StatusLine &line = m_window->statusLine();
    line.setItem(Item::Database, Severity::Muted, tr("PostgreSQL –"));
    line.setItem(Item::Redis, Severity::Muted, tr("Redis –"));
    line.setItem(Item::OldestDue, Severity::Muted, tr("Oldest due –"));
    line.setItem(Item::Cost, Severity::Muted, {});
    showProgress(m_dispatcher.progress());
    if (profile.sandbox)
        openSandbox();
    else
        openSession(profile);
}

void WindowController::openSandbox()
{
    m_sandboxSteps.clear();
    m_overviewPage->showWaiting(tr("Starting the sandbox…"));
    m_outboxPage->showWaiting(tr("Starting the sandbox…"));
    m_queuesPage->showWaiting(tr("Starting the sandbox…"));
    m_dispatcherPage->setReady(false, tr("The sandbox is starting."));
    m_sandbox.start();
}

void WindowController::openSession(const ConnectionProfile &profile)
{
    m_profile = profile;
    m_session = new Session(profile, m_options.handover);
    ++m_liveSessions;
    connect(m_session, &QObject::destroyed, this, [this] {
        --m_liveSessions;
        finishClosing();
    });
    wireSession();
    m_watcher->attach(m_session);
    refreshNow();
}

void WindowController::wireSession()
{
    OutboxFeed *outbox = &m_session->outbox();
    QueueFeed *queues = &m_session->queues();
    connect(outbox, &OutboxFeed::tableFound, this, &WindowController::showTable);
    connect(outbox, &OutboxFeed::snapshotReady, this, &WindowController::showStats);
    connect(outbox, &OutboxFeed::failed, this, &WindowController::showDatabaseFailure);
    connect(outbox, &OutboxFeed::published, this, [this](const engine::outbox::Published &published) {
        if (m_compose)
            m_compose->showPublished(published);
        refreshNow();
    });
    connect(outbox, &OutboxFeed::publishFailed, this, [this](const engine::Error &error) {
        if (m_compose)
            m_compose->showProblem(error);
    });
    const auto redisAnswered = [this](qint64 latencyMicros) {
        m_redisGood = true;
        m_window->statusLine().setItem(Item::Redis, Severity::Good,
                                       tr("Redis %1").arg(models::latencyText(latencyMicros)));
    };
    connect(queues, &QueueFeed::snapshotReady, this,
            [this, redisAnswered](const engine::watch::QueueSnapshot &snapshot) {
                redisAnswered(snapshot.latencyMicros);
                m_queuesPage->showSnapshot(snapshot);
                // A large key space is looked through in pieces, and what was found is shown meanwhile.
                if (!snapshot.complete && isWatching())
                    m_session->askQueues();
            });
    connect(queues, &QueueFeed::latencyReady, this, redisAnswered);
    connect(queues, &QueueFeed::failed, this, &WindowController::showRedisFailure);
    m_outboxControl->setSession(m_session);
    m_queueControl->setSession(m_session);
    m_documentDesk->setSession(m_session);
    m_investigation->setSession(m_session);
}

void WindowController::dropSession()
{
    m_timer.stop();
    m_retention->close();
    m_databaseGood = false;
    m_redisGood = false;
    if (m_compose)
        m_compose->close();
    if (!m_session)
        return;
    // Nothing of it may reach the window any more.
    m_watcher->attach(nullptr);
    m_session->outbox().disconnect(this);
    m_session->queues().disconnect(this);
    m_outboxControl->setSession(nullptr);
    m_queueControl->setSession(nullptr);
    m_documentDesk->setSession(nullptr);
    m_investigation->setSession(nullptr);
    m_session->retire();
    m_session = nullptr;
}

void WindowController::retry()
{
    m_failures = 0;
    if (m_profile.sandbox && !m_session) {
        openSandbox();
        return;
    }
    refreshNow();
}

void WindowController::showTable(const engine::outbox::Layout &layout)
{
    m_layout = layout;
    m_failures = 0;
    m_router = engine::dispatch::Router::builtIn(layout.kind);
    QString notReady = m_dispatcherSettings ? QString() : tr("A setting in the environment cannot be used.");
    if (!m_options.handover.routesFile.isEmpty()) {
        if (auto router = engine::dispatch::Router::fromFile(m_options.handover.routesFile))
            m_router = *router;
        else
            notReady = router.error().text();
    }
    m_outboxPage->setRouter(m_router);
    m_watcher->setRouter(m_router);
    m_outboxPage->showTable(layout);
    m_dispatcherPage->setReady(notReady.isEmpty(), notReady);
    m_retention->open(m_profile, layout);
    refreshNow();
    if (notReady.isEmpty() && startsByItself())
        startDispatcher();
}

void WindowController::showDatabaseFailure(const engine::Error &error)
{
    m_databaseGood = false;
    ++m_failures;
    m_outboxPage->showError(error);
    if (!m_layout)
        m_dispatcherPage->setReady(false, error.message);
    m_window->header().setConnectionState(Severity::Critical, error.text());
    using engine::ErrorCode;
    const bool away = error.code == ErrorCode::CannotConnect || error.code == ErrorCode::Unavailable
        || error.code == ErrorCode::Timeout;
    m_window->statusLine().setItem(Item::Database, Severity::Critical,
                                   away ? tr("PostgreSQL unavailable") : tr("No outbox table"), error.text());
    m_window->statusLine().setItem(Item::OldestDue, Severity::Muted, tr("Oldest due unavailable"));
    schedule();
}

void WindowController::showRedisFailure(const engine::Error &error)
{
    m_redisGood = false;
    m_queuesPage->showError(error);
    m_jobsPage->showNoQueues(error);
    m_window->statusLine().setItem(Item::Redis, Severity::Critical, tr("Redis unavailable"), error.text());
}

bool WindowController::isWatching() const
{
    return m_session && !m_closing && !m_paused && m_window->isVisible() && !m_window->isMinimized();
}

void WindowController::schedule()
{
    m_watcher->setView(isWatching(), m_window->currentPage());
    if (!isWatching() || m_window->currentPage() != u"outbox"_s)
        m_outboxControl->rest();
    if (!isWatching()) {
        m_timer.stop();
        m_queueControl->rest();
        m_investigation->rest();
        return;
    }
    if (m_timer.isActive() && m_failures == 0)
        return;
    m_timer.start(qMin(m_interval * 1000 << qMin(m_failures, 5), qMax(longestPauseMs, m_interval * 1000)));
}

void WindowController::tick()
{
    if (!isWatching())
        return;
    const QString page = m_window->currentPage();
    const bool slow = m_ticks % slowEveryTicks == 0;
    if (!m_layout) {
        m_session->askTable();
    } else if (page == u"outbox"_s) {
        m_outboxPage->refreshQuietly(); // before the figures: the rows are what is waited for
        m_session->askStats();
    } else if (slow) {
        m_session->askStats();
    }
    if (page == u"jobs"_s)
        m_queueControl->tick();
    if (page == u"queues"_s)
        m_session->askQueues();
    else if (slow)
        m_session->askRedisLatency();
    m_investigation->refresh(false);
    ++m_ticks;
    showCost();
    m_timer.stop();
    schedule();
}

void WindowController::refreshNow()
{
    if (!m_session || m_closing)
        return;
    m_ticks = 0; // everything, the slow figures too
    m_watcher->setView(isWatching(), m_window->currentPage());
    m_watcher->refreshNow();
    if (!m_layout) {
        m_session->askTable();
    } else {
        if (m_window->currentPage() == u"outbox"_s)
            m_outboxPage->refresh();
        m_session->askStats();
    }
    if (m_window->currentPage() == u"jobs"_s)
        m_jobsPage->refresh();
    if (m_window->currentPage() == u"queues"_s || m_window->currentPage() == u"jobs"_s)
        m_session->askQueues(); // the jobs page needs the names
    else
        m_session->askRedisLatency();
    m_investigation->refresh(true);
    ++m_ticks;
    m_timer.stop();
    schedule();
}

void WindowController::togglePause()
{
    m_paused = !m_paused;
    m_window->header().setRefresh(m_interval, m_paused);
    if (m_paused)
        schedule(); // stops
    else
        refreshNow();
}

void WindowController::setZone(models::Zone zone)
{
    m_zone = zone;
    m_window->header().setZone(zone);
    m_retention->setZone(zone);
    for (const auto &[id, page] : m_window->pages())
        page->setZone(zone);
}

void WindowController::showStats(const engine::watch::OutboxSnapshot &snapshot)
{
    m_failures = 0;
    m_databaseGood = true;
    m_outboxPage->showStats(snapshot.stats);
    m_window->header().setConnectionState(Severity::Good, tr("Connected"));
    views::StatusLine &line = m_window->statusLine();
    line.setItem(Item::Database, Severity::Good, tr("PostgreSQL %1").arg(models::latencyText(snapshot.latencyMicros)));
    const auto age = snapshot.stats.oldestDueAgeMs;
    const QString due = tr("%1 rows are due.").arg(models::countText(snapshot.stats.due));
    if (!age)
        line.setItem(Item::OldestDue, Severity::Good, tr("Nothing due"), due);
    else
        line.setItem(Item::OldestDue, *age > 60'000 ? Severity::Warning : Severity::Info,
                     tr("Oldest due %1").arg(models::durationText(*age / 1000 * 1000)), due);
}

} // namespace app
