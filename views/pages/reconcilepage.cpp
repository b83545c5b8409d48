// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reconcilepage.h"

#include <views/shell/actions.h>
#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/pagestate.h>
#include <views/widgets/shapes.h>

#include <models/commandline.h>
#include <models/counttext.h>

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::trace::Finding;
using engine::trace::ReconcilePhase;
using engine::trace::ReconcileProgress;
using engine::trace::ReconcileReport;
using models::ReconcileModel;
using models::Severity;

namespace views {

ReconcilePage::ReconcilePage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_subtitle(build::label({}, "muted"))
    , m_since(new QComboBox)
    , m_start(build::button(tr("Compare")))
    , m_stop(build::button(tr("Stop")))
    , m_resume(build::button(tr("Resume")))
    , m_banner(new Banner(theme))
    , m_bar(new QProgressBar)
    , m_words(build::label({}, "muted"))
    , m_groupLayout(new QHBoxLayout)
    , m_table(new ConsoleTable(theme, tr("Findings")))
    , m_explanation(build::label({}, "muted"))
    , m_trace(build::button(tr("Trace")))
    , m_command(build::button(tr("Copy command")))
{
    m_since->setAccessibleName(tr("Done rows due within"));
    m_since->addItem(tr("last hour"), 3'600);
    m_since->addItem(tr("last 24 hours"), 86'400);
    m_since->addItem(tr("last 7 days"), 604'800);
    m_since->addItem(tr("last 30 days"), 2'592'000);
    m_since->setCurrentIndex(1);
    m_since->setToolTip(tr("How far back done rows are held against their jobs"));
    m_start->setObjectName(u"reconcileStart"_s);
    m_stop->setObjectName(u"reconcileStop"_s);
    m_resume->setObjectName(u"reconcileResume"_s);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(6);
    m_bar->setAccessibleName(tr("Progress of the comparison"));
    m_words->setObjectName(u"reconcileWords"_s);

    m_table->setModel(&m_model);
    m_table->setObjectName(u"findingTable"_s);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnPlan({{ReconcileModel::Kind, 176, 200},
                            {ReconcileModel::When, 96, 100},
                            {ReconcileModel::Id, 190, 320},
                            {ReconcileModel::Name, 180, 260},
                            {ReconcileModel::Queue, 130, 220}},
                           1060, 1700);
    m_rowsState = new PageState(theme, m_table);
    build::tighten(m_groupLayout, 6);
    m_groupLayout->addStretch(1);
    m_explanation->setWordWrap(true);
    m_trace->setToolTip(tr("Follow the chosen finding through the stores (Ctrl+T)"));
    m_command->setToolTip(tr("The command that does this comparison in a terminal"));
    auto *bottom = new QHBoxLayout;
    build::tighten(bottom, 8);
    bottom->addWidget(m_explanation, 1);
    bottom->addWidget(m_trace);
    auto *body = new QWidget;
    auto *bodyLayout = new QVBoxLayout(body);
    build::tighten(bodyLayout, 10);
    bodyLayout->addWidget(m_bar);
    bodyLayout->addWidget(m_words);
    bodyLayout->addLayout(m_groupLayout);
    bodyLayout->addWidget(m_rowsState, 1);
    bodyLayout->addLayout(bottom);
    m_state = new PageState(theme, body);

    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Reconcile"), "title"));
    top->addWidget(m_subtitle, 1);
    top->addWidget(m_since);
    top->addWidget(m_start);
    top->addWidget(m_stop);
    top->addWidget(m_resume);
    top->addWidget(m_command);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(m_state, 1);

    addActions(actions);
    connect(m_start, &QPushButton::clicked, this, &ReconcilePage::start);
    connect(m_resume, &QPushButton::clicked, this, &ReconcilePage::resume);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stopping = true;
        updateButtons();
        emit stopWanted();
    });
    connect(m_trace, &QPushButton::clicked, this, &ReconcilePage::traceChosen);
    connect(m_command, &QPushButton::clicked, this, &ReconcilePage::copyCommand);
    connect(m_table, &QTableView::doubleClicked, this, &ReconcilePage::traceChosen);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &ReconcilePage::updateExplanation);
    connect(m_table, &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    connect(m_state, &PageState::activated, this, &ReconcilePage::start);
    connect(m_state, &PageState::retryWanted, this, &ReconcilePage::start);
    connect(m_banner, &Banner::activated, this, &ReconcilePage::resume);
    connect(&theme, &Theme::changed, this, &ReconcilePage::updateGroups);
    setProfile({}, false);
}

void ReconcilePage::addActions(ActionRegistry &actions)
{
    QAction *trace = actions.add(u"reconcile-trace"_s, tr("Reconcile"), tr("Trace the chosen finding"),
                                 {QKeySequence(u"Ctrl+T"_s)}, this, Qt::WidgetWithChildrenShortcut);
    connect(trace, &QAction::triggered, this, &ReconcilePage::traceChosen);
}

void ReconcilePage::setProfile(const engine::config::ConnectionProfile &profile, bool connected)
{
    m_profile = profile;
    m_progress = {};
    m_before = {};
    m_report = {};
    m_running = false;
    m_stopping = false;
    m_shown = false;
    m_model.setReport({});
    m_model.setKind(std::nullopt);
    m_banner->clear();
    m_subtitle->clear();
    setConnected(connected);
    updateGroups();
    updateExplanation();
    m_state->showEmpty(tr("Do outbox, queues and executions fit together?"),
                       tr("A comparison looks for done rows without a job, jobs without a row, duplicate jobs, and "
                          "executions that nothing will finish. It reads in small steps, changes nothing, and can be "
                          "stopped and resumed."),
                       tr("Compare"));
}

void ReconcilePage::setConnected(bool connected)
{
    m_connected = connected;
    updateButtons();
}

void ReconcilePage::start()
{
    if (!m_connected || m_running)
        return;
    m_before = {};
    m_report = {};
    m_progress = {};
    m_model.setReport({});
    engine::trace::ReconcileRequest request;
    request.since = std::chrono::seconds(m_since->currentData().toInt());
    m_running = true;
    m_stopping = false;
    m_banner->clear();
    if (!m_shown)
        m_state->showLoading(tr("Comparing…"));
    updateButtons();
    emit startWanted(request);
}

void ReconcilePage::resume()
{
    if (!m_connected || m_running || m_progress.token.isEmpty())
        return;
    m_before = m_report;
    engine::trace::ReconcileRequest request;
    request.resume = m_progress.token;
    m_running = true;
    m_stopping = false;
    m_banner->clear();
    updateButtons();
    emit startWanted(request);
}

ReconcileReport ReconcilePage::joined(const ReconcileReport &before, const ReconcileReport &now)
{
    ReconcileReport all = before;
    for (const Finding &finding : now.findings) {
        if (all.findings.size() < 7 * ReconcileReport::mostListed)
            all.findings.push_back(finding);
    }
    for (auto count = now.counts.cbegin(); count != now.counts.cend(); ++count)
        all.counts[count.key()] += count.value();
    all.rowsLooked += now.rowsLooked;
    all.keysLooked += now.keysLooked;
    all.jobsLooked += now.jobsLooked;
    all.executionsLooked += now.executionsLooked;
    all.rowsExplained += now.rowsExplained;
    all.rowsWithoutRoute += now.rowsWithoutRoute;
    for (const QString &line : now.unknown)
        all.note(line);
    return all;
}

void ReconcilePage::showProgress(const ReconcileProgress &progress, bool running)
{
    m_shown = true;
    m_running = running;
    m_stopping = m_stopping && running;
    m_progress = progress;
    m_report = joined(m_before, progress.report);
    m_state->showContent();
    const QByteArray top = m_table->topRow();
    m_model.setReport(m_report);
    m_table->scrollBackTo(top);
    updateWords();
    updateGroups();
    updateButtons();
    updateExplanation();
    if (m_model.rowCount() > 0)
        m_rowsState->showContent();
    else if (running)
        m_rowsState->showEmpty(tr("Nothing found so far"), tr("Findings appear here while the comparison runs."));
    else if (progress.token.isEmpty())
        m_rowsState->showEmpty(tr("Everything fits together"),
                               tr("Every done row has its job or its record, every job its row, and every open "
                                  "execution somebody to finish it."));
    else
        m_rowsState->showEmpty(tr("Nothing found so far"), tr("The comparison was stopped; Resume goes on with it."));
    if (!running && !m_report.unknown.isEmpty())
        m_banner->say(Severity::Warning, tr("Not everything could be looked at"), m_report.unknown.join(u" · "));
}

void ReconcilePage::showError(const engine::Error &error)
{
    m_running = false;
    m_stopping = false;
    updateButtons();
    if (!m_shown) {
        m_state->showError(error);
        return;
    }
    updateWords();
    const bool canGoOn = !m_progress.token.isEmpty();
    m_banner->say(Severity::Critical, error.message,
                  (error.hint + u' ' + tr("What was found until then is below.")).trimmed(),
                  canGoOn ? tr("Resume") : QString());
}

void ReconcilePage::updateButtons()
{
    const bool canResume = !m_running && !m_progress.token.isEmpty();
    m_start->setEnabled(m_connected && !m_running);
    m_since->setEnabled(!m_running);
    m_stop->setVisible(m_running || !canResume);
    m_stop->setEnabled(m_running && !m_stopping);
    m_stop->setText(m_stopping ? tr("Stopping…") : tr("Stop"));
    m_resume->setVisible(canResume);
    m_resume->setEnabled(m_connected && canResume);
    m_start->setToolTip(m_connected ? tr("Compare anew, from the beginning") : tr("Waiting for the connection."));
}

void ReconcilePage::updateWords()
{
    QString stage;
    double done = 0;
    switch (m_progress.phase) {
    case ReconcilePhase::Rows:
        stage = tr("Looking at done rows");
        done = m_progress.fraction * 0.45;
        break;
    case ReconcilePhase::Jobs:
        stage = tr("Looking at jobs");
        done = 0.45 + m_progress.fraction * 0.45;
        break;
    case ReconcilePhase::Executions:
        stage = tr("Looking at open executions");
        done = 0.9;
        break;
    case ReconcilePhase::Finished:
        stage = tr("Finished");
        done = 1;
        break;
    }
    if (!m_running && !m_progress.token.isEmpty())
        stage = m_progress.phase == ReconcilePhase::Rows ? tr("Stopped at the done rows")
            : m_progress.phase == ReconcilePhase::Jobs   ? tr("Stopped at the jobs")
                                                         : tr("Stopped at the open executions");
    m_bar->setValue(static_cast<int>(done * 1000));
    m_words->setText(tr("%1 · %2 done rows, %3 jobs of events, %4 open executions looked at")
                         .arg(stage, models::numberText(m_report.rowsLooked), models::numberText(m_report.jobsLooked),
                              models::numberText(m_report.executionsLooked)));
    QStringList more;
    if (m_report.rowsExplained > 0)
        more << tr("%1 rows without a job are explained by a receiver's record, an execution or the queue's events.")
                    .arg(models::numberText(m_report.rowsExplained));
    if (m_report.rowsWithoutRoute > 0)
        more << tr("%1 rows have no route to a queue and were left out.")
                    .arg(models::numberText(m_report.rowsWithoutRoute));
    m_words->setToolTip(more.join(u'\n'));
    qint64 attention = 0;
    for (auto count = m_report.counts.cbegin(); count != m_report.counts.cend(); ++count)
        attention += engine::trace::needsAttention(count.key()) ? count.value() : 0;
    m_subtitle->setText(attention == 0       ? tr("nothing needs attention so far")
                            : attention == 1 ? tr("1 finding needs attention")
                                             : tr("%1 findings need attention").arg(models::numberText(attention)));
    if (attention == 0 && m_progress.phase == ReconcilePhase::Finished)
        m_subtitle->setText(tr("nothing needs attention"));
}

void ReconcilePage::updateGroups()
{
    for (int i = int(Finding::Kind::RowWithoutJob); i <= int(Finding::Kind::InterruptedStream); ++i) {
        const auto kind = Finding::Kind(i);
        const qint64 count = m_report.counts.value(kind);
        QToolButton *&button = m_groups[kind];
        if (!button) {
            button = new QToolButton(this);
            button->setProperty("chip", true);
            button->setCheckable(true);
            button->setFocusPolicy(Qt::StrongFocus);
            button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
            button->setIconSize(QSize(11, 11));
            button->setObjectName(u"group-"_s + QString::fromLatin1(engine::trace::kindName(kind).toByteArray()));
            m_groupLayout->insertWidget(m_groupLayout->count() - 1, button);
            connect(button, &QToolButton::clicked, this, [this, kind](bool checked) {
                for (const auto &[other, chip] : m_groups)
                    chip->setChecked(checked && other == kind);
                m_model.setKind(checked ? std::optional(kind) : std::nullopt);
            });
        }
        button->setVisible(count > 0);
        if (count == 0 && button->isChecked()) {
            button->setChecked(false);
            m_model.setKind(std::nullopt);
        }
        button->setText(u" %1  %2"_s.arg(models::findingText(kind), models::numberText(count)));
        button->setToolTip(models::findingExplanation(kind));
        const Severity severity = models::findingSeverity(kind);
        button->setIcon(m_theme.icon(shapes::iconName(severity), textColor(severity)));
    }
}

const Finding *ReconcilePage::chosen() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? &m_model.rows()[static_cast<size_t>(current.row())] : nullptr;
}

void ReconcilePage::updateExplanation()
{
    const Finding *finding = chosen();
    m_trace->setEnabled(finding != nullptr);
    m_explanation->setText(finding ? models::findingExplanation(finding->kind)
                                   : tr("Choose a finding to see what it means."));
}

void ReconcilePage::traceChosen()
{
    if (const Finding *finding = chosen())
        emit traceWanted(finding->id);
}

void ReconcilePage::copyCommand()
{
    QGuiApplication::clipboard()->setText(models::commandline::reconcile(m_profile, m_progress.token));
}

void ReconcilePage::setZone(models::Zone zone)
{
    m_model.setZone(zone);
}

QJsonObject ReconcilePage::saveState() const
{
    return {{u"columns"_s, m_table->saveColumns()}, {u"since"_s, m_since->currentIndex()}};
}

void ReconcilePage::restoreState(const QJsonObject &state)
{
    m_table->restoreColumns(state.value(u"columns"_s).toString());
    m_since->setCurrentIndex(qBound(0, state.value(u"since"_s).toInt(1), m_since->count() - 1));
}

void ReconcilePage::focusContent()
{
    if (m_shown)
        m_table->setFocus(Qt::OtherFocusReason);
    else
        m_start->setFocus(Qt::OtherFocusReason);
}

} // namespace views
