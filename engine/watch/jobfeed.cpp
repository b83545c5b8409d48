// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobfeed.h"

#include <engine/base/serialthread.h>

namespace engine::watch {

namespace {

constexpr std::chrono::milliseconds stepBudget{60}; // a page asked for meanwhile waits no longer

} // namespace

// The worker thread's side. Made and used there.
struct JobFeed::Worker
{
    config::ConnectionProfile profile;
    std::unique_ptr<redis::Client> client;
    std::shared_ptr<Traffic> traffic;

    [[nodiscard]] QByteArray prefix() const { return profile.queuePrefix.toUtf8(); }

    Result<redis::Client *> connected()
    {
        if (!client) {
            auto endpoint = redis::Endpoint::parse(profile.redisUrl);
            if (!endpoint)
                return fail(endpoint.error());
            client = std::make_unique<redis::Client>(*endpoint);
            client->countIn(traffic);
        }
        return client.get();
    }

    Result<JobSnapshot> page(const bullmq::JobPageRequest &request)
    {
        auto redis = connected();
        if (!redis)
            return fail(redis.error());
        auto page = bullmq::JobReader(**redis, prefix()).page(request);
        if (!page)
            return fail(page.error());
        auto states = bullmq::Inspector(**redis, prefix()).states({request.queue});
        if (!states)
            return fail(states.error());
        return JobSnapshot{std::move(*page), std::move(states->front())};
    }

    Result<bullmq::JobDetail> detail(const QByteArray &queue, const QByteArray &id)
    {
        auto redis = connected();
        if (!redis)
            return fail(redis.error());
        return bullmq::JobReader(**redis, prefix()).detail(queue, id);
    }

    Result<bullmq::JobSearchStep> step(const bullmq::JobSearchRequest &request, const bullmq::JobSearchCursor &cursor)
    {
        auto redis = connected();
        if (!redis)
            return fail(redis.error());
        return bullmq::JobSearch(**redis, prefix()).step(request, cursor, stepBudget);
    }
};

JobFeed::JobFeed(const config::ConnectionProfile &profile, QObject *parent)
    : QObject(parent)
    , m_worker(std::make_shared<Worker>())
    , m_traffic(std::make_shared<Traffic>())
    , m_thread(std::make_unique<SerialThread>(QStringLiteral("job read")))
{
    m_worker->profile = profile;
    m_worker->traffic = m_traffic;
}

JobFeed::~JobFeed()
{
    // The client lives in the worker thread and has to end there.
    m_thread->run([worker = m_worker] { worker->client.reset(); }).waitForFinished();
}

void JobFeed::answered()
{
    if (--m_pending == 0)
        emit idle();
}

void JobFeed::requestPage(const bullmq::JobPageRequest &request)
{
    ++m_pending;
    ++m_pagesPending;
    m_thread->run([worker = m_worker, request] { return worker->page(request); })
        .then(this, [this, request, generation = ++m_newestPage](const Result<JobSnapshot> &snapshot) {
            --m_pagesPending;
            if (generation == m_newestPage) {
                if (snapshot)
                    emit pageReady(request, *snapshot);
                else
                    emit pageFailed(request, snapshot.error());
            }
            answered();
        });
}

void JobFeed::requestDetail(const QByteArray &queue, const QByteArray &id)
{
    ++m_pending;
    m_thread->run([worker = m_worker, queue, id] { return worker->detail(queue, id); })
        .then(this, [this, queue, id, generation = ++m_newestDetail](const Result<bullmq::JobDetail> &detail) {
            if (generation == m_newestDetail) {
                if (detail)
                    emit detailReady(*detail);
                else
                    emit detailFailed(queue, id, detail.error());
            }
            answered();
        });
}

void JobFeed::startSearch(const bullmq::JobSearchRequest &request)
{
    ++m_search;
    m_cursor = {};
    m_progress = {};
    m_progress.request = request;
    m_running = true;
    m_stepPending = false; // the answer to a step of another search is dropped
    nextStep();
}

void JobFeed::stopSearch()
{
    if (!std::exchange(m_running, false))
        return;
    m_progress.found.clear();
    m_progress.running = false;
    emit searchProgressed(m_progress);
}

void JobFeed::resumeSearch()
{
    if (m_running || m_progress.done || m_progress.request.text.isEmpty())
        return;
    m_running = true;
    m_progress.running = true;
    nextStep();
}

void JobFeed::nextStep()
{
    if (std::exchange(m_stepPending, true))
        return; // one is on its way and goes on by itself
    ++m_pending;
    m_thread
        ->run([worker = m_worker, request = m_progress.request, cursor = m_cursor] {
            return worker->step(request, cursor);
        })
        .then(this, [this, generation = m_search](const Result<bullmq::JobSearchStep> &step) {
            if (generation == m_search) {
                m_stepPending = false;
                if (!step) {
                    m_running = false;
                    emit searchFailed(step.error());
                } else {
                    // Also of a search that was stopped meanwhile: what was looked at counts.
                    m_cursor = step->next;
                    m_progress.looked += step->looked;
                    m_progress.bytes += step->bytes;
                    m_progress.total = step->total;
                    m_progress.found = step->found;
                    m_progress.done = step->done;
                    m_running = m_running && !step->done;
                    m_progress.running = m_running;
                    emit searchProgressed(m_progress);
                    if (m_running)
                        nextStep();
                }
            }
            answered();
        });
}

} // namespace engine::watch
