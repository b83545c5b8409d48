// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "serverprocess.h"
#include "serverprograms.h"

#include <QDeadlineTimer>
#include <QList>

namespace engine::sandbox {

using Setting = std::pair<QString, QString>; // a server setting: name, value

struct PostgresOptions
{
    PostgresPrograms programs;
    Account account;
    QString dataFolder;
    QString socketFolder; // a private folder of the account; short, see socketPathFits()
    QString logFile;
    quint16 port = 0; // also listens on 127.0.0.1 there; 0: on the unix socket only
    QString password; // of the role, asked for over TCP; set by create()
    bool durable = true; // false: no fsync anywhere, for data that are thrown away
    QList<Setting> settings; // on top of, and before, the server's own
};

// One private PostgreSQL: a cluster in a folder, and a server on it as a child of this thread. The superuser is
// called `outbox`; it needs no password on the unix socket, which only the account and root can reach.
class PostgresServer final
{
public:
    explicit PostgresServer(PostgresOptions options);

    // Makes the cluster in dataFolder, which must be an empty folder of the account. Errors: Failed.
    [[nodiscard]] Result<void> create();
    // Starts the server; returns at once.
    [[nodiscard]] Result<void> launch();
    // Waits until the server takes connections. Errors: Failed (it ended, with its last words), Timeout.
    [[nodiscard]] Result<void> waitUntilReady(const QDeadlineTimer &deadline);
    // Makes a database unless there is one of that name.
    [[nodiscard]] Result<void> ensureDatabase(const QByteArray &name);

    // In order: clients are disconnected, everything is on disk. ask() only says so.
    void ask() { m_process.ask(); }
    void stop() { m_process.stop(); }
    // Like a crash. The server's own children notice and end.
    void kill() { m_process.kill(); }

    [[nodiscard]] qint64 pid() const { return m_process.pid(); }
    [[nodiscard]] const PostgresOptions &options() const { return m_options; }
    // Over the unix socket.
    [[nodiscard]] QString socketUrl(const QString &database) const;
    // Over TCP with the password; only if there is a port.
    [[nodiscard]] QString tcpUrl(const QString &database) const;

    // Whether the path of the server's socket in this folder is within the system's limit.
    [[nodiscard]] static bool socketPathFits(const QString &folder);

private:
    [[nodiscard]] Error ended(const QString &what) const;

    const PostgresOptions m_options;
    ServerProcess m_process;
};

} // namespace engine::sandbox
