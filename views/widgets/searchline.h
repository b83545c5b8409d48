// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace views {

// The line above what a search finds: how far it has come, and the button that stops it or lets it go on.
class SearchLine : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(SearchLine)

public:
    // `name`: what the objects within are called by, as job: jobSearchState and jobStop.
    explicit SearchLine(const QString &name, QWidget *parent = nullptr);

    void begin(const QString &words = {}); // empty: that it searches
    void showBroken(); // it failed and may be tried again from where it was
    [[nodiscard]] bool isRunning() const { return m_running; }

signals:
    void stopWanted();
    void resumeWanted();

protected:
    void say(const QString &words, bool running, bool canGoOn);

private:
    bool m_running = false;
    QLabel *m_words;
    QPushButton *m_button;
};

} // namespace views
