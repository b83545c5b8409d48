// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tabledelegate.h"

#include "shapes.h"

#include <QAbstractItemView>
#include <QPainter>

namespace views {

namespace {

constexpr int cellPadding = 8;
constexpr int levelIcon = 12;

QFont cellFont(const QStyleOptionViewItem &option, const QModelIndex &index)
{
    QFont font = option.font;
    if (index.data(models::EmphasisRole).toBool())
        font.setWeight(QFont::DemiBold);
    return font;
}

// A line over the cell's height, from 0 to the series' own highest; a dot where it ends.
void drawSeries(QPainter &painter, const QRect &rect, const QList<QPointF> &points, const QColor &color)
{
    constexpr double spanSeconds = 900;
    double highest = 1;
    for (const QPointF &point : points)
        highest = qMax(highest, point.y());
    const QRectF area = QRectF(rect).adjusted(2, 7, -4, -7);
    QPolygonF line;
    for (const QPointF &point : points)
        line << QPointF(area.right() + point.x() / spanSeconds * area.width(),
                        area.bottom() - point.y() / highest * area.height());
    if (line.isEmpty())
        return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(line.last(), 2, 2);
}

QString cellText(const QModelIndex &index)
{
    QString text = index.data().toString();
    text.replace(u'\n', u' ');
    return text;
}

} // namespace

TableDelegate::TableDelegate(const Theme &theme, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
{ }

void TableDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    painter->save();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    if (selected)
        painter->fillRect(option.rect, m_theme.color(ColorId::AccentSoft));
    painter->setPen(m_theme.color(ColorId::Line));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    const auto severity = static_cast<models::Severity>(index.data(models::SeverityRole).toInt());
    const QString text = cellText(index);
    const QFont font = cellFont(option, index);
    QRect inner = option.rect.adjusted(cellPadding, 0, -cellPadding, -1);
    const QVariant phase = index.data(models::PhaseRole);
    const QVariant series = index.data(models::SeriesRole);
    if (series.isValid()) {
        drawSeries(*painter, inner, series.value<QList<QPointF>>(),
                   m_theme.color(severity >= models::Severity::Warning ? textColor(severity) : ColorId::Accent));
    } else if (phase.isValid()) {
        shapes::drawPill(*painter, m_theme, inner, option.font,
                         shapes::iconName(static_cast<engine::outbox::Phase>(phase.toInt())), text, severity);
    } else {
        // Without a word of its own, a warning in a text cell gets its shape in front.
        const auto alignment =
            Qt::Alignment(index.data(Qt::TextAlignmentRole).isValid() ? index.data(Qt::TextAlignmentRole).toInt()
                                                                      : int(Qt::AlignLeft | Qt::AlignVCenter));
        const bool fixedDigits = index.data(models::FixedDigitsRole).toBool();
        if (severity >= models::Severity::Warning && !fixedDigits && !text.isEmpty()) {
            const QPixmap shape = m_theme.pixmap(shapes::iconName(severity), textColor(severity), levelIcon - 1,
                                                 painter->device()->devicePixelRatioF());
            painter->drawPixmap(QPoint(inner.left(), inner.center().y() - levelIcon / 2 + 1), shape);
            inner.setLeft(inner.left() + levelIcon + 5);
        }
        painter->setFont(font);
        painter->setPen(m_theme.textColor(severity));
        if (fixedDigits)
            shapes::drawFixedDigits(*painter, inner, alignment, text);
        else
            // The end of a name or an id tells more than its middle.
            painter->drawText(
                inner, int(alignment),
                painter->fontMetrics().elidedText(
                    text, font.weight() > QFont::Normal ? Qt::ElideMiddle : Qt::ElideRight, inner.width()));
    }

    // The row that the keyboard is on carries a bar at its left edge while the table has the focus.
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    if (view && view->hasFocus() && view->currentIndex().row() == index.row() && option.rect.left() <= 0)
        painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), m_theme.color(ColorId::Accent));
    painter->restore();
}

QSize TableDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const QString text = cellText(index);
    const QFont font = cellFont(option, index);
    int width = 0;
    if (index.data(models::PhaseRole).isValid())
        width = shapes::pillWidth(font, text);
    else if (index.data(models::FixedDigitsRole).toBool())
        width = shapes::fixedDigitsWidth(QFontMetrics(font), text);
    else
        width = QFontMetrics(font).horizontalAdvance(text);
    return QSize(width + 2 * cellPadding + 2, 28);
}

} // namespace views
