// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxfilterbar.h"

#include <views/widgets/build.h>
#include <views/widgets/shapes.h>

#include <models/counttext.h>
#include <models/outboxmodel.h>

#include <QHBoxLayout>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>

#include <algorithm>

using namespace Qt::StringLiterals;
using engine::outbox::Count;
using engine::outbox::RowFilter;

namespace views {

OutboxFilterBar::OutboxFilterBar(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_chipLayout(new QHBoxLayout)
    , m_type(new QLineEdit(this))
    , m_tenant(new QLineEdit(this))
    , m_error(new QLineEdit(this))
    , m_clear(build::toolButton(tr("Clear all filters"), this))
{
    m_type->setPlaceholderText(tr("type starts with…"));
    m_type->setAccessibleName(tr("Event type starts with"));
    m_type->setObjectName(u"typeFilter"_s);
    m_tenant->setPlaceholderText(tr("tenant is…"));
    m_tenant->setAccessibleName(tr("Tenant is"));
    m_error->setPlaceholderText(tr("error contains…"));
    m_error->setAccessibleName(tr("Last error contains"));
    m_clear->setText(tr("Clear"));
    m_clear->setToolTip(tr("Show all rows again"));
    m_clear->setEnabled(false);
    build::tighten(m_chipLayout, 6);

    auto *texts = new QHBoxLayout;
    build::tighten(texts, 8);
    for (QLineEdit *edit : {m_type, m_tenant, m_error}) {
        edit->setClearButtonEnabled(true);
        edit->setMinimumWidth(120);
        edit->setMaximumWidth(280);
        texts->addWidget(edit, edit == m_tenant ? 2 : 3);
        connect(edit, &QLineEdit::textChanged, &m_rest, qOverload<>(&QTimer::start));
        connect(edit, &QLineEdit::returnPressed, this, &OutboxFilterBar::announce);
    }
    texts->addWidget(m_clear);
    texts->addStretch(1);

    auto *layout = new QVBoxLayout(this);
    build::tighten(layout, 8);
    m_chipLayout->addStretch(1);
    layout->addLayout(m_chipLayout);
    layout->addLayout(texts);

    m_rest.setSingleShot(true);
    m_rest.setInterval(300);
    connect(&m_rest, &QTimer::timeout, this, &OutboxFilterBar::announce);
    connect(m_clear, &QToolButton::clicked, this, &OutboxFilterBar::clear);
    connect(&theme, &Theme::changed, this, &OutboxFilterBar::dress);
}

void OutboxFilterBar::setLayoutOfTable(const engine::outbox::Layout &layout)
{
    const auto sameAsNow = std::equal(m_chips.begin(), m_chips.end(), layout.statuses.begin(), layout.statuses.end(),
                                      [](const Chip &chip, const QByteArray &status) { return chip.status == status; });
    if (sameAsNow)
        return;
    QList<QByteArray> chosen = m_wanted + filter().statuses;
    m_wanted.clear();
    for (const Chip &chip : m_chips)
        delete chip.button;
    m_chips.clear();
    for (const QByteArray &status : layout.statuses)
        addChip(status, layout.phaseOf(status));
    for (const Chip &chip : m_chips)
        chip.button->setChecked(chosen.contains(chip.status));
    dress();
    m_announced = filter();
}

void OutboxFilterBar::addChip(const QByteArray &status, engine::outbox::Phase phase)
{
    auto *button = new QToolButton(this);
    button->setProperty("chip", true);
    button->setCheckable(true);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setIconSize(QSize(11, 11));
    button->setObjectName(u"chip-"_s + QString::fromUtf8(status));
    connect(button, &QToolButton::toggled, this, [this] {
        dress();
        announce();
    });
    m_chipLayout->insertWidget(m_chipLayout->count() - 1, button);
    m_chips.push_back({status, phase, button});
    showCount(m_chips.back(), Count());
}

void OutboxFilterBar::showCount(const Chip &chip, const Count &count)
{
    const QString word = QString::fromUtf8(chip.status);
    chip.button->setText(u" %1  %2"_s.arg(word, models::countText(count)));
    // Dead rows are what one comes for at night: their count stands out, by weight as well as by colour.
    const bool alarming = chip.phase == engine::outbox::Phase::Dead && count.value > 0;
    if (chip.button->property("alarm").toBool() != alarming) {
        chip.button->setProperty("alarm", alarming);
        chip.button->style()->unpolish(chip.button);
        chip.button->style()->polish(chip.button);
    }
    const QString words = models::countExplanation(count);
    chip.button->setAccessibleName(tr("Only %1. %2").arg(word, words));
    chip.button->setToolTip(words + u'\n' + tr("The count is of the whole table, whatever the filter."));
}

void OutboxFilterBar::setCounts(const engine::outbox::Stats &stats)
{
    for (const auto &[status, count] : stats.counts) {
        auto known = std::find_if(m_chips.begin(), m_chips.end(),
                                  [&status = status](const Chip &chip) { return chip.status == status; });
        // A status the layout does not know is there in the table: it must be seen.
        if (known == m_chips.end()) {
            addChip(status, engine::outbox::Phase::Unknown);
            known = std::prev(m_chips.end());
            dress();
        }
        showCount(*known, count);
    }
}

void OutboxFilterBar::clearCounts()
{
    for (const Chip &chip : m_chips)
        showCount(chip, Count());
}

RowFilter OutboxFilterBar::filter() const
{
    RowFilter filter;
    for (const Chip &chip : m_chips) {
        if (chip.button->isChecked())
            filter.statuses << chip.status;
    }
    filter.typePrefix = m_type->text().trimmed();
    filter.tenant = m_tenant->text().trimmed();
    filter.errorText = m_error->text().trimmed();
    return filter;
}

void OutboxFilterBar::setFilter(const RowFilter &filter)
{
    m_wanted = m_chips.empty() ? filter.statuses : QList<QByteArray>();
    for (const Chip &chip : m_chips) {
        const QSignalBlocker blocker(chip.button);
        chip.button->setChecked(filter.statuses.contains(chip.status));
    }
    m_type->setText(filter.typePrefix);
    m_tenant->setText(filter.tenant);
    m_error->setText(filter.errorText);
    dress();
    announce();
}

void OutboxFilterBar::clear()
{
    setFilter({});
}

void OutboxFilterBar::focusText()
{
    m_type->setFocus(Qt::ShortcutFocusReason);
    m_type->selectAll();
}

void OutboxFilterBar::dress()
{
    for (const Chip &chip : m_chips) {
        const models::Severity severity = models::statusSeverity(chip.phase, 0);
        chip.button->setIcon(m_theme.icon(shapes::iconName(chip.phase), textColor(severity)));
    }
}

void OutboxFilterBar::announce()
{
    m_rest.stop();
    m_clear->setEnabled(!isEmpty());
    if (filter() == m_announced)
        return;
    m_announced = filter();
    emit changed();
}

} // namespace views
