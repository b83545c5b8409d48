// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "headerbar.h"

#include "actions.h"

#include <views/widgets/build.h>
#include <views/widgets/shapes.h>

#include <QActionGroup>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace views {

namespace {

constexpr int intervals[] = {1, 2, 5, 10, 30, 60};

} // namespace

HeaderBar::HeaderBar(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_actions(actions)
    , m_connection(build::toolButton(tr("Connection"), this))
    , m_access(build::toolButton(tr("Access"), this))
    , m_find(build::toolButton(tr("Find"), this))
    , m_zone(build::toolButton(tr("Time zone of shown times"), this))
    , m_refresh(build::toolButton(tr("Refresh now"), this))
    , m_pause(build::toolButton(tr("Pause refreshing"), this))
    , m_interval(build::toolButton(tr("Refresh interval"), this))
    , m_menuButton(build::toolButton(tr("Menu"), this))
    , m_menu(new QMenu(this))
{
    setObjectName(u"header"_s);
    setFixedHeight(44);
    m_connection->setObjectName(u"connectionChip"_s);
    m_connection->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_access->setObjectName(u"accessChip"_s);
    m_access->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_find->setObjectName(u"findField"_s);
    m_find->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_find->setText(u"  "_s
                    + tr("Find a page, action or id   %1")
                          .arg(actions.action(u"find"_s)->shortcut().toString(QKeySequence::NativeText)));
    m_find->setToolTip(actions.action(u"find"_s)->toolTip());
    connect(m_find, &QToolButton::clicked, actions.action(u"find"_s), &QAction::trigger);

    auto *zones = new QMenu(m_zone);
    auto *zoneGroup = new QActionGroup(zones);
    for (const auto &[zone, text] :
         {std::pair(models::Zone::Utc, tr("UTC")), std::pair(models::Zone::Local, tr("Local time"))}) {
        QAction *action = zones->addAction(text);
        action->setCheckable(true);
        action->setData(int(zone));
        zoneGroup->addAction(action);
        connect(action, &QAction::triggered, this, [this, chosen = zone] { emit zoneChosen(chosen); });
    }
    m_zone->setMenu(zones);
    m_zone->setPopupMode(QToolButton::InstantPopup);
    m_zone->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_zone->setToolTip(tr("Time zone of all times shown (%1)")
                           .arg(actions.action(u"zone"_s)->shortcut().toString(QKeySequence::NativeText)));

    auto *rates = new QMenu(m_interval);
    auto *rateGroup = new QActionGroup(rates);
    for (const int seconds : intervals) {
        QAction *action = rates->addAction(tr("Every %1 s").arg(seconds));
        action->setCheckable(true);
        action->setData(seconds);
        rateGroup->addAction(action);
        connect(action, &QAction::triggered, this, [this, seconds] { emit intervalChosen(seconds); });
    }
    m_interval->setMenu(rates);
    m_interval->setPopupMode(QToolButton::InstantPopup);
    m_interval->setToolTip(tr("How often the page in view is read again"));
    m_interval->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

    m_refresh->setToolTip(actions.action(u"refresh"_s)->toolTip());
    m_menuButton->setMenu(m_menu);
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    m_menuButton->setToolTip(tr("Menu (%1)").arg(QKeySequence(Qt::Key_F10).toString(QKeySequence::NativeText)));
    m_menuButton->setObjectName(u"menuButton"_s);

    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 12, 0);
    layout->setSpacing(8);
    layout->addWidget(m_connection);
    layout->addWidget(m_access);
    layout->addStretch(1);
    layout->addWidget(m_find);
    layout->addStretch(1);
    layout->addWidget(m_zone);
    layout->addWidget(m_interval);
    layout->addWidget(m_pause);
    layout->addWidget(m_refresh);
    layout->addWidget(m_menuButton);

    connect(m_connection, &QToolButton::clicked, this, &HeaderBar::connectWanted);
    connect(m_access, &QToolButton::clicked, this, &HeaderBar::connectWanted);
    connect(m_refresh, &QToolButton::clicked, actions.action(u"refresh"_s), &QAction::trigger);
    connect(m_pause, &QToolButton::clicked, actions.action(u"pause"_s), &QAction::trigger);
    connect(&theme, &Theme::changed, this, &HeaderBar::dress);
    dress();
}

void HeaderBar::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    QString name = profile.sandbox ? tr("Sandbox") : profile.name.isEmpty() ? tr("Unsaved connection") : profile.name;
    if (profile.production)
        name += u" · "_s + tr("PRODUCTION");
    m_connection->setText(u" "_s + name.replace(u'&', u"&&"_s));
    m_access->setText(u" "_s + (profile.readOnly ? tr("Read-only") : tr("Writable")));
    m_access->setToolTip(
        profile.readOnly ? tr("Nothing can be changed over this connection. Click to change that.")
                         : tr("Events can be published and dispatched over this connection. Click to change that."));
    build::restyle(this, "production", profile.production);
    dress();
}

void HeaderBar::setConnectionState(models::Severity severity, const QString &words)
{
    m_connection->setToolTip(words.isEmpty() ? m_actions.action(u"connect"_s)->toolTip()
                                             : words + u'\n' + m_actions.action(u"connect"_s)->toolTip());
    if (m_state == severity)
        return;
    m_state = severity;
    dress();
}

void HeaderBar::setZone(models::Zone zone)
{
    m_zone->setText(u" "_s + (zone == models::Zone::Utc ? tr("UTC") : tr("Local time")));
    for (QAction *action : m_zone->menu()->actions())
        action->setChecked(action->data().toInt() == int(zone));
}

void HeaderBar::setRefresh(int seconds, bool paused)
{
    m_paused = paused;
    m_interval->setText(paused ? tr("Paused") : tr("Every %1 s").arg(seconds));
    for (QAction *action : m_interval->menu()->actions())
        action->setChecked(action->data().toInt() == seconds);
    const QString keys = m_actions.action(u"pause"_s)->shortcut().toString(QKeySequence::NativeText);
    m_pause->setToolTip(paused ? tr("Resume refreshing (%1)").arg(keys) : tr("Pause refreshing (%1)").arg(keys));
    m_pause->setAccessibleName(paused ? tr("Resume refreshing") : tr("Pause refreshing"));
    dress();
}

void HeaderBar::dress()
{
    m_connection->setIcon(m_theme.icon(shapes::iconName(m_state), textColor(m_state)));
    m_access->setIcon(m_theme.icon(m_profile.readOnly ? u"lock"_s : u"pencil"_s,
                                   m_profile.readOnly ? ColorId::Text : ColorId::Warning));
    m_find->setIcon(m_theme.icon(u"search"_s, ColorId::Muted));
    m_zone->setIcon(m_theme.icon(u"clock"_s, ColorId::Muted));
    m_refresh->setIcon(m_theme.icon(u"refresh"_s));
    m_pause->setIcon(m_theme.icon(m_paused ? u"play"_s : u"pause"_s, m_paused ? ColorId::Warning : ColorId::Text));
    m_menuButton->setIcon(m_theme.icon(u"menu"_s));
}

} // namespace views
