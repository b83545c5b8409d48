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
#include <QVBoxLayout>

using namespace Qt::StringLiterals;
using models::QueueModel;

namespace views {

QueuesPage::QueuesPage(const Theme &theme, ActionRegistry &actions, QWidget *parent)
    : Page(parent)
    , m_subtitle(build::label({}, "muted"))
    , m_filter(new QLineEdit)
    , m_banner(new Banner(theme))
    , m_table(new ConsoleTable(theme, tr("Queues")))
{
    m_filtered.setSourceModel(&m_model);
    m_table->setModel(&m_filtered);
    m_table->setObjectName(u"queueTable"_s);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(QueueModel::Name, Qt::AscendingOrder);
    QList<ConsoleTable::ColumnPlan> plan{{QueueModel::Name, 190, 280}};
    for (int column = QueueModel::Waiting; column < QueueModel::Note; ++column)
        plan << ConsoleTable::ColumnPlan{column, 66, 92};
    plan << ConsoleTable::ColumnPlan{QueueModel::Completed, 84, 100};
    plan << ConsoleTable::ColumnPlan{QueueModel::Oldest, 106, 124};
    m_table->setColumnPlan(plan, 1060, 1600);
    m_table->setColumnHidden(QueueModel::Children, true);

    m_filter->setPlaceholderText(tr("queue or note contains…"));
    m_filter->setAccessibleName(tr("Queue or note contains"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(240);
    auto *top = new QHBoxLayout;
    build::tighten(top, 8);
    top->addWidget(build::label(tr("Queues"), "title"));
    top->addWidget(m_subtitle, 1);
    top->addWidget(m_filter);

    m_state = new PageState(theme, m_table);
    m_state->showLoading(tr("Connecting…"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 12, 16, 12);
    layout->setSpacing(10);
    layout->addLayout(top);
    layout->addWidget(m_banner);
    layout->addWidget(m_state, 1);

    QAction *find = actions.add(u"queues-filter"_s, tr("Queues"), tr("Filter queues"), {QKeySequence(u"Ctrl+F"_s)},
                                this, Qt::WidgetWithChildrenShortcut);
    connect(find, &QAction::triggered, this, [this] {
        m_filter->setFocus(Qt::ShortcutFocusReason);
        m_filter->selectAll();
    });
    connect(m_filter, &QLineEdit::textChanged, this, [this](const QString &text) {
        m_filtered.setText(text);
        updateSubtitle();
    });
    connect(m_table, &ConsoleTable::spacePressed, this, &Page::pauseWanted);
    connect(m_state, &PageState::retryWanted, this, &QueuesPage::retryWanted);
    connect(m_banner, &Banner::activated, this, &QueuesPage::retryWanted);
}

void QueuesPage::forget()
{
    m_known = false;
    m_model.applySnapshot({});
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

void QueuesPage::showQueues(const std::vector<engine::bullmq::QueueState> &queues)
{
    m_known = true;
    m_banner->clear();
    const QByteArray top = m_table->topRow();
    m_model.applySnapshot(queues);
    m_table->scrollBackTo(top);
    if (queues.empty())
        m_state->showEmpty(tr("No queue under the prefix “%1”").arg(m_prefix),
                           tr("A queue appears with its first job. If your workers use another prefix, set it in the "
                              "connection (Ctrl+O)."));
    else
        m_state->showContent();
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
    m_subtitle->setText(m_known ? words : QString());
}

void QueuesPage::setZone(models::Zone)
{
    // Ages only; nothing here depends on the zone.
}

QJsonObject QueuesPage::saveState() const
{
    return {{u"columns"_s, m_table->saveColumns()}, {u"filter"_s, m_filter->text()}};
}

void QueuesPage::restoreState(const QJsonObject &state)
{
    m_table->restoreColumns(state.value(u"columns"_s).toString());
    m_filter->setText(state.value(u"filter"_s).toString());
}

void QueuesPage::focusContent()
{
    m_table->setFocus(Qt::OtherFocusReason);
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
