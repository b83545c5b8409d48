// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "retrychart.h"

#include "hoverview.h"
#include "legend.h"

#include <views/widgets/build.h>
#include <views/widgets/elidedlabel.h>

#include <models/counttext.h>
#include <models/timeaxis.h>

#include <QBarCategoryAxis>
#include <QBarSet>
#include <QChart>
#include <QHBoxLayout>
#include <QLegend>
#include <QPainter>
#include <QPen>
#include <QStackedBarSeries>
#include <QValueAxis>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

using namespace Qt::StringLiterals;

namespace views {

RetryChart::RetryChart(const Theme &theme, QWidget *parent)
    : QFrame(parent)
    , m_theme(theme)
    , m_summary(build::label({}, "muted", this))
    , m_legend(new QWidget(this))
    , m_legendLayout(new QHBoxLayout(m_legend))
    , m_empty(build::label(tr("No row has failed an attempt"), "muted", this))
    , m_chart(new QChart)
    , m_handedOver(new QBarSet(tr("handed over")))
    , m_waiting(new QBarSet(tr("still waiting")))
    , m_series(new QStackedBarSeries)
    , m_retriesAxis(new QBarCategoryAxis)
    , m_rowsAxis(new QValueAxis)
    , m_view(new HoverView(m_chart, this))
{
    setProperty("panel", true);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    build::tighten(m_legendLayout, 12);
    m_series->append(m_handedOver);
    m_series->append(m_waiting);
    m_series->setBarWidth(0.6);
    m_chart->addSeries(m_series);
    m_chart->setBackgroundVisible(false);
    m_chart->setMargins(QMargins(0, 4, 14, 0));
    m_chart->setContentsMargins(-6, -6, -6, -6);
    m_chart->legend()->hide();
    for (int retries = 1; retries < engine::outbox::retryCountsSize; ++retries)
        m_retriesAxis->append(retries + 1 < engine::outbox::retryCountsSize ? QString::number(retries)
                                                                            : tr("%1+").arg(retries));
    m_rowsAxis->setTickCount(3);
    m_rowsAxis->setLabelFormat(u"%.0f"_s);
    m_chart->addAxis(m_retriesAxis, Qt::AlignBottom);
    m_chart->addAxis(m_rowsAxis, Qt::AlignLeft);
    m_series->attachAxis(m_retriesAxis);
    m_series->attachAxis(m_rowsAxis);
    m_view->setStyleSheet(u"border: none; background: transparent"_s);
    m_view->setMinimumHeight(118);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);

    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Failed attempts"), "section", this));
    auto *meaning = new ElidedLabel(this);
    meaning->setText(tr("rows by number, now"));
    meaning->setInk(theme.color(ColorId::Muted));
    connect(&theme, &Theme::changed, meaning, [meaning, &theme] { meaning->setInk(theme.color(ColorId::Muted)); });
    top->addWidget(meaning, 1);
    top->addWidget(m_summary);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->setSpacing(4);
    layout->addLayout(top);
    layout->addWidget(m_legend);
    layout->addWidget(m_view, 1);
    connect(static_cast<HoverView *>(m_view), &HoverView::resized, this,
            [this] { m_empty->setGeometry(m_view->geometry()); });
    connect(m_series, &QStackedBarSeries::hovered, this, [this](bool inside, int index, QBarSet *set) {
        m_view->setToolTip(inside ? tr("%1 rows %2 after %3 failed attempts")
                                        .arg(models::numberText(static_cast<qint64>(set->at(index))), set->label(),
                                             m_retriesAxis->at(index))
                                  : QString());
    });
    connect(&theme, &Theme::changed, this, &RetryChart::paintNow);
    paintNow();
    setCounts({}, {});
}

void RetryChart::setCounts(const engine::outbox::RetryCounts &handedOver, const engine::outbox::RetryCounts &waiting)
{
    const auto fill = [](QBarSet *set, const engine::outbox::RetryCounts &counts) {
        set->remove(0, set->count());
        for (size_t retries = 1; retries < size_t(engine::outbox::retryCountsSize); ++retries)
            *set << static_cast<double>(retries < counts.size() ? counts[retries] : 0);
    };
    fill(m_handedOver, handedOver);
    fill(m_waiting, waiting);
    double highest = 0;
    for (int i = 0; i < m_handedOver->count(); ++i)
        highest = std::max(highest, m_handedOver->at(i) + m_waiting->at(i));
    m_rowsAxis->setRange(0, models::roundedUp(highest, 4));
    m_empty->setVisible(highest == 0);
    m_empty->setText(handedOver.empty() ? tr("No samples yet") : tr("No row has failed an attempt"));
    m_empty->raise();
    m_legend->setVisible(highest > 0);
    const qint64 all = std::accumulate(handedOver.begin(), handedOver.end(), qint64(0));
    m_summary->setText(all == 0
                           ? QString()
                           : tr("%1 % at the first attempt").arg(qRound(100.0 * double(handedOver[0]) / double(all))));
    m_summary->setToolTip(tr("Of the newest %1 rows that were handed over.").arg(models::numberText(all)));
    m_view->setAccessibleName(tr("Failed attempts per row") + u", "_s + m_summary->text());
}

void RetryChart::paintNow()
{
    QFont small = m_theme.font();
    small.setPixelSize(small.pixelSize() - 2);
    m_handedOver->setColor(m_theme.color(ColorId::Accent));
    m_handedOver->setBorderColor(m_theme.color(ColorId::Accent));
    // Hatched, so that the two differ without colour.
    m_waiting->setBrush(QBrush(m_theme.color(ColorId::Warning), Qt::BDiagPattern));
    m_waiting->setBorderColor(m_theme.color(ColorId::Warning));
    drawLegend();
    for (QAbstractAxis *axis : std::initializer_list<QAbstractAxis *>{m_retriesAxis, m_rowsAxis}) {
        axis->setLabelsFont(small);
        axis->setLabelsColor(m_theme.color(ColorId::Muted));
        axis->setGridLineColor(m_theme.color(ColorId::Line));
        axis->setLinePen(QPen(m_theme.color(ColorId::Line)));
    }
    m_retriesAxis->setGridLineVisible(false);
    m_rowsAxis->setLineVisible(false);
}

void RetryChart::drawLegend()
{
    while (QLayoutItem *item = m_legendLayout->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const QBarSet *set : {m_handedOver, m_waiting}) {
        m_legendLayout->addWidget(legendEntry(set->label(), devicePixelRatioF(), [set](QPainter &painter) {
            painter.setPen(set->pen().color());
            painter.setBrush(set->brush());
            painter.drawRect(QRectF(5.5, 0.5, 12, 9));
        }));
    }
    m_legendLayout->addStretch(1);
}

} // namespace views
