// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>

namespace views {

// A chart that says where the pointer is, and takes Left and Right.
class HoverView final : public QChartView
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(HoverView)

public:
    explicit HoverView(QChart *chart, QWidget *parent = nullptr); // takes the chart

signals:
    void hovered(const QPointF &position); // in the scene
    void left();
    void stepped(int direction); // -1 or 1
    void resized();

protected:
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
};

} // namespace views
