// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rows.h"

namespace engine::sql {

QByteArrayView Rows::bytes(int row, int column) const
{
    return {PQgetvalue(m_result.get(), row, column), PQgetlength(m_result.get(), row, column)};
}

std::optional<qint64> Rows::optionalInteger(int row, int column) const
{
    if (isNull(row, column))
        return std::nullopt;
    return integer(row, column);
}

qint64 Rows::affected() const
{
    return m_result ? QByteArrayView(PQcmdTuples(m_result.get())).toLongLong() : 0;
}

} // namespace engine::sql
