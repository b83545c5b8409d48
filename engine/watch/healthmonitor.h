// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "metrics.h"
#include "readiness.h"

#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connectionthread.h>

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace engine::watch {

struct HealthOptions
{
    std::chrono::milliseconds drainLimit = std::chrono::seconds(60); // see Readiness
    std::chrono::milliseconds sampleEvery = std::chrono::seconds(15); // between two looks at table and Redis
};

// Watches one dispatcher for its health answers: follows its signals, and now and then asks the table for due rows
// and Redis for its eviction policy, over connections of its own that the dispatcher's work never waits for.
// Lives in the dispatcher's owner's thread.
class HealthMonitor final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HealthMonitor)

public:
    // `dispatcher` outlives the monitor and is started with `config`, by its owner.
    HealthMonitor(dispatch::Dispatcher &dispatcher, const dispatch::DispatcherConfig &config,
                  const HealthOptions &options, QObject *parent = nullptr);
    ~HealthMonitor() override;

    [[nodiscard]] QByteArray metrics() const { return m_metrics.text(); }
    [[nodiscard]] QList<HealthReason> reasons() const { return m_readiness.reasons(m_clock.elapsed()); }
    [[nodiscard]] bool isAlive() const { return m_readiness.isAlive(m_clock.elapsed()); }
    [[nodiscard]] dispatch::DispatcherState state() const { return m_readiness.state(); }
    [[nodiscard]] const QString &table() const { return m_table; }

private:
    void sample();
    void askRedis();

    const outbox::Layout m_layout;
    const std::chrono::seconds m_lease;
    const QString m_table;
    QElapsedTimer m_clock;
    Metrics m_metrics;
    Readiness m_readiness;
    bool m_lookPending = false;
    bool m_policyPending = false;
    QTimer m_timer;
    redis::Client m_redis;
    sql::ConnectionThread m_thread; // last, so that it ends first
};

} // namespace engine::watch
