// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "stores.h"

#include <engine/bullmq/discovery.h>
#include <engine/dispatch/queuedestination.h>
#include <engine/outbox/discovery.h>
#include <engine/workflow/executiondiscovery.h>

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QSet>

#include <algorithm>

namespace engine::trace {

namespace {

constexpr std::chrono::seconds pingLimit{5};
constexpr std::chrono::seconds discoveryLimit{4};
constexpr qint64 rediscoverAfterMs = 30'000;

qint64 monotonicMs()
{
    return QDeadlineTimer::current().deadline();
}

} // namespace

Stores::Stores(Options options)
    : m_options(std::move(options))
    , m_router(m_options.router.value_or(dispatch::Router::builtIn(outbox::LayoutKind::Event)))
{ }

Result<void> Stores::open()
{
    if (m_database && m_database->isBroken())
        m_database.reset();
    if (!m_database || !m_outbox || !m_executions)
        openDatabase();
    openRedis();
    for (const auto &fault : {m_databaseFault, m_outboxFault, m_executionsFault, m_redisFault}) {
        if (fault && fault->code == ErrorCode::Cancelled)
            return fail(*fault);
    }
    return {};
}

void Stores::openDatabase()
{
    m_databaseFault.reset();
    if (!m_database) {
        m_outbox.reset();
        m_executions.reset();
        auto url = sql::DatabaseUrl::parse(m_options.profile.databaseUrl);
        if (!url) {
            m_databaseFault = url.error();
            return;
        }
        sql::ConnectOptions options;
        options.url = *url;
        options.access = sql::Access::ReadOnly;
        options.applicationName = "outbox-console trace";
        options.interrupter = m_options.interrupter;
        options.traffic = m_options.databaseTraffic;
        auto opened = sql::Connection::open(options);
        if (!opened) {
            m_databaseFault = opened.error();
            return;
        }
        m_database = std::move(*opened);
    }
    const QString schema = m_database->options().url.schema;
    if (!m_outbox) {
        m_outboxFault.reset();
        if (auto found = outbox::discover(*m_database, m_options.profile.table, schema)) {
            m_outbox = std::move(*found);
            m_router = m_options.router.value_or(dispatch::Router::builtIn(m_outbox->kind));
        } else {
            m_outboxFault = found.error();
        }
    }
    if (!m_executions) {
        m_executionsFault.reset();
        // The executions usually live beside the outbox.
        const QString beside = m_outbox ? QString::fromUtf8(m_outbox->schema) : schema;
        if (auto found = workflow::discover(*m_database, m_options.executionsTable, beside))
            m_executions = std::move(*found);
        else
            m_executionsFault = found.error();
    }
}

void Stores::openRedis()
{
    m_redisFault.reset();
    if (!m_redis) {
        auto endpoint = redis::Endpoint::parse(m_options.profile.redisUrl);
        if (!endpoint) {
            m_redisFault = endpoint.error();
            return;
        }
        m_redis = std::make_unique<redis::Client>(*endpoint);
        m_redis->countIn(m_options.redisTraffic);
    }
    auto pong = m_redis->exchange(redis::Command{"PING"}, pingLimit);
    if (pong && pong->isError())
        pong = fail(redis::replyError(*pong, m_redis->endpoint().display));
    if (!pong) {
        m_redisFault = pong.error();
        m_redis.reset();
        m_queuesComplete.reset();
    }
}

QByteArray Stores::jobIdOf(const QByteArray &rowId) const
{
    return dispatch::QueueDestination::jobIdFor(m_options.jobIdTemplate, rowId);
}

QByteArray Stores::rowIdIn(const QByteArray &jobId) const
{
    return dispatch::QueueDestination::rowIdIn(m_options.jobIdTemplate, jobId);
}

QByteArray Stores::queueOf(const QByteArray &eventType) const
{
    return m_router.queueFor(eventType).value_or(QByteArray());
}

Result<std::vector<QByteArray>> Stores::queues(bool *complete)
{
    if (!m_redis)
        return fail(m_redisFault.value_or(Error()));
    if (!m_queuesComplete || monotonicMs() - m_queuesAt > rediscoverAfterMs) {
        std::vector<QByteArray> likely = m_queues;
        for (const dispatch::Route &route : m_router.routes())
            likely.push_back(route.queue);
        bullmq::Discovery discovery(*m_redis, prefix());
        if (auto tried = discovery.tryFirst(likely); !tried)
            return fail(tried.error());
        const QDeadlineTimer deadline(discoveryLimit);
        while (!discovery.isComplete() && !deadline.hasExpired()) {
            if (auto gone = discovery.step(std::chrono::milliseconds(200)); !gone)
                return fail(gone.error());
        }
        m_queues = discovery.names();
        m_queuesComplete = discovery.isComplete();
        m_queuesAt = monotonicMs();
    }
    if (complete)
        *complete = *m_queuesComplete;
    return m_queues;
}

} // namespace engine::trace
