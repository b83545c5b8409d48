// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "messagepack.h"

#include <engine/base/jsontext.h>

#include <QDateTime>
#include <QtEndian>

#include <msgpack.hpp>

#include <charconv>
#include <cmath>
#include <vector>

namespace engine::payload {

namespace {

// Keys that are documents themselves would grow with every level they nest.
constexpr qsizetype longestOddKey = 4096;

QByteArrayView view(const char *bytes, quint32 size)
{
    return {bytes, static_cast<qsizetype>(size)}; // the parser gives no address for nothing
}

// Writes JSON as the parser meets the parts. A false answer stops it.
class JsonVisitor final : public msgpack::null_visitor
{
public:
    explicit JsonVisitor(qsizetype limit)
        : m_limit(limit)
    { }

    QByteArray take() { return std::move(m_json); }

    bool visit_nil() { return write("null"); }
    bool visit_boolean(bool value) { return write(value ? "true" : "false"); }
    bool visit_positive_integer(quint64 value) { return write(QByteArray::number(value)); }
    bool visit_negative_integer(qint64 value) { return write(QByteArray::number(value)); }
    bool visit_float32(float value) { return writeFloat(value); }
    bool visit_float64(double value) { return writeFloat(value); }

    bool visit_str(const char *text, quint32 size)
    {
        const QByteArrayView utf8 = view(text, size);
        if (!utf8.isValidUtf8())
            return visit_bin(text, size);
        jsontext::appendString(m_json, utf8);
        return fits();
    }

    bool visit_bin(const char *bytes, quint32 size)
    {
        return write("{\"$binary\":\"" + base64(view(bytes, size)) + "\"}");
    }

    bool visit_ext(const char *bytes, quint32 size)
    {
        const QByteArrayView all = view(bytes, size); // the type's byte comes first
        const auto type = static_cast<qint8>(all.front());
        const QByteArrayView data = all.sliced(1);
        if (type == -1) {
            if (const auto time = timestamp(data))
                return write("{\"$timestamp\":\"" + *time + "\"}");
        }
        return write("{\"$ext\":" + QByteArray::number(type) + ",\"$binary\":\"" + base64(data) + "\"}");
    }

    bool start_array(quint32) { return write("["); }
    bool start_array_item()
    {
        separate('[');
        return fits();
    }
    bool end_array() { return write("]"); }

    bool start_map(quint32) { return write("{"); }
    bool start_map_key()
    {
        separate('{');
        m_keys.push_back(m_json.size());
        return fits();
    }
    bool end_map_key()
    {
        const qsizetype from = m_keys.back();
        m_keys.pop_back();
        if (m_json[from] != '"') {
            const QByteArray odd = m_json.sliced(from);
            if (odd.size() > longestOddKey)
                return false;
            m_json.truncate(from);
            jsontext::appendString(m_json, odd);
        }
        return write(":");
    }
    bool end_map() { return write("}"); }

private:
    [[nodiscard]] bool fits() const { return m_json.size() <= m_limit; }

    bool write(QByteArrayView text)
    {
        m_json.append(text);
        return fits();
    }

    void separate(char opened)
    {
        // A bracket inside a string is followed by its quote, so the last character tells.
        if (m_json.back() != opened)
            m_json += ',';
    }

    template <typename Float>
    bool writeFloat(Float value)
    {
        if (std::isnan(value))
            return write("{\"$float\":\"NaN\"}");
        if (std::isinf(value))
            return write(value > 0 ? "{\"$float\":\"Infinity\"}" : "{\"$float\":\"-Infinity\"}");
        char digits[64];
        const auto end = std::to_chars(std::begin(digits), std::end(digits), value); // the shortest that reads back
        QByteArrayView text(digits, end.ptr - digits);
        write(text);
        // 1.0 is no integer; the mark keeps the two apart.
        return text.contains('.') || text.contains('e') ? fits() : write(".0");
    }

    static QByteArray base64(QByteArrayView bytes)
    {
        return QByteArray::fromRawData(bytes.data(), bytes.size()).toBase64();
    }

    static std::optional<QByteArray> timestamp(QByteArrayView data)
    {
        qint64 seconds = 0;
        quint32 nanoseconds = 0;
        if (data.size() == 4) {
            seconds = qFromBigEndian<quint32>(data.data());
        } else if (data.size() == 8) {
            const auto both = qFromBigEndian<quint64>(data.data());
            nanoseconds = static_cast<quint32>(both >> 34);
            seconds = static_cast<qint64>(both & 0x3ffffffffULL);
        } else if (data.size() == 12) {
            nanoseconds = qFromBigEndian<quint32>(data.data());
            seconds = qFromBigEndian<qint64>(data.data() + 4);
        } else {
            return std::nullopt;
        }
        constexpr qint64 latest = 8'640'000'000'000; // of the calendar, year 275760
        if (nanoseconds > 999'999'999 || std::abs(seconds) > latest)
            return std::nullopt;
        QByteArray text = QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC).toString(Qt::ISODate).toLatin1();
        if (nanoseconds > 0 && text.endsWith('Z')) {
            QByteArray fraction = QByteArray::number(nanoseconds).rightJustified(9, '0');
            while (fraction.endsWith('0'))
                fraction.chop(1);
            text.insert(text.size() - 1, '.' + fraction);
        }
        return text;
    }

    QByteArray m_json;
    std::vector<qsizetype> m_keys; // where the keys being read begin
    const qsizetype m_limit;
};

bool isContainer(uchar lead)
{
    return (lead >= 0x80 && lead <= 0x9f) || (lead >= 0xdc && lead <= 0xdf);
}

} // namespace

std::optional<QByteArray> messagePackToJson(QByteArrayView bytes, qsizetype limit)
{
    if (bytes.isEmpty() || !isContainer(static_cast<uchar>(bytes.front())))
        return std::nullopt;
    JsonVisitor visitor(limit);
    std::size_t read = 0;
    try {
        if (!msgpack::parse(bytes.data(), static_cast<std::size_t>(bytes.size()), read, visitor))
            return std::nullopt;
    } catch (const msgpack::unpack_error &) {
        return std::nullopt; // a length that does not fit into memory: no document
    }
    if (read != static_cast<std::size_t>(bytes.size()))
        return std::nullopt;
    return visitor.take();
}

} // namespace engine::payload
