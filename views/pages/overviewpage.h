// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <engine/config/profile.h>
#include <engine/history/historystore.h>
#include <engine/watch/alertengine.h>
#include <engine/watch/sample.h>

#include <array>

class QButtonGroup;
class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace views {

class ActionRegistry;
class AlertRow;
class Banner;
class PageState;
class RetryChart;
class Tile;
class TimeChart;

// What is wrong now, the figures of this moment, and how they came about.
class OverviewPage final : public Page
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OverviewPage)

public:
    // `theme` and `actions` outlive the page.
    OverviewPage(const Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    void setProfile(const engine::config::ConnectionProfile &profile); // everything known is forgotten
    void showWaiting(const QString &headline, const QStringList &steps = {});
    // What is on screen stays there, marked as old.
    void showError(const engine::Error &error);
    void showSample(const engine::watch::Sample &sample);
    void showAlerts(const QList<engine::watch::Alert> &alerts, qint64 nowMs);
    // The samples of the range up to `toMs`.
    void showHistory(const engine::history::HistoryStore::Answer &answer, qint64 toMs);
    void showHistoryTrouble(const QString &headline, const QString &words); // empty headline: none any more

    [[nodiscard]] qint64 rangeMs() const { return m_rangeMs; }
    // The series that the charts need; those that end in '/' are prefixes.
    [[nodiscard]] static QList<QByteArray> seriesNames();

    void setZone(models::Zone zone) override;
    [[nodiscard]] QJsonObject saveState() const override;
    void restoreState(const QJsonObject &state) override;
    void focusContent() override;

signals:
    void rangeChosen(qint64 rangeMs);
    void alertOpened(const engine::watch::Alert &alert);
    void snoozeWanted(const QString &alertId, qint64 untilMs);
    void wakeWanted(const QString &alertId);
    void allAlertsWanted();
    void retryWanted();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    enum TileId { Due, InFlight, Retrying, Dead, HandedOver, Latency, TileCount };
    enum ChartId { Throughput, LatencyChart, Failures, DeadChart, OldestDue, Depths, ChartCount };
    void buildTiles(QVBoxLayout *layout);
    void buildCharts(QVBoxLayout *layout);
    void placeCharts();
    void chooseRange(qint64 rangeMs);
    void drawAlerts();

    const Theme &m_theme;
    models::Zone m_zone = models::Zone::Utc;
    qint64 m_rangeMs;
    bool m_known = false; // a sample was seen
    bool m_failing = false;
    qint64 m_sampledMs = 0;
    qint64 m_nowMs = 0;
    QList<engine::watch::Alert> m_alerts;
    QLabel *m_title;
    QLabel *m_subtitle;
    QButtonGroup *m_ranges;
    Banner *m_banner;
    Banner *m_historyBanner;
    QVBoxLayout *m_alertLayout;
    QList<AlertRow *> m_rows;
    QPushButton *m_more;
    QWidget *m_calm;
    QLabel *m_calmIcon;
    std::array<Tile *, TileCount> m_tiles{};
    std::array<TimeChart *, ChartCount> m_charts{};
    RetryChart *m_retries;
    QGridLayout *m_chartGrid = nullptr;
    int m_chartColumns = 0;
    PageState *m_state;
};

} // namespace views
