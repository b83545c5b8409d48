// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertrow.h"

#include "build.h"
#include "elidedlabel.h"
#include "shapes.h"

#include <models/alertmodel.h>

#include <QDateTime>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace views {

namespace {

QString openText(engine::watch::AlertMetric metric)
{
    const QString page = models::pageFor(metric);
    return page == u"queues" ? AlertRow::tr("Open queues")
        : page == u"outbox"  ? AlertRow::tr("Open outbox")
                             : AlertRow::tr("Open executions");
}

} // namespace

void fillSnoozeMenu(QMenu *menu, const std::function<void(qint64)> &chosen)
{
    constexpr qint64 minute = 60'000;
    for (const auto &[text, ms] :
         {std::pair(AlertRow::tr("For 15 minutes"), 15 * minute), std::pair(AlertRow::tr("For 1 hour"), 60 * minute),
          std::pair(AlertRow::tr("For 4 hours"), 240 * minute)})
        menu->addAction(text, menu, [chosen, span = ms] { chosen(QDateTime::currentMSecsSinceEpoch() + span); });
    menu->addAction(AlertRow::tr("Until tomorrow 09:00"), menu,
                    [chosen] { chosen(QDateTime(QDate::currentDate().addDays(1), QTime(9, 0)).toMSecsSinceEpoch()); });
}

AlertRow::AlertRow(const Theme &theme, QWidget *parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_icon(new QLabel(this))
    , m_headline(new ElidedLabel(this))
    , m_detail(new ElidedLabel(this))
    , m_open(build::button({}, this))
    , m_snooze(build::toolButton(tr("Snooze this alert"), this))
    , m_wake(build::button(tr("Wake"), this))
{
    setObjectName(u"alertRow"_s);
    QFont bold = theme.font();
    bold.setWeight(QFont::DemiBold);
    m_headline->setFont(bold);
    m_headline->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_detail->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    auto *menu = new QMenu(m_snooze);
    fillSnoozeMenu(menu, [this](qint64 until) { emit snoozed(m_alert.id, until); });
    m_snooze->setMenu(menu);
    m_snooze->setPopupMode(QToolButton::InstantPopup);
    m_snooze->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_snooze->setText(tr("Snooze"));
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 6, 8, 6);
    layout->setSpacing(10);
    layout->addWidget(m_icon);
    layout->addWidget(m_headline);
    layout->addWidget(m_detail, 1);
    layout->addWidget(m_open);
    layout->addWidget(m_snooze);
    layout->addWidget(m_wake);
    setFixedHeight(42);
    connect(m_open, &QPushButton::clicked, this, [this] { emit opened(m_alert); });
    connect(m_wake, &QPushButton::clicked, this, [this] { emit woken(m_alert.id); });
    connect(&theme, &Theme::changed, this, &AlertRow::paintNow);
}

void AlertRow::setAlert(const engine::watch::Alert &alert, models::Zone zone, qint64 nowMs)
{
    m_alert = alert;
    m_headline->setText(alert.headline);
    QStringList words{tr("since %1").arg(models::clockText(alert.sinceMs * 1000, zone, nowMs * 1000))};
    if (const QString state = models::stateText(alert, zone, nowMs); !state.isEmpty())
        words.prepend(state);
    if (!alert.detail.isEmpty())
        words << alert.detail;
    m_detail->setText(words.join(u" · "_s));
    setToolTip(alert.advice);
    m_open->setText(openText(alert.metric));
    m_open->setAccessibleDescription(alert.headline);
    m_snooze->setAccessibleDescription(alert.headline);
    m_snooze->setVisible(!alert.snoozedUntilMs);
    m_wake->setVisible(alert.snoozedUntilMs.has_value());
    setAccessibleName((alert.level == engine::watch::AlertLevel::Critical ? tr("Critical: %1") : tr("Warning: %1"))
                          .arg(alert.headline));
    setAccessibleDescription(m_detail->text() + u". "_s + alert.advice);
    paintNow();
}

void AlertRow::paintNow()
{
    const models::Severity severity = models::severityOf(m_alert);
    m_icon->setPixmap(m_theme.pixmap(shapes::iconName(severity), textColor(severity), 14, devicePixelRatioF()));
    m_headline->setInk(m_theme.textColor(severity));
    m_detail->setInk(m_theme.color(severity == models::Severity::Muted ? ColorId::Muted : ColorId::Text));
    const QColor background = m_theme.color(severity == models::Severity::Muted ? ColorId::Panel : softColor(severity));
    setStyleSheet(
        u"QFrame#alertRow { background: %1; border: none; border-left: 4px solid %2; border-radius: 4px; }"_s.arg(
            background.name(), m_theme.textColor(severity).name()));
    m_snooze->setIcon(m_theme.icon(u"clock"_s, ColorId::Muted));
}

} // namespace views
