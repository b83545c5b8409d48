// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "throughputchart.h"

#include <views/widgets/build.h>

#include <models/counttext.h>

#include <QAreaSeries>
#include <QCategoryAxis>
#include <QChart>
#include <QChartView>
#include <QHBoxLayout>
#include <QLineSeries>
#include <QPen>
#include <QValueAxis>
#include <QVBoxLayout>

#include <cmath>

using namespace Qt::StringLiterals;

namespace views {

namespace {

constexpr int minutesShown = 5;

// The next 1, 2, 5, 10, 20 … above, so that the axis keeps round numbers and rarely moves.
double roundedUp(double value)
{
    double step = 1;
    while (true) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            if (step * factor >= value)
                return qMax(4.0, step * factor);
        }
        step *= 10;
    }
}

} // namespace

ThroughputChart::ThroughputChart(const Theme &theme, QWidget *parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_latest(build::label({}, "muted", this))
    , m_chart(new QChart)
    , m_line(new QLineSeries)
    , m_floor(new QLineSeries)
    , m_area(new QAreaSeries(m_line, m_floor))
    , m_timeAxis(new QCategoryAxis)
    , m_rateAxis(new QValueAxis)
    , m_view(new QChartView(m_chart, this))
{
    setProperty("panel", true);
    // Series that only bound the area are not the chart's own.
    m_line->setParent(m_area);
    m_floor->setParent(m_area);
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->setMargins(QMargins(0, 0, 14, 0)); // room for the last label
    m_chart->setContentsMargins(-4, -4, -4, -4);
    m_chart->addSeries(m_area);
    m_timeAxis->setRange(-60.0 * minutesShown, 0);
    m_timeAxis->setStartValue(-60.0 * minutesShown - 0.001);
    m_timeAxis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    for (int minute = minutesShown; minute > 0; --minute)
        m_timeAxis->append(tr("%1 min ago").arg(minute), -60.0 * minute);
    m_timeAxis->append(tr("now"), 0);
    m_rateAxis->setTickCount(3);
    m_rateAxis->setLabelFormat(u"%.0f"_s);
    m_rateAxis->setRange(0, 10);
    m_chart->addAxis(m_timeAxis, Qt::AlignBottom);
    m_chart->addAxis(m_rateAxis, Qt::AlignLeft);
    m_area->attachAxis(m_timeAxis);
    m_area->attachAxis(m_rateAxis);
    m_view->setRenderHint(QPainter::Antialiasing);
    m_view->setFrameShape(QFrame::NoFrame);
    m_view->setFocusPolicy(Qt::NoFocus);
    m_view->setStyleSheet(u"border: none; background: transparent"_s);
    m_view->setMinimumHeight(120);
    m_view->setAccessibleName(tr("Rows handed over per second, last five minutes"));

    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Handed over"), "section", this));
    top->addWidget(build::label(tr("per second, last five minutes"), "muted", this));
    top->addStretch(1);
    top->addWidget(m_latest);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_view, 1);
    connect(&theme, &Theme::changed, this, &ThroughputChart::paintNow);
    paintNow();
}

void ThroughputChart::setSeries(const models::RateSeries &series, qint64 nowMs)
{
    QList<QPointF> line;
    QList<QPointF> floor;
    double highest = 0;
    line.reserve(static_cast<qsizetype>(series.points().size()));
    for (const models::RateSeries::Point &point : series.points()) {
        const double x = static_cast<double>(point.atMs - nowMs) / 1000.0;
        if (x < -60.0 * minutesShown)
            continue;
        line << QPointF(x, point.perSecond);
        floor << QPointF(x, 0);
        highest = qMax(highest, point.perSecond);
    }
    m_rateAxis->setRange(0, roundedUp(highest));
    m_line->replace(line);
    m_floor->replace(floor);
    const auto latest = series.latest();
    m_latest->setText(latest ? tr("now %1 per second").arg(models::rateText(*latest)) : QString());
}

void ThroughputChart::paintNow()
{
    const QColor accent = m_theme.color(ColorId::Accent);
    m_area->setPen(QPen(accent, 1.5));
    QColor fill = accent;
    fill.setAlpha(40);
    m_area->setBrush(fill);
    QFont small = m_theme.font();
    small.setPixelSize(small.pixelSize() - 2);
    for (QAbstractAxis *axis : std::initializer_list<QAbstractAxis *>{m_timeAxis, m_rateAxis}) {
        axis->setLabelsFont(small);
        axis->setLabelsColor(m_theme.color(ColorId::Muted));
        axis->setGridLineColor(m_theme.color(ColorId::Line));
        axis->setLinePen(QPen(m_theme.color(ColorId::Line)));
    }
    m_timeAxis->setGridLineVisible(false);
    m_rateAxis->setLineVisible(false);
}

} // namespace views
