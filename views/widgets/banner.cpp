// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "banner.h"

#include "build.h"
#include "shapes.h"

#include <QHBoxLayout>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace views {

Banner::Banner(const Theme &theme, QWidget *parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_icon(new QLabel(this))
    , m_headline(build::label({}, "section", this))
    , m_words(build::label({}, "plain", this))
    , m_button(build::button({}, this))
{
    setObjectName(u"banner"_s);
    m_headline->setWordWrap(false);
    m_words->setWordWrap(true);
    build::makeSelectable(m_words);
    m_words->setFocusPolicy(Qt::NoFocus);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 6, 8, 6);
    layout->setSpacing(10);
    layout->addWidget(m_icon);
    layout->addWidget(m_headline);
    layout->addWidget(m_words, 1);
    layout->addWidget(m_button);
    setMinimumHeight(40);
    m_button->hide();
    connect(m_button, &QPushButton::clicked, this, &Banner::activated);
    connect(&theme, &Theme::changed, this, &Banner::paintNow);
    hide();
}

void Banner::say(models::Severity severity, const QString &headline, const QString &words, const QString &action)
{
    m_severity = severity;
    m_headline->setText(headline);
    m_words->setText(words);
    m_button->setText(action);
    m_button->setVisible(!action.isEmpty());
    setAccessibleName(headline + u' ' + words);
    paintNow();
    show();
}

void Banner::clear()
{
    hide();
}

void Banner::paintNow()
{
    const QString ink = m_theme.textColor(m_severity).name();
    m_icon->setPixmap(m_theme.pixmap(shapes::iconName(m_severity), textColor(m_severity), 14, devicePixelRatioF()));
    m_headline->setStyleSheet(u"color: %1"_s.arg(ink));
    setStyleSheet(
        u"QFrame#banner { background: %1; border: none; border-left: 4px solid %2; border-radius: 4px; }"_s.arg(
            m_theme.color(softColor(m_severity)).name(), ink));
}

} // namespace views
