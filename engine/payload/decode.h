// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/jsontext.h>

#include <QByteArray>

#include <optional>
#include <vector>

// What a stored document is, and what it says once unpacked. For reading only: what is stored never changes.
namespace engine::payload {

enum class Form {
    Empty,
    Json, // one valid document
    Text, // everything else that is mostly readable
    Binary,
};

// One wrapping that was taken off, outermost first.
struct Layer
{
    enum class Kind {
        Hex, // bytea as text: \x1f8b...
        Base64, // of gzip data
        Gzip,
        Zlib,
        MessagePack, // to JSON text
    };
    Kind kind = Kind::Gzip;
    qint64 before = 0; // bytes
    qint64 after = 0;

    bool operator==(const Layer &) const = default;
};

struct Decoded
{
    enum class Problem {
        None,
        Limit, // unpacked only as far as the limit
        Truncated, // the packed data ends too early
        Corrupt, // the packed data is damaged; unpacked as far as it goes
        Trailing, // there are bytes behind the packed data
    };

    QByteArray bytes; // what is inside; the stored bytes themselves where nothing was taken off
    Form form = Form::Empty;
    std::vector<Layer> layers;
    Problem problem = Problem::None;
    std::optional<jsontext::Fault> fault; // of a text that begins like JSON
    const char *kindName = ""; // of binary data that is known by its first bytes, as "PNG image"; else empty

    [[nodiscard]] bool isDecoded() const { return !layers.empty(); }
};

inline constexpr qsizetype decodedLimit = 64 * 1024 * 1024;

// Recognises and unpacks. Takes time and memory in proportion to the bytes and to `limit`: large documents belong into
// a worker thread. `cut`: the bytes are only the beginning of a document, which is no fault of it.
[[nodiscard]] Decoded decode(const QByteArray &stored, bool cut = false, qsizetype limit = decodedLimit);

// Text, as far as the first bytes tell: for a first look at a large document.
[[nodiscard]] Form guess(QByteArrayView bytes);

// "gzip, MessagePack", in the order of the layers; "text", "binary" or "JSON" where there are none. Not translated.
[[nodiscard]] QByteArray formName(const Decoded &decoded);

} // namespace engine::payload
