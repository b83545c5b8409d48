// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "consoletable.h"

#include "tabledelegate.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>

#include <algorithm>

namespace views {

namespace {

constexpr double roomForMore = 0.6; // of the way from narrow to wide

} // namespace

ConsoleTable::ConsoleTable(const Theme &theme, const QString &accessibleName, QWidget *parent)
    : QTableView(parent)
{
    setAccessibleName(accessibleName);
    setItemDelegate(new TableDelegate(theme, this));
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setWordWrap(false);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(qMax(28, fontMetrics().height() + 12));
    QHeaderView *header = horizontalHeader();
    header->setHighlightSections(false);
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setMinimumSectionSize(48);
    header->setStretchLastSection(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(header, &QHeaderView::customContextMenuRequested, this, &ConsoleTable::showColumnMenu);
    connect(header, &QHeaderView::sectionResized, this, [this, header](int section) {
        // The last section stretches by itself.
        if (!m_fitting && isVisible() && section != header->count() - 1)
            m_touched = true;
    });
    connect(header, &QHeaderView::sectionClicked, this, [this] { m_touched = true; });
    connect(&theme, &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

QByteArray ConsoleTable::topRow() const
{
    if (verticalScrollBar()->value() == 0 || !model())
        return {};
    const QModelIndex top = indexAt(QPoint(1, 1));
    return top.isValid() ? top.data(models::IdRole).toByteArray() : QByteArray();
}

void ConsoleTable::scrollBackTo(const QByteArray &id)
{
    if (id.isEmpty() || !model())
        return;
    for (int row = 0; row < model()->rowCount(); ++row) {
        const QModelIndex index = model()->index(row, 0);
        if (index.data(models::IdRole).toByteArray() == id) {
            scrollTo(index, QAbstractItemView::PositionAtTop);
            return;
        }
    }
}

void ConsoleTable::copySelection() const
{
    if (!selectionModel())
        return;
    QModelIndexList selected = selectionModel()->selectedRows();
    std::sort(selected.begin(), selected.end());
    QStringList lines;
    for (const QModelIndex &row : std::as_const(selected)) {
        QStringList cells;
        for (int visual = 0; visual < model()->columnCount(); ++visual) {
            const int column = horizontalHeader()->logicalIndex(visual);
            if (!isColumnHidden(column))
                cells << row.siblingAtColumn(column).data().toString();
        }
        lines << cells.join(u'\t');
    }
    QGuiApplication::clipboard()->setText(lines.join(u'\n'));
}

void ConsoleTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy)) {
        copySelection();
        return;
    }
    if (event->key() == Qt::Key_Space && event->modifiers() == Qt::NoModifier) {
        emit spacePressed();
        return;
    }
    QTableView::keyPressEvent(event);
}

void ConsoleTable::setColumnPlan(const QList<ColumnPlan> &plan, int narrowTable, int wideTable)
{
    m_plan = plan;
    m_narrowTable = narrowTable;
    m_wideTable = wideTable;
    fitColumns();
}

QString ConsoleTable::saveColumns() const
{
    return m_touched ? QString::fromLatin1(horizontalHeader()->saveState().toBase64()) : QString();
}

void ConsoleTable::restoreColumns(const QString &saved)
{
    if (!saved.isEmpty())
        m_touched = horizontalHeader()->restoreState(QByteArray::fromBase64(saved.toLatin1()));
}

void ConsoleTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitColumns();
}

void ConsoleTable::fitColumns()
{
    if (m_touched || m_plan.isEmpty() || !model())
        return;
    const double part =
        qBound(0.0, double(viewport()->width() - m_narrowTable) / qMax(1, m_wideTable - m_narrowTable), 1.0);
    m_fitting = true;
    for (const ColumnPlan &plan : std::as_const(m_plan)) {
        if (plan.narrow == 0) // only where there is room for it
            setColumnHidden(plan.column, part < roomForMore);
        setColumnWidth(plan.column,
                       plan.narrow == 0 ? plan.wide : plan.narrow + qRound(part * (plan.wide - plan.narrow)));
    }
    m_fitting = false;
}

void ConsoleTable::showColumnMenu(const QPoint &position)
{
    auto *menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    QHeaderView *header = horizontalHeader();
    const int shown = header->count() - header->hiddenSectionCount();
    for (int column = 0; column < header->count(); ++column) {
        QAction *action = menu->addAction(model()->headerData(column, Qt::Horizontal).toString());
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        action->setEnabled(shown > 1 || isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool on) {
            m_touched = true;
            setColumnHidden(column, !on);
        });
    }
    menu->popup(header->mapToGlobal(position));
}

} // namespace views
