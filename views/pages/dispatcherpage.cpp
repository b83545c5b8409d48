// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "dispatcherpage.h"

#include "retentionpanel.h"

#include <views/charts/throughputchart.h>
#include <views/shell/actions.h>
#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/pill.h>
#include <views/widgets/tile.h>

#include <models/counttext.h>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::dispatch::DispatcherState;
using engine::dispatch::LogEntry;
using models::LogModel;
using models::Severity;

namespace views {

namespace {

struct StateWords
{
    QString icon;
    QString word;
    Severity severity;
};

StateWords wordsOf(DispatcherState state)
{
    switch (state) {
    case DispatcherState::Stopped:
        break;
    case DispatcherState::Starting:
        return {u"state-inflight"_s, DispatcherPage::tr("Starting"), Severity::Info};
    case DispatcherState::Running:
        return {u"state-good"_s, DispatcherPage::tr("Running"), Severity::Good};
    case DispatcherState::Recovering:
        return {u"state-retrying"_s, DispatcherPage::tr("Recovering"), Severity::Warning};
    case DispatcherState::Stopping:
        return {u"state-inflight"_s, DispatcherPage::tr("Stopping"), Severity::Info};
    }
    return {u"state-cancelled"_s, DispatcherPage::tr("Stopped"), Severity::Muted};
}

} // namespace

DispatcherPage::DispatcherPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_pill(new Pill(theme))
    , m_words(build::label({}, "muted"))
    , m_button(build::button({}))
    , m_banner(new Banner(theme))
    , m_chart(new ThroughputChart(theme))
    , m_retention(new RetentionPanel)
{
    m_clock.start();
    m_shownLog.setSourceModel(&m_log);

    auto *top = new QHBoxLayout;
    build::tighten(top, 10);
    top->addWidget(build::label(tr("Dispatcher"), "title"));
    top->addWidget(m_pill);
    top->addWidget(m_words, 1);
    m_button->setObjectName(u"dispatchButton"_s);
    m_button->setProperty("big", true);
    m_button->setMinimumWidth(150);
    top->addWidget(m_button);

    const std::pair<QString, QString> names[FigureCount] = {
        {tr("Claimed"), tr("Rows taken from the table")},
        {tr("Handed over"), tr("Rows whose event is in its queue")},
        {tr("Duplicates"), tr("Handed over before: the job was there already")},
        {tr("Retried"), tr("Attempts that failed and will be made again")},
        {tr("Dead"), tr("Rows that will not be tried again by themselves")},
        {tr("Lease lost"), tr("Settled too late: another dispatcher holds the row, nothing was changed")},
        {tr("Released"), tr("Given back without an attempt")},
        {tr("In flight"), tr("Claimed and not settled yet")},
    };
    auto *tiles = new QHBoxLayout;
    build::tighten(tiles, 8);
    for (size_t i = 0; i < FigureCount; ++i) {
        m_tiles[i] = new Tile(names[i].first, names[i].second);
        tiles->addWidget(m_tiles[i], 1);
    }

    m_chart->setMinimumHeight(190);
    m_chart->setMaximumHeight(280);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addLayout(tiles);
    layout->addWidget(m_chart, 2);
    layout->addWidget(m_retention);
    layout->addWidget(buildTabs(theme), 3);

    QAction *action = actions.add(u"dispatcher-toggle"_s, tr("Dispatcher"), tr("Start or stop the dispatcher"),
                                  {QKeySequence(u"Ctrl+D"_s)}, this, Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, &DispatcherPage::toggle);
    connect(m_button, &QPushButton::clicked, this, &DispatcherPage::toggle);
    connect(m_banner, &Banner::activated, this, &DispatcherPage::connectWanted);
    m_flush.setSingleShot(true);
    m_flush.setInterval(150);
    connect(&m_flush, &QTimer::timeout, this, &DispatcherPage::flushLog);
    updateControls();
}

QWidget *DispatcherPage::buildTabs(const Theme &theme)
{
    m_logTable = new ConsoleTable(theme, tr("Dispatcher log"));
    m_logTable->setObjectName(u"logTable"_s);
    m_logTable->setModel(&m_shownLog);
    m_logTable->setColumnWidth(LogModel::Time, 92);
    m_logTable->setColumnWidth(LogModel::Level, 96);
    connect(m_logTable, &ConsoleTable::spacePressed, this, &Page::pauseWanted);

    m_level = new QComboBox;
    m_level->setAccessibleName(tr("Lowest level shown"));
    m_level->addItem(tr("Everything"), int(LogEntry::Level::Info));
    m_level->addItem(tr("Warnings and errors"), int(LogEntry::Level::Warning));
    m_level->addItem(tr("Errors only"), int(LogEntry::Level::Error));
    connect(m_level, &QComboBox::currentIndexChanged, this,
            [this] { m_shownLog.setLowestLevel(static_cast<LogEntry::Level>(m_level->currentData().toInt())); });
    QPushButton *copy = build::button(tr("Copy log"));
    copy->setToolTip(tr("Copy the entries shown"));
    connect(copy, &QPushButton::clicked, this, &DispatcherPage::copyLog);
    QPushButton *clear = build::button(tr("Clear"));
    clear->setToolTip(tr("Empty this list"));
    connect(clear, &QPushButton::clicked, this, [this] { m_log.clear(); });

    m_settingsTable = new ConsoleTable(theme, tr("Settings in force"));
    m_settingsTable->setModel(&m_settings);
    m_settingsTable->setColumnWidth(models::SettingsModel::Variable, 300);
    m_settingsTable->setColumnWidth(models::SettingsModel::Value, 90);
    m_settingsTable->setColumnWidth(models::SettingsModel::Meaning, 420);

    m_tabs = new QTabBar;
    m_tabs->addTab(tr("Log"));
    m_tabs->addTab(tr("Settings in force"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_tabs->setAccessibleName(tr("Log and settings"));
    auto *bar = new QHBoxLayout;
    build::tighten(bar, 8);
    bar->addWidget(m_tabs);
    bar->addStretch(1);
    for (QWidget *control : std::initializer_list<QWidget *>{m_level, copy, clear})
        bar->addWidget(control);
    auto *stack = new QStackedWidget;
    stack->addWidget(m_logTable);
    stack->addWidget(m_settingsTable);
    auto *part = new QWidget;
    auto *layout = new QVBoxLayout(part);
    build::tighten(layout, 6);
    layout->addLayout(bar);
    layout->addWidget(stack, 1);
    connect(m_tabs, &QTabBar::currentChanged, part, [this, stack, copy, clear](int index) {
        stack->setCurrentIndex(index);
        for (QWidget *control : std::initializer_list<QWidget *>{m_level, copy, clear})
            control->setVisible(index == 0);
    });
    return part;
}

void DispatcherPage::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    m_failure.reset();
    m_rates.clear();
    showProgress({});
}

void DispatcherPage::setSettings(const QList<engine::config::SettingLine> &lines)
{
    m_settings.setLines(lines);
}

void DispatcherPage::setReady(bool ready, const QString &reason)
{
    m_ready = ready;
    m_notReady = reason;
    updateControls();
}

void DispatcherPage::showProgress(const engine::dispatch::Progress &progress)
{
    const bool wasRunning = m_progress.state != DispatcherState::Stopped;
    m_progress = progress;
    if (progress.state == DispatcherState::Starting)
        m_failure.reset();
    const bool troubled = progress.state == DispatcherState::Recovering;
    if (!troubled)
        m_troubleSince.reset();
    else if (!m_troubleSince)
        m_troubleSince = m_clock.elapsed();

    const bool known = wasRunning || progress.state != DispatcherState::Stopped || progress.claimed > 0;
    const qint64 values[FigureCount] = {progress.claimed, progress.handedOver, progress.duplicates, progress.retried,
                                        progress.dead,    progress.leaseLost,  progress.released,   progress.inFlight};
    for (size_t i = 0; i < FigureCount; ++i) {
        const Severity severity = values[i] == 0 ? Severity::Muted
            : i == Dead                          ? Severity::Critical
            : i == Retried || i == LeaseLost     ? Severity::Warning
                                                 : Severity::Normal;
        m_tiles[i]->setValue(known ? models::numberText(values[i]) : u"–"_s, severity);
    }
    if (known)
        m_rates.add(progress.handedOver, m_clock.elapsed());
    m_chart->setSeries(m_rates, m_clock.elapsed());
    updateControls();
}

void DispatcherPage::addLog(const LogEntry &entry)
{
    m_pendingLog << entry;
    if (!m_flush.isActive())
        m_flush.start();
}

void DispatcherPage::showFailure(const engine::Error &error)
{
    m_failure = error;
    updateControls();
}

void DispatcherPage::flushLog()
{
    const QScrollBar *bar = m_logTable->verticalScrollBar();
    const bool follows = bar->value() >= bar->maximum() - 1;
    m_log.append(std::exchange(m_pendingLog, {}));
    if (follows)
        m_logTable->scrollToBottom();
}

void DispatcherPage::copyLog() const
{
    QStringList lines;
    for (int row = 0; row < m_shownLog.rowCount(); ++row)
        lines << m_log.line(m_shownLog.mapToSource(m_shownLog.index(row, 0)).row());
    QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

void DispatcherPage::toggle()
{
    if (!m_button->isEnabled())
        return;
    if (m_progress.state == DispatcherState::Stopped)
        emit startWanted();
    else
        emit stopWanted();
}

void DispatcherPage::updateControls()
{
    const StateWords state = wordsOf(m_progress.state);
    m_pill->setState(state.icon, state.word, state.severity);
    const bool stopped = m_progress.state == DispatcherState::Stopped;
    const bool stopping = m_progress.state == DispatcherState::Stopping;
    m_button->setText(stopped ? tr("Start dispatcher") : stopping ? tr("Stopping…") : tr("Stop dispatcher"));
    m_button->setEnabled(stopped ? m_ready && !m_profile.readOnly : !stopping);
    m_button->setToolTip(stopped && m_profile.readOnly ? tr("This connection is read-only.")
                             : stopped && !m_ready     ? m_notReady
                                                       : tr("Start or stop (Ctrl+D)"));
    build::restyle(m_button, "primary", stopped && m_button->isEnabled());
    if (!stopped)
        m_words->setText(m_progress.seconds < 1
                             ? QString()
                             : tr("for %1").arg(models::durationText(static_cast<qint64>(m_progress.seconds) * 1000)));
    else if (!m_ready && !m_profile.readOnly)
        m_words->setText(m_notReady);
    else
        m_words->setText(m_profile.readOnly ? QString() : tr("Other dispatchers of this table go on working."));
    updateBanner();
}

void DispatcherPage::updateBanner()
{
    if (m_progress.state == DispatcherState::Recovering) {
        const qint64 since = m_clock.elapsed() - m_troubleSince.value_or(m_clock.elapsed());
        const QString words = tr("It tries again by itself, and no attempt is counted.");
        m_banner->say(Severity::Warning,
                      since < 1000 ? tr("Cannot work now")
                                   : tr("Cannot work for %1 now").arg(models::durationText(since / 1000 * 1000)),
                      m_progress.trouble + u' ' + words);
    } else if (m_failure && m_progress.state == DispatcherState::Stopped) {
        m_banner->say(Severity::Critical, m_failure->message, m_failure->hint);
    } else if (m_profile.readOnly) {
        m_banner->say(Severity::Info, tr("This connection is read-only"),
                      tr("Dispatching writes to the table. To allow it, clear “Read-only” in the connection."),
                      tr("Open connection…"));
    } else if (!m_progress.trouble.isEmpty()) {
        m_banner->say(Severity::Warning, tr("Attention"), m_progress.trouble);
    } else {
        m_banner->clear();
    }
}

void DispatcherPage::setZone(models::Zone zone)
{
    m_log.setZone(zone);
    m_retention->setZone(zone);
}

QJsonObject DispatcherPage::saveState() const
{
    return {{u"tab"_s, m_tabs->currentIndex()},
            {u"level"_s, m_level->currentIndex()},
            {u"log"_s, m_logTable->saveColumns()},
            {u"settings"_s, m_settingsTable->saveColumns()}};
}

void DispatcherPage::restoreState(const QJsonObject &state)
{
    m_tabs->setCurrentIndex(state.value(u"tab"_s).toInt());
    m_level->setCurrentIndex(qBound(0, state.value(u"level"_s).toInt(), m_level->count() - 1));
    m_logTable->restoreColumns(state.value(u"log"_s).toString());
    m_settingsTable->restoreColumns(state.value(u"settings"_s).toString());
}

void DispatcherPage::focusContent()
{
    m_button->isEnabled() ? m_button->setFocus(Qt::OtherFocusReason) : m_logTable->setFocus(Qt::OtherFocusReason);
}

} // namespace views
