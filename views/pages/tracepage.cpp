// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracepage.h"

#include "tracedetailpane.h"

#include <views/shell/actions.h>
#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/elidedlabel.h>
#include <views/widgets/lanedelegate.h>
#include <views/widgets/pagestate.h>
#include <views/widgets/pill.h>
#include <views/widgets/shapes.h>

#include <models/commandline.h>
#include <models/executionmodel.h>
#include <models/outboxmodel.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::bullmq::JobState;
using engine::trace::TracedJob;
using models::Severity;
using models::TraceModel;

namespace views {

namespace {

Severity jobSeverity(const TracedJob &job)
{
    if (!job.detail)
        return job.absence && job.absence->kind == engine::trace::Absence::Kind::NoTrace ? Severity::Critical
                                                                                         : Severity::Muted;
    switch (job.detail->job.state) {
    case JobState::Completed:
        return Severity::Good;
    case JobState::Failed:
        return Severity::Critical;
    case JobState::Unknown:
        return Severity::Warning;
    default:
        return Severity::Info;
    }
}

} // namespace

TracePage::TracePage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_field(new QLineEdit)
    , m_go(build::button(tr("Trace")))
    , m_copy(build::button(tr("Copy trace")))
    , m_command(build::button(tr("Copy command")))
    , m_subtitle(build::label({}, "muted"))
    , m_banner(new Banner(theme))
    , m_head(new QWidget)
    , m_way(new QHBoxLayout)
    , m_looked(new ElidedLabel)
    , m_unknown(new ElidedLabel)
    , m_table(new ConsoleTable(theme, tr("Timeline")))
    , m_detail(new TraceDetailPane(theme))
    , m_splitter(new QSplitter(Qt::Horizontal))
{
    m_field->setPlaceholderText(tr("Id of a row, job, execution or aggregate; dispatch key, correlation or saga id"));
    m_field->setAccessibleName(tr("Id to trace"));
    m_field->setClearButtonEnabled(true);
    m_field->setObjectName(u"traceField"_s);
    m_field->setMaxLength(4000);
    m_go->setToolTip(tr("Follow the id through outbox, queues and executions (Enter)"));
    m_copy->setToolTip(tr("The whole timeline as text"));
    m_command->setToolTip(tr("The command that shows this trace in a terminal"));

    m_table->setModel(&m_model);
    m_table->setObjectName(u"traceTable"_s);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    for (const int lane : {TraceModel::OutboxLane, TraceModel::JobLane, TraceModel::ExecutionLane})
        m_table->setItemDelegateForColumn(lane, new LaneDelegate(theme, m_table));
    m_table->setColumnPlan({{TraceModel::Time, 108, 150},
                            {TraceModel::OutboxLane, 62, 70},
                            {TraceModel::JobLane, 44, 70},
                            {TraceModel::ExecutionLane, 76, 80},
                            {TraceModel::What, 300, 560}},
                           740, 1340);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_detail);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(12);
    m_splitter->setSizes({756, 312});

    auto *headLayout = new QVBoxLayout(m_head);
    build::tighten(headLayout, 6);
    build::tighten(m_way, 6);
    m_way->addStretch(1);
    headLayout->addLayout(m_way);
    headLayout->addWidget(m_looked);
    headLayout->addWidget(m_unknown);
    auto *body = new QWidget;
    auto *bodyLayout = new QVBoxLayout(body);
    build::tighten(bodyLayout, 10);
    bodyLayout->addWidget(m_head);
    bodyLayout->addWidget(m_splitter, 1);
    m_state = new PageState(theme, body);

    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Trace"), "title"));
    top->addWidget(m_subtitle, 1);
    top->addWidget(m_copy);
    top->addWidget(m_command);
    auto *search = new QHBoxLayout;
    build::tighten(search, 8);
    search->addWidget(m_field, 1);
    search->addWidget(m_go);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addLayout(search);
    layout->addWidget(m_banner);
    layout->addWidget(m_state, 1);

    addActions(actions);
    connect(m_field, &QLineEdit::returnPressed, this, &TracePage::ask);
    connect(m_go, &QPushButton::clicked, this, &TracePage::ask);
    connect(m_field, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_go->setEnabled(!text.trimmed().isEmpty()); });
    connect(m_copy, &QPushButton::clicked, this, &TracePage::copyAll);
    connect(m_command, &QPushButton::clicked, this, &TracePage::copyCommand);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TracePage::entryChosen);
    connect(m_table, &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    connect(m_state, &PageState::retryWanted, this, &TracePage::ask);
    connect(m_banner, &Banner::activated, this, &TracePage::ask);
    connect(m_detail, &TraceDetailPane::traceWanted, this, &TracePage::traceId);
    m_go->setEnabled(false);
    forget();
}

void TracePage::addActions(ActionRegistry &actions)
{
    const QString group = tr("Trace");
    const auto bind = [&](const QString &id, const QString &text, const QString &key, auto function) {
        connect(actions.add(id, group, text, {QKeySequence(key)}, this, Qt::WidgetWithChildrenShortcut),
                &QAction::triggered, this, function);
    };
    bind(u"trace-field"_s, tr("Type an id to trace"), u"Ctrl+F"_s, [this] {
        m_field->setFocus(Qt::ShortcutFocusReason);
        m_field->selectAll();
    });
    bind(u"trace-copy"_s, tr("Copy the trace as text"), u"Ctrl+Shift+T"_s, [this] { copyAll(); });
    bind(u"trace-copy-command"_s, tr("Copy the trace as command line"), u"Ctrl+Shift+C"_s, [this] { copyCommand(); });
}

void TracePage::forget()
{
    m_shown = false;
    m_trace = {};
    m_model.setTimeline({}, 0);
    m_detail->clear();
    m_banner->clear();
    m_subtitle->clear();
    m_copy->setEnabled(false);
    m_command->setEnabled(false);
    m_state->showEmpty(tr("Nothing is traced yet"),
                       tr("Type any id above and press Enter, or choose Trace on a row, a job or an execution."));
}

void TracePage::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    forget();
}

void TracePage::traceId(const QByteArray &id)
{
    m_field->setText(QString::fromUtf8(id));
    ask();
}

void TracePage::ask()
{
    const QByteArray id = m_field->text().trimmed().toUtf8();
    if (id.isEmpty())
        return;
    if (!m_shown || m_trace.asked != id)
        m_state->showLoading(tr("Following %1…").arg(QString::fromUtf8(id.left(80))),
                             {tr("Primary keys and indexes first; a search of a whole column ends after 3 seconds.")});
    emit traceWanted(id);
}

void TracePage::showTrace(const engine::trace::Trace &trace)
{
    m_banner->clear();
    const bool same = m_shown && m_trace.asked == trace.asked;
    const int row = same ? m_table->currentIndex().row() : -1;
    m_trace = trace;
    m_shown = true;
    m_model.setTimeline(trace.timeline, trace.databaseTime);
    m_copy->setEnabled(!trace.isEmpty());
    m_command->setEnabled(true);
    if (trace.isEmpty()) {
        m_subtitle->clear();
        const QString asked = QString::fromUtf8(trace.asked.left(80));
        const QString words = (trace.looked + trace.unknown).join(u'\n');
        if (trace.unknown.isEmpty())
            m_state->showEmpty(tr("Nothing is known about %1").arg(asked), words);
        else // not found is no answer where not everything could be looked at
            m_state->showError({engine::ErrorCode::Unavailable,
                                tr("%1 was not found, but not everything could be looked at").arg(asked),
                                words,
                                true,
                                {}});
        return;
    }
    m_subtitle->setText(u"%1 · %2"_s.arg(QString::fromUtf8(trace.asked.left(80)), trace.understoodAs));
    updateWay();
    m_state->showContent();
    if (row >= 0 && row < m_model.rowCount())
        m_table->selectRow(row);
    else
        m_detail->showSearch(trace);
}

void TracePage::updateWay()
{
    size_t used = 0;
    const auto add = [&](const QString &word, Severity severity) {
        if (used == m_stations.size()) {
            Station station{used == 0 ? nullptr : build::label(u"→"_s, "muted"), new Pill(m_theme)};
            if (station.arrow)
                m_way->insertWidget(m_way->count() - 1, station.arrow);
            m_way->insertWidget(m_way->count() - 1, station.pill);
            m_stations.push_back(station);
        }
        m_stations[used++].pill->setState(shapes::iconName(severity), word.size() > 60 ? word.left(60) + u'…' : word,
                                          severity);
    };
    if (m_trace.rows.size() == 1) {
        const engine::outbox::RowSummary &row = m_trace.rows.front().row;
        add(tr("outbox row %1").arg(QString::fromUtf8(row.status)), models::statusSeverity(row.phase, row.retries));
    } else if (m_trace.rows.size() > 1) {
        add(tr("%1 outbox rows").arg(m_trace.rows.size()), Severity::Info);
    }
    if (m_trace.jobs.size() == 1) {
        const TracedJob &job = m_trace.jobs.front();
        const QString state = job.detail
            ? QString::fromUtf8(engine::bullmq::jobStateName(job.detail->job.state).toByteArray())
            : tr("no job now", "state of a job");
        add(tr("job %1 %2").arg(QString::fromUtf8(job.queue), state), jobSeverity(job));
    } else if (m_trace.jobs.size() > 1) {
        add(tr("%1 jobs").arg(m_trace.jobs.size()), Severity::Info);
    }
    if (m_trace.executions.size() == 1) {
        const engine::workflow::Execution &run = m_trace.executions.front().execution;
        add(tr("execution %1").arg(QString::fromUtf8(run.status)), models::executionSeverity(run.phase));
    } else if (m_trace.executions.size() > 1) {
        add(tr("%1 executions").arg(m_trace.executions.size()), Severity::Info);
    }
    if (!m_trace.followUps.empty())
        add(m_trace.followUps.size() == 1 ? tr("1 follow-up event")
                                          : tr("%1 follow-up events").arg(m_trace.followUps.size()),
            Severity::Info);
    for (size_t i = 0; i < m_stations.size(); ++i) {
        m_stations[i].pill->setVisible(i < used);
        if (m_stations[i].arrow)
            m_stations[i].arrow->setVisible(i < used);
    }
    m_looked->setText(tr("Looked at: %1").arg(m_trace.looked.join(u" · ")));
    m_looked->setInk(m_theme.color(ColorId::Muted));
    m_unknown->setVisible(!m_trace.unknown.isEmpty());
    m_unknown->setText(tr("Not known: %1").arg(m_trace.unknown.join(u" · ")));
    m_unknown->setInk(m_theme.color(ColorId::Warning));
}

void TracePage::showError(const engine::Error &error)
{
    if (m_shown && m_state->showsContent()) {
        m_banner->say(Severity::Critical, error.message,
                      (error.hint + u' ' + tr("The trace below is from the last answer.")).trimmed(), tr("Try again"));
        return;
    }
    m_shown = false;
    m_state->showError(error);
}

void TracePage::entryChosen()
{
    const QModelIndex current = m_table->currentIndex();
    if (current.isValid())
        m_detail->showEntry(m_trace, m_model.entries()[static_cast<size_t>(current.row())]);
    else if (m_shown)
        m_detail->showSearch(m_trace);
}

void TracePage::copyAll()
{
    if (m_shown)
        QGuiApplication::clipboard()->setText(models::traceText(m_trace));
}

void TracePage::copyCommand()
{
    if (m_shown)
        QGuiApplication::clipboard()->setText(models::commandline::trace(m_profile, m_trace.asked));
}

void TracePage::setZone(models::Zone zone)
{
    m_model.setZone(zone);
    m_detail->setZone(zone);
}

QJsonObject TracePage::saveState() const
{
    return {{u"splitter"_s, QString::fromLatin1(m_splitter->saveState().toBase64())},
            {u"columns"_s, m_table->saveColumns()}};
}

void TracePage::restoreState(const QJsonObject &state)
{
    m_splitter->restoreState(QByteArray::fromBase64(state.value(u"splitter"_s).toString().toLatin1()));
    m_table->restoreColumns(state.value(u"columns"_s).toString());
}

void TracePage::focusContent()
{
    if (m_shown && m_state->showsContent())
        m_table->setFocus(Qt::OtherFocusReason);
    else
        m_field->setFocus(Qt::OtherFocusReason);
}

} // namespace views
