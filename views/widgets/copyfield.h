// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace views {

// A line of text to copy: an id or a command line, with its button.
class CopyField final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(CopyField)

public:
    // `theme` outlives the widget.
    CopyField(const Theme &theme, const QString &accessibleName, QWidget *parent = nullptr);

    void setText(const QString &text);
    [[nodiscard]] QString text() const;
    void copy() const;

private:
    QLineEdit *m_field;
    QToolButton *m_button;
};

} // namespace views
