// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <vector>

namespace cli {

// Rows for people to read in a terminal, in columns as wide as what stands in them.
class TextTable
{
public:
    enum class Side { Left, Right };
    struct Column
    {
        QString heading;
        Side side = Side::Left;
        int widest = 60; // characters; longer texts are cut. The last column is never cut.
    };

    explicit TextTable(std::vector<Column> columns);
    void add(const QStringList &cells);
    void print() const; // on standard output, nothing behind the last word of a line

private:
    const std::vector<Column> m_columns;
    std::vector<QStringList> m_rows;
};

} // namespace cli
