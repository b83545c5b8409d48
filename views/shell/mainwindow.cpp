// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mainwindow.h"

#include "headerbar.h"
#include "navigationbar.h"
#include "page.h"
#include "statusline.h"

#include <views/dialogs/keyboarddialog.h>

#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMessageBox>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace views {

MainWindow::MainWindow(Theme &theme, ActionRegistry &actions, QWidget *parent)
    : QMainWindow(parent)
    , m_theme(theme)
    , m_actions(actions)
    , m_navigation(new NavigationBar(theme))
    , m_stack(new QStackedWidget)
    , m_statusLine(new StatusLine(theme))
{
    setObjectName(u"mainWindow"_s);
    setWindowTitle(tr("Outbox Console"));
    setMinimumSize(960, 600);
    resize(1280, 800);

    const QString group = tr("Everywhere");
    actions.add(u"find"_s, group, tr("Find…"), {QKeySequence(u"Ctrl+K"_s)}, this);
    actions.add(u"connect"_s, group, tr("Connect…"), {QKeySequence(u"Ctrl+O"_s)}, this);
    actions.add(u"compose"_s, group, tr("Compose event…"), {QKeySequence(u"Ctrl+N"_s)}, this);
    actions.add(u"refresh"_s, group, tr("Refresh now"), {QKeySequence(u"F5"_s), QKeySequence(u"Ctrl+R"_s)}, this);
    actions.add(u"pause"_s, group, tr("Pause or resume refreshing"), {QKeySequence(u"Ctrl+P"_s)}, this);
    actions.add(u"zone"_s, group, tr("Switch between UTC and local time"), {QKeySequence(u"Ctrl+U"_s)}, this);
    actions.add(u"keyboard"_s, group, tr("Keyboard…"), {QKeySequence(u"Ctrl+?"_s), QKeySequence(u"Ctrl+/"_s)}, this);
    actions.add(u"menu"_s, group, tr("Open the menu"), {QKeySequence(u"F10"_s)}, this);
    const auto keysOf = [](QKeySequence::StandardKey key) {
        return QKeySequence(key).toString(QKeySequence::NativeText);
    };
    const QString document = tr("In a document");
    actions.describe(document, tr("Find, next and previous place"),
                     u"%1, %2, %3"_s.arg(keysOf(QKeySequence::Find), keysOf(QKeySequence::FindNext),
                                         keysOf(QKeySequence::FindPrevious)));
    actions.describe(document, tr("Save to a file"), keysOf(QKeySequence::Save));
    actions.add(u"quit"_s, group, tr("Quit"), {QKeySequence(u"Ctrl+Q"_s)}, this);

    m_header = new HeaderBar(theme, actions);
    auto *central = new QWidget;
    auto *middle = new QHBoxLayout;
    middle->setContentsMargins(0, 0, 0, 0);
    middle->setSpacing(0);
    middle->addWidget(m_navigation);
    middle->addWidget(m_stack, 1);
    auto *layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_header);
    layout->addLayout(middle, 1);
    layout->addWidget(m_statusLine);
    setCentralWidget(central);

    addMenu();
    connect(m_navigation, &NavigationBar::chosen, this, &MainWindow::setCurrentPage);
    connect(m_header, &HeaderBar::connectWanted, actions.action(u"connect"_s), &QAction::trigger);
    connect(actions.action(u"keyboard"_s), &QAction::triggered, this, &MainWindow::showKeyboard);
    connect(actions.action(u"quit"_s), &QAction::triggered, this, &MainWindow::closeWanted);
    connect(actions.action(u"menu"_s), &QAction::triggered, this,
            [this] { m_header->findChild<QToolButton *>(u"menuButton"_s)->showMenu(); });
}

void MainWindow::addMenu()
{
    QMenu *menu = m_header->menu();
    menu->addAction(m_actions.action(u"find"_s));
    menu->addAction(m_actions.action(u"connect"_s));
    menu->addAction(m_actions.action(u"compose"_s));
    menu->addSeparator();
    QMenu *appearance = menu->addMenu(tr("Appearance"));
    auto *choices = new QActionGroup(appearance);
    for (const auto &[choice, text] :
         {std::pair(Theme::Choice::Desktop, tr("Like the desktop")), std::pair(Theme::Choice::Light, tr("Light")),
          std::pair(Theme::Choice::Dark, tr("Dark"))}) {
        QAction *action = appearance->addAction(text);
        action->setCheckable(true);
        action->setChecked(m_theme.choice() == choice);
        choices->addAction(action);
        connect(action, &QAction::triggered, this, [this, chosen = choice] { m_theme.setChoice(chosen); });
    }
    menu->addAction(m_actions.action(u"keyboard"_s));
    menu->addAction(tr("About Outbox Console…"), this, &MainWindow::showAbout);
    menu->addSeparator();
    menu->addAction(m_actions.action(u"quit"_s));
}

void MainWindow::addHeading(const QString &text)
{
    m_navigation->addHeading(text);
}

void MainWindow::addPage(const QString &id, const QString &text, const QString &icon, Page *page)
{
    const QKeySequence key(u"Ctrl+%1"_s.arg(m_pages.size() + 1));
    QAction *action = m_actions.add(u"page-"_s + id, tr("Everywhere"), text, {key}, this);
    connect(action, &QAction::triggered, this, [this, id] { setCurrentPage(id); });
    m_navigation->addPage(id, text, icon, key);
    m_stack->addWidget(page);
    m_pages.emplace_back(id, page);
    connect(page, &Page::pauseWanted, m_actions.action(u"pause"_s), &QAction::trigger);
    if (m_pages.size() == 1)
        m_navigation->setCurrent(id);
}

void MainWindow::setBadge(const QString &id, int count, models::Severity severity)
{
    m_navigation->setBadge(id, count, severity);
}

void MainWindow::setCurrentPage(const QString &id)
{
    Page *wanted = page(id);
    if (!wanted)
        return;
    m_navigation->setCurrent(id);
    if (m_stack->currentWidget() == wanted)
        return;
    m_stack->setCurrentWidget(wanted);
    emit pageChanged(id);
}

QString MainWindow::currentPage() const
{
    for (const auto &[id, page] : m_pages) {
        if (page == m_stack->currentWidget())
            return id;
    }
    return {};
}

Page *MainWindow::page(const QString &id) const
{
    for (const auto &[known, page] : m_pages) {
        if (known == id)
            return page;
    }
    return nullptr;
}

void MainWindow::setProfile(const engine::config::ConnectionProfile &profile)
{
    m_header->setProfile(profile);
    const QString name = profile.sandbox ? tr("Sandbox") : profile.name;
    setWindowTitle(name.isEmpty()           ? tr("Outbox Console")
                       : profile.production ? tr("%1 (PRODUCTION) – Outbox Console").arg(name)
                                            : tr("%1 – Outbox Console").arg(name));
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    event->ignore();
    emit closeWanted();
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange)
        emit visibilityChanged();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    emit visibilityChanged();
}

void MainWindow::hideEvent(QHideEvent *event)
{
    QMainWindow::hideEvent(event);
    emit visibilityChanged();
}

void MainWindow::showKeyboard()
{
    auto *dialog = new KeyboardDialog(m_actions, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::showAbout()
{
    auto *box =
        new QMessageBox(QMessageBox::NoIcon, tr("About Outbox Console"),
                        tr("Outbox Console %1").arg(QApplication::applicationVersion()), QMessageBox::Close, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setIconPixmap(windowIcon().pixmap(64));
    box->setInformativeText(
        tr("Watch, dispatch and repair transactional outboxes.\nFree software under the GNU General "
           "Public License, version 3 or later."));
    box->open();
}

} // namespace views
