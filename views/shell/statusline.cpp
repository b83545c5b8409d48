// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "statusline.h"

#include <views/widgets/build.h>
#include <views/widgets/shapes.h>

#include <QHBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

namespace {

QString styleName(models::Severity severity)
{
    switch (severity) {
    case models::Severity::Critical:
        return u"critical"_s;
    case models::Severity::Warning:
        return u"warning"_s;
    case models::Severity::Normal:
    case models::Severity::Muted:
    case models::Severity::Good:
    case models::Severity::Info:
        break;
    }
    return u"muted"_s;
}

} // namespace

StatusLine::StatusLine(const Theme &theme, QWidget *parent)
    : QFrame(parent)
    , m_theme(theme)
{
    setObjectName(u"statusLine"_s);
    setFixedHeight(28);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 12, 0);
    layout->setSpacing(6);
    for (const Item item : {Item::Database, Item::Redis, Item::OldestDue, Item::Dispatcher})
        m_cells[item] = addCell(layout, true);
    layout->addStretch(1);
    m_cells[Item::Cost] = addCell(layout, false);
    connect(&theme, &Theme::changed, this, [this] {
        for (const auto &[item, cell] : m_cells)
            dress(cell);
    });
}

void StatusLine::setItem(Item item, models::Severity severity, const QString &text, const QString &toolTip)
{
    Cell &cell = m_cells[item];
    cell.text->setText(text);
    cell.text->setToolTip(toolTip);
    cell.severity = severity;
    build::restyle(cell.text, "severity", styleName(severity));
    dress(cell);
}

StatusLine::Cell StatusLine::addCell(QHBoxLayout *layout, bool withIcon)
{
    Cell cell;
    if (withIcon) {
        cell.icon = new QLabel(this);
        layout->addWidget(cell.icon);
    }
    cell.text = build::label({}, "muted", this);
    layout->addWidget(cell.text);
    layout->addSpacing(12);
    return cell;
}

void StatusLine::dress(const Cell &cell) const
{
    if (cell.icon)
        cell.icon->setPixmap(
            m_theme.pixmap(shapes::iconName(cell.severity), textColor(cell.severity), 11, devicePixelRatioF()));
}

} // namespace views
