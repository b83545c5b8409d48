// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "elidedlabel.h"

#include <QPainter>

using namespace Qt::StringLiterals;

namespace views {

namespace {

// Measuring takes time in proportion to the length, and nobody reads more than this in one line or a tool tip.
constexpr qsizetype longestLine = 1000;
constexpr qsizetype longestToolTip = 4000;

} // namespace

ElidedLabel::ElidedLabel(QWidget *parent, Qt::TextElideMode mode)
    : QFrame(parent)
    , m_mode(mode)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::setText(const QString &text)
{
    if (m_text == text)
        return;
    m_text = text;
    m_line = text.left(longestLine);
    const QString toolTip = text.size() > longestToolTip ? text.left(longestToolTip) + u'…' : text;
    // Texts of others: what looks like mark-up in them is text.
    setToolTip(Qt::mightBeRichText(toolTip) ? u"<qt>"_s + toolTip.toHtmlEscaped() + u"</qt>"_s : toolTip);
    setAccessibleName(toolTip);
    updateGeometry();
    update();
}

void ElidedLabel::setInk(const QColor &color)
{
    m_ink = color;
    update();
}

QSize ElidedLabel::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(m_line) + 2, fontMetrics().height() + 2};
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {24, fontMetrics().height() + 2};
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(m_ink.isValid() ? m_ink : palette().color(QPalette::WindowText));
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, fontMetrics().elidedText(m_line, m_mode, width()));
}

} // namespace views
