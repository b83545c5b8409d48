// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

#include <vector>

namespace engine::outbox {

// Makes claimed rows last longer while their work goes on. Belongs to the connection's thread.
class Leases final
{
public:
    // `connection` outlives this.
    Leases(sql::Connection &connection, const Layout &layout);

    // Gives the rows that are still held under one of `tokens` (microseconds since 1970 UTC) the lease value
    // `newToken`, their token from then on. The caller takes the old token plus the time that has passed, so that the
    // new one is known even when the answer is lost, and no clock but the database's decides. Answers the ids that
    // were renewed: the others are not ours any more.
    [[nodiscard]] Result<std::vector<QByteArray>> renew(const std::vector<qint64> &tokens, qint64 newToken,
                                                        const std::vector<QByteArray> &ids);

private:
    sql::Connection &m_connection;
    QByteArray m_statement;
};

} // namespace engine::outbox
