// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "investigation.h"

#include "session.h"

#include <views/pages/executionspage.h>
#include <views/pages/outboxpage.h>
#include <views/pages/reconcilepage.h>
#include <views/pages/tracepage.h>
#include <views/shell/mainwindow.h>

using namespace Qt::StringLiterals;
using engine::watch::ExecutionFeed;
using engine::watch::TraceFeed;
using views::ExecutionsPage;
using views::ReconcilePage;
using views::TracePage;

namespace app {

Investigation::Investigation(views::MainWindow &window, const views::Theme &theme, views::ActionRegistry &actions,
                             views::OutboxPage &outbox)
    : m_window(window)
    , m_executions(new ExecutionsPage(theme, actions))
    , m_trace(new TracePage(theme, actions))
    , m_reconcile(new ReconcilePage(theme, actions))
{
    connect(&outbox, &views::OutboxPage::traceWanted, this, &Investigation::trace);
    connect(m_executions, &ExecutionsPage::traceWanted, this, &Investigation::trace);
    connect(m_executions, &ExecutionsPage::retryWanted, this, [this] { refresh(true); });
    connect(m_executions, &ExecutionsPage::pageWanted, this, [this](const engine::workflow::ExecutionRequest &request) {
        if (m_session)
            m_session->executions().requestPage(request);
    });
    connect(m_executions, &ExecutionsPage::detailWanted, this, [this](const QByteArray &id) {
        if (m_session)
            m_session->executions().requestDetail(id);
    });
    connect(m_trace, &TracePage::traceWanted, this, [this](const QByteArray &id) {
        if (m_session)
            m_session->trace().requestTrace(id);
    });
    connect(m_reconcile, &ReconcilePage::traceWanted, this, &Investigation::trace);
    connect(m_reconcile, &ReconcilePage::startWanted, this, [this](const engine::trace::ReconcileRequest &request) {
        if (m_session)
            m_session->trace().startComparison(request);
    });
    connect(m_reconcile, &ReconcilePage::stopWanted, this, [this] {
        if (m_session)
            m_session->trace().stopComparison();
    });
}

void Investigation::addTracePages()
{
    m_window.addPage(u"trace"_s, tr("Trace"), u"trace"_s, m_trace);
    m_window.addPage(u"reconcile"_s, tr("Reconcile"), u"reconcile"_s, m_reconcile);
}

void Investigation::addExecutionsPage()
{
    m_window.addPage(u"executions"_s, tr("Executions"), u"executions"_s, m_executions);
}

void Investigation::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    m_executions->setProfile(profile);
    m_trace->setProfile(profile);
    m_reconcile->setProfile(profile, false);
}

void Investigation::setSession(Session *session)
{
    if (m_session) {
        // Nothing of it may reach the window any more.
        for (QObject *receiver : std::initializer_list<QObject *>{this, m_executions, m_trace, m_reconcile}) {
            m_session->executions().disconnect(receiver);
            m_session->trace().disconnect(receiver);
        }
    }
    m_session = session;
    m_reconcile->setConnected(session != nullptr);
    if (session)
        wireSession();
}

void Investigation::wireSession()
{
    ExecutionFeed *executions = &m_session->executions();
    connect(executions, &ExecutionFeed::snapshotReady, m_executions,
            [this](const engine::watch::ExecutionSnapshot &snapshot) {
                m_executions->showStats(snapshot.layout.displayName(), snapshot.stats);
                m_reconcile->setNow(snapshot.stats.databaseTime);
            });
    connect(executions, &ExecutionFeed::pageReady, m_executions, &ExecutionsPage::showPage);
    connect(executions, &ExecutionFeed::detailReady, m_executions, &ExecutionsPage::showDetail);
    connect(executions, &ExecutionFeed::detailFailed, m_executions, &ExecutionsPage::showDetailError);
    connect(executions, &ExecutionFeed::failed, m_executions, &ExecutionsPage::showError);
    TraceFeed *trace = &m_session->trace();
    connect(trace, &TraceFeed::traced, m_trace, &TracePage::showTrace);
    connect(trace, &TraceFeed::traceFailed, m_trace, &TracePage::showError);
    connect(trace, &TraceFeed::compared, m_reconcile, &ReconcilePage::showProgress);
    connect(trace, &TraceFeed::comparisonFailed, m_reconcile, &ReconcilePage::showError);
}

void Investigation::showError(const engine::Error &error)
{
    m_executions->showError(error);
}

void Investigation::refresh(bool all)
{
    if (!m_session || m_window.currentPage() != u"executions"_s)
        return;
    // The statuses first: the page's question needs the database's time for a time range.
    m_session->askExecutionStats();
    if (all)
        m_executions->refresh();
    else
        m_session->askExecutionsAgain(m_executions->request());
}

void Investigation::rest()
{
    if (m_session && m_session->trace().isComparing())
        m_session->trace().stopComparison();
}

void Investigation::trace(const QByteArray &id)
{
    if (id.isEmpty())
        return;
    m_window.setCurrentPage(u"trace"_s);
    m_trace->traceId(id);
    m_trace->focusContent();
}

} // namespace app
