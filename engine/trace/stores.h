// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/config/profile.h>
#include <engine/dispatch/router.h>
#include <engine/outbox/layout.h>
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>
#include <engine/workflow/executionlayout.h>

#include <memory>
#include <optional>

namespace engine::trace {

// Everything that an event leaves its marks in: the outbox table, the executions' table and Redis. Each may be away
// while the others are read; then there is the reason instead. Opened, used and destroyed in one worker thread.
class Stores final
{
public:
    struct Options
    {
        config::ConnectionProfile profile;
        std::optional<dispatch::Router> router; // absent: the built-in routes of the table's layout
        QByteArray jobIdTemplate = "outbox:{id}";
        QString executionsTable; // "schema.table"; empty: found by discovery
        std::shared_ptr<sql::Interrupter> interrupter; // stops the database's part from another thread
        std::shared_ptr<Traffic> databaseTraffic, redisTraffic; // count what is asked, if there are any
    };

    explicit Stores(Options options);

    // Connects and looks at the catalogue where that was not done yet, or where it failed before. Never fails as a
    // whole: ask the members below. Errors: only Cancelled.
    [[nodiscard]] Result<void> open();

    [[nodiscard]] sql::Connection *database() const { return m_database.get(); } // null: see databaseFault()
    [[nodiscard]] redis::Client *redis() const { return m_redis.get(); } // null: see redisFault()
    [[nodiscard]] const std::optional<outbox::Layout> &outbox() const { return m_outbox; }
    [[nodiscard]] const std::optional<workflow::ExecutionLayout> &executions() const { return m_executions; }
    [[nodiscard]] const std::optional<Error> &databaseFault() const { return m_databaseFault; }
    [[nodiscard]] const std::optional<Error> &outboxFault() const { return m_outboxFault; }
    [[nodiscard]] const std::optional<Error> &executionsFault() const { return m_executionsFault; }
    [[nodiscard]] const std::optional<Error> &redisFault() const { return m_redisFault; }

    [[nodiscard]] QByteArray prefix() const { return m_options.profile.queuePrefix.toUtf8(); }
    [[nodiscard]] QByteArray jobIdOf(const QByteArray &rowId) const;
    // The row's id inside a job id made by the template; empty: it was not.
    [[nodiscard]] QByteArray rowIdIn(const QByteArray &jobId) const;
    // The queue that the routes name for a type; empty: none.
    [[nodiscard]] QByteArray queueOf(const QByteArray &eventType) const;
    [[nodiscard]] const dispatch::Router &router() const { return m_router; }
    // Queues below the prefix: those that the routes name and those found in Redis, sorted. Found once and again after
    // a while; `complete` says whether the whole key space was looked at within the time allowed.
    [[nodiscard]] Result<std::vector<QByteArray>> queues(bool *complete = nullptr);

private:
    void openDatabase();
    void openRedis();

    const Options m_options;
    dispatch::Router m_router;
    std::unique_ptr<sql::Connection> m_database;
    std::unique_ptr<redis::Client> m_redis;
    std::optional<outbox::Layout> m_outbox;
    std::optional<workflow::ExecutionLayout> m_executions;
    std::optional<Error> m_databaseFault, m_outboxFault, m_executionsFault, m_redisFault;
    std::vector<QByteArray> m_queues;
    std::optional<bool> m_queuesComplete;
    qint64 m_queuesAt = 0; // monotonic ms
};

} // namespace engine::trace
