// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>
#include <vector>

namespace engine::sql {

// Statement parameters $1, $2, ... in text form. PostgreSQL infers each type from the statement,
// so the statements cast where that matters.
class Params
{
public:
    Params &text(QByteArrayView value);
    Params &optionalText(const std::optional<QByteArray> &value);
    Params &integer(qint64 value);
    Params &null();

    [[nodiscard]] int count() const { return static_cast<int>(m_values.size()); }
    [[nodiscard]] std::vector<const char *> pointers() const;

private:
    std::vector<std::optional<QByteArray>> m_values;
};

// Builds a PostgreSQL array literal such as {"a",NULL,"b"} element by element.
class ArrayText
{
public:
    explicit ArrayText(qsizetype expectedBytes = 0);
    void append(QByteArrayView value);
    void appendNull();
    void append(const std::optional<QByteArray> &value);
    [[nodiscard]] QByteArray take();

private:
    QByteArray m_text;
};

// A name as a quoted SQL identifier.
[[nodiscard]] QByteArray quotedIdentifier(QByteArrayView name);

} // namespace engine::sql
