// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuespage.h"

#include <views/shell/actions.h>
#include <views/widgets/banner.h>
#include <views/widgets/build.h>
#include <views/widgets/consoletable.h>
#include <views/widgets/pagestate.h>

#include <QHBoxLayout>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using models::QueueModel;

namespace views {

QueuesPage::QueuesPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_filteredWorkers(new QSortFilterProxyModel(this))
    , m_subtitle(build::label({}, "muted"))
    , m_filter(new QLineEdit)
    , m_banner(new Banner(theme))
    , m_groups(new ConsoleTable(theme, tr("Worker groups")))
    , m_tabs(new QTabBar)
    , m_table(new ConsoleTable(theme, tr("Queues")))
    , m_workers(new ConsoleTable(theme, tr("Workers")))
{
    m_clock.start();
    buildGroups();
    buildQueues();
    buildWorkers();
    m_workersState = new PageState(theme, m_workers);

    m_filter->setPlaceholderText(tr("queue, worker or note contains…"));
    m_filter->setAccessibleName(tr("Queue, worker or note contains"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(240);
    m_filter->setObjectName(u"queueFilter"_s);
    m_tabs->addTab(tr("Queues"));
    m_tabs->addTab(tr("Workers"));
    m_tabs->setObjectName(u"queueTabs"_s);
    m_tabs->setAccessibleName(tr("Queues or workers"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Queues"), "title"));
    top->addWidget(m_subtitle, 1);
    top->addWidget(m_filter);

    auto *stack = new QStackedWidget;
    stack->addWidget(m_table);
    stack->addWidget(m_workersState);
    auto *body = new QWidget;
    auto *bodyLayout = new QVBoxLayout(body);
    build::tighten(bodyLayout, 8);
    bodyLayout->addWidget(m_groups);
    bodyLayout->addWidget(m_tabs);
    bodyLayout->addWidget(stack, 1);
    m_state = new PageState(theme, body);
    m_state->showLoading(tr("Connecting…"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(m_state, 1);

    const QString group = tr("Queues");
    QAction *find = actions.add(u"queues-filter"_s, group, tr("Filter queues"), {QKeySequence(u"Ctrl+F"_s)}, this,
                                Qt::WidgetWithChildrenShortcut);
    QAction *workers = actions.add(u"queues-workers"_s, group, tr("Switch between queues and workers"),
                                   {QKeySequence(u"Ctrl+W"_s)}, this, Qt::WidgetWithChildrenShortcut);
    actions.describe(group, tr("Open the queue's jobs"), tr("Enter", "key"));
    connect(find, &QAction::triggered, this, [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    connect(workers, &QAction::triggered, this, [this] { m_tabs->setCurrentIndex(1 - m_tabs->currentIndex()); });
    connect(m_tabs, &QTabBar::currentChanged, stack, &QStackedWidget::setCurrentIndex);
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filtered.setText(text);
        m_filteredWorkers->setFilterFixedString(text.trimmed());
        updateSubtitle();
    });
    for (ConsoleTable *table : {m_table, m_workers, m_groups})
        connect(table, &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    for (ConsoleTable *table : {m_table, m_workers})
        connect(table, &QAbstractItemView::activated, this, &QueuesPage::openChosen);
    connect(m_state, &PageState::retryWanted, this, &QueuesPage::retryWanted);
    connect(m_banner, &Banner::activated, this, &QueuesPage::retryWanted);
}

void QueuesPage::buildGroups()
{
    using models::WorkerGroupModel;
    m_groups->setModel(&m_groupModel);
    m_groups->setObjectName(u"workerGroupTable"_s);
    m_groups->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_groups->setColumnPlan({{WorkerGroupModel::Group, 102, 180},
                             {WorkerGroupModel::Health, 108, 140},
                             {WorkerGroupModel::Workers, 72, 100},
                             {WorkerGroupModel::Queues, 106, 120},
                             {WorkerGroupModel::Ready, 64, 100},
                             {WorkerGroupModel::Active, 60, 90},
                             {WorkerGroupModel::Failed, 60, 90},
                             {WorkerGroupModel::Stalled, 66, 90},
                             {WorkerGroupModel::Oldest, 116, 130}},
                            1060, 1600);
    m_groups->setFixedHeight(3 * 28 + 4); // header and two rows
}

void QueuesPage::buildQueues()
{
    m_filtered.setSourceModel(&m_model);
    m_table->setModel(&m_filtered);
    m_table->setObjectName(u"queueTable"_s);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(QueueModel::Note, Qt::DescendingOrder); // what is wrong comes first
    // Narrow enough that the note, which says what is wrong, keeps its room.
    QList<ConsoleTable::ColumnPlan> plan{{QueueModel::Name, 168, 280}};
    for (int column = QueueModel::Waiting; column < QueueModel::Note; ++column)
        plan << ConsoleTable::ColumnPlan{column, 60, 92};
    plan << ConsoleTable::ColumnPlan{QueueModel::Completed, 80, 100};
    plan << ConsoleTable::ColumnPlan{QueueModel::Workers, 66, 92};
    plan << ConsoleTable::ColumnPlan{QueueModel::Oldest, 104, 124};
    plan << ConsoleTable::ColumnPlan{QueueModel::Trend, 88, 150};
    m_table->setColumnPlan(plan, 1060, 1600);
    m_table->setColumnHidden(QueueModel::Children, true);
    m_table->setColumnHidden(QueueModel::Schedulers, true);
}

void QueuesPage::buildWorkers()
{
    using models::WorkerModel;
    m_filteredWorkers->setSourceModel(&m_workerModel);
    m_filteredWorkers->setFilterKeyColumn(-1);
    m_filteredWorkers->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_workers->setModel(m_filteredWorkers);
    m_workers->setObjectName(u"workerTable"_s);
    m_workers->setColumnPlan({{WorkerModel::Queue, 200, 300},
                              {WorkerModel::Worker, 180, 280},
                              {WorkerModel::Doing, 300, 340},
                              {WorkerModel::Jobs, 90, 110},
                              {WorkerModel::Connected, 112, 130}},
                             1060, 1600);
}

void QueuesPage::forget()
{
    m_known = false;
    m_model.forgetTrends();
    m_model.applySnapshot({});
    m_groupModel.applySnapshot({});
    m_workerModel.applySnapshot({}, {});
    m_banner->clear();
    m_subtitle->clear();
    m_state->showLoading(tr("Connecting…"));
}

void QueuesPage::setPrefix(const QString &prefix)
{
    m_prefix = prefix;
}

void QueuesPage::showWaiting(const QString &headline, const QStringList &steps)
{
    m_state->showLoading(headline, steps);
}

void QueuesPage::showSnapshot(const engine::watch::QueueSnapshot &snapshot, std::optional<qint64> atMs)
{
    m_known = true;
    m_complete = snapshot.complete;
    m_banner->clear();
    const QByteArray top = m_table->topRow();
    const QByteArray topWorker = m_workers->topRow();
    m_model.applySnapshot(snapshot.queues, atMs.value_or(m_clock.elapsed()));
    m_groupModel.applySnapshot(snapshot.queues);
    m_workerModel.applySnapshot(snapshot.queues, snapshot.workers.value_or(std::vector<engine::bullmq::WorkerState>()));
    m_table->scrollBackTo(top);
    m_workers->scrollBackTo(topWorker);
    if (!snapshot.queues.empty())
        m_state->showContent();
    else if (!snapshot.complete)
        m_state->showLoading(tr("Looking for queues…"));
    else
        m_state->showEmpty(tr("No queue under the prefix “%1”").arg(m_prefix),
                           tr("A queue appears with its first job. If your workers use another prefix, set it in the "
                              "connection (Ctrl+O)."));
    if (m_workerModel.rowCount() > 0)
        m_workersState->showContent();
    else if (!snapshot.workers)
        m_workersState->showEmpty(tr("Workers cannot be seen"),
                                  tr("Redis does not let this connection list its clients."));
    else
        m_workersState->showEmpty(tr("No worker is connected"),
                                  tr("Workers are told by the names of their connections to Redis."));
    updateSubtitle();
}

void QueuesPage::showError(const engine::Error &error)
{
    if (!m_known || !m_state->showsContent()) {
        m_state->showError(error);
        return;
    }
    m_banner->say(models::Severity::Critical, error.message,
                  (error.hint + u' ' + tr("The figures below are from the last answer.")).trimmed(), tr("Try again"));
}

void QueuesPage::updateSubtitle()
{
    const int all = m_model.rowCount();
    QString words = all == 1 ? tr("1 queue") : tr("%1 queues").arg(all);
    if (m_filtered.rowCount() != all)
        words = tr("%1 of %2 queues").arg(m_filtered.rowCount()).arg(all);
    if (const int wrong = m_model.needingAttention(); wrong > 0)
        words += u" · "_s + (wrong == 1 ? tr("1 needs attention") : tr("%1 need attention").arg(wrong));
    if (!m_complete)
        words += u" · "_s + tr("looking for more…");
    m_subtitle->setText(m_known ? words : QString());
}

void QueuesPage::openChosen()
{
    const bool workers = m_tabs->currentIndex() == 1;
    const QModelIndex current = (workers ? m_workers : m_table)->currentIndex();
    if (!current.isValid())
        return;
    emit jobsWanted(workers ? current.siblingAtColumn(models::WorkerModel::Queue).data().toString().toUtf8()
                            : current.data(models::IdRole).toByteArray());
}

void QueuesPage::setZone(models::Zone)
{
    // Ages only; nothing here depends on the zone.
}

QJsonObject QueuesPage::saveState() const
{
    return {{u"columns"_s, m_table->saveColumns()},
            {u"workerColumns"_s, m_workers->saveColumns()},
            {u"tab"_s, m_tabs->currentIndex()},
            {u"filter"_s, m_filter->text()}};
}

void QueuesPage::restoreState(const QJsonObject &state)
{
    m_table->restoreColumns(state.value(u"columns"_s).toString());
    m_workers->restoreColumns(state.value(u"workerColumns"_s).toString());
    m_tabs->setCurrentIndex(qBound(0, state.value(u"tab"_s).toInt(), 1));
    m_filter->setText(state.value(u"filter"_s).toString());
}

void QueuesPage::focusContent()
{
    (m_tabs->currentIndex() == 1 ? m_workers : m_table)->setFocus(Qt::OtherFocusReason);
}

void QueuesPage::reveal(const QString &queue)
{
    m_filter->clear();
    const int row = m_model.rowOf(queue.toUtf8());
    if (row < 0) {
        m_filter->setText(queue);
        return;
    }
    const QModelIndex index = m_filtered.mapFromSource(m_model.index(row, QueueModel::Name));
    m_table->setCurrentIndex(index);
    m_table->scrollTo(index);
    m_table->setFocus(Qt::OtherFocusReason);
}

} // namespace views
