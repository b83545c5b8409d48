// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "postgresserver.h"

namespace engine::sandbox {

struct RedisOptions
{
    QString program;
    Account account;
    QString dataFolder; // a private folder of the account
    QString socketFile;
    QString logFile;
    quint16 port = 0; // also listens on 127.0.0.1 there; 0: on the unix socket only
    QString password; // empty: none is asked for
    bool durable = true; // append-only file; false: nothing is kept
    QList<Setting> settings; // on top of, and before, the server's own
};

// One private Redis as a child of this thread. Never evicts: queues must not lose jobs.
class RedisServer final
{
public:
    explicit RedisServer(RedisOptions options);

    [[nodiscard]] Result<void> launch();
    // Waits until it answers, its data loaded. Errors: Failed (it ended, with its last words), Timeout.
    [[nodiscard]] Result<void> waitUntilReady(const QDeadlineTimer &deadline);
    void ask() { m_process.ask(); }
    void stop() { m_process.stop(); }
    void kill() { m_process.kill(); }

    [[nodiscard]] qint64 pid() const { return m_process.pid(); }
    [[nodiscard]] const RedisOptions &options() const { return m_options; }
    [[nodiscard]] QString socketUrl(int database = 0) const;
    [[nodiscard]] QString tcpUrl(int database = 0) const; // only if there is a port

private:
    const RedisOptions m_options;
    ServerProcess m_process;
};

} // namespace engine::sandbox
