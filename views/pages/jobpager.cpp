// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobpager.h"

#include <views/shell/actions.h>
#include <views/widgets/build.h>

#include <models/counttext.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace views {

JobPager::JobPager(QWidget *parent)
    : QWidget(parent)
    , m_first(build::button(tr("Newest")))
    , m_previous(build::button(tr("Previous")))
    , m_next(build::button(tr("Next")))
    , m_last(build::button(tr("Last")))
    , m_order(build::button(tr("Oldest first")))
    , m_position(build::label({}, "muted"))
{
    m_order->setCheckable(true);
    m_order->setObjectName(u"jobOrder"_s);
    auto *layout = new QHBoxLayout(this);
    build::tighten(layout, 8);
    for (QPushButton *button : {m_first, m_previous, m_next, m_last, m_order})
        layout->addWidget(button);
    layout->addSpacing(4);
    layout->addWidget(m_position, 1);
    connect(m_order, &QPushButton::toggled, this, [this](bool on) {
        m_first->setText(on ? tr("Oldest") : tr("Newest"));
        emit orderChanged(on);
    });
    setOff(true);
}

void JobPager::addActions(ActionRegistry &actions, const QString &group, QWidget *owner)
{
    const auto bind = [&](const QString &id, const QString &text, const QString &key, QPushButton *button,
                          auto function) {
        QAction *action = actions.add(id, group, text, {QKeySequence(key)}, owner, Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, [button, function] {
            if (button->isEnabled())
                function();
        });
        button->setToolTip(action->toolTip());
        if (!button->isCheckable())
            connect(button, &QPushButton::clicked, action, &QAction::trigger);
    };
    bind(u"jobs-first"_s, tr("First page of jobs"), u"Alt+Home"_s, m_first, [this] { emit offsetWanted(0); });
    bind(u"jobs-previous"_s, tr("Previous page of jobs"), u"Alt+Left"_s, m_previous,
         [this] { emit offsetWanted(qMax<qint64>(0, m_offset - jobsPerPage)); });
    bind(u"jobs-next"_s, tr("Next page of jobs"), u"Alt+Right"_s, m_next,
         [this] { emit offsetWanted(m_offset + jobsPerPage); });
    bind(u"jobs-last"_s, tr("Last page of jobs"), u"Alt+End"_s, m_last,
         [this] { emit offsetWanted((qMax<qint64>(1, m_total) - 1) / jobsPerPage * jobsPerPage); });
    bind(u"jobs-order"_s, tr("Oldest first: next to run, due soonest, finished first"), u"Alt+Down"_s, m_order,
         [this] { m_order->toggle(); });
}

void JobPager::setPosition(qint64 offset, qint64 rows, qint64 total)
{
    m_offset = offset;
    m_total = total;
    m_first->setEnabled(offset > 0);
    m_previous->setEnabled(offset > 0);
    m_next->setEnabled(offset + jobsPerPage < total);
    m_last->setEnabled(offset + jobsPerPage < total);
    m_order->setEnabled(true);
    m_position->setText(rows == 0 ? QString()
                                  : tr("%1–%2 of %3")
                                        .arg(models::numberText(offset + 1), models::numberText(offset + rows),
                                             models::numberText(total)));
}

void JobPager::setOff(bool canTurn)
{
    for (QPushButton *button : {m_first, m_previous, m_next, m_last})
        button->setEnabled(false);
    m_order->setEnabled(canTurn);
    m_position->clear();
}

bool JobPager::oldestFirst() const
{
    return m_order->isChecked();
}

void JobPager::setOldestFirst(bool on)
{
    m_order->setChecked(on);
}

} // namespace views
