// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QTableView>

namespace views {

// A table as every page has it: whole rows, 28 pixels, no grid, keyboard first. The header's context menu shows and
// hides columns; Ctrl+C copies the selected rows as tab-separated text. Scrolling stays on the same rows when the
// model changes above them.
class ConsoleTable final : public QTableView
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ConsoleTable)

public:
    // `theme` outlives the table.
    ConsoleTable(const Theme &theme, const QString &accessibleName, QWidget *parent = nullptr);

    // Remembers the first visible row by its id, and goes back to it.
    [[nodiscard]] QByteArray topRow() const; // empty: scrolled to the top
    void scrollBackTo(const QByteArray &id);

    void copySelection() const;

    struct ColumnPlan
    {
        int column;
        int narrow; // width where the table is `narrowTable` pixels wide or less; 0: hidden until it is wider
        int wide; // width from `wideTable` pixels on
    };
    // Widths that follow the table's own, until the user changes a column. The last column takes the rest.
    void setColumnPlan(const QList<ColumnPlan> &plan, int narrowTable, int wideTable);
    // What the user changed of the columns, as text; empty: nothing.
    [[nodiscard]] QString saveColumns() const;
    void restoreColumns(const QString &saved);

signals:
    void spacePressed();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void showColumnMenu(const QPoint &position);
    void fitColumns();

    QList<ColumnPlan> m_plan;
    int m_narrowTable = 0;
    int m_wideTable = 0;
    bool m_fitting = false;
    bool m_touched = false; // by the user
};

} // namespace views
