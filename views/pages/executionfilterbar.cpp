// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionfilterbar.h"

#include <views/widgets/build.h>
#include <views/widgets/shapes.h>

#include <models/counttext.h>
#include <models/executionmodel.h>

#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonArray>
#include <QJsonObject>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;
using engine::outbox::Count;
using engine::workflow::ExecutionFilter;

namespace views {

ExecutionFilterBar::ExecutionFilterBar(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_chipLayout(new QHBoxLayout)
    , m_workflow(new QLineEdit(this))
    , m_tenant(new QLineEdit(this))
    , m_error(new QLineEdit(this))
    , m_range(new QComboBox(this))
    , m_clear(build::toolButton(tr("Clear all filters"), this))
{
    m_workflow->setPlaceholderText(tr("workflow id is…"));
    m_workflow->setAccessibleName(tr("Workflow id is"));
    m_workflow->setObjectName(u"workflowFilter"_s);
    m_tenant->setPlaceholderText(tr("tenant is…"));
    m_tenant->setAccessibleName(tr("Tenant is"));
    m_error->setPlaceholderText(tr("error contains…"));
    m_error->setAccessibleName(tr("Error contains"));
    m_range->setAccessibleName(tr("Queued since"));
    m_range->addItem(tr("any time"), qint64(0));
    m_range->addItem(tr("last hour"), qint64(3'600));
    m_range->addItem(tr("last 24 hours"), qint64(86'400));
    m_range->addItem(tr("last 7 days"), qint64(604'800));
    m_range->addItem(tr("last 30 days"), qint64(2'592'000));
    m_clear->setText(tr("Clear"));
    m_clear->setToolTip(tr("Show all executions again"));
    m_clear->setEnabled(false);

    build::tighten(m_chipLayout, 6);
    m_chipLayout->addStretch(1);
    m_late = addChip(u"chip-late"_s);
    m_late->setText(u' ' + tr("longer than usual"));
    m_late->setToolTip(tr("Queued or running longer than the workflow's own runs usually take"));
    m_late->setAccessibleName(tr("Only executions that take longer than usual"));

    auto *texts = new QHBoxLayout;
    build::tighten(texts, 8);
    for (QLineEdit *edit : {m_workflow, m_tenant, m_error}) {
        edit->setClearButtonEnabled(true);
        edit->setMinimumWidth(120);
        edit->setMaximumWidth(280);
        texts->addWidget(edit, edit == m_tenant ? 2 : 3);
        connect(edit, &QLineEdit::textChanged, &m_rest, qOverload<>(&QTimer::start));
        connect(edit, &QLineEdit::returnPressed, this, &ExecutionFilterBar::announce);
    }
    texts->addWidget(m_range);
    texts->addWidget(m_clear);
    texts->addStretch(1);
    auto *layout = new QVBoxLayout(this);
    build::tighten(layout, 8);
    layout->addLayout(m_chipLayout);
    layout->addLayout(texts);

    m_rest.setSingleShot(true);
    m_rest.setInterval(300);
    connect(&m_rest, &QTimer::timeout, this, &ExecutionFilterBar::announce);
    connect(m_range, &QComboBox::currentIndexChanged, this, &ExecutionFilterBar::announce);
    connect(m_clear, &QToolButton::clicked, this, &ExecutionFilterBar::clear);
    connect(&theme, &Theme::changed, this, &ExecutionFilterBar::dress);
    dress();
}

QToolButton *ExecutionFilterBar::addChip(const QString &name)
{
    auto *button = new QToolButton(this);
    button->setProperty("chip", true);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize(QSize(11, 11));
    button->setObjectName(name);
    connect(button, &QToolButton::toggled, this, &ExecutionFilterBar::announce);
    // The late ones stand last, before the stretch.
    const int place = m_late ? m_chipLayout->indexOf(m_late) : m_chipLayout->count() - 1;
    m_chipLayout->insertWidget(place, button);
    return button;
}

void ExecutionFilterBar::setStats(const engine::workflow::ExecutionStats &stats)
{
    bool added = false;
    for (const auto &[status, count] : stats.counts) {
        auto known = std::ranges::find(m_chips, status, &Chip::status);
        if (known == m_chips.end()) {
            m_chips.push_back({status, addChip(u"chip-"_s + QString::fromUtf8(status))});
            known = std::prev(m_chips.end());
            if (m_wanted.contains(status)) {
                const QSignalBlocker blocker(known->button);
                known->button->setChecked(true);
            }
            added = true;
        }
        showCount(*known, count);
    }
    if (!added)
        return;
    m_wanted.clear();
    dress();
    announce();
}

void ExecutionFilterBar::showCount(const Chip &chip, const Count &count)
{
    const QString word = QString::fromUtf8(chip.status);
    chip.button->setText(u" %1  %2"_s.arg(word, models::countText(count)));
    build::restyle(chip.button, "alarm",
                   engine::workflow::phaseOf(chip.status) == engine::workflow::Phase::Failed && count.value > 0);
    const QString words = models::countExplanation(count);
    chip.button->setAccessibleName(tr("Only %1. %2").arg(word, words));
    chip.button->setToolTip(words + u'\n' + tr("The count is of the whole table, whatever the filter."));
}

void ExecutionFilterBar::clearCounts()
{
    for (const Chip &chip : m_chips)
        showCount(chip, Count());
}

ExecutionFilter ExecutionFilterBar::filter(qint64 now) const
{
    ExecutionFilter filter;
    filter.statuses = m_wanted;
    for (const Chip &chip : m_chips) {
        if (chip.button->isChecked())
            filter.statuses << chip.status;
    }
    filter.workflow = m_workflow->text().trimmed();
    filter.tenant = m_tenant->text().trimmed();
    filter.errorText = m_error->text().trimmed();
    filter.lateOnly = m_late->isChecked();
    // In whole minutes: the same question stays the same from one refresh to the next.
    if (const qint64 seconds = m_range->currentData().toLongLong(); seconds > 0)
        filter.since = (now / 60'000'000 * 60 - seconds) * 1'000'000;
    return filter;
}

bool ExecutionFilterBar::isEmpty() const
{
    return filter(0) == ExecutionFilter();
}

void ExecutionFilterBar::clear()
{
    for (const Chip &chip : m_chips) {
        const QSignalBlocker blocker(chip.button);
        chip.button->setChecked(false);
    }
    m_wanted.clear();
    const QSignalBlocker late(m_late);
    m_late->setChecked(false);
    const QSignalBlocker range(m_range);
    m_range->setCurrentIndex(0);
    for (QLineEdit *edit : {m_workflow, m_tenant, m_error})
        edit->clear();
    announce();
}

void ExecutionFilterBar::focusText()
{
    m_workflow->setFocus(Qt::ShortcutFocusReason);
    m_workflow->selectAll();
}

QJsonObject ExecutionFilterBar::saveState() const
{
    const ExecutionFilter chosen = filter(0);
    QJsonArray statuses;
    for (const QByteArray &status : chosen.statuses)
        statuses << QString::fromUtf8(status);
    return {{u"statuses"_s, statuses},      {u"workflow"_s, chosen.workflow}, {u"tenant"_s, chosen.tenant},
            {u"error"_s, chosen.errorText}, {u"late"_s, chosen.lateOnly},     {u"range"_s, m_range->currentIndex()}};
}

void ExecutionFilterBar::restoreState(const QJsonObject &state)
{
    const QJsonArray statuses = state.value(u"statuses"_s).toArray();
    m_wanted.clear();
    for (const QJsonValue &status : statuses)
        m_wanted << status.toString().toUtf8();
    m_workflow->setText(state.value(u"workflow"_s).toString());
    m_tenant->setText(state.value(u"tenant"_s).toString());
    m_error->setText(state.value(u"error"_s).toString());
    m_late->setChecked(state.value(u"late"_s).toBool());
    m_range->setCurrentIndex(qBound(0, state.value(u"range"_s).toInt(), m_range->count() - 1));
    announce();
}

void ExecutionFilterBar::dress()
{
    for (const Chip &chip : m_chips) {
        const auto phase = engine::workflow::phaseOf(chip.status);
        chip.button->setIcon(
            m_theme.icon(shapes::iconName(models::shapeOf(phase)), textColor(models::executionSeverity(phase))));
    }
    m_late->setIcon(m_theme.icon(shapes::iconName(models::Severity::Warning), textColor(models::Severity::Warning)));
}

void ExecutionFilterBar::announce()
{
    m_rest.stop();
    m_clear->setEnabled(!isEmpty());
    if (filter(0) == m_announced)
        return;
    m_announced = filter(0);
    emit changed();
}

} // namespace views
