// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "packed.h"

#include <zlib.h>

namespace test {

QByteArray packed(const QByteArray &bytes, Packing packing)
{
    z_stream stream = {};
    constexpr int gzipHeader = 16; // added to the window's size
    deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + (packing == Packing::Gzip ? gzipHeader : 0), 8,
                 Z_DEFAULT_STRATEGY);
    QByteArray result(static_cast<qsizetype>(deflateBound(&stream, static_cast<uLong>(bytes.size()))) + 32, '\0');
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef *>(result.data());
    stream.avail_out = static_cast<uInt>(result.size());
    deflate(&stream, Z_FINISH);
    result.truncate(result.size() - static_cast<qsizetype>(stream.avail_out));
    deflateEnd(&stream);
    return result;
}

} // namespace test
