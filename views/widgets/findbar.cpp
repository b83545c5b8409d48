// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "findbar.h"

#include "build.h"

#include <views/theme/theme.h>

#include <models/counttext.h>

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace views {

FindBar::FindBar(const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_field(new QLineEdit(this))
    , m_found(build::label({}, "muted", this))
    , m_previous(build::toolButton(tr("Previous place"), this))
    , m_next(build::toolButton(tr("Next place"), this))
    , m_close(build::toolButton(tr("Close the search"), this))
{
    m_field->setPlaceholderText(tr("Find in this document"));
    m_field->setAccessibleName(m_field->placeholderText());
    m_field->setObjectName(u"findInDocument"_s);
    m_field->installEventFilter(this);
    m_found->setObjectName(u"foundInDocument"_s);
    m_previous->setToolTip(tr("Previous place (Shift+F3)"));
    m_next->setToolTip(tr("Next place (F3)"));
    m_close->setToolTip(tr("Close the search (Esc)"));
    auto *layout = new QHBoxLayout(this);
    build::tighten(layout, 4);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_found);
    layout->addWidget(m_previous);
    layout->addWidget(m_next);
    layout->addWidget(m_close);
    const auto dress = [this, &theme] {
        m_previous->setIcon(theme.icon(u"newer"_s));
        m_next->setIcon(theme.icon(u"older"_s));
        m_close->setIcon(theme.icon(u"close"_s));
    };
    dress();
    connect(&theme, &Theme::changed, this, dress);
    connect(m_field, &QLineEdit::textChanged, this, &FindBar::textChanged);
    connect(m_previous, &QToolButton::clicked, this, [this] { emit nextWanted(true); });
    connect(m_next, &QToolButton::clicked, this, [this] { emit nextWanted(false); });
    connect(m_close, &QToolButton::clicked, this, &FindBar::shut);
    hide();
}

void FindBar::open()
{
    show();
    m_field->selectAll();
    m_field->setFocus(Qt::ShortcutFocusReason);
    if (!m_field->text().isEmpty())
        emit textChanged(); // maybe another document by now
}

void FindBar::shut()
{
    hide();
    emit closed();
}

QString FindBar::text() const
{
    return m_field->text();
}

void FindBar::showSearching()
{
    m_found->setText(tr("Searching…"));
}

void FindBar::showFound(size_t count, std::optional<size_t> current, bool more)
{
    m_previous->setEnabled(count > 1);
    m_next->setEnabled(count > 1);
    build::restyle(m_field, "wrong", count == 0 && !text().isEmpty());
    if (text().isEmpty())
        m_found->clear();
    else if (count == 0)
        m_found->setText(tr("Not found"));
    else
        m_found->setText(tr("%1 of %2", "place of places found")
                             .arg(models::numberText(static_cast<qint64>(current.value_or(0)) + 1),
                                  models::numberText(static_cast<qint64>(count)) + (more ? u"+"_s : QString())));
}

bool FindBar::eventFilter(QObject *watched, QEvent *event)
{
    const bool override = event->type() == QEvent::ShortcutOverride;
    if (!override && event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool enter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    const bool shift = key->modifiers().testFlag(Qt::ShiftModifier);
    const bool f3 = key->key() == Qt::Key_F3;
    const bool escape = key->key() == Qt::Key_Escape;
    const bool again = key->matches(QKeySequence::Find);
    if (!enter && !f3 && !escape && !again)
        return QWidget::eventFilter(watched, event);
    if (override) { // the page has other uses for these
        event->accept();
        return true;
    }
    if (escape)
        shut();
    else if (again)
        m_field->selectAll();
    else
        emit nextWanted(shift);
    return true;
}

} // namespace views
