// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <models/rateseries.h>

#include <QFrame>

class QLabel;

QT_BEGIN_NAMESPACE
class QAreaSeries;
class QCategoryAxis;
class QChart;
class QChartView;
class QLineSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace views {

// Rows handed over per second, over the last five minutes.
class ThroughputChart final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ThroughputChart)

public:
    // `theme` outlives the widget.
    explicit ThroughputChart(const Theme &theme, QWidget *parent = nullptr);

    // `nowMs` on the clock of the series' points.
    void setSeries(const models::RateSeries &series, qint64 nowMs);

private:
    void paintNow();

    const Theme &m_theme;
    QLabel *m_latest;
    QChart *m_chart;
    QLineSeries *m_line;
    QLineSeries *m_floor;
    QAreaSeries *m_area;
    QCategoryAxis *m_timeAxis;
    QValueAxis *m_rateAxis;
    QChartView *m_view;
};

} // namespace views
