// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "params.h"

namespace engine::sql {

Params &Params::text(QByteArrayView value)
{
    m_values.emplace_back(value.toByteArray());
    return *this;
}

Params &Params::optionalText(const std::optional<QByteArray> &value)
{
    m_values.push_back(value);
    return *this;
}

Params &Params::integer(qint64 value)
{
    m_values.emplace_back(QByteArray::number(value));
    return *this;
}

Params &Params::null()
{
    m_values.emplace_back(std::nullopt);
    return *this;
}

std::vector<const char *> Params::pointers() const
{
    std::vector<const char *> result;
    result.reserve(m_values.size());
    for (const auto &value : m_values)
        result.push_back(value ? value->constData() : nullptr);
    return result;
}

ArrayText::ArrayText(qsizetype expectedBytes)
{
    m_text.reserve(expectedBytes + 2);
    m_text += '{';
}

void ArrayText::append(QByteArrayView value)
{
    if (m_text.size() > 1)
        m_text += ',';
    m_text += '"';
    qsizetype plainFrom = 0;
    for (qsizetype i = 0; i < value.size(); ++i) {
        if (value[i] != '"' && value[i] != '\\')
            continue;
        m_text.append(value.sliced(plainFrom, i - plainFrom));
        m_text += '\\';
        plainFrom = i;
    }
    m_text.append(value.sliced(plainFrom));
    m_text += '"';
}

void ArrayText::appendNull()
{
    if (m_text.size() > 1)
        m_text += ',';
    m_text += "NULL";
}

void ArrayText::append(const std::optional<QByteArray> &value)
{
    if (value)
        append(QByteArrayView(*value));
    else
        appendNull();
}

QByteArray ArrayText::take()
{
    m_text += '}';
    return std::exchange(m_text, QByteArray("{"));
}

QByteArray quotedIdentifier(QByteArrayView name)
{
    QByteArray quoted = name.toByteArray();
    quoted.replace('"', "\"\"");
    return '"' + quoted + '"';
}

} // namespace engine::sql
