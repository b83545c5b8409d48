// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <atomic>

namespace engine::sql {

// A switch that makes database calls which watch it return at once, now and later. Thread-safe.
class Interrupter final
{
public:
    Interrupter();
    ~Interrupter();
    Q_DISABLE_COPY_MOVE(Interrupter)

    void interrupt();
    [[nodiscard]] bool isInterrupted() const { return m_interrupted; }
    [[nodiscard]] int descriptor() const { return m_descriptor; } // readable once interrupted

private:
    const int m_descriptor;
    std::atomic_bool m_interrupted = false;
};

} // namespace engine::sql
