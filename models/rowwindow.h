// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/reader.h>

#include <optional>
#include <vector>

namespace models {

// The part of an outbox table that a list holds: rows that follow each other, newest first, bounded however large the
// table is. Answers to questions are joined to what is there by the rows they share, never by comparing ids, whose
// order is the database's own. A value; knows nothing of views.
class RowWindow
{
public:
    static constexpr int mostRows = 2000;

    enum class Outcome {
        Joined, // rows that were there stay
        Anew, // other rows than before
    };

    using Rows = std::vector<engine::outbox::RowSummary>;

    [[nodiscard]] const Rows &rows() const { return m_rows; }
    [[nodiscard]] bool isEmpty() const { return m_rows.empty(); }
    [[nodiscard]] bool hasNewer() const { return m_hasNewer; } // than the first row
    [[nodiscard]] bool hasOlder() const { return m_hasOlder; } // than the last
    [[nodiscard]] int indexOf(const QByteArray &id) const; // -1: not here

    // About how many rows are newer than the first one; 0 and exact where there are none.
    [[nodiscard]] qint64 before() const { return m_before; }
    void setBefore(qint64 rows);

    // Whether these newest rows connect with the ones that are here.
    [[nodiscard]] bool joins(const engine::outbox::RowPage &page) const;
    void noteNewer(qint64 rows); // there are that many newer ones at least, which are not taken in
    // Takes in the answer to a question. The newest rows join those that are here if they share one; rows beyond a key
    // replace what stands behind (or before) the row of that key.
    Outcome apply(const engine::outbox::PageRequest &request, const engine::outbox::RowPage &page);
    // Gives up rows at the end that is farther from those in view, down to mostRows.
    void trim(int firstInView, int lastInView);

private:
    Outcome begin(const engine::outbox::PageRequest &request, const engine::outbox::RowPage &page);
    // Rows [from, to) with the answer in their place; the same row is never there twice.
    void replace(size_t from, size_t to, const Rows &answer);

    Rows m_rows;
    bool m_hasNewer = false;
    bool m_hasOlder = false;
    qint64 m_before = 0;
};

} // namespace models
