// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/bullmq/inspector.h>
#include <engine/config/profile.h>

#include <QHash>
#include <QObject>

#include <memory>

namespace engine {
class SerialThread;
}

namespace engine::watch {

struct QueueSnapshot
{
    std::vector<bullmq::QueueState> queues;
    std::optional<std::vector<bullmq::WorkerState>> workers; // absent: the server does not let us see its clients
    bool complete = true; // false: the key space is large and was not looked through yet; ask again
    qint64 latencyMicros = 0; // of one PING just now
    QHash<QByteArray, qint64> failedLastDay; // jobs that failed for good within 24 hours, by queue
};

// The queues for a window; the same manners as OutboxFeed.
class QueueFeed final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(QueueFeed)

public:
    explicit QueueFeed(const config::ConnectionProfile &profile, QObject *parent = nullptr);
    ~QueueFeed() override;

    void requestSnapshot(); // then snapshotReady() or failed()
    void requestLatency(); // one PING; then latencyReady() or failed()

    // This console's own load on Redis.
    [[nodiscard]] const Traffic &traffic() const { return *m_traffic; }

signals:
    void snapshotReady(const engine::watch::QueueSnapshot &snapshot);
    void latencyReady(qint64 micros);
    void failed(const engine::Error &error);

private:
    struct Worker;
    std::shared_ptr<Worker> m_worker; // used in m_thread only
    bool m_snapshotPending = false;
    bool m_latencyPending = false;
    const std::shared_ptr<Traffic> m_traffic;
    std::unique_ptr<SerialThread> m_thread;
};

} // namespace engine::watch
