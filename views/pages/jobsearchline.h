// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/widgets/searchline.h>

#include <engine/watch/jobfeed.h>

namespace views {

// The line of a search through jobs.
class JobSearchLine final : public SearchLine
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(JobSearchLine)

public:
    explicit JobSearchLine(QWidget *parent = nullptr);

    // `full`: more than the `found` ones are not listed.
    void showProgress(const engine::watch::JobSearchProgress &progress, int found, bool full);
};

} // namespace views
