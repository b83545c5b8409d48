// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connection.h"

#include <engine/base/serialthread.h>

namespace engine::sql {

// A worker thread with one database connection of its own. Functions posted to it run one after the other; the
// connection is opened before the first and again after it broke. Destruction interrupts the one that runs.
class ConnectionThread final
{
public:
    ConnectionThread(ConnectOptions options, const QString &name)
        : m_shared(std::make_shared<Shared>(withInterrupter(std::move(options))))
        , m_thread(name)
    { }
    ~ConnectionThread() { interrupt(); }
    Q_DISABLE_COPY_MOVE(ConnectionThread)

    // `function` takes a Connection & and returns a Result. Without a connection the future holds the error of
    // the attempt. Continue with `.then(context, ...)`.
    template <typename Function>
    auto run(Function function) -> QFuture<std::invoke_result_t<Function, Connection &>>
    {
        using Outcome = std::invoke_result_t<Function, Connection &>;
        return m_thread.run([shared = m_shared, function = std::move(function)]() mutable -> Outcome {
            if (!shared->connection || shared->connection->isBroken()) {
                shared->connection.reset();
                auto opened = Connection::open(shared->options);
                if (!opened)
                    return fail(opened.error());
                shared->connection = std::move(*opened);
            }
            return function(*shared->connection);
        });
    }

    // Every call, running or still to come, returns Cancelled. Thread-safe and final.
    void interrupt() { m_shared->options.interrupter->interrupt(); }

private:
    struct Shared
    {
        explicit Shared(ConnectOptions o)
            : options(std::move(o))
        { }
        const ConnectOptions options;
        std::unique_ptr<Connection> connection; // used in m_thread only
    };
    static ConnectOptions withInterrupter(ConnectOptions options)
    {
        if (!options.interrupter)
            options.interrupter = std::make_shared<Interrupter>();
        return options;
    }

    std::shared_ptr<Shared> m_shared;
    SerialThread m_thread;
};

} // namespace engine::sql
