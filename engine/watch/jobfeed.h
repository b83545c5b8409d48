// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/bullmq/inspector.h>
#include <engine/bullmq/jobreader.h>
#include <engine/bullmq/jobsearch.h>
#include <engine/config/profile.h>

#include <QObject>

#include <memory>

namespace engine {
class SerialThread;
}

namespace engine::watch {

// A page of jobs and, of the same moment, the figures of their queue.
struct JobSnapshot
{
    bullmq::JobPage page;
    bullmq::QueueState queue;
};

// How far a search has come.
struct JobSearchProgress
{
    bullmq::JobSearchRequest request;
    std::vector<bullmq::JobSummary> found; // since the last report
    qint64 looked = 0; // jobs looked at since the search began
    qint64 total = 0; // jobs in the state that is being looked through
    qint64 bytes = 0; // of data read since the search began
    bool running = true;
    bool done = false; // false and not running: stopped, and can be resumed
};

// The jobs of one queue for a window; the same manners as OutboxFeed. A search runs in short steps, between which
// pages and details are answered.
class JobFeed final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobFeed)

public:
    explicit JobFeed(const config::ConnectionProfile &profile, QObject *parent = nullptr);
    ~JobFeed() override;

    void requestPage(const bullmq::JobPageRequest &request); // then pageReady() or pageFailed()
    void requestDetail(const QByteArray &queue, const QByteArray &id); // then detailReady() or detailFailed()
    void startSearch(const bullmq::JobSearchRequest &request); // then searchProgressed() until done, or searchFailed()
    void stopSearch(); // searchProgressed() says so, if one was running
    void resumeSearch(); // where it was stopped
    [[nodiscard]] bool isSearching() const { return m_running; }

    [[nodiscard]] bool isIdle() const { return m_pending == 0; } // no answer is awaited
    [[nodiscard]] bool isPagePending() const { return m_pagesPending > 0; }
    // This console's own load on Redis.
    [[nodiscard]] const Traffic &traffic() const { return *m_traffic; }

signals:
    void pageReady(const engine::bullmq::JobPageRequest &request, const engine::watch::JobSnapshot &snapshot);
    void pageFailed(const engine::bullmq::JobPageRequest &request, const engine::Error &error);
    void detailReady(const engine::bullmq::JobDetail &detail);
    void detailFailed(const QByteArray &queue, const QByteArray &id, const engine::Error &error);
    void searchProgressed(const engine::watch::JobSearchProgress &progress);
    void searchFailed(const engine::Error &error);
    void idle();

private:
    struct Worker;
    void nextStep();
    void answered();

    std::shared_ptr<Worker> m_worker; // used in m_thread only
    quint64 m_newestPage = 0; // generations: an answer to an older question is dropped
    quint64 m_newestDetail = 0;
    quint64 m_search = 0;
    bullmq::JobSearchCursor m_cursor;
    JobSearchProgress m_progress;
    bool m_running = false;
    bool m_stepPending = false;
    int m_pending = 0;
    int m_pagesPending = 0;
    const std::shared_ptr<Traffic> m_traffic;
    std::unique_ptr<SerialThread> m_thread;
};

} // namespace engine::watch
