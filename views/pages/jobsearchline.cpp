// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobsearchline.h"

#include <models/counttext.h>

using namespace Qt::StringLiterals;

namespace views {

JobSearchLine::JobSearchLine(QWidget *parent)
    : SearchLine(u"job"_s, parent)
{ }

void JobSearchLine::showProgress(const engine::watch::JobSearchProgress &progress, int found, bool full)
{
    QString words =
        tr("“%1”: %2 found, looked at %3 of %4 jobs (%5)")
            .arg(progress.request.text, models::numberText(found), models::numberText(progress.looked),
                 models::numberText(qMax(progress.total, progress.looked)), models::bytesText(progress.bytes));
    if (full)
        words += u" · "_s + tr("enough, more are not listed");
    else if (!progress.running && !progress.done)
        words += u" · "_s + tr("stopped");
    say(words, progress.running, !progress.done && !full);
}

} // namespace views
