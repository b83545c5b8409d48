// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace views {

class ActionRegistry;

// The line below a list of jobs: which part of it is in view, the other parts, and the order.
class JobPager final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobPager)

public:
    static constexpr int jobsPerPage = 100;

    explicit JobPager(QWidget *parent = nullptr);

    // Its keys, at work anywhere in `owner`, which outlives the pager.
    void addActions(ActionRegistry &actions, const QString &group, QWidget *owner);
    // Jobs `offset` .. `offset + rows` of `total` are in view.
    void setPosition(qint64 offset, qint64 rows, qint64 total);
    void setOff(bool canTurn); // no pages now
    [[nodiscard]] bool oldestFirst() const;
    void setOldestFirst(bool on);

signals:
    void offsetWanted(qint64 offset);
    void orderChanged(bool oldestFirst);

private:
    qint64 m_offset = 0;
    qint64 m_total = 0;
    QPushButton *m_first;
    QPushButton *m_previous;
    QPushButton *m_next;
    QPushButton *m_last;
    QPushButton *m_order;
    QLabel *m_position;
};

} // namespace views
