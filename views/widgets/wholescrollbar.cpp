// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wholescrollbar.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QTableView>
#include <QWheelEvent>

#include <algorithm>
#include <limits>

namespace views {

WholeScrollBar::WholeScrollBar(QTableView &table, QWidget *parent)
    : QScrollBar(Qt::Vertical, parent)
    , m_table(table)
{
    setAccessibleName(tr("Position in the whole list"));
    setFocusPolicy(Qt::NoFocus);
    table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table.installEventFilter(this);
    m_rest.setSingleShot(true);
    m_rest.setInterval(80);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        if (const qint64 row = std::exchange(m_wanted, -1); row >= 0)
            emit jumpWanted(row);
    });
    connect(this, &QScrollBar::actionTriggered, this, &WholeScrollBar::act);
    connect(this, &QScrollBar::sliderReleased, this, &WholeScrollBar::follow);
    connect(table.verticalScrollBar(), &QScrollBar::valueChanged, this, [this] {
        follow();
        emit viewMoved();
    });
    connect(table.verticalScrollBar(), &QScrollBar::rangeChanged, this, &WholeScrollBar::follow);
    follow();
}

void WholeScrollBar::setPlace(qint64 before, qint64 total, bool reachesEnd)
{
    m_before = before;
    m_total = total;
    m_reachesEnd = reachesEnd;
    follow();
}

int WholeScrollBar::topRow() const
{
    return qMax(0, m_table.verticalScrollBar()->value()); // the table scrolls by whole rows
}

int WholeScrollBar::rowsInView() const
{
    return qMax(1, m_table.viewport()->height() / qMax(1, m_table.verticalHeader()->defaultSectionSize()));
}

int WholeScrollBar::lastRowInView() const
{
    const int rows = m_table.model() ? m_table.model()->rowCount() : 0;
    return qMin(rows - 1, topRow() + rowsInView());
}

void WholeScrollBar::follow()
{
    if (isSliderDown())
        return; // the user holds it
    m_following = true;
    const QScrollBar *own = m_table.verticalScrollBar();
    const int rows = m_table.model() ? m_table.model()->rowCount() : 0;
    const qint64 all = std::min<qint64>(std::max(m_total, m_before + rows), std::numeric_limits<int>::max());
    setRange(0, static_cast<int>(qMax<qint64>(0, all - rowsInView())));
    setPageStep(rowsInView());
    const bool atEnd = m_reachesEnd && own->value() == own->maximum() && maximum() > 0 && own->maximum() > 0;
    setValue(atEnd ? maximum() : static_cast<int>(qMin<qint64>(m_before + own->value(), maximum())));
    m_following = false;
    setVisible(maximum() > 0);
}

void WholeScrollBar::act(int action)
{
    QScrollBar *own = m_table.verticalScrollBar();
    const auto stepped = [&](int rows) {
        setSliderPosition(value()); // what the table does decides
        own->setValue(own->value() + rows);
    };
    switch (action) {
    case SliderSingleStepAdd:
        stepped(1);
        break;
    case SliderSingleStepSub:
        stepped(-1);
        break;
    case SliderPageStepAdd:
        stepped(rowsInView());
        break;
    case SliderPageStepSub:
        stepped(-rowsInView());
        break;
    case SliderToMinimum:
        emit beginWanted(false);
        break;
    case SliderToMaximum:
        emit endWanted(false);
        break;
    case SliderMove:
        goTo(sliderPosition());
        break;
    default:
        break;
    }
}

void WholeScrollBar::goTo(qint64 row)
{
    emit dragged(row);
    const int rows = m_table.model() ? m_table.model()->rowCount() : 0;
    if (row >= m_before && row <= m_before + qMax(0, rows - rowsInView())) {
        m_wanted = -1;
        m_table.verticalScrollBar()->setValue(static_cast<int>(row - m_before));
        return;
    }
    m_wanted = row;
    if (!m_rest.isActive())
        m_rest.start();
}

bool WholeScrollBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == &m_table && event->type() == QEvent::KeyPress) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool plain = !(key->modifiers() & ~(Qt::ControlModifier | Qt::KeypadModifier));
        if (plain && key->key() == Qt::Key_Home) {
            emit beginWanted(true);
            return true;
        }
        if (plain && key->key() == Qt::Key_End) {
            emit endWanted(true);
            return true;
        }
    }
    if (watched == &m_table && event->type() == QEvent::Resize)
        QMetaObject::invokeMethod(this, &WholeScrollBar::follow, Qt::QueuedConnection);
    return QScrollBar::eventFilter(watched, event);
}

void WholeScrollBar::wheelEvent(QWheelEvent *event)
{
    QCoreApplication::sendEvent(m_table.viewport(), event);
}

} // namespace views
