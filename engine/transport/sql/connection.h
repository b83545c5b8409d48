// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "canceller.h"
#include "databaseurl.h"
#include "interrupter.h"
#include "params.h"
#include "rows.h"

#include <engine/base/error.h>
#include <engine/base/traffic.h>

#include <QDeadlineTimer>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace engine::sql {

enum class Access { ReadOnly, ReadWrite };

struct ConnectOptions
{
    DatabaseUrl url;
    QByteArray applicationName = "outbox-console";
    Access access = Access::ReadOnly;
    std::chrono::milliseconds connectTimeout{10'000};
    // A call without an answer by then fails with Timeout and breaks the connection: no call hangs.
    std::chrono::milliseconds callTimeout{30'000};
    std::shared_ptr<Interrupter> interrupter{}; // also stops an attempt to connect; one is made if absent
    // Server settings of the session, as {"jit", "off"}. They travel with the start of the connection; a pooler that
    // refuses such a start gets one without them, see hasSettings().
    std::vector<std::pair<QByteArray, QByteArray>> settings{};
    std::shared_ptr<Traffic> traffic{}; // counts the statements, if there is one
};

// One PostgreSQL connection over libpq. Calls block, so it belongs to one worker thread; only interrupt() may be
// called from another. It keeps no session state (no SET, no named statements) beyond the settings it starts with, so
// a transaction-mode PgBouncer in between changes nothing. After an Unavailable or Timeout error the connection is broken: open a new one.
class Connection final
{
public:
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const ConnectOptions &options);
    ~Connection();
    Q_DISABLE_COPY_MOVE(Connection)

    // Runs one statement; on a ReadOnly connection inside a READ ONLY transaction. Errors: Unavailable, Timeout, Cancelled, Conflict (serialisation, deadlock, unique),
    // Refused (privilege, read-only), NotFound (no such table or column), BadInput (data), Failed.
    [[nodiscard]] Result<Rows> execute(const QByteArray &statement, const Params &params = {});

    // Runs several statements given as one text, without parameters and as one implicit transaction.
    [[nodiscard]] Result<void> executeScript(const QByteArray &statements);

    // Runs one SELECT in a READ ONLY transaction of its own under a server-side time limit. `planner`: settings for
    // it alone, for instance "SET LOCAL enable_bitmapscan = off".
    [[nodiscard]] Result<Rows> read(const QByteArray &statement, const Params &params,
                                    std::chrono::milliseconds serverTimeout, const QByteArray &planner = {});

    // How long an empty question takes to be answered.
    [[nodiscard]] Result<std::chrono::microseconds> roundTrip();

    // Blocks until the server sends a notification for this session (true), the time is up, or interrupt().
    [[nodiscard]] Result<bool> waitForNotification(std::chrono::milliseconds timeout);

    // Makes a call that is blocked now, and every later one, return Cancelled. Thread-safe.
    void interrupt() { m_interrupter->interrupt(); }

    // To give up a statement from outside while the connection goes on.
    [[nodiscard]] std::shared_ptr<const Canceller> canceller() const
    {
        return std::make_shared<const Canceller>(m_connection.get());
    }

    [[nodiscard]] bool isBroken() const { return m_broken; }
    // False behind a pooler that refused the options' settings: then SET LOCAL in a transaction is the way.
    [[nodiscard]] bool hasSettings() const { return m_hasSettings; }
    // False if a pooler in between may give every transaction another session, so that LISTEN, advisory locks and the
    // like are lost. Asks the server.
    [[nodiscard]] Result<bool> isDirect();
    [[nodiscard]] Access access() const { return m_options.access; }
    [[nodiscard]] int serverVersion() const; // as 150007
    [[nodiscard]] const ConnectOptions &options() const { return m_options; }

private:
    explicit Connection(const ConnectOptions &options);
    friend class Transaction; // begins, commits and rolls back
    Result<void> connect();
    Result<void> connectOnce(const QByteArray &serverOptions);
    Result<Rows> send(const QByteArray &statement, const Params &params);
    Result<void> sendScript(const QByteArray &statements);
    [[nodiscard]] bool isInTransaction() const;
    Result<Rows> finish(const QDeadlineTimer &deadline);
    Result<void> wait(short events, const QDeadlineTimer &deadline);
    Error lost(ErrorCode code, const QString &message);

    struct Finish
    {
        void operator()(PGconn *connection) const { PQfinish(connection); }
    };
    const ConnectOptions m_options;
    std::unique_ptr<PGconn, Finish> m_connection;
    const std::shared_ptr<Interrupter> m_interrupter;
    bool m_broken = false;
    bool m_hasSettings = false;
};

} // namespace engine::sql
