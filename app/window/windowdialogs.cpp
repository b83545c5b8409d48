// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowcontroller.h"

#include "investigation.h"
#include "session.h"
#include "watcher.h"

#include <views/dialogs/composedialog.h>
#include <views/dialogs/connectdialog.h>
#include <views/dialogs/finddialog.h>
#include <views/pages/jobspage.h>
#include <views/pages/outboxpage.h>
#include <views/shell/mainwindow.h>
#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/urlsecret.h>

#include <QSettings>

using namespace Qt::StringLiterals;
using engine::config::ConnectionProfile;
using views::ComposeDialog;
using views::ConnectDialog;

// The dialogs of the window: composing an event, and choosing, testing and saving connections.
namespace app {

void WindowController::openCompose(const std::optional<engine::outbox::NewEvent> &event)
{
    if (m_profile.readOnly || !m_layout || !m_session)
        return;
    m_compose = new ComposeDialog(m_theme, m_profile, *m_layout, m_router, m_window.get());
    m_compose->setAttribute(Qt::WA_DeleteOnClose);
    if (event)
        m_compose->prefill(*event);
    connect(m_compose, &ComposeDialog::publishWanted, this, [this](const engine::outbox::NewEvent &wanted) {
        if (m_session)
            m_session->outbox().publish(wanted);
    });
    m_compose->open();
}

void WindowController::openFind()
{
    if (m_find)
        return;
    using Kind = models::FindEntry::Kind;
    std::vector<models::FindEntry> pages, actions, queues;
    for (const auto &entry : m_actions.entries()) {
        if (!entry.action || !entry.action->isEnabled() || entry.id == u"find" || entry.id == u"menu")
            continue;
        const bool isPage = entry.id.startsWith(u"page-");
        QString title = entry.action->text();
        const QString keys = entry.action->shortcut().toString(QKeySequence::NativeText);
        (isPage ? pages : actions)
            .push_back({isPage ? Kind::Page : Kind::Action,
                        isPage ? entry.id.mid(5) : entry.id,
                        title.remove(u'…').remove(u'&'),
                        keys,
                        {}});
    }
    for (const QByteArray &queue : m_watcher->queueNames())
        queues.push_back({Kind::Queue, QString::fromUtf8(queue), QString::fromUtf8(queue), {}, {}});
    for (const auto *more : {&queues, &actions})
        pages.insert(pages.end(), more->begin(), more->end());
    m_find = new views::FindDialog(m_theme, std::move(pages), true, true, m_window.get());
    m_find->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_find, &views::FindDialog::chosen, this, &WindowController::goTo);
    m_find->open();
}

void WindowController::goTo(const models::FindEntry &entry)
{
    using Kind = models::FindEntry::Kind;
    switch (entry.kind) {
    case Kind::Page:
        m_window->setCurrentPage(entry.id);
        m_window->page(entry.id)->focusContent();
        break;
    case Kind::Action:
        if (QAction *action = m_actions.action(entry.id))
            action->trigger();
        break;
    case Kind::Queue:
        m_window->setCurrentPage(u"queues"_s);
        m_window->page(u"queues"_s)->reveal(entry.id);
        break;
    case Kind::Trace:
        m_investigation->trace(entry.id.toUtf8());
        break;
    case Kind::Row:
        m_window->setCurrentPage(u"outbox"_s);
        m_outboxPage->reveal(entry.id);
        break;
    case Kind::Job:
        m_window->setCurrentPage(u"jobs"_s);
        m_jobsPage->openJob(entry.queue.toUtf8(), entry.id.toUtf8());
        break;
    }
}

void WindowController::openConnectDialog()
{
    if (m_connect)
        return;
    m_connect = new ConnectDialog(m_theme, m_window.get());
    m_connect->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_connect, &ConnectDialog::connectWanted, this, &WindowController::connectTo);
    connect(m_connect, &ConnectDialog::testWanted, this, &WindowController::testProfile);
    connect(m_connect, &ConnectDialog::saveWanted, this, &WindowController::saveProfile);
    connect(m_connect, &ConnectDialog::removeWanted, this, &WindowController::removeProfile);
    connect(m_connect, &ConnectDialog::secretsWanted, this, &WindowController::fetchSecrets);
    m_connect->setProfiles(m_profiles.all(), m_profile.name);
    m_connect->open();
}

void WindowController::testProfile(const ConnectionProfile &profile)
{
    const quint64 generation = ++m_testGeneration;
    m_doctor.run([profile] { return engine::watch::examine(profile); })
        .then(this, [this, generation](const QList<engine::watch::Finding> &findings) {
            if (m_connect && generation == m_testGeneration)
                m_connect->showFindings(findings);
        });
}

void WindowController::saveProfile(const ConnectionProfile &profile, const QString &previousName)
{
    m_profiles.save(profile, previousName);
    if (!previousName.isEmpty() && previousName != profile.name) {
        for (const QString &part : {u"/postgresql"_s, u"/redis"_s})
            m_secrets.remove(previousName + part, this, [](const engine::Result<void> &) {});
    }
    if (m_connect)
        m_connect->setProfiles(m_profiles.all(), profile.name);
    const auto answer = [this](const engine::Result<void> &result) {
        if (m_connect)
            m_connect->showSaved(result ? nullptr : &result.error());
    };
    const QString database = models::splitSecret(profile.databaseUrl).password;
    const QString redis = models::splitSecret(profile.redisUrl).password;
    const auto store = [this](const QString &key, const QString &secret,
                              engine::secrets::SecretStore::DoneAnswer done) {
        // A password that was emptied is forgotten; where there never was one, no keyring is needed.
        if (secret.isEmpty())
            m_secrets.remove(key, this, [done](const engine::Result<void> &) { done({}); });
        else
            m_secrets.write(key, secret, this, std::move(done));
    };
    store(profile.name + u"/postgresql"_s, database, [=, name = profile.name](const engine::Result<void> &first) {
        if (!first)
            answer(first);
        else
            store(name + u"/redis"_s, redis, answer);
    });
}

void WindowController::removeProfile(const QString &name)
{
    m_profiles.remove(name);
    for (const QString &part : {u"/postgresql"_s, u"/redis"_s})
        m_secrets.remove(name + part, this, [](const engine::Result<void> &) {});
    if (m_connect)
        m_connect->setProfiles(m_profiles.all(), m_profile.name);
}

void WindowController::fetchSecrets(const QString &name)
{
    m_secrets.read(name + u"/postgresql"_s, this, [this, name](const engine::Result<QString> &database) {
        m_secrets.read(name + u"/redis"_s, this, [this, name, database](const engine::Result<QString> &redis) {
            if (m_connect)
                m_connect->showSecrets(name, database.value_or(QString()), redis.value_or(QString()));
        });
    });
}

} // namespace app
