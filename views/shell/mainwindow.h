// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"

#include <views/theme/theme.h>

#include <engine/config/profile.h>

#include <QMainWindow>

#include <vector>

class QStackedWidget;

namespace views {

class HeaderBar;
class NavigationBar;
class Page;
class StatusLine;

// The window: header, navigation, one page, status line. Knows no engine; the controller wires it.
class MainWindow final : public QMainWindow
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(MainWindow)

public:
    // `theme` and `actions` outlive the window.
    MainWindow(Theme &theme, ActionRegistry &actions, QWidget *parent = nullptr);

    // Under the heading given last; takes ownership.
    void addHeading(const QString &text);
    void addPage(const QString &id, const QString &text, const QString &icon, Page *page);

    // A number beside the page's name in the navigation; 0: none.
    void setBadge(const QString &id, int count, models::Severity severity);
    void setCurrentPage(const QString &id); // an unknown id is ignored
    [[nodiscard]] QString currentPage() const;
    [[nodiscard]] Page *page(const QString &id) const;
    [[nodiscard]] const std::vector<std::pair<QString, Page *>> &pages() const { return m_pages; }

    [[nodiscard]] HeaderBar &header() { return *m_header; }
    [[nodiscard]] StatusLine &statusLine() { return *m_statusLine; }
    void setProfile(const engine::config::ConnectionProfile &profile);

signals:
    void pageChanged(const QString &id);
    void closeWanted(); // the window does not close by itself
    void visibilityChanged(); // shown, hidden, minimised or restored

protected:
    void closeEvent(QCloseEvent *event) override;
    void changeEvent(QEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void addMenu();
    void showKeyboard();
    void showAbout();

    Theme &m_theme;
    ActionRegistry &m_actions;
    HeaderBar *m_header = nullptr;
    NavigationBar *m_navigation;
    QStackedWidget *m_stack;
    StatusLine *m_statusLine;
    std::vector<std::pair<QString, Page *>> m_pages;
};

} // namespace views
