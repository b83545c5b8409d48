// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QObject>
#include <QPromise>
#include <QThread>

#include <functional>
#include <memory>
#include <type_traits>

namespace engine {

// One worker thread that runs posted functions one after the other: the owner thread of a blocking resource.
// Results come back as a QFuture; continue with `.then(context, ...)` so that they arrive in the context's thread
// and are dropped with it. Destruction waits for the function that is running, whose thread then says
// isInterruptionRequested(), and drops those still queued: their futures end as cancelled.
class SerialThread final
{
public:
    explicit SerialThread(const QString &name);
    ~SerialThread();
    Q_DISABLE_COPY_MOVE(SerialThread)

    template <typename Function>
    QFuture<std::invoke_result_t<Function>> run(Function function)
    {
        using Value = std::invoke_result_t<Function>;
        // std::function wants a copyable closure, a promise is not: share it.
        auto promise = std::make_shared<QPromise<Value>>();
        promise->start();
        QFuture<Value> future = promise->future();
        post([promise, function = std::move(function)]() mutable {
            if constexpr (std::is_void_v<Value>)
                function();
            else
                promise->addResult(function());
            promise->finish();
        });
        return future;
    }

private:
    void post(std::function<void()> task);

    QThread m_thread;
    QObject *m_context; // lives in m_thread, deleted when it ends
};

} // namespace engine
