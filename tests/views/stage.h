// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/pages/dispatcherpage.h>
#include <views/pages/jobspage.h>
#include <views/pages/outboxpage.h>
#include <views/pages/queuespage.h>
#include <views/shell/actions.h>
#include <views/shell/mainwindow.h>
#include <views/theme/theme.h>

#include <memory>

// The whole window as the application builds it, without an engine behind it.
struct Stage
{
    explicit Stage(views::Theme::Choice choice = views::Theme::Choice::Light);

    void fill(const engine::config::ConnectionProfile &profile);
    // Grabs the window (or another widget) into build/screenshots/NAME.png.
    void shoot(const QString &name, QWidget *widget = nullptr);

    views::Theme theme;
    views::ActionRegistry actions;
    std::unique_ptr<views::MainWindow> window;
    views::OutboxPage *outbox;
    views::QueuesPage *queues;
    views::JobsPage *jobs;
    views::DispatcherPage *dispatcher;
};

// Test rows for pictures: `choice` (views::Theme::Choice) by `size`, named as the pictures' files end.
void addPictureRows();
