// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowcontroller.h"

#include "session.h"

#include <views/shell/mainwindow.h>
#include <views/shell/statusline.h>

#include <models/counttext.h>
#include <models/timetext.h>

using namespace Qt::StringLiterals;
using models::Severity;
using Item = views::StatusLine::Item;

// What the window itself asks of the servers, at the right end of the status line.
namespace app {

void WindowController::showCost()
{
    const Session::Costs costs = m_session->costs();
    if (costs.seconds <= 0)
        return;
    const auto line = [](const QString &text, const Session::Cost &cost) {
        return text.arg(models::rateText(cost.perSecond), models::rateText(cost.msPerSecond));
    };
    m_window->statusLine().setItem(
        Item::Cost, Severity::Muted,
        tr("This window asks: %1 statements/s, %2 commands/s")
            .arg(models::rateText(costs.database.perSecond), models::rateText(costs.redis.perSecond)),
        QStringList{
            tr("Measured over the last %1.").arg(models::durationText(static_cast<qint64>(costs.seconds) * 1000)),
            line(tr("PostgreSQL: %1 statements a second, answered within %2 ms of each second in all."),
                 costs.database),
            line(tr("Redis: %1 commands a second, answered within %2 ms of each second in all."), costs.redis),
            tr("The times include the way there and back, so the servers work less than that. Hidden, minimised or "
               "paused the window asks nothing, unless alerts are to be watched all the same.")}
            .join(u'\n'));
}

} // namespace app
