// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <engine/outbox/vitals.h>

#include <QFrame>

class QHBoxLayout;
class QLabel;

QT_BEGIN_NAMESPACE
class QBarCategoryAxis;
class QBarSet;
class QChart;
class QChartView;
class QStackedBarSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace views {

// How many failed attempts rows needed: those handed over lately, and those that still wait.
class RetryChart final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RetryChart)

public:
    // `theme` outlives the widget.
    explicit RetryChart(const Theme &theme, QWidget *parent = nullptr);

    void setCounts(const engine::outbox::RetryCounts &handedOver, const engine::outbox::RetryCounts &waiting);

private:
    void paintNow();
    void drawLegend();

    const Theme &m_theme;
    QLabel *m_summary;
    QWidget *m_legend;
    QHBoxLayout *m_legendLayout;
    QLabel *m_empty;
    QChart *m_chart;
    QBarSet *m_handedOver;
    QBarSet *m_waiting;
    QStackedBarSeries *m_series;
    QBarCategoryAxis *m_retriesAxis;
    QValueAxis *m_rowsAxis;
    QChartView *m_view;
};

} // namespace views
