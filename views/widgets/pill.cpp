// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "pill.h"

#include "shapes.h"

#include <QPainter>

namespace views {

Pill::Pill(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void Pill::setState(const QString &icon, const QString &word, models::Severity severity)
{
    m_icon = icon;
    m_word = word;
    m_severity = severity;
    setAccessibleName(word);
    updateGeometry();
    update();
}

QSize Pill::sizeHint() const
{
    return m_word.isEmpty() ? QSize(0, 22) : QSize(shapes::pillWidth(m_theme.font(), m_word), 22);
}

void Pill::paintEvent(QPaintEvent *)
{
    if (m_word.isEmpty())
        return;
    QPainter painter(this);
    shapes::drawPill(painter, m_theme, rect(), m_theme.font(), m_icon, m_word, m_severity);
}

} // namespace views
