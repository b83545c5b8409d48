// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executiondetailpane.h"

#include <views/widgets/build.h>
#include <views/widgets/copyfield.h>
#include <views/widgets/documentview.h>
#include <views/widgets/elidedlabel.h>
#include <views/widgets/jsonview.h>
#include <views/widgets/pill.h>
#include <views/widgets/shapes.h>

#include <models/executionmodel.h>

#include <QGridLayout>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::workflow::Execution;
using engine::workflow::Step;
using models::Severity;

namespace views {

namespace {

QString toolTipOf(const QString &text)
{
    constexpr qsizetype longest = 4000;
    return text.size() > longest ? text.left(longest) + u'…' : text;
}

} // namespace

ExecutionDetailPane::ExecutionDetailPane(const Theme &theme, QWidget *parent)
    : DetailPane(u"executionDetail"_s, 312, parent)
    , m_theme(theme)
    , m_workflow(new ElidedLabel)
    , m_pill(new Pill(theme))
    , m_id(new CopyField(theme, tr("Execution id")))
    , m_late(build::label({}, "plain"))
    , m_facts(new QGridLayout)
    , m_errorHeading(build::label(tr("Error"), "section"))
    , m_error(new DocumentView(theme))
    , m_stepsHeading(build::label(tr("Steps"), "section"))
    , m_steps(new QTreeWidget)
    , m_stepsProblem(build::label({}, "plain"))
    , m_stored(new JsonView(theme))
    , m_asStored(build::button(tr("JSON", "button: the steps as stored")))
{
    QVBoxLayout *layout = addContent();
    addTitle(layout, theme, m_workflow, m_pill);
    layout->addWidget(m_id);
    m_stored->setHeading(tr("Steps"));
    m_late->setWordWrap(true);
    m_stepsProblem->setWordWrap(true);
    layout->addWidget(m_late);
    addFacts(layout, m_facts);
    layout->addWidget(m_errorHeading);
    m_error->setAccessibleName(tr("Error"));
    m_error->setObjectName(u"executionError"_s);
    m_error->setFittedRows(6);
    layout->addWidget(m_error);
    layout->addWidget(m_stepsHeading);
    m_steps->setColumnCount(3);
    m_steps->setHeaderLabels({tr("Step", "column"), tr("Status", "column"), tr("Took", "column: duration of a step")});
    m_steps->setRootIsDecorated(false);
    m_steps->setUniformRowHeights(true);
    m_steps->setAllColumnsShowFocus(true);
    m_steps->setAccessibleName(tr("Steps"));
    m_steps->setObjectName(u"executionSteps"_s);
    m_steps->header()->setStretchLastSection(false);
    m_steps->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_steps->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_steps->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    layout->addWidget(m_steps, 1);
    layout->addWidget(m_stepsProblem);
    layout->addWidget(m_stored, 1);
    auto *buttons = new QHBoxLayout;
    build::tighten(buttons, 8);
    QPushButton *trace = build::button(tr("Trace"));
    trace->setToolTip(tr("Follow this execution back to its event (Ctrl+T)"));
    QPushButton *command = build::button(tr("Copy command"));
    command->setToolTip(tr("The command that shows this execution in a terminal"));
    buttons->addWidget(trace);
    m_asStored->setCheckable(true);
    m_asStored->setObjectName(u"stepsAsStored"_s);
    m_asStored->setToolTip(tr("Show the JSON of the steps instead of the list"));
    buttons->addWidget(command);
    buttons->addWidget(m_asStored);
    buttons->addStretch(1);
    layout->addLayout(buttons);

    connect(trace, &QPushButton::clicked, this, [this] {
        if (m_detail)
            emit traceWanted(m_detail->execution.id);
    });
    connect(command, &QPushButton::clicked, this, &ExecutionDetailPane::copyCommandWanted);
    connect(m_asStored, &QPushButton::toggled, this, &ExecutionDetailPane::render);
    connect(&theme, &Theme::changed, this, &ExecutionDetailPane::render);
    clear();
}

void ExecutionDetailPane::setZone(models::Zone zone)
{
    m_zone = zone;
    render();
}

void ExecutionDetailPane::showDetail(const engine::workflow::ExecutionDetail &detail, qint64 now)
{
    m_detail = detail;
    m_now = now;
    render();
}

void ExecutionDetailPane::say(const QString &text)
{
    m_detail.reset();
    showMessage(text);
}

void ExecutionDetailPane::showLoading()
{
    say(tr("Reading the execution…"));
}

void ExecutionDetailPane::showProblem(const engine::Error &error)
{
    say(error.message + u'\n' + error.hint);
}

void ExecutionDetailPane::clear()
{
    say(tr("Choose an execution to see its steps and its error."));
}

void ExecutionDetailPane::render()
{
    if (!m_detail)
        return;
    const Execution &run = m_detail->execution;
    m_workflow->setText(run.workflowName.isEmpty() ? QString::fromUtf8(run.workflowId) : run.workflowName);
    m_pill->setState(shapes::iconName(models::shapeOf(run.phase)), QString::fromUtf8(run.status),
                     models::executionSeverity(run.phase));
    m_id->setText(QString::fromUtf8(run.id));
    const QString late = models::latenessText(run, m_now);
    m_late->setVisible(!late.isEmpty());
    m_late->setText(late);
    QPalette warning = m_late->palette();
    warning.setColor(QPalette::WindowText, m_theme.color(ColorId::Warning));
    m_late->setPalette(warning);
    m_stepsProblem->setPalette(warning);
    renderFacts();
    m_errorHeading->setVisible(!m_detail->error.isEmpty());
    m_error->setVisible(!m_detail->error.isEmpty());
    m_error->setDocument(m_detail->error.toUtf8(), models::DocumentRows::Mode::Text);
    renderSteps();
    showContent();
}

void ExecutionDetailPane::renderFacts()
{
    const Execution &run = m_detail->execution;
    size_t used = 0;
    const auto add = [&](const QString &name, const QString &value, const QString &toolTip = {}) {
        if (value.isEmpty())
            return;
        if (used == m_factLines.size()) {
            Fact fact{build::label({}, "muted"), new ElidedLabel(nullptr, Qt::ElideMiddle)};
            m_facts->addWidget(fact.name, static_cast<int>(used), 0);
            m_facts->addWidget(fact.value, static_cast<int>(used), 1);
            m_factLines.push_back(fact);
        }
        m_factLines[used].name->setText(name);
        m_factLines[used].value->setText(value);
        if (!toolTip.isEmpty())
            m_factLines[used].value->setToolTip(toolTip);
        ++used;
    };
    const auto addTime = [&](const QString &name, std::optional<qint64> at) {
        if (at)
            add(name, models::clockText(*at, m_zone, m_now) + u" · "_s + models::relativeText(*at, m_now),
                models::fullTimeText(*at, m_zone));
    };
    add(tr("Tenant"), QString::fromUtf8(run.tenantId));
    add(tr("Workflow"), run.workflowName.isEmpty() ? QString() : QString::fromUtf8(run.workflowId));
    add(tr("Trigger"),
        run.isStream ? tr("%1: without an outbox row").arg(QString::fromUtf8(run.trigger))
                     : QString::fromUtf8(run.trigger));
    add(tr("Event"), QString::fromUtf8(run.outboxEventId));
    addTime(tr("Queued"), run.queuedAt ? run.queuedAt : run.createdAt);
    addTime(tr("Started"), run.startedAt);
    addTime(tr("Ended"), run.finishedAt);
    if (const auto ms = run.durationMs(m_now))
        add(tr("Duration"), models::durationText(run.finishedAt ? *ms : *ms / 1000 * 1000));
    add(tr("Waits for"), run.waitingFor);
    for (size_t i = 0; i < m_factLines.size(); ++i) {
        m_factLines[i].name->setVisible(i < used);
        m_factLines[i].value->setVisible(i < used);
    }
}

void ExecutionDetailPane::renderSteps()
{
    const engine::workflow::Steps &steps = m_detail->steps;
    const bool any = !m_detail->stepsText.isEmpty() && m_detail->stepsText != "[]";
    const bool listed = !steps.steps.empty() && !m_asStored->isChecked();
    m_steps->setVisible(listed);
    m_stepsHeading->setVisible(any && listed);
    m_stepsProblem->setVisible(!steps.problem.isEmpty());
    m_stepsProblem->setText(steps.problem);
    m_stored->setVisible(any && !listed);
    m_asStored->setVisible(any && !steps.steps.empty());
    if (!m_detail->stepsText.isEmpty())
        m_stored->setPayload(m_detail->stepsText, m_detail->stepsBytes, steps.problem.isEmpty() ? u"json"_s : u"text"_s,
                             {engine::watch::DocumentRef::Store::ExecutionSteps, m_detail->execution.id});
    m_stored->setFileName(u"steps-"_s + QString::fromUtf8(m_detail->execution.id));
    m_steps->clear();
    QList<QTreeWidgetItem *> items;
    int number = 0;
    for (const Step &step : steps.steps) {
        auto *item = new QTreeWidgetItem;
        item->setText(0, u"%1  %2"_s.arg(++number).arg(step.name));
        const QString error = toolTipOf(step.error);
        item->setToolTip(0, error.isEmpty() ? step.name : step.name + u'\n' + error);
        item->setText(1, step.status.isEmpty() ? u"–"_s : step.status);
        const Severity severity =
            step.phase == engine::workflow::Phase::Unknown ? Severity::Muted : models::executionSeverity(step.phase);
        item->setIcon(1, m_theme.icon(shapes::iconName(severity), textColor(severity)));
        item->setForeground(1, m_theme.textColor(severity));
        item->setToolTip(1, error);
        item->setText(2,
                      step.startedAt && step.finishedAt
                          ? models::durationText(*step.finishedAt / 1000 - *step.startedAt / 1000)
                          : u"–"_s);
        item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
        items << item;
    }
    m_steps->addTopLevelItems(items);
}

} // namespace views
