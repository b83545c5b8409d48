// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/config/handoversettings.h>
#include <engine/config/profile.h>
#include <engine/trace/reconciler.h>
#include <engine/trace/trace.h>

#include <QObject>

#include <memory>

namespace engine {
class SerialThread;
}

namespace engine::watch {

// Traces and comparisons for a window, in one worker thread with a database connection and a Redis client of its own,
// which are opened by the first question. A trace asked for while a comparison runs is done between two of its steps.
class TraceFeed final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TraceFeed)

public:
    explicit TraceFeed(const config::ConnectionProfile &profile, config::HandoverSettings handover = {},
                       QObject *parent = nullptr);
    ~TraceFeed() override; // waits for the running step; isIdle() says whether there is one

    // Then traced() or traceFailed(). Only the newest question is answered.
    void requestTrace(const QByteArray &id);

    // Then compared() after every step, and at the end. An unfinished comparison is given up. With a token it goes on
    // where an earlier one stopped.
    void startComparison(const trace::ReconcileRequest &request);
    // Ends after the running step; compared() has the token to go on with.
    void stopComparison();
    [[nodiscard]] bool isComparing() const { return m_comparing; }

    // Whether the worker has nothing to do: then destruction does not wait.
    [[nodiscard]] bool isIdle() const { return m_pending == 0; }
    // Interrupts the database's part of what runs, and ends a comparison. Final: nothing can be asked afterwards.
    void interrupt();
    // This console's own load on the servers.
    [[nodiscard]] const Traffic &databaseTraffic() const { return *m_databaseTraffic; }
    [[nodiscard]] const Traffic &redisTraffic() const { return *m_redisTraffic; }

signals:
    void traced(const engine::trace::Trace &trace);
    void traceFailed(const engine::Error &error);
    // `running`: further steps follow.
    void compared(const engine::trace::ReconcileProgress &progress, bool running);
    void comparisonFailed(const engine::Error &error); // stopped; the last compared() says where
    void becameIdle();

private:
    struct Worker;
    void takeStep(quint64 generation);
    void answered();

    std::shared_ptr<Worker> m_worker; // used in m_thread only
    std::shared_ptr<sql::Interrupter> m_interrupter;
    quint64 m_newestTrace = 0; // generations
    quint64 m_comparison = 0;
    bool m_comparing = false;
    bool m_stopWanted = false;
    bool m_over = false;
    int m_pending = 0;
    const std::shared_ptr<Traffic> m_databaseTraffic, m_redisTraffic;
    std::unique_ptr<SerialThread> m_thread;
};

} // namespace engine::watch
