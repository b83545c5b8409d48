// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "navigationbar.h"

#include <views/widgets/build.h>

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

NavigationBar::NavigationBar(const Theme &theme, QWidget *parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_layout(new QVBoxLayout(this))
    , m_group(new QButtonGroup(this))
{
    setObjectName(u"navigation"_s);
    setFixedWidth(168);
    m_layout->setContentsMargins(0, 8, 0, 8);
    m_layout->setSpacing(0);
    m_layout->addStretch(1);
    m_group->setExclusive(true);
    connect(&theme, &Theme::changed, this, &NavigationBar::dress);
}

void NavigationBar::addHeading(const QString &text)
{
    QLabel *heading = build::label(text, "heading", this);
    heading->setContentsMargins(14, 12, 8, 4);
    m_layout->insertWidget(m_layout->count() - 1, heading);
}

void NavigationBar::addPage(const QString &id, const QString &text, const QString &icon, const QKeySequence &key)
{
    auto *button = new QToolButton(this);
    button->setObjectName(u"nav-"_s + id);
    button->setProperty("nav", true);
    button->setText(u"  "_s + text);
    button->setAccessibleName(text);
    button->setToolTip(u"%1 (%2)"_s.arg(text, key.toString(QKeySequence::NativeText)));
    button->setCheckable(true);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_group->addButton(button);
    m_layout->insertWidget(m_layout->count() - 1, button);
    auto *badge = build::label({}, "badge", button);
    badge->hide();
    auto *inner = new QHBoxLayout(button);
    inner->setContentsMargins(0, 0, 12, 0);
    inner->addStretch(1);
    inner->addWidget(badge, 0, Qt::AlignVCenter);
    badge->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_pages.push_back({id, icon, text, button, badge});
    connect(button, &QToolButton::clicked, this, [this, id] { emit chosen(id); });
    dress();
}

void NavigationBar::setCurrent(const QString &id)
{
    for (const Page &page : m_pages)
        page.button->setChecked(page.id == id);
    dress();
}

void NavigationBar::setBadge(const QString &id, int count, models::Severity severity)
{
    for (const Page &page : m_pages) {
        if (page.id != id)
            continue;
        page.badge->setText(count > 999 ? tr("999+") : QString::number(count));
        page.badge->setVisible(count > 0);
        build::restyle(page.badge, "severity", severity == models::Severity::Critical ? u"critical"_s : u"warning"_s);
        page.button->setAccessibleName(count > 0 ? tr("%1, %2", "page, number").arg(page.text).arg(count) : page.text);
    }
}

void NavigationBar::keyPressEvent(QKeyEvent *event)
{
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    const int count = static_cast<int>(m_pages.size());
    for (int i = 0; step != 0 && i < count; ++i) {
        if (!m_pages[static_cast<size_t>(i)].button->hasFocus())
            continue;
        const Page &next = m_pages[static_cast<size_t>((i + step + count) % count)];
        next.button->setFocus(Qt::TabFocusReason);
        emit chosen(next.id);
        return;
    }
    QFrame::keyPressEvent(event);
}

void NavigationBar::dress()
{
    for (const Page &page : m_pages)
        page.button->setIcon(m_theme.icon(page.icon, page.button->isChecked() ? ColorId::AccentText : ColorId::Muted));
}

} // namespace views
