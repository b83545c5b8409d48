// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "colors.h"

#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPixmap>

class QWidget;

namespace views {

// Light and dark, colours, icons and fonts for the whole window. Made once by the application; dresses it with a
// palette and a style sheet, follows the desktop, and says changed() when everything must be painted anew.
class Theme final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(Theme)

public:
    enum class Choice { Desktop, Light, Dark };

    explicit Theme(Choice choice = Choice::Desktop, QObject *parent = nullptr);

    [[nodiscard]] Choice choice() const { return m_choice; }
    void setChoice(Choice choice);
    [[nodiscard]] bool isDark() const { return m_dark; }

    [[nodiscard]] QColor color(ColorId id) const { return colorOf(id, m_dark); }
    [[nodiscard]] QColor textColor(models::Severity severity) const { return color(views::textColor(severity)); }
    // An icon of resources/icons in one colour; dimmed where its control is disabled.
    [[nodiscard]] QIcon icon(const QString &name, ColorId id = ColorId::Text) const;
    [[nodiscard]] QPixmap pixmap(const QString &name, ColorId id, int size, qreal ratio) const;

    [[nodiscard]] QFont font() const; // of the window
    [[nodiscard]] QFont fixedFont() const; // for ids, payloads and command lines

    bool eventFilter(QObject *watched, QEvent *event) override;

signals:
    void changed();

private:
    void follow();
    void apply();

    Choice m_choice;
    bool m_desktopDark = false;
    bool m_dark = false;
    bool m_applying = false;
    int m_pixelSize = 13;
};

} // namespace views
