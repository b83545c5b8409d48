// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <atomic>
#include <vector>

namespace models {

// A document cut into rows that fit a width, however large it is: rows are places in the stored bytes, found again from
// a note at every 64th. Nothing is parsed into numbers or objects, nothing recurses, and what is on screen is all that is
// ever made into text. A value: built in any thread, read in any other.
class DocumentRows final
{
public:
    enum class Mode {
        Json, // one member per line, two columns a level; valid JSON, or the beginning of it
        Text, // its own lines
        Hex,
    };

    struct Row
    {
        qint64 from = 0; // bytes of the document
        qint64 to = 0;
        int indent = 0; // columns
        bool continued = false; // goes on with the line of the row before
        bool inString = false; // of JSON: begins inside a string,
        bool inKey = false; // which is a key
    };

    enum class Kind { Plain, Key, String, Number, Word, Punctuation, Hidden, Position };
    // A part of a row to be drawn by itself, so that no direction of writing reaches beyond it.
    struct Piece
    {
        Kind kind = Kind::Plain;
        QString text;
        std::vector<qint64> bytes; // where each unit of `text` comes from, and the end
    };

    DocumentRows() = default;
    // Reads no further than `upTo` bytes (-1: to the end), or until `stop`: then isComplete() is false.
    static DocumentRows build(const QByteArray &document, Mode mode, int columns, qint64 upTo = -1,
                              const std::atomic_bool *stop = nullptr);

    [[nodiscard]] const QByteArray &document() const { return m_document; }
    [[nodiscard]] Mode mode() const { return m_mode; }
    [[nodiscard]] int columns() const { return m_columns; }
    [[nodiscard]] qint64 count() const { return m_count; }
    [[nodiscard]] bool isComplete() const { return m_complete; }

    // As many of them as there are.
    [[nodiscard]] std::vector<Row> rows(qint64 first, int count) const;
    [[nodiscard]] std::vector<Piece> pieces(const Row &row) const;
    [[nodiscard]] qint64 rowOf(qint64 byte) const; // 0 where there are no rows
    // The row as it is drawn, without colours.
    [[nodiscard]] QString text(const Row &row) const;

    // Bytes of a row of `Hex`, which depend on the width.
    [[nodiscard]] static int hexBytes(int columns);

private:
    // Between two rows.
    struct Cursor
    {
        qint64 at = 0;
        qint32 depth = 0;
        bool inString = false;
        bool inKey = false;
        bool continued = false;
        bool emptyPair = false; // of {} and [], which stay together
    };
    bool next(Cursor &cursor, Row &row) const;
    bool nextJson(Cursor &cursor, Row &row) const;
    bool nextText(Cursor &cursor, Row &row) const;
    bool nextHex(Cursor &cursor, Row &row) const;
    [[nodiscard]] qint64 skipSpace(qint64 at) const;
    [[nodiscard]] bool isKeyAt(qint64 quote) const;
    [[nodiscard]] bool passString(Cursor &cursor, int &used, int room, qint64 from) const;

    QByteArray m_document;
    Mode m_mode = Mode::Text;
    int m_columns = 80;
    qint64 m_count = 0;
    bool m_complete = true;
    std::vector<Cursor> m_notes; // before every 64th row
};

} // namespace models
