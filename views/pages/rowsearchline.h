// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/widgets/searchline.h>

#include <engine/watch/rowsearchfeed.h>

namespace views {

// The line of a search through the outbox table: what it costs, before and while it runs.
class RowSearchLine final : public SearchLine
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RowSearchLine)

public:
    explicit RowSearchLine(QWidget *parent = nullptr);

    void beginWith(const engine::outbox::FilterCost &cost);
    // `full`: more than the `found` ones are not listed. `stopped`: by the user.
    void showProgress(const engine::watch::RowSearchProgress &progress, int found, bool full, bool stopped);
};

} // namespace views
