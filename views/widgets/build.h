// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QString>

class QFrame;
class QLayout;
class QPushButton;
class QToolButton;

// The few shapes every page is built from, dressed by resources/themes/console.qss.
namespace views::build {

[[nodiscard]] QLabel *label(const QString &text, const char *role, QWidget *parent = nullptr);
[[nodiscard]] QFrame *panel(QWidget *parent = nullptr);
[[nodiscard]] QPushButton *button(const QString &text, QWidget *parent = nullptr);
[[nodiscard]] QToolButton *toolButton(const QString &accessibleName, QWidget *parent = nullptr);

// No margins, `spacing` pixels between the items.
void tighten(QLayout *layout, int spacing = 0);
// Sets a property that the style sheet looks at, and applies it.
void restyle(QWidget *widget, const char *property, const QVariant &value);
// Plain text that may be selected by mouse and keyboard.
void makeSelectable(QLabel *label);

} // namespace views::build
