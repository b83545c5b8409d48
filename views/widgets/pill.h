// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QWidget>

namespace views {

// A state as a rounded outline with a shape and a word.
class Pill final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Pill)

public:
    // `theme` outlives the widget.
    explicit Pill(const Theme &theme, QWidget *parent = nullptr);

    void setState(const QString &icon, const QString &word, models::Severity severity);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    const Theme &m_theme;
    QString m_icon;
    QString m_word;
    models::Severity m_severity = models::Severity::Muted;
};

} // namespace views
