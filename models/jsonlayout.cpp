// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jsonlayout.h"

#include <algorithm>

namespace models::jsonlayout {

namespace {

constexpr int deepestIndent = 64;

bool isSpace(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

qsizetype skipSpace(QByteArrayView json, qsizetype at)
{
    while (at < json.size() && isSpace(json[at]))
        ++at;
    return at;
}

qsizetype endOfString(QByteArrayView json, qsizetype at)
{
    for (++at; at < json.size(); ++at) {
        if (json[at] == '\\')
            ++at;
        else if (json[at] == '"')
            return at + 1;
    }
    return json.size();
}

void newLine(QByteArray &target, int depth)
{
    target += '\n';
    target.append(2 * std::min(depth, deepestIndent), ' ');
}

} // namespace

QByteArray indented(QByteArrayView json)
{
    QByteArray out;
    out.reserve(json.size() * 2);
    int depth = 0;
    for (qsizetype i = skipSpace(json, 0); i < json.size(); i = skipSpace(json, i)) {
        const char c = json[i];
        switch (c) {
        case '"': {
            const qsizetype end = endOfString(json, i);
            out.append(json.sliced(i, end - i));
            i = end;
            break;
        }
        case '{':
        case '[': {
            out += c;
            const qsizetype next = skipSpace(json, ++i);
            if (next < json.size() && (json[next] == '}' || json[next] == ']')) {
                out += json[next];
                i = next + 1;
            } else {
                newLine(out, ++depth);
            }
            break;
        }
        case '}':
        case ']':
            newLine(out, --depth);
            out += c;
            ++i;
            break;
        case ',':
            out += c;
            newLine(out, depth);
            ++i;
            break;
        case ':':
            out.append(": ");
            ++i;
            break;
        default: // numbers and words, character for character
            out += c;
            ++i;
            break;
        }
    }
    return out;
}

Position positionOf(QByteArrayView text, qsizetype offset)
{
    Position position;
    const qsizetype end = std::min(offset, text.size());
    for (qsizetype i = 0; i < end; ++i) {
        if (text[i] == '\n') {
            ++position.line;
            position.column = 1;
        } else if ((static_cast<uchar>(text[i]) & 0xc0) != 0x80) {
            ++position.column;
        }
    }
    return position;
}

} // namespace models::jsonlayout
