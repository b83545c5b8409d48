// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "healthmonitor.h"

#include <engine/bullmq/serverpolicy.h>

namespace engine::watch {

using dispatch::Dispatcher;

namespace {

sql::ConnectOptions connectOptions(const sql::DatabaseUrl &database)
{
    sql::ConnectOptions options;
    options.url = database;
    options.access = sql::Access::ReadOnly;
    options.applicationName = "outbox-console health";
    options.connectTimeout = std::chrono::seconds(5);
    options.callTimeout = std::chrono::seconds(10);
    return options;
}

} // namespace

HealthMonitor::HealthMonitor(Dispatcher &dispatcher, const dispatch::DispatcherConfig &config,
                             const HealthOptions &options, QObject *parent)
    : QObject(parent)
    , m_layout(config.layout)
    , m_lease(config.lease)
    , m_table(config.layout.displayName())
    , m_metrics(config.layout)
    , m_readiness(options.drainLimit)
    , m_timer(this)
    , m_redis(config.redis, this)
    , m_thread(connectOptions(config.database), QStringLiteral("outbox health"))
{
    m_clock.start();
    m_redis.setTimeouts(std::chrono::seconds(5), std::chrono::seconds(5));
    connect(&dispatcher, &Dispatcher::progressed, this, [this](const dispatch::Progress &progress) {
        m_metrics.setProgress(progress);
        m_readiness.setProgress(progress, m_clock.elapsed());
    });
    connect(&dispatcher, &Dispatcher::retentionChanged, this,
            [this](const dispatch::RetentionStatus &status) { m_metrics.setRetention(status); });
    connect(&m_redis, &redis::Client::ready, this, &HealthMonitor::askRedis);
    m_timer.setInterval(options.sampleEvery);
    connect(&m_timer, &QTimer::timeout, this, &HealthMonitor::sample);
    m_timer.start();
    sample();
}

HealthMonitor::~HealthMonitor()
{
    m_redis.disconnect(this);
}

void HealthMonitor::sample()
{
    // A Redis that is away is the dispatcher's to report; here it is only tried again.
    if (m_redis.isReady())
        askRedis();
    else
        m_redis.open();

    if (std::exchange(m_lookPending, true))
        return;
    m_thread
        .run([layout = m_layout, lease = m_lease](sql::Connection &connection) {
            return outbox::lookAtDue(connection, layout, lease);
        })
        .then(this, [this](const Result<outbox::DueLook> &look) {
            m_lookPending = false;
            m_metrics.setDue(look);
            m_readiness.setDue(look, m_clock.elapsed());
        });
}

void HealthMonitor::askRedis()
{
    if (std::exchange(m_policyPending, true))
        return;
    bullmq::checkEvictionPolicy(m_redis, [this](const Result<void> &policy) {
        m_policyPending = false;
        m_readiness.setEviction(policy);
    });
}

} // namespace engine::watch
