// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowsearchline.h"

#include <models/counttext.h>

using namespace Qt::StringLiterals;

namespace views {

RowSearchLine::RowSearchLine(QWidget *parent)
    : SearchLine(u"row"_s, parent)
{ }

void RowSearchLine::beginWith(const engine::outbox::FilterCost &cost)
{
    begin(tr("No index helps this filter: looking through about %1 rows, newest first…")
              .arg(models::roundText(cost.looks)));
}

void RowSearchLine::showProgress(const engine::watch::RowSearchProgress &progress, int found, bool full, bool stopped)
{
    QString words;
    if (progress.done && progress.looked == 0)
        words = tr("%1 found; looked through the whole table").arg(models::numberText(found));
    else if (progress.looked == 0)
        words = tr("%1 found so far; no index helps").arg(models::numberText(found));
    else if (progress.done)
        words =
            tr("%1 found; looked at all %2 rows").arg(models::numberText(found), models::numberText(progress.looked));
    else
        words = tr("%1 found so far; looked at %2 of about %3 rows, no index helps")
                    .arg(models::numberText(found), models::roundText(progress.looked),
                         models::roundText(qMax(progress.cost.looks, progress.looked)));
    if (full)
        words += u" · "_s + tr("enough, more are not listed: narrow the filter");
    else if (stopped)
        words += u" · "_s + tr("stopped");
    else if (!progress.running && !progress.done)
        words += u" · "_s + tr("goes on when you scroll to the end");
    say(words, progress.running, !progress.done && !full);
}

} // namespace views
