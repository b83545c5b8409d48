// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "timeline.h"

#include "timetext.h"

#include <QCoreApplication>

using namespace Qt::StringLiterals;
using engine::outbox::Phase;
using engine::outbox::RowDetail;
using engine::outbox::RowSummary;

namespace models {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("models::Timeline", text);
}

QString attempts(int count)
{
    return count == 1 ? tr("1 attempt failed") : tr("%1 attempts failed").arg(count);
}

TimelineStep retriesStep(const RowDetail &detail)
{
    TimelineStep step{{}, Severity::Warning, attempts(detail.row.retries), {}};
    if (detail.maxRetries > 0)
        step.note = tr("of at most %1").arg(detail.maxRetries);
    return step;
}

TimelineStep waitingStep(const RowSummary &row, qint64 now)
{
    const bool again = row.retries > 0;
    TimelineStep step{row.scheduledAt, Severity::Info, again ? tr("next attempt") : tr("due"), {}};
    if (!row.scheduledAt) {
        step.text = tr("has no due time");
        step.severity = Severity::Warning;
        return step;
    }
    if (*row.scheduledAt <= now)
        step.text = again ? tr("due again, waiting for a dispatcher") : tr("due, waiting for a dispatcher");
    step.note = relativeText(*row.scheduledAt, now);
    return step;
}

TimelineStep leaseStep(const RowSummary &row, qint64 now)
{
    if (!row.lockedUntil)
        return {row.updatedAt, Severity::Info, tr("claimed by a dispatcher"), {}};
    const bool over = *row.lockedUntil < now;
    return {row.lockedUntil, over ? Severity::Warning : Severity::Info,
            over ? tr("lease ran out, any dispatcher may take it") : tr("claimed, lease ends"),
            relativeText(*row.lockedUntil, now)};
}

} // namespace

std::vector<TimelineStep> timelineOf(const RowDetail &detail, const QString &destination, qint64 now)
{
    const RowSummary &row = detail.row;
    std::vector<TimelineStep> steps;
    if (row.createdAt)
        steps.push_back({row.createdAt, Severity::Normal, tr("written"), relativeText(*row.createdAt, now)});
    // A first due time later than the writing is a delay the producer asked for.
    if (row.retries == 0 && row.phase != Phase::Waiting && row.scheduledAt && row.createdAt
        && *row.scheduledAt - *row.createdAt > 1000000)
        steps.push_back({row.scheduledAt, Severity::Normal, tr("due"), {}});
    if (row.retries > 0)
        steps.push_back(retriesStep(detail));
    switch (row.phase) {
    case Phase::Waiting:
    case Phase::Retrying:
        steps.push_back(waitingStep(row, now));
        break;
    case Phase::InFlight:
        steps.push_back(leaseStep(row, now));
        break;
    case Phase::HandedOver: {
        TimelineStep step{row.processedAt, Severity::Good, tr("handed over"), {}};
        if (!destination.isEmpty())
            step.text = tr("handed over to %1").arg(destination);
        if (row.processedAt && row.createdAt && *row.processedAt >= *row.createdAt)
            step.note = tr("after %1").arg(durationText((*row.processedAt - *row.createdAt) / 1000));
        steps.push_back(step);
        break;
    }
    case Phase::Dead:
        steps.push_back({row.processedAt ? row.processedAt : row.updatedAt,
                         Severity::Critical,
                         tr("dead: not tried again by itself"),
                         {}});
        break;
    case Phase::Cancelled:
        steps.push_back({row.updatedAt, Severity::Muted, tr("cancelled"), {}});
        break;
    case Phase::Unknown:
        steps.push_back({row.updatedAt,
                         Severity::Warning,
                         tr("status %1 is unknown to this layout").arg(QString::fromUtf8(row.status)),
                         {}});
        break;
    }
    return steps;
}

} // namespace models
