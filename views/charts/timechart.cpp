// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "timechart.h"

#include "hoverview.h"
#include "legend.h"

#include <views/widgets/build.h>
#include <views/widgets/elidedlabel.h>

#include <models/timeaxis.h>

#include <QCategoryAxis>
#include <QChart>
#include <QGraphicsLineItem>
#include <QGraphicsScene>
#include <QHBoxLayout>
#include <QLineSeries>
#include <QPainter>
#include <QPen>
#include <QVBoxLayout>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace views {

namespace {

struct Stroke
{
    ColorId color;
    Qt::PenStyle style;
};

constexpr Stroke strokes[]{{ColorId::Accent, Qt::SolidLine},
                           {ColorId::Warning, Qt::DashLine},
                           {ColorId::Good, Qt::DotLine},
                           {ColorId::Critical, Qt::DashDotLine},
                           {ColorId::Muted, Qt::SolidLine}};

const Stroke &strokeOf(qsizetype line)
{
    return strokes[static_cast<size_t>(line) % std::size(strokes)];
}

// An axis tells its labels apart by their text; marks of no width make equal ones different.
void setLabels(QCategoryAxis *axis, const QList<std::pair<double, QString>> &labels, double from, double to)
{
    for (const QString &label : axis->categoriesLabels())
        axis->remove(label);
    axis->setStartValue(from - 1e-9);
    axis->setRange(from, to);
    int number = 0;
    for (const auto &[at, text] : labels)
        axis->append(text + QString(++number, QChar(0x200b)), at);
}

} // namespace

TimeChart::TimeChart(const Theme &theme, const QString &title, const QString &what, models::Unit unit, QWidget *parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_title(title)
    , m_unit(unit)
    , m_readout(build::label({}, "muted", this))
    , m_legend(new QWidget(this))
    , m_legendLayout(new QHBoxLayout(m_legend))
    , m_empty(build::label(tr("No samples in this range yet"), "muted", this))
    , m_chart(new QChart)
    , m_timeAxis(new QCategoryAxis)
    , m_valueAxis(new QCategoryAxis)
    , m_view(new HoverView(m_chart, this))
    , m_cross(new QGraphicsLineItem)
{
    setProperty("panel", true);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding); // as wide as its column, whatever it has to say
    m_chart->legend()->hide();
    m_chart->setBackgroundVisible(false);
    m_chart->setMargins(QMargins(0, 4, 14, 0)); // room for the last label
    m_chart->setContentsMargins(-6, -6, -6, -6);
    for (QCategoryAxis *axis : {m_timeAxis, m_valueAxis})
        axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    m_chart->addAxis(m_timeAxis, Qt::AlignBottom);
    m_chart->addAxis(m_valueAxis, Qt::AlignLeft);
    m_view->scene()->addItem(m_cross);
    m_cross->hide();
    m_cross->setZValue(20);
    m_view->setStyleSheet(u"border: none; background: transparent"_s);
    m_view->setMinimumHeight(118);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    build::tighten(m_legendLayout, 12);
    m_legend->hide();

    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(title, "section", this));
    auto *meaning = new ElidedLabel(this);
    meaning->setText(what);
    meaning->setInk(theme.color(ColorId::Muted));
    connect(&theme, &Theme::changed, meaning, [meaning, &theme] { meaning->setInk(theme.color(ColorId::Muted)); });
    top->addWidget(meaning, 1);
    top->addWidget(m_readout);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_legend);
    layout->addWidget(m_view, 1);

    connect(m_view, &HoverView::hovered, this, [this](const QPointF &scene) {
        const QPointF position = m_chart->mapFromScene(scene);
        const QRectF plot = m_chart->plotArea();
        if (!plot.contains(position))
            pointAt({});
        else
            pointAt(m_fromMs
                    + static_cast<qint64>((position.x() - plot.left()) / plot.width()
                                          * static_cast<double>(m_toMs - m_fromMs)));
    });
    connect(m_view, &HoverView::left, this, [this] { pointAt({}); });
    connect(m_view, &HoverView::stepped, this, &TimeChart::step);
    connect(m_view, &HoverView::resized, this, [this] {
        m_empty->setGeometry(m_view->geometry());
        drawAxes();
    });
    connect(&theme, &Theme::changed, this, &TimeChart::paintNow);
    paintNow();
}

void TimeChart::setRange(qint64 fromMs, qint64 toMs)
{
    if (fromMs == m_fromMs && toMs == m_toMs)
        return;
    m_fromMs = fromMs;
    m_toMs = toMs;
    drawAxes();
    pointAt(m_pointed);
}

void TimeChart::setZone(models::Zone zone)
{
    m_zone = zone;
    drawAxes();
    pointAt(m_pointed);
}

void TimeChart::setLines(const QList<models::ChartLine> &lines)
{
    m_lines = lines;
    drawLines();
    drawAxes();
    drawLegend();
    pointAt(m_pointed);
}

void TimeChart::paintNow()
{
    QFont small = m_theme.font();
    small.setPixelSize(small.pixelSize() - 2);
    for (QCategoryAxis *axis : {m_timeAxis, m_valueAxis}) {
        axis->setLabelsFont(small);
        axis->setLabelsColor(m_theme.color(ColorId::Muted));
        axis->setGridLineColor(m_theme.color(ColorId::Line));
        axis->setLinePen(QPen(m_theme.color(ColorId::Line)));
    }
    m_timeAxis->setGridLineVisible(false);
    m_valueAxis->setLineVisible(false);
    m_cross->setPen(QPen(m_theme.color(ColorId::Muted), 1));
    drawLines();
    drawLegend();
}

void TimeChart::drawLines()
{
    qsizetype used = 0;
    for (qsizetype line = 0; line < m_lines.size(); ++line) {
        const Stroke &stroke = strokeOf(line);
        QPen pen(m_theme.color(stroke.color), 1.6, stroke.style);
        pen.setJoinStyle(Qt::RoundJoin);
        for (QList<QPointF> &run : m_lines[line].runs()) {
            // A point between two gaps would be invisible as a line.
            if (run.size() == 1)
                run << run.first() + QPointF(static_cast<double>(m_lines[line].stepMs), 0);
            if (used == m_series.size()) {
                auto *series = new QLineSeries;
                m_chart->addSeries(series);
                series->attachAxis(m_timeAxis);
                series->attachAxis(m_valueAxis);
                m_series << series;
            }
            m_series[used]->setPen(pen);
            m_series[used]->replace(run);
            ++used;
        }
    }
    while (m_series.size() > used) {
        QLineSeries *spare = m_series.takeLast();
        m_chart->removeSeries(spare);
        delete spare;
    }
    m_empty->setVisible(used == 0);
    m_empty->raise();
}

void TimeChart::drawAxes()
{
    double highest = 0;
    for (const models::ChartLine &line : m_lines)
        highest = std::max(highest, line.highest());
    const double top = m_unit == models::Unit::Milliseconds ? models::roundedUpDuration(highest)
        : m_unit == models::Unit::Share                     ? std::min(1.0, models::roundedUp(highest, 0.02))
                                                            : models::roundedUp(highest, 4);
    QList<std::pair<double, QString>> values;
    for (const double share : {0.0, 0.5, 1.0})
        values << std::pair(top * share, share > 0 ? models::unitText(top * share, m_unit) : u"0"_s);
    setLabels(m_valueAxis, values, 0, top);

    QList<std::pair<double, QString>> times;
    for (const models::Tick &tick :
         models::timeTicks(m_fromMs, m_toMs, m_zone, std::clamp(m_view->width() / 80, 2, 12)))
        times << std::pair(static_cast<double>(tick.atMs), tick.text);
    setLabels(m_timeAxis, times, static_cast<double>(m_fromMs), static_cast<double>(std::max(m_toMs, m_fromMs + 1)));
}

void TimeChart::drawLegend()
{
    while (QLayoutItem *item = m_legendLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_legend->setVisible(m_lines.size() > 1);
    if (m_lines.size() < 2)
        return;
    for (qsizetype line = 0; line < m_lines.size(); ++line) {
        const QPen pen(m_theme.color(strokeOf(line).color), 1.8, strokeOf(line).style);
        m_legendLayout->addWidget(legendEntry(m_lines[line].name, devicePixelRatioF(), [&pen](QPainter &painter) {
            painter.setPen(pen);
            painter.drawLine(QPointF(0, 5), QPointF(22, 5));
        }));
    }
    m_legendLayout->addStretch(1);
}

QString TimeChart::valuesText(qint64 atMs) const
{
    QStringList values;
    for (const models::ChartLine &line : m_lines) {
        const auto point = line.at(atMs);
        const QString value = point ? models::unitText(point->value, m_unit) : u"–"_s;
        values << (m_lines.size() > 1 && m_lines.size() <= 3 ? line.name + u' ' + value : value);
    }
    return values.join(m_lines.size() > 3 ? u" / "_s : u" · "_s);
}

void TimeChart::pointAt(std::optional<qint64> atMs)
{
    m_pointed = atMs;
    m_cross->setVisible(atMs.has_value());
    if (atMs) {
        const QRectF plot = m_chart->plotArea();
        const double share =
            static_cast<double>(*atMs - m_fromMs) / static_cast<double>(std::max<qint64>(1, m_toMs - m_fromMs));
        const QPointF top = m_chart->mapToScene(QPointF(plot.left() + share * plot.width(), plot.top()));
        m_cross->setLine(QLineF(top, top + QPointF(0, plot.height())));
        m_readout->setText(models::pointTimeText(*atMs, m_zone, m_toMs - m_fromMs) + u"  "_s + valuesText(*atMs));
    } else {
        m_readout->setText(m_lines.isEmpty() ? QString() : valuesText(m_toMs));
    }
    m_view->setAccessibleName(m_title + u", "_s + m_readout->text());
}

void TimeChart::step(int direction)
{
    const qint64 stepMs = m_lines.isEmpty() ? 60'000 : std::max<qint64>(1, m_lines.first().stepMs);
    pointAt(std::clamp(m_pointed.value_or(m_toMs) + direction * stepMs, m_fromMs, m_toMs));
}

QString TimeChart::readout() const
{
    return m_readout->text();
}

} // namespace views
