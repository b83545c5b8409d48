// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollBar>
#include <QTimer>

class QTableView;

namespace views {

// The scroll bar of a list that is far longer than the rows its table holds. The table scrolls those rows by itself,
// by wheel and keys; this bar stands where they are in the whole. Dragged within them it scrolls the table, dragged
// beyond it asks for a jump. Positions are numbers of rows and may be estimates: rows are never fetched by them.
class WholeScrollBar final : public QScrollBar
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(WholeScrollBar)

public:
    // Stands in for the table's own bar, which is hidden. `table` outlives it.
    explicit WholeScrollBar(QTableView &table, QWidget *parent = nullptr);

    // The table's first row is row number `before` of `total`; `reachesEnd`: its last row is the last of all.
    void setPlace(qint64 before, qint64 total, bool reachesEnd);

    [[nodiscard]] int topRow() const; // of the table, the first in view
    [[nodiscard]] int rowsInView() const;
    // The table's last row in view, in part at least; -1: it has none.
    [[nodiscard]] int lastRowInView() const;

signals:
    void jumpWanted(qint64 row); // of the whole; a few times a second while it is dragged
    // `byKey`: Home or End in the table, where a cursor moves along.
    void beginWanted(bool byKey);
    void endWanted(bool byKey);
    void dragged(qint64 row); // at once, to say where that is
    void viewMoved(); // other rows of the table are in view

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    void follow();
    void act(int action);
    void goTo(qint64 row);

    QTableView &m_table;
    qint64 m_before = 0;
    qint64 m_total = 0;
    bool m_reachesEnd = true;
    bool m_following = false;
    qint64 m_wanted = -1;
    QTimer m_rest;
};

} // namespace views
