// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "twolinedelegate.h"

#include "shapes.h"

#include <QAbstractItemView>
#include <QPainter>

namespace views {

namespace {

constexpr int padding = 8;
constexpr int iconSize = 14;
constexpr int wrapFlags = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap | Qt::TextWrapAnywhere;

QFont headlineFont(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

QFont smallFont(QFont font)
{
    font.setPixelSize(font.pixelSize() - 1);
    return font;
}

int wrappedHeight(const QFont &font, int width, const QString &text)
{
    return text.isEmpty() ? 0 : QFontMetrics(font).boundingRect(0, 0, width, 10000, wrapFlags, text).height();
}

} // namespace

TwoLineDelegate::TwoLineDelegate(const Theme &theme, Icons icons, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
    , m_icons(icons)
{ }

int TwoLineDelegate::textLeft() const
{
    return m_icons == Icons::Severity ? padding + iconSize + 8 : padding + 4;
}

void TwoLineDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto severity = static_cast<models::Severity>(index.data(models::SeverityRole).toInt());
    painter->save();
    if (option.state.testFlag(QStyle::State_Selected)) {
        painter->fillRect(option.rect, m_theme.color(ColorId::AccentSoft));
        painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), m_theme.color(ColorId::Accent));
    }
    if (m_icons == Icons::Severity)
        painter->drawPixmap(option.rect.topLeft() + QPoint(padding + 1, padding + 1),
                            m_theme.pixmap(shapes::iconName(severity), textColor(severity), iconSize,
                                           painter->device()->devicePixelRatioF()));
    QRect rest = option.rect.adjusted(textLeft(), padding, -padding, -padding);
    const auto write = [&](const QFont &font, const QColor &color, const QString &text) {
        if (text.isEmpty())
            return;
        painter->setFont(font);
        painter->setPen(color);
        QRect used;
        painter->drawText(rest, wrapFlags, text, &used);
        rest.setTop(rest.top() + wrappedHeight(font, rest.width(), text) + 1);
    };
    write(headlineFont(option.font), m_theme.color(ColorId::Text), index.data().toString());
    const bool quiet = severity < models::Severity::Warning;
    write(smallFont(option.font), quiet ? m_theme.color(ColorId::Muted) : m_theme.textColor(severity),
          index.data(models::DetailRole).toString());
    write(smallFont(option.font), m_theme.color(ColorId::Text), index.data(models::HintRole).toString());
    painter->restore();
}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const int width = qMax(80, (view ? view->viewport()->width() : option.rect.width()) - textLeft() - padding);
    int height = 2 * padding + wrappedHeight(headlineFont(option.font), width, index.data().toString());
    for (const int role : {int(models::DetailRole), int(models::HintRole)}) {
        const QString text = index.data(role).toString();
        if (!text.isEmpty())
            height += wrappedHeight(smallFont(option.font), width, text) + 1;
    }
    return QSize(width, height);
}

} // namespace views
