// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuecontrol.h"

#include "session.h"

#include <views/pages/jobspage.h>
#include <views/pages/queuespage.h>
#include <views/shell/mainwindow.h>

using namespace Qt::StringLiterals;
using engine::watch::JobFeed;
using engine::watch::QueueFeed;
using views::JobsPage;

namespace app {

QueueControl::QueueControl(views::MainWindow &window, views::QueuesPage &queuesPage, JobsPage &jobsPage,
                           QObject *parent)
    : QObject(parent)
    , m_window(window)
    , m_queuesPage(queuesPage)
    , m_jobsPage(jobsPage)
{
    connect(&m_queuesPage, &views::QueuesPage::jobsWanted, this, [this](const QByteArray &queue) {
        m_jobsPage.openQueue(queue);
        m_window.setCurrentPage(u"jobs"_s);
        m_jobsPage.focusContent();
    });
    connect(&m_jobsPage, &JobsPage::pageWanted, this, [this](const engine::bullmq::JobPageRequest &request) {
        if (m_session)
            m_session->jobs().requestPage(request);
    });
    connect(&m_jobsPage, &JobsPage::detailWanted, this, [this](const QByteArray &queue, const QByteArray &id) {
        if (m_session)
            m_session->jobs().requestDetail(queue, id);
    });
    connect(&m_jobsPage, &JobsPage::searchWanted, this, [this](const engine::bullmq::JobSearchRequest &request) {
        if (m_session)
            m_session->jobs().startSearch(request);
    });
    connect(&m_jobsPage, &JobsPage::searchStopWanted, this, &QueueControl::rest);
    connect(&m_jobsPage, &JobsPage::searchResumeWanted, this, [this] {
        if (m_session)
            m_session->jobs().resumeSearch();
    });
}

void QueueControl::setSession(Session *session)
{
    if (m_session) {
        m_session->queues().disconnect(this);
        m_session->jobs().disconnect(&m_jobsPage);
    }
    m_session = session;
    if (!m_session)
        return;
    connect(&m_session->queues(), &QueueFeed::snapshotReady, this,
            [this](const engine::watch::QueueSnapshot &snapshot) { m_jobsPage.setQueueNames(snapshot.queues); });
    JobFeed *jobs = &m_session->jobs();
    connect(jobs, &JobFeed::pageReady, &m_jobsPage, &JobsPage::showPage);
    connect(jobs, &JobFeed::pageFailed, &m_jobsPage, &JobsPage::showPageError);
    connect(jobs, &JobFeed::detailReady, &m_jobsPage, &JobsPage::showDetail);
    connect(jobs, &JobFeed::detailFailed, &m_jobsPage, &JobsPage::showDetailError);
    connect(jobs, &JobFeed::searchProgressed, &m_jobsPage, &JobsPage::showSearch);
    connect(jobs, &JobFeed::searchFailed, &m_jobsPage, &JobsPage::showSearchError);
}

void QueueControl::tick()
{
    if (!m_session)
        return;
    if (m_session->jobs().isIdle())
        m_jobsPage.refreshDetail();
    if (const auto request = m_jobsPage.request())
        m_session->askJobsAgain(*request);
}

void QueueControl::rest()
{
    if (m_session)
        m_session->jobs().stopSearch();
}

} // namespace app
