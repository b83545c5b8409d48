// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Rows of a document as they are drawn.
#include "documentrows.h"

#include "visiblecharacter.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

namespace {

using Kind = DocumentRows::Kind;
using Piece = DocumentRows::Piece;

class PieceWriter
{
public:
    void add(Kind kind, const QString &text, qint64 from, qint64 to)
    {
        // What is hidden stands alone, in a frame.
        if (pieces.empty() || pieces.back().kind != kind || kind == Kind::Hidden || m_apart) {
            finish();
            pieces.push_back({kind, {}, {}});
        }
        m_apart = false;
        Piece &piece = pieces.back();
        piece.text += text;
        piece.bytes.insert(piece.bytes.end(), static_cast<size_t>(text.size()), from);
        m_end = to;
    }

    void add(Kind kind, const VisibleCharacter &character, qint64 at)
    {
        add(character.hidden ? Kind::Hidden : kind, character.text(), at, at + character.bytes);
    }

    // The next piece begins anew, whatever its kind.
    void separate() { m_apart = true; }

    std::vector<Piece> take()
    {
        finish();
        return std::move(pieces);
    }

private:
    void finish()
    {
        if (!pieces.empty() && pieces.back().bytes.size() == static_cast<size_t>(pieces.back().text.size()))
            pieces.back().bytes.push_back(m_end);
    }

    std::vector<Piece> pieces;
    qint64 m_end = 0;
    bool m_apart = false;
};

std::vector<Piece> jsonPieces(const QByteArray &document, const DocumentRows::Row &row)
{
    PieceWriter writer;
    bool inString = row.inString;
    Kind kind = row.inKey ? Kind::Key : Kind::String;
    for (qint64 i = row.from; i < row.to;) {
        const char c = document.at(i);
        if (inString) {
            const VisibleCharacter character = visibleCharacter(document, i);
            if (c == '\\' && i + 1 < row.to) {
                // An escape is shown as it is written, whatever it stands for.
                writer.add(kind, QString(u'\\'), i, i + 1);
                writer.add(kind, visibleCharacter(document, i + 1), i + 1);
                i += 1 + visibleCharacter(document, i + 1).bytes;
                continue;
            }
            writer.add(kind, character, i);
            inString = c != '"';
            i += character.bytes;
            continue;
        }
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            ++i;
            continue;
        }
        if (c == '"') {
            inString = true;
            // A key ends where its string does: a look ahead in the row is enough, but for keys that are cut here.
            qint64 end = i + 1;
            while (end < row.to && document.at(end) != '"')
                end += document.at(end) == '\\' ? 2 : 1;
            qint64 colon = end + 1;
            while (colon < document.size() && QByteArrayView(" \t\r\n").contains(document.at(colon)))
                ++colon;
            const bool isKey = end < row.to && colon < document.size() && document.at(colon) == ':';
            kind = isKey ? Kind::Key : Kind::String;
            writer.separate();
            writer.add(kind, QString(u'"'), i, i + 1);
            ++i;
            continue;
        }
        if (c == ':') {
            writer.add(Kind::Punctuation, u": "_s, i, i + 1);
            ++i;
            continue;
        }
        const VisibleCharacter character = visibleCharacter(document, i);
        const bool number = (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
        const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        writer.add(number || letter ? Kind::Number : Kind::Punctuation, character, i);
        i += character.bytes;
    }
    return writer.take();
}

std::vector<Piece> textPieces(const QByteArray &document, const DocumentRows::Row &row)
{
    PieceWriter writer;
    int column = 0;
    qint64 end = row.to;
    if (end > row.from && document.at(end - 1) == '\n')
        end -= end - 1 > row.from && document.at(end - 2) == '\r' ? 2 : 1;
    // Where other scripts are, what structures a text stands by itself, so that they cannot turn its order around.
    const QByteArrayView bytes = QByteArrayView(document).sliced(row.from, end - row.from);
    const bool mixed = std::any_of(bytes.begin(), bytes.end(), [](char c) { return static_cast<uchar>(c) >= 0x80; });
    for (qint64 i = row.from; i < end;) {
        const VisibleCharacter character = visibleCharacter(document, i);
        if (mixed && QByteArrayView("\"'{}[]()<>:;,=/").contains(document.at(i))) {
            writer.separate();
            writer.add(Kind::Plain, character, i);
            writer.separate();
            ++column;
        } else if (document.at(i) == '\t') {
            const int columns = 4 - column % 4;
            writer.add(Kind::Plain, QString(columns, u' '), i, i + 1);
            column += columns;
        } else {
            writer.add(Kind::Plain, character, i);
            column += character.columns;
        }
        i += character.bytes;
    }
    return writer.take();
}

std::vector<Piece> hexPieces(const QByteArray &document, const DocumentRows::Row &row, int perRow)
{
    PieceWriter writer;
    writer.add(Kind::Position, QString::number(row.from, 16).rightJustified(8, u'0') + u"  "_s, row.from, row.from);
    for (qint64 i = row.from; i < row.to; ++i) {
        const auto byte = static_cast<uchar>(document.at(i));
        QString digits = QString::number(byte, 16).rightJustified(2, u'0') + u' ';
        if (i + 1 == row.to)
            digits += QString(3 * static_cast<int>(perRow - (row.to - row.from)) + 1, u' ');
        writer.add(Kind::Plain, digits, i, i + 1);
    }
    for (qint64 i = row.from; i < row.to; ++i) {
        const char c = document.at(i);
        writer.add(Kind::String, QString(c >= 0x20 && c < 0x7f ? QLatin1Char(c) : QLatin1Char('.')), i, i + 1);
    }
    return writer.take();
}

} // namespace

std::vector<DocumentRows::Piece> DocumentRows::pieces(const Row &row) const
{
    switch (m_mode) {
    case Mode::Json:
        return jsonPieces(m_document, row);
    case Mode::Hex:
        return hexPieces(m_document, row, hexBytes(m_columns));
    case Mode::Text:
        break;
    }
    return textPieces(m_document, row);
}

QString DocumentRows::text(const Row &row) const
{
    QString text(row.indent, u' ');
    for (const Piece &piece : pieces(row))
        text += piece.text;
    return text;
}

} // namespace models
