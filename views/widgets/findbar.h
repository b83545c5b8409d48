// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

class QLabel;
class QLineEdit;
class QToolButton;

namespace views {

class Theme;

// The line above a text in which to type what to look for there, with how often it was found.
class FindBar final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FindBar)

public:
    // `theme` outlives the widget.
    explicit FindBar(const Theme &theme, QWidget *parent = nullptr);

    void open(); // with the text of the last time chosen
    [[nodiscard]] QString text() const;
    void showSearching();
    // `current` counts from 0; `more`: there are more than `count`.
    void showFound(size_t count, std::optional<size_t> current, bool more);

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void textChanged(); // look for another text
    void nextWanted(bool backwards);
    void closed();

private:
    void shut();

    QLineEdit *m_field;
    QLabel *m_found;
    QToolButton *m_previous;
    QToolButton *m_next;
    QToolButton *m_close;
};

} // namespace views
