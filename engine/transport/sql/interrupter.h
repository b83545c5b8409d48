// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace engine::sql {

// A switch that makes database calls which watch it return at once, now and later. Thread-safe.
class Interrupter final
{
public:
    Interrupter();
    ~Interrupter();
    Q_DISABLE_COPY_MOVE(Interrupter)

    void interrupt();
    [[nodiscard]] int descriptor() const { return m_descriptor; } // readable once interrupted

private:
    const int m_descriptor;
};

} // namespace engine::sql
