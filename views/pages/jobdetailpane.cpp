// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobdetailpane.h"

#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/copyfield.h>
#include <views/widgets/elidedlabel.h>
#include <views/widgets/jsonview.h>
#include <views/widgets/pill.h>
#include <views/widgets/shapes.h>
#include <views/widgets/textview.h>

#include <models/counttext.h>
#include <models/jobtext.h>

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

JobDetailPane::JobDetailPane(const Theme &theme, QWidget *parent)
    : DetailPane(u"jobDetail"_s, 380, parent)
    , m_theme(theme)
    , m_banner(new Banner(theme))
    , m_name(new ElidedLabel)
    , m_pill(new Pill(theme))
    , m_id(new CopyField(theme, tr("Job id")))
    , m_facts(new QGridLayout)
    , m_tabs(new QTabBar)
    , m_pages(new QStackedWidget)
    , m_data(new JsonView(theme))
    , m_error(new TextView(theme, tr("Error and stack traces")))
    , m_optionParts(new QTabBar)
    , m_options(new JsonView(theme))
    , m_logs(new TextView(theme, tr("Logs")))
    , m_timeline(new QGridLayout)
    , m_relatives(new TextView(theme, tr("Children")))
    , m_parent(build::button(tr("Open parent")))
{
    QVBoxLayout *layout = addContent();
    addTitle(layout, theme, m_name, m_pill);
    layout->addWidget(m_id);
    layout->addWidget(m_banner);
    addFacts(layout, m_facts);

    for (const QString &text : {tr("Data"), tr("Error"), tr("Options"), tr("Logs"), tr("Timeline")})
        m_tabs->addTab(text);
    m_tabs->setObjectName(u"jobTabs"_s);
    m_tabs->setAccessibleName(tr("Parts of the job"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    layout->addWidget(m_tabs);

    m_data->setHeading(tr("Data"));
    auto *options = new QWidget;
    auto *optionsLayout = new QVBoxLayout(options);
    build::tighten(optionsLayout, 6);
    for (const QString &text : {tr("Options"), tr("Return value"), tr("Progress")})
        m_optionParts->addTab(text);
    m_optionParts->setObjectName(u"jobOptionParts"_s);
    m_optionParts->setAccessibleName(tr("Documents of the job"));
    m_optionParts->setDrawBase(false);
    m_optionParts->setExpanding(false);
    optionsLayout->addWidget(m_optionParts);
    optionsLayout->addWidget(m_options, 1);

    auto *times = new QWidget;
    auto *timesLayout = new QVBoxLayout(times);
    build::tighten(timesLayout, 10);
    build::tighten(m_timeline);
    m_timeline->setHorizontalSpacing(8);
    m_timeline->setVerticalSpacing(6);
    m_timeline->setColumnStretch(2, 1);
    timesLayout->addLayout(m_timeline);
    timesLayout->addWidget(m_relatives, 1);
    timesLayout->addStretch(0);
    for (QWidget *page : std::initializer_list<QWidget *>{m_data, m_error, options, m_logs, times})
        m_pages->addWidget(page);
    layout->addWidget(m_pages, 1);

    auto *buttons = new QHBoxLayout;
    build::tighten(buttons, 8);
    QPushButton *copyCommand = build::button(tr("Copy command"));
    copyCommand->setToolTip(tr("The command that shows this job in a terminal"));
    buttons->addWidget(copyCommand);
    buttons->addWidget(m_parent);
    buttons->addStretch(1);
    layout->addLayout(buttons);

    connect(m_tabs, &QTabBar::currentChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_optionParts, &QTabBar::currentChanged, this, &JobDetailPane::renderOptions);
    connect(copyCommand, &QPushButton::clicked, this, &JobDetailPane::copyCommandWanted);
    connect(m_parent, &QPushButton::clicked, this, [this] {
        if (m_detail)
            emit jobWanted(m_detail->parentKey);
    });
    connect(&theme, &Theme::changed, this, &JobDetailPane::render);
    clear();
}

void JobDetailPane::setTab(int tab)
{
    m_tabs->setCurrentIndex(qBound(0, tab, m_tabs->count() - 1));
}

int JobDetailPane::tab() const
{
    return m_tabs->currentIndex();
}

void JobDetailPane::setZone(models::Zone zone)
{
    m_zone = zone;
    render();
}

void JobDetailPane::showLoading(const QByteArray &id)
{
    if (m_detail && m_detail->job.id == id)
        return;
    m_detail.reset();
    showMessage(tr("Reading the job…"));
}

void JobDetailPane::showDetail(const engine::bullmq::JobDetail &detail)
{
    m_detail = detail;
    m_banner->clear();
    render();
}

void JobDetailPane::showProblem(const QByteArray &id, const engine::Error &error)
{
    const bool gone = error.code == engine::ErrorCode::NotFound;
    if (m_detail && m_detail->job.id == id) {
        // What was read last is still worth reading, most of all once it is gone.
        m_banner->say(models::Severity::Warning, gone ? tr("This job is gone") : error.message,
                      gone ? tr("What you see was read before that.") : error.hint);
        return;
    }
    m_detail.reset();
    showMessage(error.message + u'\n' + error.hint);
}

void JobDetailPane::clear()
{
    m_detail.reset();
    m_banner->clear();
    showMessage(tr("Choose a job to see its data, its errors and its times."));
}

void JobDetailPane::render()
{
    if (!m_detail)
        return;
    const engine::bullmq::JobSummary &job = m_detail->job;
    m_name->setText(job.name.isEmpty() ? tr("no name") : QString::fromUtf8(job.name));
    const bool stalled = job.locked == false;
    const models::Severity severity = stalled ? models::Severity::Warning : models::jobStateSeverity(job.state);
    m_pill->setState(shapes::iconName(severity), stalled ? tr("Stalled") : models::jobStateText(job.state), severity);
    m_id->setText(QString::fromUtf8(job.id));
    renderFacts();
    m_data->setFileName(u"job-"_s + QString::fromUtf8(job.id));
    m_data->setPayload(job.data, job.data.size(), {});
    const auto traces = static_cast<qint64>(m_detail->stackTraces.size());
    m_error->setText(models::jobErrorText(*m_detail),
                     traces == 0       ? QString()
                         : traces == 1 ? tr("1 stack trace")
                                       : tr("%1 stack traces, newest first").arg(models::numberText(traces)),
                     tr("No attempt has failed."));
    renderOptions();
    QStringList lines;
    for (const QString &line : m_detail->logs)
        lines << line;
    m_logs->setText(lines.join(u'\n'),
                    m_detail->logCount > lines.size()
                        ? tr("the last %1 of %2 lines")
                              .arg(models::numberText(lines.size()), models::numberText(m_detail->logCount))
                        : lines.isEmpty()   ? QString()
                        : lines.size() == 1 ? tr("1 line")
                                            : tr("%1 lines").arg(models::numberText(lines.size())),
                    tr("The job has logged nothing."));
    const auto mark = [this](Tab tab, const QString &text, qint64 count) {
        m_tabs->setTabText(tab, count > 0 ? u"%1 %2"_s.arg(text, models::numberText(count)) : text);
    };
    mark(Error, tr("Error"), traces);
    mark(Logs, tr("Logs"), m_detail->logCount);
    renderTimeline();
    renderRelatives();
    showContent();
}

void JobDetailPane::renderOptions()
{
    if (!m_detail)
        return;
    const std::pair<const char *, const QByteArray &> parts[]{
        {"options", m_detail->options}, {"return-value", m_detail->returnValue}, {"progress", m_detail->progress}};
    // A part that is not there is not offered; options always are, if only to say that there are none.
    for (int i = 0; i < m_optionParts->count(); ++i)
        m_optionParts->setTabVisible(i, i == 0 || !parts[i].second.isEmpty());
    const int part = qMax(0, m_optionParts->currentIndex());
    m_options->setHeading(m_optionParts->tabText(part));
    m_options->setFileName(u"job-%1-%2"_s.arg(QString::fromUtf8(m_detail->job.id), QLatin1String(parts[part].first)));
    m_options->setPayload(parts[part].second, parts[part].second.size(), {});
}

void JobDetailPane::renderFacts()
{
    size_t used = 0;
    for (const auto &[name, value] : models::jobFacts(*m_detail)) {
        if (used == m_factLines.size()) {
            Line line;
            line.name = new ElidedLabel;
            line.value = new ElidedLabel(nullptr, Qt::ElideRight);
            m_facts->addWidget(line.name, static_cast<int>(used), 0);
            m_facts->addWidget(line.value, static_cast<int>(used), 1);
            m_factLines.push_back(line);
        }
        const Line &line = m_factLines[used++];
        line.name->setText(name);
        line.name->setInk(m_theme.color(ColorId::Muted));
        line.name->setMinimumWidth(line.name->sizeHint().width());
        line.value->setText(value);
    }
    for (size_t i = 0; i < m_factLines.size(); ++i) {
        m_factLines[i].name->setVisible(i < used);
        m_factLines[i].value->setVisible(i < used);
    }
}

void JobDetailPane::renderTimeline()
{
    size_t used = 0;
    for (const models::TimelineStep &step : models::jobTimeline(*m_detail)) {
        if (used == m_timelineLines.size()) {
            const Line line{new QLabel, new ElidedLabel, new ElidedLabel, new ElidedLabel};
            const int row = static_cast<int>(used);
            m_timeline->addWidget(line.icon, row, 0);
            m_timeline->addWidget(line.name, row, 1);
            m_timeline->addWidget(line.value, row, 2);
            m_timeline->addWidget(line.more, row, 3);
            m_timelineLines.push_back(line);
        }
        const Line &line = m_timelineLines[used++];
        const bool plain = step.severity == models::Severity::Normal;
        line.icon->setPixmap(m_theme.pixmap(shapes::iconName(step.severity),
                                            plain ? ColorId::Muted : textColor(step.severity), 11,
                                            devicePixelRatioF()));
        line.name->setText(step.at ? models::clockText(*step.at, m_zone, m_detail->serverTime) : u"–"_s);
        line.name->setToolTip(step.at ? models::fullTimeText(*step.at, m_zone) : QString());
        line.name->setInk(m_theme.color(ColorId::Muted));
        line.name->setMinimumWidth(line.name->sizeHint().width());
        line.value->setText(step.text);
        line.value->setInk(m_theme.textColor(step.severity));
        line.more->setText(step.note);
        line.more->setToolTip(tr("Where Redis keeps this time: %1").arg(step.note));
        line.more->setInk(m_theme.color(ColorId::Muted));
        line.more->setMinimumWidth(qMin(150, line.more->sizeHint().width()));
    }
    for (size_t i = 0; i < m_timelineLines.size(); ++i) {
        for (QWidget *widget : std::initializer_list<QWidget *>{m_timelineLines[i].icon, m_timelineLines[i].name,
                                                                m_timelineLines[i].value, m_timelineLines[i].more})
            widget->setVisible(i < used);
    }
}

void JobDetailPane::renderRelatives()
{
    m_parent->setVisible(!m_detail->parentKey.isEmpty());
    const auto &children = m_detail->children;
    m_relatives->setVisible(children.total() > 0);
    QStringList lines;
    for (const QByteArray &key : children.pendingKeys)
        lines << tr("not finished  %1").arg(QString::fromUtf8(key));
    for (const QByteArray &key : children.unsuccessfulKeys)
        lines << tr("failed  %1").arg(QString::fromUtf8(key));
    for (const auto &[key, error] : children.ignoredErrors)
        lines << tr("failed, ignored  %1  %2").arg(QString::fromUtf8(key), QString::fromUtf8(error));
    for (const auto &[key, value] : children.processedValues)
        lines << tr("completed  %1  %2").arg(QString::fromUtf8(key), QString::fromUtf8(value.left(2000)));
    m_relatives->setText(lines.join(u'\n'),
                         lines.size() < children.total()
                             ? tr("%1 of %2 children").arg(lines.size()).arg(models::numberText(children.total()))
                             : tr("Children"),
                         {});
}

} // namespace views
