// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

// JSON laid out for reading, token by token: no number, string or key is ever parsed or re-encoded.
namespace models::jsonlayout {

// The document with one member per line, two spaces a level (at most 64 levels deep, so that hostile nesting stays
// small). `json` must be valid: engine::jsontext::findFault() found nothing.
[[nodiscard]] QByteArray indented(QByteArrayView json);

struct Position
{
    int line = 1;
    int column = 1; // in characters
};

// Where a byte offset is in UTF-8 text.
[[nodiscard]] Position positionOf(QByteArrayView text, qsizetype offset);

} // namespace models::jsonlayout
