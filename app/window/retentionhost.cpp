// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "retentionhost.h"

#include <views/dialogs/retentiondialog.h>
#include <views/pages/dispatcherpage.h>
#include <views/pages/retentionpanel.h>

#include <engine/watch/retentionfeed.h>

namespace app {

using engine::watch::RetentionFeed;
using views::RetentionDialog;

RetentionHost::RetentionHost(views::Theme &theme, engine::dispatch::Dispatcher &dispatcher, views::DispatcherPage &page,
                             QObject *parent)
    : QObject(parent)
    , m_theme(theme)
    , m_page(page)
{
    connect(&dispatcher, &engine::dispatch::Dispatcher::retentionChanged, &page.retention(),
            &views::RetentionPanel::setStatus);
    connect(&page.retention(), &views::RetentionPanel::previewWanted, this, &RetentionHost::showDialog);
    close();
}

RetentionHost::~RetentionHost() = default;

void RetentionHost::setRule(const std::optional<engine::outbox::RetentionRule> &rule)
{
    m_rule = rule;
    m_page.retention().setRule(rule);
}

void RetentionHost::open(const engine::config::ConnectionProfile &profile, const engine::outbox::Layout &layout)
{
    m_profile = profile;
    m_layout = layout;
    m_page.retention().setObstacle({});
}

void RetentionHost::close()
{
    m_layout.reset();
    m_feed.reset();
    if (m_dialog)
        m_dialog->close();
    m_page.retention().setObstacle(tr("Waiting for the connection."));
}

void RetentionHost::showDialog()
{
    const auto database = engine::sql::DatabaseUrl::parse(m_profile.databaseUrl);
    if (!m_layout || !m_rule || !database || m_dialog)
        return;
    m_feed = std::make_unique<RetentionFeed>(
        *database, *m_layout, m_profile.readOnly ? engine::sql::Access::ReadOnly : engine::sql::Access::ReadWrite);
    m_dialog = new RetentionDialog(m_theme, m_profile, *m_layout, *m_rule, m_zone, m_page.window());
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    const auto ask = [this] {
        if (m_feed)
            m_feed->requestPreview(m_rule->olderThan, engine::outbox::CountMode::Bounded);
    };
    connect(m_dialog, &RetentionDialog::previewWanted, this, ask);
    connect(m_dialog, &RetentionDialog::removeWanted, this,
            [this](const engine::outbox::RetentionRule &rule, bool untilNothingIsLeft) {
                if (m_feed)
                    m_feed->remove(rule, untilNothingIsLeft);
            });
    connect(m_dialog, &RetentionDialog::stopWanted, m_feed.get(), &RetentionFeed::stop);
    connect(m_feed.get(), &RetentionFeed::previewReady, m_dialog,
            [dialog = m_dialog](std::chrono::seconds, const engine::outbox::RetentionPreview &preview) {
                dialog->showPreview(preview);
            });
    connect(m_feed.get(), &RetentionFeed::failed, m_dialog, &RetentionDialog::showProblem);
    connect(m_feed.get(), &RetentionFeed::progressed, m_dialog, &RetentionDialog::showProgress);
    connect(m_feed.get(), &RetentionFeed::finished, m_dialog, &RetentionDialog::showFinished);
    // Closed while rows are removed: the run in progress is rolled back, those before it stand.
    connect(m_dialog, &QDialog::finished, this, [this] { m_feed.reset(); });
    m_dialog->open();
    ask();
}

} // namespace app
