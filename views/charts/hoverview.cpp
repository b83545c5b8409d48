// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "hoverview.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace views {

HoverView::HoverView(QChart *chart, QWidget *parent)
    : QChartView(chart, parent)
{
    setRenderHint(QPainter::Antialiasing);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void HoverView::mouseMoveEvent(QMouseEvent *event)
{
    QChartView::mouseMoveEvent(event);
    emit hovered(mapToScene(event->position().toPoint()));
}

void HoverView::leaveEvent(QEvent *event)
{
    QChartView::leaveEvent(event);
    emit left();
}

void HoverView::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)
        emit stepped(event->key() == Qt::Key_Left ? -1 : 1);
    else if (event->key() == Qt::Key_Escape)
        emit left();
    else
        QWidget::keyPressEvent(event);
}

void HoverView::focusOutEvent(QFocusEvent *event)
{
    QChartView::focusOutEvent(event);
    emit left();
}

void HoverView::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    emit resized();
}

void HoverView::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the page scrolls, not the chart
}

} // namespace views
