// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "documentrows.h"

#include "visiblecharacter.h"

#include <algorithm>

namespace models {

namespace {

constexpr qint64 rowsPerNote = 64;
constexpr int fewestColumns = 16;
constexpr qint64 longestKeyLooked = 4096; // longer ones are drawn as values
constexpr int tabColumns = 4;

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isOpener(char c)
{
    return c == '{' || c == '[';
}

bool isCloser(char c)
{
    return c == '}' || c == ']';
}

// In bytes: marks without a width must not make a row of any length.
qint64 longestRow(int columns)
{
    return 8 * columns;
}

// A character of a string that needs no look at what follows it.
bool isPlain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

} // namespace

int DocumentRows::hexBytes(int columns)
{
    // Eight digits of the position, three columns a byte, the bytes as text.
    constexpr int beside = 8 + 2 + 1;
    for (const int bytes : {32, 16, 8}) {
        if (columns >= beside + bytes * 4)
            return bytes;
    }
    return 4;
}

DocumentRows DocumentRows::build(const QByteArray &document, Mode mode, int columns, qint64 upTo,
                                 const std::atomic_bool *stop)
{
    DocumentRows rows;
    rows.m_document = document;
    rows.m_mode = mode;
    rows.m_columns = std::max(columns, fewestColumns);
    Cursor cursor;
    Row row;
    for (;;) {
        const Cursor before = cursor;
        if (upTo >= 0 && cursor.at >= upTo && cursor.at < document.size()) {
            rows.m_complete = false;
            break;
        }
        if (!rows.next(cursor, row))
            break;
        if (rows.m_count % rowsPerNote == 0) {
            rows.m_notes.push_back(before);
            if (stop && *stop) {
                rows.m_complete = false;
                break;
            }
        }
        ++rows.m_count;
    }
    return rows;
}

std::vector<DocumentRows::Row> DocumentRows::rows(qint64 first, int count) const
{
    std::vector<Row> found;
    if (first < 0 || first >= m_count)
        return found;
    Cursor cursor = m_notes[static_cast<size_t>(first / rowsPerNote)];
    Row row;
    const qint64 end = std::min(m_count, first + count);
    for (qint64 i = first / rowsPerNote * rowsPerNote; i < end && next(cursor, row); ++i) {
        if (i >= first)
            found.push_back(row);
    }
    return found;
}

qint64 DocumentRows::rowOf(qint64 byte) const
{
    if (m_count == 0)
        return 0;
    const auto after = std::ranges::upper_bound(m_notes, byte, {}, &Cursor::at);
    const auto note = after == m_notes.begin() ? 0 : std::distance(m_notes.begin(), after) - 1;
    Cursor cursor = m_notes[static_cast<size_t>(note)];
    Row row;
    qint64 number = note * rowsPerNote;
    while (number < m_count && next(cursor, row) && row.to <= byte)
        ++number;
    return std::min(number, m_count - 1);
}

bool DocumentRows::next(Cursor &cursor, Row &row) const
{
    switch (m_mode) {
    case Mode::Json:
        return nextJson(cursor, row);
    case Mode::Hex:
        return nextHex(cursor, row);
    case Mode::Text:
        break;
    }
    return nextText(cursor, row);
}

qint64 DocumentRows::skipSpace(qint64 at) const
{
    while (at < m_document.size() && isSpace(m_document.at(at)))
        ++at;
    return at;
}

bool DocumentRows::isKeyAt(qint64 quote) const
{
    const qint64 end = std::min<qint64>(m_document.size(), quote + longestKeyLooked);
    for (qint64 i = quote + 1; i < end; ++i) {
        if (m_document.at(i) == '\\') {
            ++i;
        } else if (m_document.at(i) == '"') {
            const qint64 colon = skipSpace(i + 1);
            return colon < m_document.size() && m_document.at(colon) == ':';
        }
    }
    return false;
}

// Goes on inside a string; false: the row is full.
bool DocumentRows::passString(Cursor &cursor, int &used, int room, qint64 from) const
{
    const char *const text = m_document.constData();
    const qint64 size = m_document.size();
    while (cursor.at < size) {
        const qint64 runEnd = std::min(size, cursor.at + std::max(0, room - used));
        const qint64 runFrom = cursor.at;
        while (cursor.at < runEnd && isPlain(text[cursor.at]))
            ++cursor.at;
        used += static_cast<int>(cursor.at - runFrom);
        if (cursor.at >= size)
            return true;
        const char c = text[cursor.at];
        if (c == '"') { // may stand beyond the edge: a row of its own would be silly
            ++cursor.at;
            ++used;
            cursor.inString = false;
            return true;
        }
        int bytes = 1;
        int columns = 1;
        if (c == '\\') {
            bytes = cursor.at + 1 < size && text[cursor.at + 1] == 'u' ? 6 : 2;
            bytes = static_cast<int>(std::min<qint64>(bytes, size - cursor.at));
            columns = bytes;
        } else if (!isPlain(c)) {
            const VisibleCharacter character = visibleCharacter(m_document, cursor.at);
            bytes = character.bytes;
            columns = character.columns;
        }
        if (cursor.at > from && (used + columns > room || cursor.at >= from + longestRow(room)))
            return false;
        cursor.at += bytes;
        used += columns;
    }
    return true;
}

bool DocumentRows::nextJson(Cursor &cursor, Row &row) const
{
    const qint64 size = m_document.size();
    if (!cursor.inString) {
        cursor.at = skipSpace(cursor.at);
        if (cursor.at < size && isCloser(m_document.at(cursor.at)) && !cursor.emptyPair)
            cursor.continued = false;
    }
    if (cursor.at >= size)
        return false;
    if (!cursor.continued && !cursor.emptyPair && isCloser(m_document.at(cursor.at)))
        cursor.depth = std::max(0, cursor.depth - 1);
    row.from = cursor.at;
    row.continued = cursor.continued;
    row.inString = cursor.inString;
    row.inKey = cursor.inKey;
    // Deep levels share the last step, so that half of the width is left for what they hold.
    row.indent = std::min(2 * std::min(cursor.depth, m_columns), m_columns / 2 / 2 * 2) + (cursor.continued ? 2 : 0);
    const int room = m_columns - row.indent;
    const auto end = [&](bool continued) {
        cursor.continued = continued;
        row.to = cursor.at;
        return true;
    };
    int used = 0;
    while (cursor.at < size) {
        if (cursor.inString) {
            if (!passString(cursor, used, room, row.from))
                return end(true);
            continue;
        }
        const char c = m_document.at(cursor.at);
        if (isSpace(c)) {
            ++cursor.at;
            continue;
        }
        if (isCloser(c) && used > 0 && !cursor.emptyPair)
            return end(false);
        if (used >= room && c != ',' && c != ':' && !isCloser(c))
            return end(true);
        const qint64 token = cursor.at++;
        used += c == ':' ? 2 : 1;
        if (c == '"') {
            cursor.inString = true;
            cursor.inKey = isKeyAt(token);
        } else if (isOpener(c)) {
            const qint64 inside = skipSpace(cursor.at);
            cursor.emptyPair = inside < size && isCloser(m_document.at(inside));
            if (!cursor.emptyPair) {
                ++cursor.depth;
                return end(false);
            }
        } else if (isCloser(c)) {
            cursor.emptyPair = false;
        } else if (c == ',') {
            return end(false);
        }
    }
    return end(false);
}

bool DocumentRows::nextText(Cursor &cursor, Row &row) const
{
    const qint64 size = m_document.size();
    if (cursor.at >= size)
        return false;
    row = {cursor.at, cursor.at, 0, cursor.continued, false, false};
    int used = 0;
    qint64 afterSpace = -1;
    const char *const text = m_document.constData();
    while (cursor.at < size) {
        const qint64 runEnd = std::min(size, cursor.at + std::max(0, m_columns - used));
        for (; cursor.at < runEnd && text[cursor.at] >= 0x20 && text[cursor.at] < 0x7f; ++cursor.at, ++used) {
            if (text[cursor.at] == ' ')
                afterSpace = cursor.at + 1;
        }
        if (cursor.at >= size)
            break;
        const char c = text[cursor.at];
        if (c == '\n' || (c == '\r' && cursor.at + 1 < size && m_document.at(cursor.at + 1) == '\n')) {
            cursor.at += c == '\n' ? 1 : 2;
            cursor.continued = false;
            row.to = cursor.at;
            return true;
        }
        const VisibleCharacter character = visibleCharacter(m_document, cursor.at);
        const int columns = c == '\t' ? tabColumns - used % tabColumns : character.columns;
        if (cursor.at > row.from && (used + columns > m_columns || cursor.at >= row.from + longestRow(m_columns))) {
            // Between words, unless that would leave most of the row empty.
            if (c == ' ')
                ++cursor.at; // may stand beyond the edge
            else if (afterSpace > row.from + (cursor.at - row.from) / 2)
                cursor.at = afterSpace;
            break;
        }
        cursor.at += character.bytes;
        used += columns;
        if (c == ' ')
            afterSpace = cursor.at;
    }
    cursor.continued = true;
    row.to = cursor.at;
    return true;
}

bool DocumentRows::nextHex(Cursor &cursor, Row &row) const
{
    if (cursor.at >= m_document.size())
        return false;
    row = {cursor.at, std::min<qint64>(m_document.size(), cursor.at + hexBytes(m_columns)), 0, false, false, false};
    cursor.at = row.to;
    return true;
}

} // namespace models
