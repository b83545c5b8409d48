// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QStyledItemDelegate>

namespace views {

// A list item with a headline and, below it, a detail and a hint in smaller type, wrapped to the list's width.
class TwoLineDelegate final : public QStyledItemDelegate
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TwoLineDelegate)

public:
    enum class Icons { None, Severity };

    // `theme` outlives the delegate.
    TwoLineDelegate(const Theme &theme, Icons icons, QObject *parent = nullptr);

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    [[nodiscard]] int textLeft() const;

    const Theme &m_theme;
    const Icons m_icons;
};

} // namespace views
