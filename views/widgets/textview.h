// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QWidget>

class QLabel;
class QToolButton;

namespace views {

class DocumentView;

// A text to read, of any length: an error, a log. Copy gives all of it.
class TextView final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TextView)

public:
    // `theme` outlives the widget.
    TextView(const Theme &theme, const QString &accessibleName, QWidget *parent = nullptr);

    // The same text again leaves scrolling and selection alone. `note` stands above it, `empty` instead of no text.
    void setText(const QString &text, const QString &note, const QString &empty);
    [[nodiscard]] QString text() const { return m_text; }

private:
    QString m_text;
    QLabel *m_note;
    QToolButton *m_copy;
    DocumentView *m_view;
};

} // namespace views
