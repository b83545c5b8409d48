// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QGridLayout;
class QLabel;
class QStackedWidget;
class QVBoxLayout;

namespace views {

class Pill;
class Theme;

// The frame beside a table that shows one item in full, or a sentence where there is none to show. Derived classes add
// their pages in the constructor.
class DetailPane : public QFrame
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(DetailPane)

protected:
    // `objectName` is what tests and the style sheet find it by.
    DetailPane(const QString &objectName, int minimumWidth, QWidget *parent);

    // A page with the usual margins; its layout. The first one is page 1, behind the sentence.
    QVBoxLayout *addContent();
    void showMessage(const QString &sentence);
    void showContent(int page = 1);

    // The item's name in bold with its state at the right.
    static void addTitle(QVBoxLayout *content, const Theme &theme, QWidget *name, Pill *state);
    // Dressed as names and values side by side.
    static void addFacts(QVBoxLayout *content, QGridLayout *facts);

private:
    QStackedWidget *const m_stack;
    QLabel *const m_message;
};

} // namespace views
