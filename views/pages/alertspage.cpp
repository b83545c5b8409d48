// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertspage.h"

#include <views/shell/actions.h>
#include <views/widgets/alertrow.h>
#include <views/widgets/alertruledelegate.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/pagestate.h>

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimeEdit>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::notify::Channel;
using engine::watch::AlertRules;
using models::AlertModel;
using models::AlertRuleModel;

namespace views {

AlertsPage::AlertsPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_subtitle(build::label({}, "muted"))
    , m_tabs(new QTabBar)
{
    Q_UNUSED(actions)
    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Alerts"), "title"));
    top->addWidget(m_subtitle, 1);
    for (const QString &text : {tr("Now"), tr("Rules"), tr("Notifications")})
        m_tabs->addTab(text);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Alerts, rules and notifications"));
    auto *stack = new QStackedWidget;
    stack->addWidget(buildActive());
    stack->addWidget(buildRules());
    stack->addWidget(buildChannels());
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_tabs);
    layout->addWidget(stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, stack, &QStackedWidget::setCurrentIndex);
    updateActions();
}

QWidget *AlertsPage::buildActive()
{
    m_alertTable = new ConsoleTable(m_theme, tr("Alerts that hold"));
    m_alertTable->setObjectName(u"alertTable"_s);
    m_alertTable->setModel(&m_alerts);
    m_alertTable->setColumnPlan({{AlertModel::Level, 90, 100},
                                 {AlertModel::What, 380, 520},
                                 {AlertModel::Detail, 290, 620},
                                 {AlertModel::Since, 110, 130}},
                                1060, 1700);
    m_alertState = new PageState(m_theme, m_alertTable);
    m_alertState->showLoading(tr("Looking…"));
    m_advice = build::label({}, "muted");
    m_advice->setWordWrap(true);
    m_open = build::button(tr("Open"));
    m_snooze = build::toolButton(tr("Snooze the chosen alert"));
    auto *menu = new QMenu(m_snooze);
    fillSnoozeMenu(menu, [this](qint64 until) {
        if (const auto *alert = m_alerts.alert(m_alertTable->currentIndex()))
            emit snoozeWanted(alert->id, until);
    });
    m_snooze->setMenu(menu);
    m_snooze->setPopupMode(QToolButton::InstantPopup);
    m_snooze->setText(tr("Snooze"));
    m_wake = build::button(tr("Wake"));
    auto *bottom = new QHBoxLayout;
    build::tighten(bottom, 8);
    bottom->addWidget(m_advice, 1);
    for (QWidget *control : std::initializer_list<QWidget *>{m_wake, m_snooze, m_open})
        bottom->addWidget(control);
    auto *part = new QWidget;
    auto *layout = new QVBoxLayout(part);
    build::tighten(layout, 8);
    layout->addWidget(m_alertState, 1);
    layout->addLayout(bottom);
    const auto open = [this] {
        if (const auto *alert = m_alerts.alert(m_alertTable->currentIndex()))
            emit alertOpened(*alert);
    };
    connect(m_open, &QPushButton::clicked, this, open);
    connect(m_alertTable, &ConsoleTable::activated, this, open);
    connect(m_alertTable, &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    connect(m_wake, &QPushButton::clicked, this, [this] {
        if (const auto *alert = m_alerts.alert(m_alertTable->currentIndex()))
            emit wakeWanted(alert->id);
    });
    connect(m_alertTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AlertsPage::updateActions);
    connect(&m_alerts, &QAbstractItemModel::dataChanged, this, &AlertsPage::updateActions);
    return part;
}

QWidget *AlertsPage::buildRules()
{
    m_ruleTable = new ConsoleTable(m_theme, tr("Alert rules"));
    m_ruleTable->setObjectName(u"ruleTable"_s);
    m_ruleTable->setModel(&m_rules);
    m_ruleTable->setItemDelegate(new AlertRuleDelegate(m_theme, m_ruleTable));
    m_ruleTable->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed
                                 | QAbstractItemView::SelectedClicked);
    m_ruleTable->setSelectionBehavior(QAbstractItemView::SelectItems);
    m_ruleTable->setColumnPlan({{AlertRuleModel::On, 48, 56},
                                {AlertRuleModel::What, 330, 420},
                                {AlertRuleModel::Level, 100, 120},
                                {AlertRuleModel::Above, 140, 160},
                                {AlertRuleModel::Hold, 130, 150}},
                               1060, 1700);
    m_summary = new QCheckBox(tr("Summary of the dead letters every day at"));
    m_summaryAt = new QTimeEdit;
    m_summaryAt->setDisplayFormat(u"HH:mm"_s);
    m_summaryAt->setAccessibleName(tr("Time of the daily summary, local time"));
    auto *defaults = build::button(tr("Back to the default rules"));
    auto *bottom = new QHBoxLayout;
    build::tighten(bottom, 8);
    bottom->addWidget(m_summary);
    bottom->addWidget(m_summaryAt);
    bottom->addWidget(build::label(tr("local time"), "muted"));
    bottom->addStretch(1);
    bottom->addWidget(defaults);
    auto *part = new QWidget;
    auto *layout = new QVBoxLayout(part);
    build::tighten(layout, 8);
    layout->addWidget(
        build::label(tr("Space switches a rule, F2 changes a level, limit, duration or the queues. An alert "
                        "ends at four fifths of its limit."),
                     "muted"));
    layout->addWidget(m_ruleTable, 1);
    layout->addLayout(bottom);
    const auto changed = [this] {
        if (m_filling)
            return;
        AlertRules rules = m_rules.rules();
        rules.summaryAt = m_summary->isChecked() ? std::optional(m_summaryAt->time()) : std::nullopt;
        m_summaryAt->setEnabled(m_summary->isChecked());
        emit rulesChanged(rules);
    };
    connect(&m_rules, &AlertRuleModel::edited, this, changed);
    connect(m_ruleTable, &ConsoleTable::spacePressed, this, [this] {
        const QModelIndex box = m_ruleTable->currentIndex().siblingAtColumn(AlertRuleModel::On);
        if (box.isValid())
            m_rules.setData(box, box.data(Qt::CheckStateRole).toInt() == Qt::Checked ? Qt::Unchecked : Qt::Checked,
                            Qt::CheckStateRole);
    });
    connect(m_summary, &QCheckBox::toggled, this, changed);
    connect(m_summaryAt, &QTimeEdit::timeChanged, this, changed);
    connect(defaults, &QPushButton::clicked, this, [this] {
        setRules(AlertRules::defaults());
        emit rulesChanged(AlertRules::defaults());
    });
    setRules(AlertRules::defaults());
    return part;
}

AlertsPage::ChannelRow AlertsPage::addChannel(QGridLayout *grid, Channel channel, const QString &name,
                                              const QString &placeholder)
{
    ChannelRow row;
    const int line = grid->rowCount();
    row.on = new QCheckBox(name);
    row.test = build::button(tr("Send a test"));
    row.test->setAccessibleName(tr("Send a test: %1").arg(name));
    row.outcome = build::label({}, "muted");
    row.outcome->setWordWrap(true);
    build::makeSelectable(row.outcome);
    row.outcome->setFocusPolicy(Qt::NoFocus);
    grid->addWidget(row.on, line, 0);
    if (placeholder.isEmpty()) {
        grid->addWidget(
            build::label(tr("The desktop shows a notification; where it cannot, the system tray does."), "muted"), line,
            1);
    } else {
        row.address = new QLineEdit;
        row.address->setPlaceholderText(placeholder);
        row.address->setAccessibleName(tr("Address of: %1").arg(name));
        row.address->setEchoMode(QLineEdit::PasswordEchoOnEdit); // it may hold a token
        grid->addWidget(row.address, line, 1);
        connect(row.address, &QLineEdit::editingFinished, this, &AlertsPage::announce);
    }
    grid->addWidget(row.test, line, 2);
    grid->addWidget(row.outcome, line + 1, 1, 1, 2);
    connect(row.on, &QCheckBox::toggled, this, &AlertsPage::announce);
    connect(row.test, &QPushButton::clicked, this, [this, channel] {
        m_channels[static_cast<size_t>(channel)].outcome->setText(tr("Sending…"));
        emit testWanted(channel, preferences());
    });
    return row;
}

QWidget *AlertsPage::buildChannels()
{
    auto *panel = build::panel();
    auto *grid = new QGridLayout(panel);
    grid->setContentsMargins(16, 14, 16, 14);
    grid->setHorizontalSpacing(16);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(1, 1);
    m_channels[size_t(Channel::Desktop)] = addChannel(grid, Channel::Desktop, tr("Desktop"), {});
    m_channels[size_t(Channel::Webhook)] = addChannel(grid, Channel::Webhook, tr("Webhook"), u"https://…"_s);
    m_channels[size_t(Channel::Sentry)] =
        addChannel(grid, Channel::Sentry, tr("Sentry"), u"https://KEY@HOST/PROJECT"_s);
    m_keepWatching = new QCheckBox(tr("Keep watching while the window is hidden, minimised or paused"));
    m_keepWatching->setToolTip(
        tr("One look at the database and the queues every 10 s. Otherwise a window that nobody sees "
           "asks nothing."));
    grid->addWidget(m_keepWatching, grid->rowCount(), 0, 1, 3);
    auto *words =
        build::label(tr("Addresses are kept in the desktop's keyring. A message holds the alert's words, never a "
                        "payload."),
                     "muted");
    words->setWordWrap(true);
    grid->addWidget(words, grid->rowCount(), 0, 1, 3);
    m_trouble = build::label({}, "plain");
    m_trouble->setWordWrap(true);
    m_trouble->setProperty("severity", u"warning"_s);
    grid->addWidget(m_trouble, grid->rowCount(), 0, 1, 3);
    connect(m_keepWatching, &QCheckBox::toggled, this, &AlertsPage::announce);
    auto *part = new QWidget;
    auto *layout = new QVBoxLayout(part);
    build::tighten(layout);
    layout->addWidget(panel);
    layout->addStretch(1);
    return part;
}

void AlertsPage::showAlerts(const QList<engine::watch::Alert> &alerts, qint64 nowMs, bool known)
{
    const QByteArray top = m_alertTable->topRow();
    m_alerts.setAlerts(alerts, nowMs);
    m_alertTable->scrollBackTo(top);
    if (!alerts.isEmpty())
        m_alertState->showContent();
    else if (known)
        m_alertState->showEmpty(tr("No alert holds"), tr("What the rules say is on the next tab."));
    else
        m_alertState->showLoading(tr("Looking…"));
    m_subtitle->setText(alerts.size() == 1     ? tr("1 holds")
                            : alerts.isEmpty() ? QString()
                                               : tr("%1 hold").arg(alerts.size()));
    if (!m_alertTable->currentIndex().isValid() && !alerts.isEmpty())
        m_alertTable->selectRow(0);
    updateActions();
}

void AlertsPage::updateActions()
{
    const auto *alert = m_alerts.alert(m_alertTable->currentIndex());
    m_open->setEnabled(alert);
    m_snooze->setEnabled(alert);
    m_snooze->setVisible(!alert || !alert->snoozedUntilMs);
    m_wake->setVisible(alert && alert->snoozedUntilMs);
    m_advice->setText(alert ? alert->advice : QString());
}

void AlertsPage::setRules(const AlertRules &rules)
{
    m_filling = true;
    m_rules.setRules(rules);
    m_summary->setChecked(rules.summaryAt.has_value());
    m_summaryAt->setTime(rules.summaryAt.value_or(QTime(9, 0)));
    m_summaryAt->setEnabled(rules.summaryAt.has_value());
    m_filling = false;
}

void AlertsPage::setPreferences(const AlertPreferences &preferences)
{
    m_filling = true;
    m_announced = preferences;
    m_channels[size_t(Channel::Desktop)].on->setChecked(preferences.desktop);
    m_channels[size_t(Channel::Webhook)].on->setChecked(preferences.webhook);
    m_channels[size_t(Channel::Webhook)].address->setText(preferences.webhookUrl);
    m_channels[size_t(Channel::Sentry)].on->setChecked(preferences.sentry);
    m_channels[size_t(Channel::Sentry)].address->setText(preferences.sentryDsn);
    m_keepWatching->setChecked(preferences.keepWatching);
    m_filling = false;
}

AlertPreferences AlertsPage::preferences() const
{
    return {m_keepWatching->isChecked(),
            m_channels[size_t(Channel::Desktop)].on->isChecked(),
            m_channels[size_t(Channel::Webhook)].on->isChecked(),
            m_channels[size_t(Channel::Sentry)].on->isChecked(),
            m_channels[size_t(Channel::Webhook)].address->text().trimmed(),
            m_channels[size_t(Channel::Sentry)].address->text().trimmed()};
}

void AlertsPage::announce()
{
    if (m_filling || preferences() == m_announced)
        return;
    m_announced = preferences();
    emit preferencesChanged(m_announced);
}

void AlertsPage::showTrouble(const QString &words)
{
    m_trouble->setText(words);
}

void AlertsPage::showDelivery(const engine::notify::Delivery &delivery)
{
    QLabel *outcome = m_channels[static_cast<size_t>(delivery.channel)].outcome;
    outcome->setText(u"%1  %2 %3"_s.arg(models::clockText(delivery.atMs * 1000, m_zone, delivery.atMs * 1000),
                                        delivery.good ? u"✓"_s : u"✗"_s, delivery.words));
    build::restyle(outcome, "severity", delivery.good ? u"good"_s : u"critical"_s);
}

void AlertsPage::setZone(models::Zone zone)
{
    m_zone = zone;
    m_alerts.setZone(zone);
}

QJsonObject AlertsPage::saveState() const
{
    return {{u"tab"_s, m_tabs->currentIndex()},
            {u"alerts"_s, m_alertTable->saveColumns()},
            {u"rules"_s, m_ruleTable->saveColumns()}};
}

void AlertsPage::restoreState(const QJsonObject &state)
{
    m_tabs->setCurrentIndex(qBound(0, state.value(u"tab"_s).toInt(), m_tabs->count() - 1));
    m_alertTable->restoreColumns(state.value(u"alerts"_s).toString());
    m_ruleTable->restoreColumns(state.value(u"rules"_s).toString());
}

void AlertsPage::focusContent()
{
    m_tabs->setFocus(Qt::OtherFocusReason);
}

} // namespace views
