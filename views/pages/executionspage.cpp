// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionspage.h"

#include "executiondetailpane.h"
#include "executionfilterbar.h"

#include <views/shell/actions.h>
#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/pagestate.h>

#include <models/commandline.h>
#include <models/counttext.h>

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using engine::outbox::PageDirection;
using engine::outbox::PageKey;
using engine::workflow::Execution;
using engine::workflow::ExecutionRequest;
using models::ExecutionModel;

namespace views {

namespace {

bool isSameQuestion(const ExecutionRequest &one, const ExecutionRequest &other)
{
    return one.filter == other.filter && one.from == other.from && one.direction == other.direction;
}

PageKey keyOf(const Execution &run)
{
    return {run.queuedAt ? run.queuedAt : run.createdAt ? run.createdAt : run.startedAt, run.id};
}

} // namespace

ExecutionsPage::ExecutionsPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_theme(theme)
    , m_subtitle(build::label({}, "muted"))
    , m_banner(new Banner(theme))
    , m_filters(new ExecutionFilterBar(theme))
    , m_table(new ConsoleTable(theme, tr("Workflow executions")))
    , m_newest(build::button(tr("Newest")))
    , m_newer(build::button(tr("Newer")))
    , m_older(build::button(tr("Older")))
    , m_position(build::label({}, "muted"))
    , m_detail(new ExecutionDetailPane(theme))
    , m_splitter(new QSplitter(Qt::Horizontal))
{
    m_table->setModel(&m_model);
    m_table->setObjectName(u"executionTable"_s);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setColumnPlan({{ExecutionModel::Queued, 96, 100},
                            {ExecutionModel::Status, 122, 130},
                            {ExecutionModel::Workflow, 150, 260},
                            {ExecutionModel::Tenant, 68, 130},
                            {ExecutionModel::Trigger, 64, 90},
                            {ExecutionModel::Duration, 84, 100}},
                           740, 1340);
    m_rowsState = new PageState(theme, m_table);

    auto *paging = new QHBoxLayout;
    build::tighten(paging, 8);
    paging->addWidget(m_newest);
    paging->addWidget(m_newer);
    paging->addWidget(m_older);
    paging->addSpacing(4);
    paging->addWidget(m_position, 1);
    auto *side = new QWidget;
    auto *sideLayout = new QVBoxLayout(side);
    build::tighten(sideLayout, 8);
    sideLayout->addWidget(m_rowsState, 1);
    sideLayout->addLayout(paging);
    m_splitter->addWidget(side);
    m_splitter->addWidget(m_detail);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(12);
    m_splitter->setSizes({756, 312});

    auto *body = new QWidget;
    auto *bodyLayout = new QVBoxLayout(body);
    build::tighten(bodyLayout, 10);
    bodyLayout->addWidget(m_filters);
    bodyLayout->addWidget(m_splitter, 1);
    m_state = new PageState(theme, body);
    m_state->showLoading(tr("Connecting…"));
    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Executions"), "title"));
    top->addWidget(m_subtitle, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(m_state, 1);

    addActions(actions);
    connect(m_filters, &ExecutionFilterBar::changed, this, [this] { ask({}, PageDirection::Older); });
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ExecutionsPage::executionChosen);
    connect(&m_model, &QAbstractItemModel::modelReset, this, &ExecutionsPage::executionChosen);
    connect(&m_model, &QAbstractItemModel::rowsRemoved, this, &ExecutionsPage::executionChosen);
    connect(m_table, &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    connect(m_state, &PageState::retryWanted, this, &ExecutionsPage::retryWanted);
    connect(m_banner, &Banner::activated, this, &ExecutionsPage::retryWanted);
    connect(m_rowsState, &PageState::activated, m_filters, &ExecutionFilterBar::clear);
    connect(m_detail, &ExecutionDetailPane::traceWanted, this, &ExecutionsPage::traceWanted);
    connect(m_detail, &ExecutionDetailPane::copyCommandWanted, this, &ExecutionsPage::copyCommand);
    updatePaging();
}

void ExecutionsPage::addActions(ActionRegistry &actions)
{
    const QString group = tr("Executions");
    const auto bind = [&](const QString &id, const QString &text, const QString &key, QPushButton *button,
                          auto function) {
        QAction *action = actions.add(id, group, text, {QKeySequence(key)}, this, Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, function);
        if (button) {
            button->setToolTip(action->toolTip());
            connect(button, &QPushButton::clicked, action, &QAction::trigger);
        }
    };
    bind(u"executions-newest"_s, tr("Newest executions"), u"Alt+Home"_s, m_newest,
         [this] { ask({}, PageDirection::Older); });
    bind(u"executions-newer"_s, tr("Newer executions"), u"Alt+Left"_s, m_newer, [this] { turn(PageDirection::Newer); });
    bind(u"executions-older"_s, tr("Older executions"), u"Alt+Right"_s, m_older,
         [this] { turn(PageDirection::Older); });
    bind(u"executions-filter"_s, tr("Filter by workflow"), u"Ctrl+F"_s, nullptr, [this] { m_filters->focusText(); });
    bind(u"executions-clear-filter"_s, tr("Clear all filters"), u"Ctrl+Backspace"_s, nullptr,
         [this] { m_filters->clear(); });
    bind(u"executions-trace"_s, tr("Trace the execution"), u"Ctrl+T"_s, nullptr, [this] {
        if (const QByteArray id = chosenId(); !id.isEmpty())
            emit traceWanted(id);
    });
    bind(u"executions-copy-command"_s, tr("Copy the execution as command line"), u"Ctrl+Shift+C"_s, nullptr,
         [this] { copyCommand(); });
}

void ExecutionsPage::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_profile = profile;
    m_shown.reset();
    m_request = {};
    m_now = 0;
    m_model.applyPage({}, false);
    m_ends = {};
    m_banner->clear();
    m_detail->clear();
    m_filters->clearCounts();
    m_subtitle->clear();
    updatePaging();
    m_state->showLoading(tr("Connecting…"));
}

void ExecutionsPage::showStats(const QString &table, const engine::workflow::ExecutionStats &stats)
{
    m_now = stats.databaseTime;
    m_model.setNow(m_now);
    m_filters->setStats(stats);
    m_subtitle->setText(table);
}

void ExecutionsPage::showPage(const ExecutionRequest &request, const engine::workflow::ExecutionPage &page)
{
    // An answer to a question nobody asks any more.
    if (!isSameQuestion(request, m_request))
        return;
    m_banner->clear();
    m_state->showContent();
    const bool again = m_shown && isSameQuestion(*m_shown, request);
    const QByteArray top = again ? m_table->topRow() : QByteArray();
    const QByteArray chosen = chosenId();
    m_shown = request;
    m_ends.hasNewer = page.hasNewer;
    m_ends.hasOlder = page.hasOlder;
    m_now = page.databaseTime;
    m_model.setNow(m_now);
    m_model.applyPage(page.executions, again);
    if (again)
        m_table->scrollBackTo(top);
    else if (const int row = m_model.rowOf(chosen); row >= 0)
        m_table->setCurrentIndex(m_model.index(row, 0));
    // Paged up to the newest: from now on the page follows them.
    if (request.direction == PageDirection::Newer && !page.hasNewer) {
        m_request.from.reset();
        m_request.direction = PageDirection::Older;
    }
    if (!page.executions.empty())
        m_rowsState->showContent();
    else if (!m_filters->isEmpty())
        m_rowsState->showEmpty(tr("No execution matches the filter"),
                               tr("Counts on the buttons above are of the whole table."), tr("Clear the filter"));
    else
        m_rowsState->showEmpty(tr("There are no executions"), tr("They appear here as soon as a workflow is started."));
    updatePaging();
}

void ExecutionsPage::showDetail(const engine::workflow::ExecutionDetail &detail)
{
    if (detail.execution.id == chosenId())
        m_detail->showDetail(detail, m_now);
}

void ExecutionsPage::showDetailError(const QByteArray &id, const engine::Error &error)
{
    if (id == chosenId())
        m_detail->showProblem(error);
}

void ExecutionsPage::showError(const engine::Error &error)
{
    if (!m_shown || !m_state->showsContent()) {
        m_state->showError(error);
        return;
    }
    m_banner->say(models::Severity::Critical, error.message,
                  (error.hint + u' ' + tr("The executions below are from the last answer.")).trimmed(),
                  tr("Try again"));
}

ExecutionRequest ExecutionsPage::request()
{
    m_request.filter = m_filters->filter(m_now);
    return m_request;
}

void ExecutionsPage::refresh()
{
    emit pageWanted(request());
    if (const QByteArray id = chosenId(); !id.isEmpty())
        emit detailWanted(id);
}

void ExecutionsPage::ask(std::optional<PageKey> from, PageDirection direction)
{
    m_request.from = std::move(from);
    m_request.direction = direction;
    emit pageWanted(request());
}

void ExecutionsPage::turn(PageDirection direction)
{
    const bool older = direction == PageDirection::Older;
    if (!(older ? m_ends.hasOlder : m_ends.hasNewer) || m_model.rows().empty())
        return;
    ask(keyOf(older ? m_model.rows().back() : m_model.rows().front()), direction);
}

void ExecutionsPage::updatePaging()
{
    m_newest->setEnabled(m_ends.hasNewer);
    m_newer->setEnabled(m_ends.hasNewer);
    m_older->setEnabled(m_ends.hasOlder);
    const QString number = models::numberText(static_cast<qint64>(m_model.rows().size()));
    if (m_model.rows().empty())
        m_position->clear();
    else if (!m_ends.hasNewer)
        m_position->setText(m_ends.hasOlder ? tr("The newest %1 executions").arg(number)
                                            : tr("All %1 executions").arg(number));
    else
        m_position->setText(m_ends.hasOlder ? tr("%1 executions, older and newer ones exist").arg(number)
                                            : tr("The oldest %1 executions").arg(number));
}

QByteArray ExecutionsPage::chosenId() const
{
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? current.data(models::IdRole).toByteArray() : QByteArray();
}

void ExecutionsPage::executionChosen()
{
    const QByteArray id = chosenId();
    if (id == m_askedDetail && !id.isEmpty())
        return;
    m_askedDetail = id;
    if (id.isEmpty()) {
        m_detail->clear();
        return;
    }
    m_detail->showLoading();
    emit detailWanted(id);
}

void ExecutionsPage::copyCommand()
{
    if (const QByteArray id = chosenId(); !id.isEmpty())
        QGuiApplication::clipboard()->setText(models::commandline::execution(m_profile, id));
}

void ExecutionsPage::setZone(models::Zone zone)
{
    m_model.setZone(zone);
    m_detail->setZone(zone);
}

QJsonObject ExecutionsPage::saveState() const
{
    return {{u"splitter"_s, QString::fromLatin1(m_splitter->saveState().toBase64())},
            {u"columns"_s, m_table->saveColumns()},
            {u"filter"_s, m_filters->saveState()}};
}

void ExecutionsPage::restoreState(const QJsonObject &state)
{
    m_splitter->restoreState(QByteArray::fromBase64(state.value(u"splitter"_s).toString().toLatin1()));
    m_table->restoreColumns(state.value(u"columns"_s).toString());
    m_filters->restoreState(state.value(u"filter"_s).toObject());
}

void ExecutionsPage::focusContent()
{
    m_table->setFocus(Qt::OtherFocusReason);
}

} // namespace views
