// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "keyboarddialog.h"

#include <views/shell/actions.h>
#include <views/widgets/build.h>

#include <QDialogButtonBox>
#include <QGridLayout>
#include <QScrollArea>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

KeyboardDialog::KeyboardDialog(const ActionRegistry &actions, QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Keyboard"));
    auto *list = new QWidget;
    list->setObjectName(u"scrolled"_s);
    auto *grid = new QGridLayout(list);
    grid->setContentsMargins(0, 0, 16, 0);
    grid->setHorizontalSpacing(32);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(0, 1);

    QStringList groups;
    const auto all = actions.descriptions();
    for (const auto &line : all) {
        if (!groups.contains(line.group))
            groups << line.group;
    }
    int row = 0;
    for (const QString &group : std::as_const(groups)) {
        QLabel *heading = build::label(group, "section", list);
        heading->setContentsMargins(0, row == 0 ? 0 : 12, 0, 2);
        grid->addWidget(heading, row++, 0, 1, 2);
        for (const auto &line : all) {
            if (line.group != group)
                continue;
            grid->addWidget(build::label(line.text, "plain", list), row, 0);
            grid->addWidget(build::label(line.keys, "muted", list), row++, 1, Qt::AlignRight);
        }
    }
    grid->setRowStretch(row, 1);

    auto *scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setWidget(list);
    scroll->setAccessibleName(tr("List of keys"));
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(16);
    layout->addWidget(scroll, 1);
    layout->addWidget(buttons);
    resize(520, 680);
}

} // namespace views
