// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "overviewpage.h"

#include <views/charts/retrychart.h>
#include <views/charts/timechart.h>
#include <views/shell/actions.h>
#include <views/widgets/alertrow.h>
#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/pagestate.h>
#include <views/widgets/shapes.h>
#include <views/widgets/tile.h>

#include <models/counttext.h>

#include <QButtonGroup>
#include <QDateTime>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::watch::Alert;
using models::Severity;
using models::Unit;

namespace views {

namespace {

constexpr qint64 minute = 60'000;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;
constexpr int mostRows = 4; // alerts on this page; the others are on the page of alerts
constexpr int mostQueues = 5;

struct Range
{
    qint64 ms;
    const char *text;
};
constexpr Range ranges[]{{15 * minute, QT_TRANSLATE_NOOP("views::OverviewPage", "15 min")},
                         {hour, QT_TRANSLATE_NOOP("views::OverviewPage", "1 h")},
                         {6 * hour, QT_TRANSLATE_NOOP("views::OverviewPage", "6 h")},
                         {day, QT_TRANSLATE_NOOP("views::OverviewPage", "24 h")},
                         {7 * day, QT_TRANSLATE_NOOP("views::OverviewPage", "7 d")},
                         {30 * day, QT_TRANSLATE_NOOP("views::OverviewPage", "30 d")}};

QString ageText(std::optional<qint64> ms)
{
    return ms ? models::durationText(*ms < 10'000 ? *ms : *ms / 1000 * 1000) : u"–"_s;
}

} // namespace

OverviewPage::OverviewPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_rangeMs(hour)
    , m_title(build::label(tr("What is wrong now"), "title"))
    , m_subtitle(build::label({}, "muted"))
    , m_ranges(new QButtonGroup(this))
    , m_banner(new Banner(theme))
    , m_historyBanner(new Banner(theme))
    , m_alertLayout(new QVBoxLayout)
    , m_more(build::button({}))
    , m_calm(build::panel())
    , m_calmIcon(new QLabel)
    , m_retries(new RetryChart(theme))
{
    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(m_title);
    top->addWidget(m_subtitle, 1);
    for (const Range &range : ranges) {
        auto *button = new QToolButton;
        button->setProperty("chip", true);
        button->setText(tr(range.text) + u"  "_s);
        button->setAccessibleName(tr("Show the last %1").arg(tr(range.text)));
        button->setCheckable(true);
        button->setChecked(range.ms == m_rangeMs);
        button->setFocusPolicy(Qt::StrongFocus);
        m_ranges->addButton(button);
        top->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, ms = range.ms] { chooseRange(ms); });
    }

    auto *scrolled = new QWidget;
    scrolled->setObjectName(u"scrolled"_s);
    auto *content = new QVBoxLayout(scrolled);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(10);
    build::tighten(m_alertLayout, 6);
    auto *calm = new QHBoxLayout(m_calm);
    calm->setContentsMargins(14, 8, 12, 8);
    calm->setSpacing(10);
    calm->addWidget(m_calmIcon);
    calm->addWidget(build::label(tr("Nothing is wrong"), "section"));
    calm->addWidget(build::label(tr("No alert holds on this connection."), "muted"), 1);
    m_alertLayout->addWidget(m_calm);
    m_alertLayout->addWidget(m_more, 0, Qt::AlignLeft);
    m_more->hide();
    content->addLayout(m_alertLayout);
    buildTiles(content);
    buildCharts(content);
    auto *scroll = new QScrollArea;
    scroll->setWidget(scrolled);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setObjectName(u"overviewScroll"_s);

    m_state = new PageState(theme, scroll);
    m_state->showLoading(tr("Connecting…"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(m_historyBanner);
    layout->addWidget(m_state, 1);

    actions.describe(tr("Overview"), tr("Values of a chart at a moment, while it has the focus"), tr("Left, Right"));
    connect(m_more, &QPushButton::clicked, this, &OverviewPage::allAlertsWanted);
    connect(m_state, &PageState::retryWanted, this, &OverviewPage::retryWanted);
    connect(m_banner, &Banner::activated, this, &OverviewPage::retryWanted);
    connect(&theme, &Theme::changed, this, &OverviewPage::drawAlerts);
    drawAlerts();
}

void OverviewPage::buildTiles(QVBoxLayout *layout)
{
    m_tiles = {
        new Tile(tr("Due, not claimed"), tr("Rows that a dispatcher could take now")),
        new Tile(tr("In flight"), tr("Rows that a dispatcher has claimed")),
        new Tile(tr("Waiting for retry"), tr("Rows that failed at least once; their next attempt is not due yet")),
        new Tile(tr("Dead"), tr("Rows that will not be tried again without a person")),
        new Tile(tr("Handed over / min"),
                 tr("Rows handed over within the last minute, seen among the newest 1,000 by schedule")),
        new Tile(tr("Created → handed over"),
                 tr("How long rows handed over within the last minute took, of the newest 1,000 by schedule"))};
    auto *row = new QHBoxLayout;
    build::tighten(row, 10);
    for (Tile *tile : m_tiles) {
        tile->setDetail({});
        tile->setFocusPolicy(Qt::TabFocus);
        row->addWidget(tile, 1);
    }
    layout->addLayout(row);
}

void OverviewPage::buildCharts(QVBoxLayout *layout)
{
    m_charts = {new TimeChart(m_theme, tr("Handed over"), tr("per minute"), Unit::Count),
                new TimeChart(m_theme, tr("Created → handed over"), tr("p50 and p95"), Unit::Milliseconds),
                new TimeChart(m_theme, tr("Failure rate"), tr("of all attempts"), Unit::Share),
                new TimeChart(m_theme, tr("Dead letters"), tr("total"), Unit::Count),
                new TimeChart(m_theme, tr("Oldest due"), tr("age"), Unit::Milliseconds),
                new TimeChart(m_theme, tr("Queue depths"), tr("ready jobs, deepest five"), Unit::Count)};
    m_chartGrid = new QGridLayout;
    build::tighten(m_chartGrid, 10);
    layout->addLayout(m_chartGrid, 1);
    placeCharts();
}

// Two or three beside each other, as the width allows; the queues get what is left of the last row.
void OverviewPage::placeCharts()
{
    const int columns = width() >= 1000 ? 3 : 2;
    if (columns == m_chartColumns)
        return;
    m_chartColumns = columns;
    const QList<QWidget *> order{m_charts[Throughput], m_charts[LatencyChart], m_charts[Failures],
                                 m_charts[DeadChart],  m_charts[OldestDue],    m_retries};
    int place = 0;
    for (QWidget *chart : order) {
        m_chartGrid->addWidget(chart, place / columns, place % columns);
        ++place;
    }
    m_chartGrid->addWidget(m_charts[Depths], (place + columns - 1) / columns, 0, 1, columns);
    for (int column = 0; column < 3; ++column)
        m_chartGrid->setColumnStretch(column, column < columns ? 1 : 0);
}

void OverviewPage::resizeEvent(QResizeEvent *event)
{
    Page::resizeEvent(event);
    placeCharts();
}

void OverviewPage::setProfile(const engine::config::ConnectionProfile &)
{
    m_known = false;
    m_failing = false;
    m_sampledMs = 0;
    m_alerts.clear();
    m_banner->clear();
    m_subtitle->clear();
    for (TimeChart *chart : m_charts)
        chart->setLines({});
    m_retries->setCounts({}, {});
    m_state->showLoading(tr("Connecting…"));
    drawAlerts();
}

void OverviewPage::showWaiting(const QString &headline, const QStringList &steps)
{
    m_state->showLoading(headline, steps);
}

void OverviewPage::showError(const engine::Error &error)
{
    if (!m_known) {
        m_state->showError(error);
        return;
    }
    m_failing = true;
    m_banner->say(Severity::Critical, error.message,
                  (error.hint + u' ' + tr("The figures below are from the last answer.")).trimmed(), tr("Try again"));
    drawAlerts();
}

void OverviewPage::showSample(const engine::watch::Sample &sample)
{
    m_sampledMs = sample.atMs;
    m_nowMs = qMax(m_nowMs, sample.atMs);
    m_subtitle->setText(tr("as of %1").arg(models::clockText(sample.atMs * 1000, m_zone, m_nowMs * 1000)));
    if (!sample.outbox)
        return;
    m_known = true;
    m_failing = false;
    m_banner->clear();
    m_state->showContent();
    const engine::outbox::Vitals &vitals = *sample.outbox;
    const auto alarm = [](const engine::outbox::Count &count, Severity severity) {
        return count.value > 0 ? severity : Severity::Muted;
    };
    const bool late = vitals.oldestDueAgeMs.value_or(0) > minute;
    m_tiles[Due]->setValue(models::countText(vitals.due),
                           late ? Severity::Warning : alarm(vitals.due, Severity::Normal));
    m_tiles[Due]->setDetail(vitals.oldestDueAgeMs ? tr("oldest %1").arg(ageText(vitals.oldestDueAgeMs))
                                                  : tr("nothing is due"));
    m_tiles[InFlight]->setValue(models::countText(vitals.inFlight), alarm(vitals.inFlight, Severity::Normal));
    m_tiles[InFlight]->setDetail(tr("claimed by dispatchers"));
    m_tiles[Retrying]->setValue(models::countText(vitals.retrying), alarm(vitals.retrying, Severity::Warning));
    m_tiles[Retrying]->setDetail(vitals.nextRetryInMs ? tr("next in %1").arg(ageText(vitals.nextRetryInMs))
                                                      : tr("none"));
    m_tiles[Dead]->setValue(models::countText(vitals.dead), alarm(vitals.dead, Severity::Critical));
    m_tiles[Dead]->setDetail(vitals.deadLastDay.value > 0
                                 ? tr("%1 within a day").arg(models::countText(vitals.deadLastDay))
                                 : tr("none within a day"));
    m_tiles[HandedOver]->setValue(models::countText(vitals.handedOverLastMinute),
                                  alarm(vitals.handedOverLastMinute, Severity::Normal));
    m_tiles[HandedOver]->setDetail(
        vitals.failureRate ? tr("%1 of attempts failed").arg(models::unitText(*vitals.failureRate, Unit::Share))
                           : tr("no attempt"));
    m_tiles[Latency]->setValue(vitals.latencyP95Ms ? tr("p95 %1").arg(ageText(vitals.latencyP95Ms)) : u"–"_s,
                               vitals.latencyP95Ms ? Severity::Normal : Severity::Muted);
    m_tiles[Latency]->setDetail(vitals.latencyP50Ms ? tr("p50 %1").arg(ageText(vitals.latencyP50Ms))
                                                    : tr("nothing handed over"));
    m_retries->setCounts(vitals.retriesHandedOver, vitals.retriesWaiting);
    drawAlerts();
}

void OverviewPage::showAlerts(const QList<Alert> &alerts, qint64 nowMs)
{
    m_alerts = alerts;
    m_nowMs = nowMs;
    drawAlerts();
}

void OverviewPage::drawAlerts()
{
    const qsizetype shown = qMin<qsizetype>(m_alerts.size(), m_alerts.size() == mostRows + 1 ? mostRows + 1 : mostRows);
    while (m_rows.size() < shown) {
        auto *row = new AlertRow(m_theme);
        m_alertLayout->insertWidget(static_cast<int>(m_rows.size()), row);
        m_rows << row;
        connect(row, &AlertRow::opened, this, &OverviewPage::alertOpened);
        connect(row, &AlertRow::snoozed, this, &OverviewPage::snoozeWanted);
        connect(row, &AlertRow::woken, this, &OverviewPage::wakeWanted);
    }
    for (qsizetype i = 0; i < m_rows.size(); ++i) {
        m_rows[i]->setVisible(i < shown);
        if (i < shown)
            m_rows[i]->setAlert(m_alerts[i], m_zone, m_nowMs);
    }
    const qsizetype more = m_alerts.size() - shown;
    m_more->setText(tr("%1 more alerts").arg(more));
    m_more->setVisible(more > 0);
    // Without an answer nobody can say that nothing is wrong.
    m_calm->setVisible(m_alerts.isEmpty() && m_known && !m_failing);
    m_calmIcon->setPixmap(m_theme.pixmap(shapes::iconName(Severity::Good), ColorId::Good, 14, devicePixelRatioF()));
}

void OverviewPage::showHistory(const engine::history::HistoryStore::Answer &answer, qint64 toMs)
{
    for (TimeChart *chart : m_charts)
        chart->setRange(toMs - m_rangeMs, toMs);
    m_charts[Throughput]->setLines({models::lineOf(answer, "handed", tr("handed over"))});
    m_charts[LatencyChart]->setLines(
        {models::lineOf(answer, "latency.p50", u"p50"_s), models::lineOf(answer, "latency.p95", u"p95"_s)});
    m_charts[Failures]->setLines({models::lineOf(answer, "failure", tr("failed"))});
    m_charts[DeadChart]->setLines({models::lineOf(answer, "dead", tr("dead"))});
    m_charts[OldestDue]->setLines({models::lineOf(answer, "due.oldest", tr("oldest due"))});
    m_charts[Depths]->setLines(models::deepestQueues(answer, mostQueues));
}

void OverviewPage::showHistoryTrouble(const QString &headline, const QString &words)
{
    if (headline.isEmpty())
        m_historyBanner->clear();
    else
        m_historyBanner->say(Severity::Warning, headline, words);
}

QList<QByteArray> OverviewPage::seriesNames()
{
    return {"handed", "latency.p50", "latency.p95", "failure", "dead", "due.oldest", "queue.depth/"};
}

void OverviewPage::chooseRange(qint64 rangeMs)
{
    m_rangeMs = rangeMs;
    for (qsizetype i = 0; i < m_ranges->buttons().size(); ++i)
        m_ranges->buttons().at(i)->setChecked(ranges[i].ms == rangeMs);
    emit rangeChosen(rangeMs);
}

void OverviewPage::setZone(models::Zone zone)
{
    m_zone = zone;
    for (TimeChart *chart : m_charts)
        chart->setZone(zone);
    if (m_sampledMs > 0)
        m_subtitle->setText(tr("as of %1").arg(models::clockText(m_sampledMs * 1000, m_zone, m_nowMs * 1000)));
    drawAlerts();
}

QJsonObject OverviewPage::saveState() const
{
    return {{u"range"_s, m_rangeMs}};
}

void OverviewPage::restoreState(const QJsonObject &state)
{
    const qint64 wanted = state.value(u"range"_s).toInteger();
    for (const Range &range : ranges) {
        if (range.ms == wanted)
            chooseRange(wanted);
    }
}

void OverviewPage::focusContent()
{
    if (!m_rows.isEmpty() && m_rows.first()->isVisible())
        m_rows.first()->findChild<QPushButton *>()->setFocus(Qt::OtherFocusReason);
    else if (m_ranges->checkedButton())
        m_ranges->checkedButton()->setFocus(Qt::OtherFocusReason);
}

} // namespace views
