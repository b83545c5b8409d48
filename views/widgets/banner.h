// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QFrame>

class QLabel;
class QPushButton;

namespace views {

// One thing that is wrong, said above the content it concerns: a shape, a headline, words, and perhaps one button.
// Hidden while there is nothing to say.
class Banner final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Banner)

public:
    // `theme` outlives the widget.
    explicit Banner(const Theme &theme, QWidget *parent = nullptr);

    void say(models::Severity severity, const QString &headline, const QString &words, const QString &action = {});
    void clear();

signals:
    void activated(); // the button

private:
    void paintNow();

    const Theme &m_theme;
    models::Severity m_severity = models::Severity::Normal;
    QLabel *m_icon;
    QLabel *m_headline;
    QLabel *m_words;
    QPushButton *m_button;
};

} // namespace views
