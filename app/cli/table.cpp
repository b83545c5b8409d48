// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "table.h"

#include "commandline.h"

namespace cli {

TextTable::TextTable(std::vector<Column> columns)
    : m_columns(std::move(columns))
{ }

void TextTable::add(const QStringList &cells)
{
    QStringList row;
    for (size_t i = 0; i < m_columns.size(); ++i) {
        QString cell = cells.value(static_cast<qsizetype>(i)).simplified();
        if (i + 1 < m_columns.size() && cell.size() > m_columns[i].widest)
            cell = cell.first(m_columns[i].widest - 1) + u'…';
        row << cell;
    }
    m_rows.push_back(row);
}

void TextTable::print() const
{
    QStringList headings;
    std::vector<qsizetype> widths;
    for (const Column &column : m_columns) {
        headings << column.heading;
        widths.push_back(column.heading.size());
    }
    for (const QStringList &row : m_rows) {
        for (size_t i = 0; i < widths.size(); ++i)
            widths[i] = qMax(widths[i], row[static_cast<qsizetype>(i)].size());
    }
    const auto printRow = [&](const QStringList &row) {
        QStringList cells;
        for (size_t i = 0; i < widths.size(); ++i) {
            const QString &cell = row[static_cast<qsizetype>(i)];
            cells << (m_columns[i].side == Side::Right ? cell.rightJustified(widths[i])
                                                       : cell.leftJustified(widths[i]));
        }
        QString line = cells.join(u"  ");
        while (line.endsWith(u' '))
            line.chop(1);
        printLine(line);
    };
    printRow(headings);
    for (const QStringList &row : m_rows)
        printRow(row);
}

} // namespace cli
