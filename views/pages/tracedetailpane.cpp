// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracedetailpane.h"

#include <views/widgets/build.h>
#include <views/widgets/copyfield.h>
#include <views/widgets/jsonview.h>
#include <views/widgets/pill.h>
#include <views/widgets/shapes.h>

#include <models/tracemodel.h>

#include <QGridLayout>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::trace::Entry;
using engine::trace::Lane;
using engine::trace::Trace;
using models::Severity;

namespace views {

TraceDetailPane::TraceDetailPane(const Theme &theme, QWidget *parent)
    : DetailPane(u"traceDetail"_s, 312, parent)
    , m_theme(theme)
    , m_search(new QPlainTextEdit)
    , m_what(build::label({}, "section"))
    , m_pill(new Pill(theme))
    , m_id(new CopyField(theme, tr("Id")))
    , m_facts(new QGridLayout)
    , m_json(new JsonView(theme))
    , m_trail(build::button(tr("Trace this id")))
{
    QVBoxLayout *searchLayout = addContent();
    searchLayout->addWidget(build::label(tr("Where it was looked for"), "section"));
    m_search->setReadOnly(true);
    m_search->setFrameShape(QFrame::NoFrame);
    m_search->setObjectName(u"traceSearch"_s);
    m_search->setAccessibleName(tr("What was looked at, and what could not be known"));
    searchLayout->addWidget(m_search, 1);

    QVBoxLayout *layout = addContent();
    m_what->setWordWrap(true);
    auto *title = new QHBoxLayout;
    build::tighten(title, 8);
    title->addWidget(m_what, 1);
    title->addWidget(m_pill, 0, Qt::AlignTop);
    layout->addLayout(title);
    layout->addWidget(m_id);
    addFacts(layout, m_facts);
    layout->addSpacing(4);
    layout->addWidget(m_json, 1);
    auto *buttons = new QHBoxLayout;
    build::tighten(buttons, 8);
    buttons->addWidget(m_trail);
    buttons->addStretch(1);
    layout->addLayout(buttons);

    connect(m_trail, &QPushButton::clicked, this, [this] {
        if (m_entry)
            emit traceWanted(m_entry->subject);
    });
    connect(&theme, &Theme::changed, this, &TraceDetailPane::render);
    clear();
}

void TraceDetailPane::setZone(models::Zone zone)
{
    m_zone = zone;
    render();
}

void TraceDetailPane::clear()
{
    m_entry.reset();
    showMessage(tr("Choose an entry to see the row, job or execution behind it."));
}

void TraceDetailPane::showSearch(const Trace &trace)
{
    m_entry.reset();
    QString text;
    for (const QString &line : trace.looked)
        text += u"• "_s + line + u'\n';
    if (!trace.unknown.isEmpty()) {
        text += u'\n' + tr("Not known:") + u'\n';
        for (const QString &line : trace.unknown)
            text += u"• "_s + line + u'\n';
    }
    if (m_search->toPlainText() != text)
        m_search->setPlainText(text);
    showContent(1);
}

void TraceDetailPane::showEntry(const Trace &trace, const Entry &entry)
{
    m_trace = trace;
    m_entry = entry;
    render();
}

void TraceDetailPane::addFact(const QString &name, const QString &value, Severity severity)
{
    if (value.isEmpty())
        return;
    if (m_factsUsed == m_factLines.size()) {
        Fact fact{build::label({}, "muted"), build::label({}, "plain")};
        fact.name->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        fact.value->setWordWrap(true);
        build::makeSelectable(fact.value);
        m_facts->addWidget(fact.name, static_cast<int>(m_factsUsed), 0);
        m_facts->addWidget(fact.value, static_cast<int>(m_factsUsed), 1);
        m_factLines.push_back(fact);
    }
    const Fact &fact = m_factLines[m_factsUsed++];
    fact.name->setText(name);
    // A long error is read where there is room for it; here it must not push the payload out of the window.
    fact.value->setText(value.size() > 600 ? value.left(600) + u'…' : value);
    fact.value->setToolTip(value.size() > 600 ? value.left(4000) : QString());
    QPalette palette = fact.value->palette();
    palette.setColor(QPalette::WindowText, m_theme.textColor(severity));
    fact.value->setPalette(palette);
}

void TraceDetailPane::render()
{
    if (!m_entry)
        return;
    const Entry &entry = *m_entry;
    m_what->setText(entry.what);
    m_factsUsed = 0;
    const QString lane = entry.lane == Lane::Outbox ? tr("outbox")
        : entry.lane == Lane::Job                   ? tr("job")
                                                    : tr("execution");
    const Severity severity = models::severityOf(entry.tone);
    m_pill->setState(shapes::iconName(severity), lane, severity);
    m_id->setText(QString::fromUtf8(entry.subject));
    addFact(tr("When"), entry.at ? models::fullTimeText(*entry.at, m_zone) : tr("nobody keeps this time"));
    if (entry.at && m_trace.databaseTime > 0)
        addFact({u' '}, models::relativeText(*entry.at, m_trace.databaseTime), Severity::Muted);
    addFact(tr("Source"), entry.source);
    addFact(tr("Certainty"), models::certaintyText(entry.certainty),
            entry.certainty == engine::trace::Certainty::Likely ? Severity::Warning : Severity::Normal);
    addFact(tr("Note"), entry.note == QString::fromUtf8(entry.subject) ? QString() : entry.note, severity);
    renderSubject(m_trace);
    for (size_t i = 0; i < m_factLines.size(); ++i) {
        m_factLines[i].name->setVisible(i < m_factsUsed);
        m_factLines[i].value->setVisible(i < m_factsUsed);
    }
    m_trail->setVisible(entry.subject != m_trace.asked);
    showContent(2);
}

void TraceDetailPane::renderSubject(const Trace &trace)
{
    m_json->setVisible(false);
    using Ref = engine::watch::DocumentRef;
    const auto showJson = [&](const QString &heading, const QByteArray &bytes, qint64 size, const QString &type,
                              const Ref &ref = {}) {
        m_json->setHeading(heading);
        m_json->setFileName(QString::fromUtf8(m_entry->subject));
        m_json->setVisible(!bytes.isEmpty());
        if (!bytes.isEmpty())
            m_json->setPayload(bytes, size, type, ref);
    };
    const auto showRow = [&](const engine::outbox::RowDetail &row) {
        addFact(tr("Event type"), QString::fromUtf8(row.row.eventType));
        addFact(tr("Status"), QString::fromUtf8(row.row.status));
        addFact(tr("Tenant"), QString::fromUtf8(row.row.tenantId));
        addFact(tr("Dispatch key"), QString::fromUtf8(row.dispatchKey));
        showJson(tr("Payload"), row.payload, row.payloadBytes, QString::fromUtf8(row.payloadType),
                 {Ref::Store::OutboxPayload, row.row.id});
    };
    if (m_entry->lane == Lane::Outbox) {
        for (const auto *rows : {&trace.rows, &trace.followUps}) {
            for (const engine::outbox::RowDetail &row : *rows) {
                if (row.row.id == m_entry->subject) {
                    showRow(row);
                    return;
                }
            }
        }
    } else if (m_entry->lane == Lane::Job) {
        for (const engine::trace::TracedJob &job : trace.jobs) {
            if (job.id != m_entry->subject)
                continue;
            addFact(tr("Queue"), QString::fromUtf8(job.queue));
            addFact(tr("Receiver's record"), job.receiverRecord);
            if (!job.detail)
                return;
            addFact(tr("State"), QString::fromUtf8(engine::bullmq::jobStateName(job.detail->job.state).toByteArray()));
            addFact(tr("Attempts"), QString::number(job.detail->job.attemptsMade));
            addFact(tr("Error"), job.detail->job.failedReason, Severity::Critical);
            showJson(tr("Job data"), job.detail->job.data, job.detail->job.data.size(), u"json"_s);
            return;
        }
    } else {
        for (const engine::workflow::ExecutionDetail &run : trace.executions) {
            if (run.execution.id != m_entry->subject)
                continue;
            addFact(tr("Workflow"),
                    run.execution.workflowName.isEmpty() ? QString::fromUtf8(run.execution.workflowId)
                                                         : run.execution.workflowName);
            addFact(tr("Status"), QString::fromUtf8(run.execution.status));
            addFact(tr("Waits for"), run.execution.waitingFor);
            addFact(tr("Error"), run.error, Severity::Critical);
            showJson(tr("Steps"), run.stepsText, run.stepsBytes, u"json"_s,
                     {Ref::Store::ExecutionSteps, run.execution.id});
            return;
        }
    }
}

} // namespace views
