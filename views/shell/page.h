// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <models/timetext.h>

#include <QJsonObject>
#include <QWidget>

namespace views {

// What the window asks of every page.
class Page : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Page)

public:
    using QWidget::QWidget;

    virtual void setZone(models::Zone zone) = 0;
    // Columns, splitters, filters: what the next start should find as it was.
    [[nodiscard]] virtual QJsonObject saveState() const = 0;
    virtual void restoreState(const QJsonObject &state) = 0;
    virtual void focusContent() = 0;
    // Shows one thing of the page by its id, wherever in the page it is. A page that holds no such things ignores it.
    virtual void reveal(const QString &) { }

signals:
    void pauseWanted(); // Space in a list
};

} // namespace views
