// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/layout.h>

#include <QString>

#include <atomic>
#include <thread>

namespace test {

// An application and a dispatcher at work on an outbox table: a steady number of rows a second is written or handed
// over, half of them each, over a connection and in a thread of its own.
class LoadWriter final
{
public:
    LoadWriter(const QString &databaseUrl, const engine::outbox::Layout &layout, int changesPerSecond);
    ~LoadWriter(); // stops it
    Q_DISABLE_COPY_MOVE(LoadWriter)

    [[nodiscard]] qint64 changes() const { return m_changes; } // rows so far
    [[nodiscard]] bool hasFailed() const { return m_failed; }

private:
    void work(const QString &databaseUrl, const engine::outbox::Layout &layout, int changesPerSecond);

    std::atomic_bool m_stopped = false;
    std::atomic_bool m_failed = false;
    std::atomic<qint64> m_changes = 0;
    std::thread m_thread;
};

} // namespace test
