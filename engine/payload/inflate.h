// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace engine::payload {

enum class Compression { None, Gzip, Zlib };

// By the first bytes alone. Those of zlib are only two and may be text: inflated() has the last word.
[[nodiscard]] Compression compressionOf(QByteArrayView bytes);

struct Inflated
{
    enum class End {
        Good, // checksum and length are right
        Limit, // there is more than was wanted
        Truncated, // the data ends too early
        Corrupt, // from some place on it is no such data, or its checksum is wrong
    };

    QByteArray bytes; // what could be read, whatever the end
    End end = End::Corrupt;
    qsizetype trailing = 0; // bytes after the end that belong to nothing
};

// Unpacks at most `limit` bytes, so that a bomb costs no more than that. Several gzip members in a row are one text.
[[nodiscard]] Inflated inflated(QByteArrayView packed, Compression compression, qsizetype limit);

} // namespace engine::payload
