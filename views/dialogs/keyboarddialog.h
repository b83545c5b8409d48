// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace views {

class ActionRegistry;

// Every key of the window, by group.
class KeyboardDialog final : public QDialog
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(KeyboardDialog)

public:
    explicit KeyboardDialog(const ActionRegistry &actions, QWidget *parent = nullptr);
};

} // namespace views
