// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxdetailpane.h"

#include <views/widgets/build.h>
#include <views/widgets/copyfield.h>
#include <views/widgets/documentview.h>
#include <views/widgets/elidedlabel.h>
#include <views/widgets/jsonview.h>
#include <views/widgets/pill.h>
#include <views/widgets/shapes.h>

#include <models/commandline.h>
#include <models/outboxmodel.h>
#include <models/timeline.h>

#include <QGridLayout>
#include <QPushButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

namespace {

constexpr qint64 mostEdited = 256 * 1024; // bytes

// Lines are kept and filled again: a refresh neither flickers nor takes a selection away.
void showOnly(std::vector<OutboxDetailPane::Line> &lines, size_t used)
{
    for (size_t i = 0; i < lines.size(); ++i) {
        for (QWidget *widget : std::initializer_list<QWidget *>{lines[i].lead, lines[i].middle, lines[i].words}) {
            if (widget)
                widget->setVisible(i < used);
        }
    }
}

} // namespace

OutboxDetailPane::OutboxDetailPane(const Theme &theme, QWidget *parent)
    : DetailPane(u"detailPane"_s, 312, parent)
    , m_theme(theme)
    , m_type(new ElidedLabel)
    , m_pill(new Pill(theme))
    , m_id(new CopyField(theme, tr("Event id")))
    , m_facts(new QGridLayout)
    , m_timeline(new QGridLayout)
    , m_errorHeading(build::label(tr("Last error"), "section"))
    , m_error(new DocumentView(theme))
    , m_payload(new JsonView(theme))
    , m_similar(build::button(tr("Compose similar…")))
{
    QVBoxLayout *layout = addContent();
    addTitle(layout, theme, m_type, m_pill);
    layout->addWidget(m_id);
    addFacts(layout, m_facts);
    layout->addSpacing(4);
    QPushButton *trace = build::button(tr("Trace"));
    trace->setObjectName(u"traceButton"_s);
    trace->setToolTip(tr("Follow this row through its job and its execution (Ctrl+T)"));
    auto *timelineTop = new QHBoxLayout;
    build::tighten(timelineTop, 8);
    timelineTop->addWidget(build::label(tr("Timeline"), "section"), 1);
    timelineTop->addWidget(trace);
    layout->addLayout(timelineTop);
    build::tighten(m_timeline);
    m_timeline->setHorizontalSpacing(8);
    m_timeline->setVerticalSpacing(6);
    m_timeline->setColumnStretch(2, 1);
    layout->addLayout(m_timeline);
    layout->addSpacing(4);
    layout->addWidget(m_errorHeading);
    m_error->setAccessibleName(tr("Last error"));
    m_error->setObjectName(u"lastError"_s);
    m_error->setFittedRows(8);
    layout->addWidget(m_error);
    layout->addWidget(m_payload, 1);

    auto *buttons = new QHBoxLayout;
    build::tighten(buttons, 8);
    QPushButton *copyCommand = build::button(tr("Copy command"));
    copyCommand->setToolTip(tr("The command that shows this row in a terminal"));
    buttons->addWidget(m_similar);
    buttons->addWidget(copyCommand);
    buttons->addStretch(1);
    layout->addLayout(buttons);

    connect(m_similar, &QPushButton::clicked, this, &OutboxDetailPane::composeSimilarWanted);
    connect(trace, &QPushButton::clicked, this, &OutboxDetailPane::traceWanted);
    connect(copyCommand, &QPushButton::clicked, this, &OutboxDetailPane::copyCommandWanted);
    connect(&theme, &Theme::changed, this, &OutboxDetailPane::render);
    clear();
}

void OutboxDetailPane::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    allowSimilar();
}

void OutboxDetailPane::allowSimilar()
{
    // A part of a payload would make a wrong event, and a very long one is nothing to edit.
    const bool tooLong = m_detail && m_detail->payloadBytes > mostEdited;
    m_similar->setEnabled(!m_profile.readOnly && !tooLong);
    m_similar->setToolTip(m_profile.readOnly ? tr("This connection is read-only.")
                              : tooLong
                              ? tr("This payload is too long to edit here. Save it to a file, then publish it.")
                              : tr("Compose a new event of this type with this payload"));
}

void OutboxDetailPane::setZone(models::Zone zone)
{
    m_zone = zone;
    render();
}

void OutboxDetailPane::showDetail(const engine::outbox::RowDetail &detail, const QString &destination, qint64 now)
{
    m_detail = detail;
    m_destination = destination;
    m_now = now;
    render();
}

void OutboxDetailPane::showLoading()
{
    m_detail.reset();
    showMessage(tr("Reading the row…"));
}

void OutboxDetailPane::showProblem(const engine::Error &error)
{
    m_detail.reset();
    showMessage(error.message + u'\n' + error.hint);
}

void OutboxDetailPane::clear()
{
    m_detail.reset();
    showMessage(tr("Choose a row to see its timeline, its last error and its payload."));
}

QString OutboxDetailPane::commandLine() const
{
    return m_detail ? models::commandline::rows(m_profile, m_detail->row.id) : QString();
}

void OutboxDetailPane::render()
{
    if (!m_detail)
        return;
    const engine::outbox::RowSummary &row = m_detail->row;
    m_type->setText(QString::fromUtf8(row.eventType));
    m_pill->setState(shapes::iconName(row.phase), QString::fromUtf8(row.status),
                     models::statusSeverity(row.phase, row.retries));
    m_id->setText(QString::fromUtf8(row.id));
    renderFacts();
    renderTimeline();

    const QString error = m_detail->lastError.isEmpty() ? row.lastError : m_detail->lastError;
    m_errorHeading->setVisible(!error.isEmpty());
    m_error->setVisible(!error.isEmpty());
    m_error->setDocument(error.toUtf8(), models::DocumentRows::Mode::Text);
    m_payload->setFileName(u"payload-"_s + QString::fromUtf8(row.id));
    m_payload->setPayload(m_detail->payload, m_detail->payloadBytes, QString::fromUtf8(m_detail->payloadType),
                          {engine::watch::DocumentRef::Store::OutboxPayload, row.id});
    allowSimilar();
    showContent();
}

void OutboxDetailPane::renderFacts()
{
    size_t used = 0;
    const auto add = [&](const QString &name, const QString &value) {
        if (value.isEmpty())
            return;
        if (used == m_factLines.size()) {
            Line line{build::label({}, "muted"), nullptr, new ElidedLabel(nullptr, Qt::ElideMiddle)};
            m_facts->addWidget(line.lead, static_cast<int>(used), 0);
            m_facts->addWidget(line.words, static_cast<int>(used), 1);
            m_factLines.push_back(line);
        }
        m_factLines[used].lead->setText(name);
        m_factLines[used++].words->setText(value);
    };
    const engine::outbox::RowDetail &detail = *m_detail;
    add(tr("Tenant"), QString::fromUtf8(detail.row.tenantId));
    add(tr("Destination"), m_destination.isEmpty() ? tr("no route for this type") : m_destination);
    add(tr("Dispatch key"), QString::fromUtf8(detail.dispatchKey));
    if (!detail.aggregateId.isEmpty())
        add(tr("Aggregate"), QString::fromUtf8(detail.aggregateType + ' ' + detail.aggregateId));
    add(tr("Version"), QString::fromUtf8(detail.eventVersion));
    if (detail.metadata != "{}")
        add(tr("Metadata"), QString::fromUtf8(detail.metadata));
    showOnly(m_factLines, used);
}

void OutboxDetailPane::renderTimeline()
{
    size_t used = 0;
    for (const models::TimelineStep &step : models::timelineOf(*m_detail, m_destination, m_now)) {
        if (used == m_timelineLines.size()) {
            Line line{new QLabel, new ElidedLabel, new ElidedLabel};
            m_timeline->addWidget(line.lead, static_cast<int>(used), 0);
            m_timeline->addWidget(line.middle, static_cast<int>(used), 1);
            m_timeline->addWidget(line.words, static_cast<int>(used), 2);
            m_timelineLines.push_back(line);
        }
        const Line &line = m_timelineLines[used++];
        const bool plain = step.severity == models::Severity::Normal;
        line.lead->setPixmap(m_theme.pixmap(shapes::iconName(step.severity),
                                            plain ? ColorId::Muted : textColor(step.severity), 11,
                                            devicePixelRatioF()));
        line.middle->setText(step.at ? models::clockText(*step.at, m_zone, m_now) : u"–"_s);
        line.middle->setInk(m_theme.color(ColorId::Muted));
        line.middle->setToolTip(step.at ? models::fullTimeText(*step.at, m_zone) : QString());
        line.middle->setMinimumWidth(line.middle->sizeHint().width());
        line.words->setText(step.note.isEmpty() ? step.text : step.text + u" · "_s + step.note);
        line.words->setInk(m_theme.textColor(step.severity));
    }
    showOnly(m_timelineLines, used);
}

} // namespace views
