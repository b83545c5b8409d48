// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lanedelegate.h"

#include "shapes.h"

#include <models/tracemodel.h>

#include <QPainter>

namespace views {

namespace {

constexpr int dotSize = 12;

} // namespace

LaneDelegate::LaneDelegate(const Theme &theme, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{ }

void LaneDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    const QRect cell = option.rect;
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(cell, m_theme.color(ColorId::AccentSoft));
    painter->setPen(m_theme.color(ColorId::Line));
    painter->drawLine(cell.bottomLeft(), cell.bottomRight());

    const int track = index.data(models::TraceModel::TrackRole).toInt();
    const QPoint centre = cell.center();
    const int gap = track & models::TraceModel::TrackDot ? dotSize / 2 + 2 : 0;
    const QColor ink = m_theme.color(ColorId::Muted);
    if (track & models::TraceModel::TrackAbove)
        painter->fillRect(QRect(centre.x(), cell.top(), 1, centre.y() - gap - cell.top()), ink);
    if (track & models::TraceModel::TrackBelow)
        painter->fillRect(QRect(centre.x(), centre.y() + gap, 1, cell.bottom() - centre.y() - gap + 1), ink);
    if (track & models::TraceModel::TrackDot) {
        const auto severity = static_cast<models::Severity>(index.data(models::SeverityRole).toInt());
        const ColorId color = severity == models::Severity::Normal ? ColorId::Muted : textColor(severity);
        painter->drawPixmap(
            centre - QPoint(dotSize / 2, dotSize / 2),
            m_theme.pixmap(shapes::iconName(severity), color, dotSize, painter->device()->devicePixelRatioF()));
    }
    painter->restore();
}

} // namespace views
