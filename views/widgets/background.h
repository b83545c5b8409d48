// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QThreadPool>
#include <QtConcurrentRun>

// Work that would hold up the window: laying out and searching large documents, writing files.
namespace views::background {

// Two threads of the window's own, joined when the program ends.
[[nodiscard]] QThreadPool &pool();

// Runs `function` there. Continue with `.then(context, ...)`, so that the result is dropped with the context.
template <typename Function>
auto run(Function &&function)
{
    return QtConcurrent::run(&pool(), std::forward<Function>(function));
}

} // namespace views::background
