// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "leases.h"

#include "expressions.h"

namespace engine::outbox {

using namespace expressions;

Leases::Leases(sql::Connection &connection, const Layout &layout)
    : m_connection(connection)
{
    const Column &token = layout.kind == LayoutKind::Event ? layout.lockedUntil : layout.updatedAt;
    m_statement = "UPDATE " + layout.quotedTable() + " AS row SET " + token.quoted() + " = "
        + fromEpochMicros(token, "$2::bigint") + " WHERE row." + layout.id.quoted() + " = ANY($3::" + layout.id.type
        + "[]) AND " + heldUnder(layout, "$1") + " RETURNING row." + layout.id.quoted() + "::text";
}

Result<std::vector<QByteArray>> Leases::renew(const std::vector<qint64> &tokens, qint64 newToken,
                                              const std::vector<QByteArray> &ids)
{
    sql::ArrayText tokenTexts;
    for (const qint64 token : tokens)
        tokenTexts.append(QByteArrayView(QByteArray::number(token)));
    sql::ArrayText idTexts;
    for (const QByteArray &id : ids)
        idTexts.append(QByteArrayView(id));
    sql::Params params;
    params.text(tokenTexts.take()).integer(newToken).text(idTexts.take());
    auto rows = m_connection.execute(m_statement, params);
    if (!rows)
        return fail(rows.error());
    std::vector<QByteArray> renewed;
    renewed.reserve(static_cast<size_t>(rows->count()));
    for (int row = 0; row < rows->count(); ++row)
        renewed.push_back(rows->bytes(row, 0).toByteArray());
    return renewed;
}

} // namespace engine::outbox
