// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "transaction.h"

#include <engine/base/logging.h>

#include <QCoreApplication>

namespace engine::sql {

Transaction::Transaction(Connection &connection)
    : m_connection(&connection)
{ }

Transaction::Transaction(Transaction &&other) noexcept
    : m_connection(std::exchange(other.m_connection, nullptr))
{ }

Transaction::~Transaction()
{
    if (!m_connection || m_connection->isBroken())
        return; // the server rolls back by itself when the session ends
    if (const auto rolledBack = m_connection->sendScript("ROLLBACK"); !rolledBack)
        qCWarning(lcSql).noquote() << "rollback:" << rolledBack.error().text();
}

Result<Transaction> Transaction::begin(Connection &connection)
{
    const QByteArray mode = connection.access() == Access::ReadOnly ? "BEGIN READ ONLY" : "BEGIN READ WRITE";
    if (auto begun = connection.sendScript(mode); !begun)
        return fail(begun.error());
    return Transaction(connection);
}

Result<void> Transaction::commit()
{
    Connection *connection = std::exchange(m_connection, nullptr);
    auto answer = connection->execute("COMMIT");
    if (!answer)
        return fail(answer.error());
    // PostgreSQL answers the COMMIT of a failed transaction with ROLLBACK, and no error.
    if (answer->command() != "COMMIT")
        return fail(ErrorCode::Failed,
                    QCoreApplication::translate("engine::sql::Transaction",
                                                "The transaction was rolled back; nothing was written."));
    return {};
}

} // namespace engine::sql
