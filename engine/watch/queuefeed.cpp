// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuefeed.h"

#include <engine/base/serialthread.h>
#include <engine/bullmq/discovery.h>
#include <engine/bullmq/failures.h>
#include <engine/dispatch/router.h>

#include <QElapsedTimer>

#include <algorithm>

namespace engine::watch {

namespace {

constexpr std::chrono::seconds callLimit{5};
constexpr qint64 rediscoverMs = 20'000; // a discovery looks through the whole key space
constexpr qint64 rediscoverShare = 200; // ... and takes no more than this part of the time
constexpr std::chrono::milliseconds discoveryBudget{80}; // of one snapshot, so that the first is there soon

// What is likely to be there: looked for by name before the key space is.
std::vector<QByteArray> usualQueues()
{
    std::vector<QByteArray> names{"toolctrl.email", "toolctrl.plugin-invoke"};
    for (const auto kind : {outbox::LayoutKind::Event, outbox::LayoutKind::Message}) {
        const dispatch::Router router = dispatch::Router::builtIn(kind);
        for (const dispatch::Route &route : router.routes())
            names.push_back(route.queue);
    }
    return names;
}

} // namespace

// The worker thread's side. Made and used there.
struct QueueFeed::Worker
{
    config::ConnectionProfile profile;
    std::unique_ptr<redis::Client> client;
    std::vector<QByteArray> names;
    std::unique_ptr<bullmq::Discovery> discovery; // under way
    qint64 discoveryMs = 0; // spent on it
    qint64 restMs = 0; // before the next
    QElapsedTimer discovered;
    std::shared_ptr<Traffic> traffic;

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
        if (auto found = discover(); !found)
            return fail(found.error());
        auto overview = bullmq::Inspector(*client, prefix()).overview(names);
        if (!overview)
            return fail(overview.error());
        auto failed = bullmq::failedWithin(*client, prefix(), names, std::chrono::hours(24));
        if (!failed)
            return fail(failed.error());
        return QueueSnapshot{std::move(overview->queues), std::move(overview->workers), !discovery, *measured,
                             std::move(*failed)};
    }

    [[nodiscard]] QByteArray prefix() const { return profile.queuePrefix.toUtf8(); }

    // One step of finding the queues, unless they were found a short while ago.
    Result<void> discover()
    {
        if (!discovery) {
            if (discovered.isValid() && !discovered.hasExpired(restMs))
                return {};
            discovery = std::make_unique<bullmq::Discovery>(*client, prefix());
            discoveryMs = 0;
            if (names.empty()) {
                if (auto tried = discovery->tryFirst(usualQueues()); !tried)
                    return tried;
            }
        }
        QElapsedTimer timer;
        timer.start();
        if (auto stepped = discovery->step(discoveryBudget); !stepped)
            return stepped;
        discoveryMs += timer.elapsed();
        std::vector<QByteArray> found = discovery->names();
        if (discovery->isComplete()) {
            names = std::move(found);
            discovery.reset();
            restMs = std::max(rediscoverMs, discoveryMs * rediscoverShare);
            discovered.start();
            return {};
        }
        // Until all keys were seen, a queue that is not found again is not gone.
        std::vector<QByteArray> all;
        std::ranges::set_union(names, found, std::back_inserter(all));
        names = std::move(all);
        return {};
    }
};

QueueFeed::QueueFeed(const config::ConnectionProfile &profile, QObject *parent)
    : QObject(parent)
    , m_worker(std::make_shared<Worker>())
    , m_traffic(std::make_shared<Traffic>())
    , m_thread(std::make_unique<SerialThread>(QStringLiteral("queue read")))
{
    m_worker->profile = profile;
    m_worker->traffic = m_traffic;
}

QueueFeed::~QueueFeed()
{
    // The client lives in the worker thread and has to end there.
    m_thread
        ->run([worker = m_worker] {
            worker->discovery.reset();
            worker->client.reset();
        })
        .waitForFinished();
}

void QueueFeed::requestSnapshot()
{
    if (std::exchange(m_snapshotPending, true))
        return; // one is on its way and will be as fresh
    m_thread->run([worker = m_worker] { return worker->snapshot(); })
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
    m_thread->run([worker = m_worker] { return worker->latency(); }).then(this, [this](const Result<qint64> &latency) {
        m_latencyPending = false;
        if (latency)
            emit latencyReady(*latency);
        else
            emit failed(latency.error());
    });
}

} // namespace engine::watch
