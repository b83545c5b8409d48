// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/alertmodel.h>
#include <models/alertrulemodel.h>

#include <engine/notify/notifier.h>

#include <array>

class QCheckBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabBar;
class QTimeEdit;
class QToolButton;

namespace views {

class ActionRegistry;
class ConsoleTable;
class PageState;

// What of the alerts is the user's to set, beside the rules.
struct AlertPreferences
{
    bool keepWatching = false; // also while the window is hidden, minimised or paused
    bool desktop = true;
    bool webhook = false;
    bool sentry = false;
    QString webhookUrl; // secrets: kept in the keyring
    QString sentryDsn;

    bool operator==(const AlertPreferences &) const = default;
};

// The alerts that hold, the rules they come from, and where they are told.
class AlertsPage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(AlertsPage)

public:
    // `theme` and `actions` outlive the page.
    AlertsPage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    void showAlerts(const QList<engine::watch::Alert> &alerts, qint64 nowMs, bool known);
    void setRules(const engine::watch::AlertRules &rules);
    void setPreferences(const AlertPreferences &preferences);
    [[nodiscard]] AlertPreferences preferences() const;
    // A fault of the keyring, or why rules could not be read; empty: none.
    void showTrouble(const QString &words);
    void showDelivery(const engine::notify::Delivery &delivery);

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;

signals:
    void alertOpened(const engine::watch::Alert &alert);
    void snoozeWanted(const QString &alertId, qint64 untilMs);
    void wakeWanted(const QString &alertId);
    void rulesChanged(const engine::watch::AlertRules &rules);
    void preferencesChanged(const views::AlertPreferences &preferences);
    void testWanted(engine::notify::Channel channel, const views::AlertPreferences &preferences);

private:
    struct ChannelRow
    {
        QCheckBox *on = nullptr;
        QLineEdit *address = nullptr; // null: the channel needs none
        QPushButton *test = nullptr;
        QLabel *outcome = nullptr;
    };
    QWidget *buildActive();
    QWidget *buildRules();
    QWidget *buildChannels();
    ChannelRow addChannel(QGridLayout *grid, engine::notify::Channel channel, const QString &name,
                          const QString &placeholder);
    void updateActions();
    void announce();

    const Theme &m_theme;
    models::AlertModel m_alerts;
    models::AlertRuleModel m_rules;
    models::Zone m_zone = models::Zone::Utc;
    AlertPreferences m_announced;
    bool m_filling = false;
    QLabel *m_subtitle;
    QTabBar *m_tabs;
    ConsoleTable *m_alertTable = nullptr;
    PageState *m_alertState = nullptr;
    QPushButton *m_open = nullptr;
    QToolButton *m_snooze = nullptr;
    QPushButton *m_wake = nullptr;
    QLabel *m_advice = nullptr;
    ConsoleTable *m_ruleTable = nullptr;
    QCheckBox *m_summary = nullptr;
    QTimeEdit *m_summaryAt = nullptr;
    QCheckBox *m_keepWatching = nullptr;
    QLabel *m_trouble = nullptr;
    std::array<ChannelRow, 3> m_channels;
};

} // namespace views
