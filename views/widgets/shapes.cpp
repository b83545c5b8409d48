// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shapes.h"

#include <QFontMetrics>
#include <QPainter>

using namespace Qt::StringLiterals;
using engine::outbox::Phase;

namespace views::shapes {

namespace {

constexpr int pillHeight = 20;
constexpr int iconSize = 10;
constexpr int pillPadding = 8;
constexpr int iconGap = 5;

QFont pillFont(QFont font)
{
    font.setPixelSize(font.pixelSize() - 2);
    font.setWeight(QFont::DemiBold);
    return font;
}

int digitWidth(const QFontMetrics &metrics)
{
    int widest = 0;
    for (char16_t digit = u'0'; digit <= u'9'; ++digit)
        widest = qMax(widest, metrics.horizontalAdvance(QChar(digit)));
    return widest;
}

} // namespace

QString iconName(Phase phase)
{
    switch (phase) {
    case Phase::Waiting:
        return u"state-waiting"_s;
    case Phase::InFlight:
        return u"state-inflight"_s;
    case Phase::HandedOver:
        return u"state-good"_s;
    case Phase::Retrying:
        return u"state-retrying"_s;
    case Phase::Dead:
        return u"state-critical"_s;
    case Phase::Cancelled:
        return u"state-cancelled"_s;
    case Phase::Unknown:
        break;
    }
    return u"state-unknown"_s;
}

QString iconName(models::Severity severity)
{
    switch (severity) {
    case models::Severity::Good:
        return u"state-good"_s;
    case models::Severity::Warning:
        return u"state-retrying"_s;
    case models::Severity::Critical:
        return u"state-critical"_s;
    case models::Severity::Info:
        return u"state-info"_s;
    case models::Severity::Normal:
    case models::Severity::Muted:
        break;
    }
    return u"state-waiting"_s;
}

int pillWidth(const QFont &font, const QString &word)
{
    return 2 * pillPadding + iconSize + iconGap + QFontMetrics(pillFont(font)).horizontalAdvance(word);
}

void drawPill(QPainter &painter, const Theme &theme, const QRect &rect, const QFont &font, const QString &icon,
              const QString &word, models::Severity severity)
{
    const ColorId ink = textColor(severity);
    const QFont small = pillFont(font);
    const int width = qMin(pillWidth(font, word), rect.width());
    const QRectF outline = QRectF(rect.left(), rect.top() + (rect.height() - pillHeight) / 2, width, pillHeight)
                               .adjusted(.5, .5, -.5, -.5);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(ink));
    painter.setBrush(theme.color(severity == models::Severity::Muted ? ColorId::Panel : softColor(severity)));
    painter.drawRoundedRect(outline, pillHeight / 2.0, pillHeight / 2.0);
    const QPixmap shape = theme.pixmap(icon, ink, iconSize, painter.device()->devicePixelRatioF());
    painter.drawPixmap(QPointF(outline.left() + pillPadding - .5, outline.center().y() - iconSize / 2.0), shape);
    painter.setFont(small);
    const int textLeft = pillPadding + iconSize + iconGap;
    const QRectF textRect = outline.adjusted(textLeft, 0, -pillPadding + 2, 0);
    painter.drawText(textRect, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(small).elidedText(word, Qt::ElideRight, qCeil(textRect.width())));
    painter.restore();
}

int fixedDigitsWidth(const QFontMetrics &metrics, const QString &text)
{
    const int digit = digitWidth(metrics);
    int width = 0;
    for (const QChar c : text)
        width += c.isDigit() ? digit : metrics.horizontalAdvance(c);
    return width;
}

void drawFixedDigits(QPainter &painter, const QRect &rect, Qt::Alignment alignment, const QString &text)
{
    const QFontMetrics metrics = painter.fontMetrics();
    const int width = fixedDigitsWidth(metrics, text);
    if (width > rect.width()) {
        painter.drawText(rect, int(alignment), metrics.elidedText(text, Qt::ElideRight, rect.width()));
        return;
    }
    const int digit = digitWidth(metrics);
    int x = alignment & Qt::AlignRight ? rect.right() + 1 - width : rect.left();
    const int baseline = rect.top() + (rect.height() + metrics.ascent() - metrics.descent()) / 2;
    for (const QChar c : text) {
        const int advance = metrics.horizontalAdvance(c);
        const int cell = c.isDigit() ? digit : advance;
        painter.drawText(x + (cell - advance) / 2, baseline, QString(c));
        x += cell;
    }
}

} // namespace views::shapes
