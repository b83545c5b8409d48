// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <models/chartline.h>
#include <models/timetext.h>

#include <QFrame>

#include <optional>

class QGraphicsLineItem;
class QHBoxLayout;
class QLabel;

QT_BEGIN_NAMESPACE
class QCategoryAxis;
class QChart;
class QLineSeries;
QT_END_NAMESPACE

namespace views {

class HoverView;

// One or a few lines over time. Gaps stay gaps. Pointing at it, or Left and Right while it has the focus, tells the
// values of a moment. Lines differ by their stroke as well as by colour.
class TimeChart final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TimeChart)

public:
    // `theme` outlives the widget. `what`: unit and meaning, beside the title.
    TimeChart(const Theme &theme, const QString &title, const QString &what, models::Unit unit,
              QWidget *parent = nullptr);

    void setRange(qint64 fromMs, qint64 toMs);
    void setZone(models::Zone zone);
    void setLines(const QList<models::ChartLine> &lines);

    [[nodiscard]] QString readout() const; // what is told of the moment pointed at, or of now

private:
    void paintNow();
    void drawLines();
    void drawAxes();
    void drawLegend();
    void pointAt(std::optional<qint64> atMs);
    void step(int direction);
    [[nodiscard]] QString valuesText(qint64 atMs) const;

    const Theme &m_theme;
    const QString m_title;
    const models::Unit m_unit;
    QList<models::ChartLine> m_lines;
    qint64 m_fromMs = 0;
    qint64 m_toMs = 0;
    models::Zone m_zone = models::Zone::Utc;
    std::optional<qint64> m_pointed;
    QLabel *m_readout;
    QWidget *m_legend;
    QHBoxLayout *m_legendLayout;
    QLabel *m_empty;
    QChart *m_chart;
    QCategoryAxis *m_timeAxis;
    QCategoryAxis *m_valueAxis;
    QList<QLineSeries *> m_series;
    HoverView *m_view;
    QGraphicsLineItem *m_cross;
};

} // namespace views
