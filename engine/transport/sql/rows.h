// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QString>

#include <libpq-fe.h>

#include <memory>
#include <optional>

namespace engine::sql {

// The rows of one statement, owned. Views into it live as long as it does.
class Rows
{
public:
    Rows() = default;
    explicit Rows(PGresult *result) // takes ownership
        : m_result(result)
    { }

    [[nodiscard]] int count() const { return m_result ? PQntuples(m_result.get()) : 0; }
    [[nodiscard]] bool isNull(int row, int column) const { return PQgetisnull(m_result.get(), row, column) == 1; }
    [[nodiscard]] QByteArrayView bytes(int row, int column) const; // null and empty are both empty
    [[nodiscard]] QString text(int row, int column) const { return QString::fromUtf8(bytes(row, column)); }
    [[nodiscard]] qint64 integer(int row, int column) const { return bytes(row, column).toLongLong(); }
    [[nodiscard]] std::optional<qint64> optionalInteger(int row, int column) const;
    [[nodiscard]] bool boolean(int row, int column) const { return bytes(row, column) == "t"; }
    // Rows that an INSERT, UPDATE or DELETE touched.
    [[nodiscard]] qint64 affected() const;
    // The server's command tag, for instance COMMIT.
    [[nodiscard]] QByteArrayView command() const { return m_result ? PQcmdStatus(m_result.get()) : ""; }

private:
    struct Clear
    {
        void operator()(PGresult *result) const { PQclear(result); }
    };
    std::unique_ptr<PGresult, Clear> m_result;
};

} // namespace engine::sql
