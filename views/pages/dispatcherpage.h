// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <models/logfiltermodel.h>
#include <models/logmodel.h>
#include <models/rateseries.h>
#include <models/settingsmodel.h>

#include <engine/config/profile.h>

#include <QElapsedTimer>
#include <QTimer>

#include <array>

class QComboBox;
class QLabel;
class QPushButton;
class QTabBar;

namespace views {

class ActionRegistry;
class Banner;
class ConsoleTable;
class Pill;
class RetentionPanel;
class ThroughputChart;
class Tile;

// The dispatcher of this console: start, watch, stop.
class DispatcherPage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DispatcherPage)

public:
    // `theme` and `actions` outlive the page.
    DispatcherPage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    void setProfile(const engine::config::ConnectionProfile &profile);
    void setSettings(const QList<engine::config::SettingLine> &lines);
    // What is still missing before a start; empty: nothing.
    void setReady(bool ready, const QString &reason);
    void showProgress(const engine::dispatch::Progress &progress);
    void addLog(const engine::dispatch::LogEntry &entry);
    void showFailure(const engine::Error &error); // a run that could not start, or ended on its own
    [[nodiscard]] RetentionPanel &retention() { return *m_retention; }
    [[nodiscard]] engine::dispatch::DispatcherState state() const { return m_progress.state; }

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;

signals:
    void startWanted();
    void stopWanted();
    void connectWanted(); // to allow writing

private:
    enum Figure { Claimed, HandedOver, Duplicates, Retried, Dead, LeaseLost, Released, InFlight, FigureCount };

    QWidget *buildTabs(const Theme &theme);
    void toggle();
    void updateControls();
    void updateBanner();
    void flushLog();
    void copyLog() const;

    engine::config::ConnectionProfile m_profile;
    engine::dispatch::Progress m_progress;
    bool m_ready = false;
    QString m_notReady;
    std::optional<engine::Error> m_failure;
    std::optional<qint64> m_troubleSince; // on m_clock
    QElapsedTimer m_clock; // steady: rates and "since"
    models::RateSeries m_rates;
    models::LogModel m_log;
    models::LogFilterModel m_shownLog;
    models::SettingsModel m_settings;
    QList<engine::dispatch::LogEntry> m_pendingLog; // shown a few times a second, however fast it comes
    QTimer m_flush;

    Pill *m_pill;
    QLabel *m_words;
    QPushButton *m_button;
    Banner *m_banner;
    std::array<Tile *, FigureCount> m_tiles{};
    ThroughputChart *m_chart;
    RetentionPanel *m_retention;
    QTabBar *m_tabs = nullptr;
    QComboBox *m_level = nullptr;
    ConsoleTable *m_logTable = nullptr;
    ConsoleTable *m_settingsTable = nullptr;
};

} // namespace views
