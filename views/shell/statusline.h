// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QFrame>

#include <map>

class QHBoxLayout;
class QLabel;

namespace views {

// The line at the bottom: servers, oldest due event, dispatcher, and what this console costs.
class StatusLine final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(StatusLine)

public:
    enum class Item { Database, Redis, OldestDue, Dispatcher, Cost };

    // `theme` outlives the widget.
    explicit StatusLine(const Theme &theme, QWidget *parent = nullptr);

    void setItem(Item item, models::Severity severity, const QString &text, const QString &toolTip = {});

private:
    struct Cell
    {
        QLabel *icon = nullptr;
        QLabel *text = nullptr;
        models::Severity severity = models::Severity::Muted;
    };
    Cell addCell(QHBoxLayout *layout, bool withIcon);
    void dress(const Cell &cell) const;

    const Theme &m_theme;
    std::map<Item, Cell> m_cells;
};

} // namespace views
