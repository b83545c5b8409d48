// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/watch/jobfeed.h>

#include <QWidget>

class QLabel;
class QPushButton;

namespace views {

// The line above what a search finds: how far it has come, and the button that stops it or lets it go on.
class JobSearchLine final : public QWidget
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobSearchLine)

public:
    explicit JobSearchLine(QWidget *parent = nullptr);

    void begin();
    // `full`: more than the `found` ones are not listed.
    void showProgress(const engine::watch::JobSearchProgress &progress, int found, bool full);
    void showBroken(); // it failed and may be tried again from where it was

signals:
    void stopWanted();
    void resumeWanted();

private:
    bool m_running = false;
    QLabel *m_words;
    QPushButton *m_button;
};

} // namespace views
