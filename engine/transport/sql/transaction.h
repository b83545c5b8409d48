// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connection.h"

namespace engine::sql {

// An open transaction. It cannot be made without one having begun, and it rolls back unless committed.
// Lives no longer than its connection, in the same thread.
class Transaction final
{
public:
    [[nodiscard]] static Result<Transaction> begin(Connection &connection);
    ~Transaction();
    Transaction(Transaction &&other) noexcept;
    Transaction &operator=(Transaction &&) = delete;
    Q_DISABLE_COPY(Transaction)

    [[nodiscard]] Connection &connection() { return *m_connection; }
    // After an error the outcome is "not committed", except Unavailable and Timeout: then it is unknown.
    [[nodiscard]] Result<void> commit();

private:
    explicit Transaction(Connection &connection);
    Connection *m_connection; // null once committed, rolled back or moved from
};

} // namespace engine::sql
