// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inflate.h"

#include <QScopeGuard>

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace engine::payload {

namespace {

constexpr qsizetype chunkSize = 256 * 1024;

bool isGzip(QByteArrayView bytes)
{
    return bytes.size() > 3 && bytes.startsWith(QByteArrayView("\x1f\x8b\x08")) && (bytes[3] & 0xe0) == 0;
}

bool isZlib(QByteArrayView bytes)
{
    if (bytes.size() < 6)
        return false;
    const int method = static_cast<uchar>(bytes[0]);
    const int flags = static_cast<uchar>(bytes[1]);
    // Deflate, a window of at most 32 KiB, no preset dictionary, and the header's own checksum.
    return (method & 0x0f) == 8 && (method >> 4) <= 7 && (flags & 0x20) == 0 && (method * 256 + flags) % 31 == 0;
}

} // namespace

Compression compressionOf(QByteArrayView bytes)
{
    if (isGzip(bytes))
        return Compression::Gzip;
    return isZlib(bytes) ? Compression::Zlib : Compression::None;
}

Inflated inflated(QByteArrayView packed, Compression compression, qsizetype limit)
{
    Inflated result;
    z_stream stream = {};
    constexpr int gzipOnly = 16; // added to the window's size: this header and no other
    if (inflateInit2(&stream, MAX_WBITS + (compression == Compression::Gzip ? gzipOnly : 0)) != Z_OK)
        return result;
    const auto cleanup = qScopeGuard([&stream] { inflateEnd(&stream); });

    const qsizetype most = std::min<qsizetype>(packed.size(), std::numeric_limits<uInt>::max());
    // zlib only reads from there; its interface is older than const.
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
    stream.avail_in = static_cast<uInt>(most);
    for (;;) {
        const qsizetype before = result.bytes.size();
        // One byte more than wanted tells a text that just fits from one that does not.
        const qsizetype room = std::min(chunkSize, limit + 1 - before);
        result.bytes.resize(before + room);
        stream.next_out = reinterpret_cast<Bytef *>(result.bytes.data() + before);
        stream.avail_out = static_cast<uInt>(room);
        const int answer = inflate(&stream, Z_NO_FLUSH);
        result.bytes.resize(before + room - static_cast<qsizetype>(stream.avail_out));
        if (result.bytes.size() > limit) {
            result.bytes.resize(limit);
            result.end = Inflated::End::Limit;
            return result;
        }
        if (answer == Z_STREAM_END) {
            const auto rest = packed.sliced(most - static_cast<qsizetype>(stream.avail_in));
            if (compression == Compression::Gzip && isGzip(rest) && inflateReset(&stream) == Z_OK)
                continue;
            result.trailing = rest.size();
            result.end = Inflated::End::Good;
            return result;
        }
        const bool starved = stream.avail_in == 0 && stream.avail_out > 0;
        if (answer == Z_BUF_ERROR || (answer == Z_OK && starved)) {
            result.end = Inflated::End::Truncated;
            return result;
        }
        if (answer != Z_OK)
            return result;
    }
}

} // namespace engine::payload
