// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowcontroller.h"

#include <views/pages/dispatcherpage.h>
#include <views/shell/mainwindow.h>
#include <views/shell/statusline.h>

#include <QSettings>

using namespace Qt::StringLiterals;
using engine::dispatch::DispatcherState;
using models::Severity;
using Item = views::StatusLine::Item;

// The dispatcher inside the window: when it starts, and how it shows.
namespace app {

bool WindowController::startsByItself() const
{
    if (m_profile.readOnly || m_dispatcher.progress().state != DispatcherState::Stopped)
        return false;
    if (m_dispatcherSettings->enabled)
        return true;
    // An attached database is never dispatched without being asked for; the sandbox is there to be seen at work.
    return m_profile.sandbox && qEnvironmentVariableIsEmpty("OUTBOX_DISPATCHER_ENABLED")
        && m_settings.value(u"dispatcher/sandboxStart"_s, true).toBool();
}

void WindowController::startDispatcher()
{
    if (m_profile.readOnly || !m_layout || !m_dispatcherSettings)
        return;
    const auto database = engine::sql::DatabaseUrl::parse(m_profile.databaseUrl);
    const auto redis = engine::redis::Endpoint::parse(m_profile.redisUrl);
    if (!database || !redis) {
        m_dispatcherPage->showFailure(database ? redis.error() : database.error());
        return;
    }
    const auto order = engine::outbox::OrderRule::parse(m_dispatcherSettings->orderBy, m_dispatcherSettings->orderDead);
    if (!order) {
        m_dispatcherPage->showFailure(order.error());
        return;
    }
    engine::dispatch::DispatcherConfig config;
    config.order = *order;
    config.database = *database;
    config.redis = *redis;
    config.layout = *m_layout;
    config.router = m_router;
    config.settings = *m_dispatcherSettings;
    config.queuePrefix = m_profile.queuePrefix.toUtf8();
    config.jobIdTemplate = m_options.handover.jobIdTemplate;
    m_dispatcher.start(config);
}

void WindowController::stopDispatcher()
{
    if (m_profile.sandbox)
        m_settings.setValue(u"dispatcher/sandboxStart"_s, false);
    m_dispatcher.stop();
}

void WindowController::showProgress(const engine::dispatch::Progress &progress)
{
    m_dispatcherPage->showProgress(progress);
    views::StatusLine &line = m_window->statusLine();
    switch (progress.state) {
    case DispatcherState::Stopped:
        line.setItem(Item::Dispatcher, Severity::Muted, tr("Dispatcher not running here"));
        break;
    case DispatcherState::Starting:
        line.setItem(Item::Dispatcher, Severity::Info, tr("Dispatcher starting"));
        break;
    case DispatcherState::Running:
        line.setItem(Item::Dispatcher, Severity::Good, tr("Dispatcher running"));
        break;
    case DispatcherState::Recovering:
        line.setItem(Item::Dispatcher, Severity::Warning, tr("Dispatcher recovering"), progress.trouble);
        break;
    case DispatcherState::Stopping:
        line.setItem(Item::Dispatcher, Severity::Info, tr("Dispatcher stopping"));
        break;
    }
}

} // namespace app
