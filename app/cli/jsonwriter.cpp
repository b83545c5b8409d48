// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonwriter.h"

#include <engine/base/jsontext.h>

namespace cli {

void JsonWriter::separate()
{
    if (!m_text.isEmpty() && !QByteArrayView("{[:").contains(m_text.back()))
        m_text += ',';
}

JsonWriter &JsonWriter::beginObject()
{
    separate();
    m_text += '{';
    return *this;
}

JsonWriter &JsonWriter::endObject()
{
    m_text += '}';
    return *this;
}

JsonWriter &JsonWriter::beginArray()
{
    separate();
    m_text += '[';
    return *this;
}

JsonWriter &JsonWriter::endArray()
{
    m_text += ']';
    return *this;
}

JsonWriter &JsonWriter::key(QByteArrayView name)
{
    value(name);
    m_text += ':';
    return *this;
}

JsonWriter &JsonWriter::value(const QString &text)
{
    return value(QByteArrayView(text.toUtf8()));
}

JsonWriter &JsonWriter::value(QByteArrayView utf8)
{
    separate();
    engine::jsontext::appendString(m_text, utf8);
    return *this;
}

JsonWriter &JsonWriter::value(qint64 number)
{
    return raw(QByteArray::number(number));
}

JsonWriter &JsonWriter::value(double number)
{
    return raw(QByteArray::number(number, 'f', 3));
}

JsonWriter &JsonWriter::value(bool truth)
{
    return raw(truth ? "true" : "false");
}

JsonWriter &JsonWriter::value(std::optional<qint64> number)
{
    return number ? value(*number) : null();
}

JsonWriter &JsonWriter::null()
{
    return raw("null");
}

JsonWriter &JsonWriter::stored(QByteArrayView text)
{
    if (text.isEmpty())
        return null();
    return engine::jsontext::findFault(text) ? value(text) : raw(text);
}

JsonWriter &JsonWriter::raw(QByteArrayView json)
{
    separate();
    m_text += json;
    return *this;
}

} // namespace cli
