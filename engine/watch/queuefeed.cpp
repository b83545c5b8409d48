// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuefeed.h"

#include <engine/base/serialthread.h>
#include <engine/bullmq/failures.h>

#include <QElapsedTimer>

#include <atomic>

namespace engine::watch {

namespace {

constexpr std::chrono::seconds callLimit{5};
constexpr std::chrono::seconds rediscoverInterval{20}; // a discovery scans the whole key space

} // namespace

// The worker thread's side. Made and used there.
struct QueueFeed::Worker
{
    config::ConnectionProfile profile;
    std::unique_ptr<redis::Client> client;
    std::vector<QByteArray> names;
    QElapsedTimer discovered;
    std::atomic<qint64> micros = 0; // spent on questions; read by the feed too

    Result<redis::Client *> connected()
    {
        if (!client) {
            auto endpoint = redis::Endpoint::parse(profile.redisUrl);
            if (!endpoint)
                return fail(endpoint.error());
            client = std::make_unique<redis::Client>(*endpoint);
        }
        return client.get();
    }

    template <typename Question>
    auto timed(Question question)
    {
        QElapsedTimer timer;
        timer.start();
        auto answer = question();
        micros += timer.nsecsElapsed() / 1000;
        return answer;
    }

    Result<qint64> latency()
    {
        auto redis = connected();
        if (!redis)
            return fail(redis.error());
        // The first exchange also connects; only a connection that stands can be measured.
        if (!(*redis)->isReady()) {
            if (auto opened = (*redis)->exchange(redis::Command{"PING"}, callLimit); !opened)
                return fail(opened.error());
        }
        QElapsedTimer timer;
        timer.start();
        auto pong = (*redis)->exchange(redis::Command{"PING"}, callLimit);
        if (!pong)
            return fail(pong.error());
        return timer.nsecsElapsed() / 1000;
    }

    Result<QueueSnapshot> snapshot()
    {
        auto measured = latency();
        if (!measured)
            return fail(measured.error());
        bullmq::Inspector inspector(*client, profile.queuePrefix.toUtf8());
        if (!discovered.isValid() || discovered.hasExpired(std::chrono::milliseconds(rediscoverInterval).count())) {
            auto found = inspector.discover();
            if (!found)
                return fail(found.error());
            names = std::move(*found);
            discovered.start();
        }
        auto states = inspector.states(names);
        if (!states)
            return fail(states.error());
        auto failed = bullmq::failedWithin(*client, profile.queuePrefix.toUtf8(), names, std::chrono::hours(24));
        if (!failed)
            return fail(failed.error());
        QueueSnapshot snapshot{std::move(*states), *measured, {}};
        snapshot.failedLastDay = std::move(*failed);
        return snapshot;
    }
};

QueueFeed::QueueFeed(const config::ConnectionProfile &profile, QObject *parent)
    : QObject(parent)
    , m_worker(std::make_shared<Worker>())
    , m_thread(std::make_unique<SerialThread>(QStringLiteral("queue read")))
{
    m_worker->profile = profile;
}

QueueFeed::~QueueFeed()
{
    // The client lives in the worker thread and has to end there.
    m_thread->run([worker = m_worker] { worker->client.reset(); }).waitForFinished();
}

qint64 QueueFeed::microsAnswering() const
{
    return m_worker->micros;
}

void QueueFeed::requestSnapshot()
{
    if (std::exchange(m_snapshotPending, true))
        return; // one is on its way and will be as fresh
    ++m_questions;
    m_thread->run([worker = m_worker] { return worker->timed([&] { return worker->snapshot(); }); })
        .then(this, [this](const Result<QueueSnapshot> &snapshot) {
            m_snapshotPending = false;
            if (snapshot)
                emit snapshotReady(*snapshot);
            else
                emit failed(snapshot.error());
        });
}

void QueueFeed::requestLatency()
{
    if (std::exchange(m_latencyPending, true))
        return;
    ++m_questions;
    m_thread->run([worker = m_worker] { return worker->timed([&] { return worker->latency(); }); })
        .then(this, [this](const Result<qint64> &latency) {
            m_latencyPending = false;
            if (latency)
                emit latencyReady(*latency);
            else
                emit failed(latency.error());
        });
}

} // namespace engine::watch
