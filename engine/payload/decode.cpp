// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "decode.h"

#include "inflate.h"
#include "messagepack.h"

#include <QList>

#include <algorithm>

namespace engine::payload {

namespace {

constexpr size_t mostLayers = 5;
constexpr qsizetype lookedAt = 64 * 1024; // bytes that tell text from binary

struct Magic
{
    QByteArrayView bytes;
    const char *name;
};

// Kinds that are named, not opened.
constexpr char zipMagic[] = "PK\x03\x04";
const QList<Magic> &magics()
{
    static const QList<Magic> all{
        {"\x28\xb5\x2f\xfd", "Zstandard"},
        {"\x04\x22\x4d\x18", "LZ4"},
        {"BZh", "bzip2"},
        {"\xfd\x37\x7a\x58\x5a", "xz"},
        {"\x89PNG", "PNG image"},
        {"\xff\xd8\xff", "JPEG image"},
        {"GIF8", "GIF image"},
        {"%PDF", "PDF"},
        {zipMagic, "ZIP"},
        {"\xff\x06\x00\x00sNaPpY", "Snappy"},
        {"Obj\x01", "Avro"},
        {"PAR1", "Parquet"},
    };
    return all;
}

bool looksLikeJson(QByteArrayView text)
{
    const QByteArrayView trimmed = text.first(std::min<qsizetype>(text.size(), 4096)).trimmed();
    return trimmed.startsWith('{') || trimmed.startsWith('[');
}

// Length of the UTF-8 character at `at`; 0: none is there.
qsizetype characterLength(QByteArrayView text, qsizetype at)
{
    const auto lead = static_cast<uchar>(text[at]);
    if (lead < 0x80)
        return 1;
    const qsizetype length = lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length == 0 || at + length > text.size() || !text.sliced(at, length).isValidUtf8())
        return 0;
    return length;
}

bool isBinary(QByteArrayView bytes)
{
    const QByteArrayView head = bytes.first(std::min(bytes.size(), lookedAt));
    qsizetype odd = 0;
    for (qsizetype i = 0; i < head.size();) {
        const auto c = static_cast<uchar>(head[i]);
        if (c == 0)
            return true;
        if (c >= 0x20 && c < 0x7f) {
            ++i;
            continue;
        }
        const qsizetype length = characterLength(head, i);
        const bool cutOff = length == 0 && i + 4 > head.size() && head.size() < bytes.size();
        const bool control =
            c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != 0x1b; // terminals' colours are text
        if ((length == 0 && !cutOff) || control)
            ++odd;
        i += std::max<qsizetype>(length, 1);
    }
    return odd > head.size() / 20 + (head.size() >= 8 ? 1 : 0); // one odd character is a slip
}

// bytea as PostgreSQL writes it.
std::optional<QByteArray> fromHex(QByteArrayView text)
{
    if (!text.startsWith("\\x") || text.size() < 4 || text.size() % 2 != 0)
        return std::nullopt;
    const QByteArrayView digits = text.sliced(2);
    const bool all = std::all_of(digits.begin(), digits.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    });
    if (!all)
        return std::nullopt;
    return QByteArray::fromHex(QByteArray::fromRawData(digits.data(), digits.size()));
}

std::optional<QByteArray> fromBase64(QByteArrayView text)
{
    // What gzip data begins with. Any other text could be base64 by chance.
    if (!text.startsWith("H4sI"))
        return std::nullopt;
    auto result = QByteArray::fromBase64Encoding(QByteArray::fromRawData(text.data(), text.size()).trimmed(),
                                                 QByteArray::AbortOnBase64DecodingErrors);
    if (!result || compressionOf(*result) != Compression::Gzip)
        return std::nullopt;
    return *result;
}

void judge(Decoded &decoded, bool cut)
{
    if (decoded.bytes.isEmpty()) {
        decoded.form = Form::Empty;
        return;
    }
    if (const auto fault = jsontext::findFault(decoded.bytes); !fault) {
        decoded.form = Form::Json;
        return;
    } else if (looksLikeJson(decoded.bytes) && !isBinary(decoded.bytes)) {
        decoded.form = Form::Text;
        // The end of what is there is no fault where there is more.
        if (cut && decoded.bytes.size() - fault->offset < 8)
            decoded.form = Form::Json;
        else
            decoded.fault = fault;
        return;
    }
    decoded.form = isBinary(decoded.bytes) ? Form::Binary : Form::Text;
    for (const Magic &magic : magics()) {
        if (decoded.bytes.startsWith(magic.bytes))
            decoded.kindName = magic.name;
    }
    if (*decoded.kindName != '\0')
        decoded.form = Form::Binary;
}

// Takes one wrapping off; false: there is none.
bool unwrap(Decoded &decoded, qsizetype limit)
{
    const auto replace = [&](Layer::Kind kind, QByteArray inside) {
        decoded.layers.push_back({kind, decoded.bytes.size(), inside.size()});
        decoded.bytes = std::move(inside);
        return true;
    };
    const QByteArray &bytes = decoded.bytes;
    if (auto inside = fromHex(bytes))
        return replace(Layer::Kind::Hex, std::move(*inside));
    if (auto inside = fromBase64(bytes))
        return replace(Layer::Kind::Base64, std::move(*inside));
    const Compression compression = compressionOf(bytes);
    if (compression != Compression::None && (compression == Compression::Gzip || isBinary(bytes))) {
        Inflated inside = inflated(bytes, compression, limit);
        // Two bytes like zlib's are too little to believe in; a sound beginning is not.
        const bool sound = compression == Compression::Gzip || inside.end != Inflated::End::Corrupt;
        if (sound && (inside.end == Inflated::End::Good || !inside.bytes.isEmpty())) {
            if (inside.end == Inflated::End::Limit)
                decoded.problem = Decoded::Problem::Limit;
            else if (inside.end == Inflated::End::Truncated)
                decoded.problem = Decoded::Problem::Truncated;
            else if (inside.end == Inflated::End::Corrupt)
                decoded.problem = Decoded::Problem::Corrupt;
            else if (inside.trailing > 0)
                decoded.problem = Decoded::Problem::Trailing;
            return replace(compression == Compression::Gzip ? Layer::Kind::Gzip : Layer::Kind::Zlib,
                           std::move(inside.bytes));
        }
    }
    if (auto json = messagePackToJson(bytes, limit); json && isBinary(bytes))
        return replace(Layer::Kind::MessagePack, std::move(*json));
    return false;
}

} // namespace

Decoded decode(const QByteArray &stored, bool cut, qsizetype limit)
{
    Decoded decoded;
    decoded.bytes = stored;
    while (decoded.layers.size() < mostLayers && decoded.problem == Decoded::Problem::None) {
        // Text and JSON, the usual, are recognised by their first byte.
        const uchar first = decoded.bytes.isEmpty() ? '{' : static_cast<uchar>(decoded.bytes.front());
        if (first == '{' || first == '[' || first == '"' || !unwrap(decoded, limit))
            break;
        if (decoded.layers.back().kind == Layer::Kind::MessagePack)
            break;
    }
    // What was unpacked only in part is cut as well.
    judge(decoded, cut || decoded.problem == Decoded::Problem::Limit || decoded.problem == Decoded::Problem::Truncated);
    return decoded;
}

Form guess(QByteArrayView bytes)
{
    if (bytes.isEmpty())
        return Form::Empty;
    if (isBinary(bytes))
        return Form::Binary;
    return looksLikeJson(bytes) ? Form::Json : Form::Text;
}

QByteArray formName(const Decoded &decoded)
{
    QByteArray name;
    for (const Layer &layer : decoded.layers) {
        if (!name.isEmpty())
            name += ", ";
        switch (layer.kind) {
        case Layer::Kind::Hex:
            name += "hex";
            break;
        case Layer::Kind::Base64:
            name += "base64";
            break;
        case Layer::Kind::Gzip:
            name += "gzip";
            break;
        case Layer::Kind::Zlib:
            name += "zlib";
            break;
        case Layer::Kind::MessagePack:
            name += "MessagePack";
            break;
        }
    }
    if (!name.isEmpty())
        return name;
    if (*decoded.kindName != '\0')
        return decoded.kindName;
    return decoded.form == Form::Binary ? "binary" : decoded.form == Form::Json ? "JSON" : "text";
}

} // namespace engine::payload
