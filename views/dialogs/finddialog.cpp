// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "finddialog.h"

#include <views/widgets/build.h>
#include <views/widgets/twolinedelegate.h>

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

FindDialog::FindDialog(const Theme &theme, std::vector<models::FindEntry> entries, bool traces, bool jobs,
                       QWidget *parent)
    : QDialog(parent)
    , m_input(new QLineEdit)
    , m_list(new QListView)
{
    setObjectName(u"findDialog"_s);
    setWindowTitle(tr("Find"));
    m_model.setLookUps(traces, jobs);
    m_model.setEntries(std::move(entries));
    m_input->setPlaceholderText(tr("Page, action, queue, or the id of a row, job or execution"));
    m_input->setAccessibleName(tr("Find a page, action, queue or id"));
    m_input->setClearButtonEnabled(true);
    m_input->setMinimumHeight(34);
    m_input->installEventFilter(this);
    m_list->setModel(&m_model);
    m_list->setItemDelegate(new TwoLineDelegate(theme, TwoLineDelegate::Icons::None, m_list));
    m_list->setAccessibleName(tr("What was found"));
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setFocusPolicy(Qt::NoFocus); // the arrow keys of the input move in it
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 12, 12, 12);
    layout->setSpacing(8);
    layout->addWidget(m_input);
    layout->addWidget(m_list, 1);
    layout->addWidget(build::label(tr("Up and Down choose, Enter opens, Escape closes"), "muted"));
    resize(620, 440);
    const auto first = [this] { m_list->setCurrentIndex(m_model.index(0)); };
    connect(m_input, &QLineEdit::textChanged, this, [this, first](const QString &text) {
        m_model.setQuery(text);
        first();
    });
    connect(m_input, &QLineEdit::returnPressed, this, [this] { choose(m_list->currentIndex()); });
    connect(m_list, &QListView::clicked, this, &FindDialog::choose);
    first();
    m_input->setFocus();
}

bool FindDialog::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_input && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent *>(event)->key()) {
        case Qt::Key_Down:
            move(1);
            return true;
        case Qt::Key_Up:
            move(-1);
            return true;
        case Qt::Key_PageDown:
            move(8);
            return true;
        case Qt::Key_PageUp:
            move(-8);
            return true;
        default:
            break;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void FindDialog::move(int step)
{
    const int rows = m_model.rowCount();
    if (rows == 0)
        return;
    const int row = qBound(0, m_list->currentIndex().row() + step, rows - 1);
    m_list->setCurrentIndex(m_model.index(row));
    m_list->scrollTo(m_model.index(row));
    // A reader of the screen follows the input, so it is told what is chosen.
    m_input->setAccessibleDescription(m_model.index(row).data(Qt::AccessibleTextRole).toString());
}

void FindDialog::choose(const QModelIndex &index)
{
    const models::FindEntry *entry = m_model.entry(index);
    if (!entry)
        return;
    const models::FindEntry copy = *entry;
    accept();
    emit chosen(copy);
}

} // namespace views
