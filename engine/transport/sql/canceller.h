// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <libpq-fe.h>

#include <QtGlobal>

#include <array>

namespace engine::sql {

// Asks the server to give up the statement that one connection is waiting for; that call then ends with an error and
// the connection stays good. Thread-safe, and fit for a signal handler. The asking itself takes a connection of its
// own, so it may block for a moment: not for the GUI thread.
class Canceller final
{
public:
    explicit Canceller(PGconn *connection)
        : m_cancel(PQgetCancel(connection))
    { }
    ~Canceller() { PQfreeCancel(m_cancel); }
    Q_DISABLE_COPY_MOVE(Canceller)

    void cancel() const noexcept
    {
        std::array<char, 256> error; // that it came too late is no news
        if (m_cancel)
            PQcancel(m_cancel, error.data(), static_cast<int>(error.size()));
    }

private:
    PGcancel *const m_cancel;
};

} // namespace engine::sql
