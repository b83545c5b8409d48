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

signals:
    void spacePressed();

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void showColumnMenu(const QPoint &position);
};

} // namespace views
