// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFuture>
#include <QPromise>
#include <QThreadPool>

#include <memory>
#include <type_traits>

// Work that would hold up the window: laying out and searching large documents, writing files.
namespace views::background {

// Two threads of the window's own, joined when the program ends.
[[nodiscard]] QThreadPool &pool();

// Runs `function` there. Continue with `.then(context, ...)`, so that the result is dropped with the context.
template <typename Function>
QFuture<std::invoke_result_t<Function>> run(Function function)
{
    using Value = std::invoke_result_t<Function>;
    auto promise = std::make_shared<QPromise<Value>>();
    promise->start();
    QFuture<Value> future = promise->future();
    pool().start([promise, function = std::move(function)]() mutable {
        promise->addResult(function());
        promise->finish();
    });
    return future;
}

} // namespace views::background
