// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

#include <optional>

namespace cli {

// Writes one JSON document as text, so that a payload's own bytes can stand in it untouched.
class JsonWriter
{
public:
    JsonWriter &beginObject();
    JsonWriter &endObject();
    JsonWriter &beginArray();
    JsonWriter &endArray();
    JsonWriter &key(QByteArrayView name);
    JsonWriter &value(const QString &text);
    JsonWriter &value(QByteArrayView utf8);
    JsonWriter &value(const char *utf8) { return value(QByteArrayView(utf8)); }
    JsonWriter &value(qint64 number);
    JsonWriter &value(int number) { return value(qint64(number)); }
    JsonWriter &value(double number);
    JsonWriter &value(bool truth);
    JsonWriter &value(std::optional<qint64> number); // absent: null
    JsonWriter &null();
    JsonWriter &raw(QByteArrayView json); // one complete JSON value
    // What somebody stored as JSON, byte for byte; a text if it is none, null if it is empty.
    JsonWriter &stored(QByteArrayView text);

    template <typename Value>
    JsonWriter &member(QByteArrayView name, const Value &what)
    {
        return key(name).value(what);
    }

    [[nodiscard]] const QByteArray &text() const { return m_text; }

private:
    void separate();

    QByteArray m_text;
};

} // namespace cli
