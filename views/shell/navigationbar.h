// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <QFrame>

class QButtonGroup;
class QLabel;
class QToolButton;
class QVBoxLayout;

namespace views {

// The pages at the left, under headings. Up and Down move between them.
class NavigationBar final : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(NavigationBar)

public:
    // `theme` outlives the widget.
    explicit NavigationBar(const Theme &theme, QWidget *parent = nullptr);

    void addHeading(const QString &text);
    void addPage(const QString &id, const QString &text, const QString &icon, const QKeySequence &key);
    void setCurrent(const QString &id);
    void setBadge(const QString &id, int count, models::Severity severity); // 0: none

signals:
    void chosen(const QString &id);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Page
    {
        QString id;
        QString icon;
        QString text;
        QToolButton *button;
        QLabel *badge;
    };
    void dress();

    const Theme &m_theme;
    QVBoxLayout *m_layout;
    QButtonGroup *m_group;
    std::vector<Page> m_pages;
};

} // namespace views
