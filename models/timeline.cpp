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

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(models::Timeline)
};

QString attempts(int count)
{
    return count == 1 ? Text::tr("1 attempt failed") : Text::tr("%1 attempts failed").arg(count);
}

TimelineStep retriesStep(const RowDetail &detail)
{
    TimelineStep step{{}, Severity::Warning, attempts(detail.row.retries), {}};
    if (detail.maxRetries > 0)
        step.note = Text::tr("of at most %1").arg(detail.maxRetries);
    return step;
}

TimelineStep waitingStep(const RowSummary &row, qint64 now)
{
    const bool again = row.retries > 0;
    TimelineStep step{row.scheduledAt, Severity::Info, again ? Text::tr("next attempt") : Text::tr("due"), {}};
    if (!row.scheduledAt) {
        step.text = Text::tr("has no due time");
        step.severity = Severity::Warning;
        return step;
    }
    if (*row.scheduledAt <= now)
        step.text = again ? Text::tr("due again, waiting for a dispatcher") : Text::tr("due, waiting for a dispatcher");
    step.note = relativeText(*row.scheduledAt, now);
    return step;
}

TimelineStep leaseStep(const RowSummary &row, qint64 now)
{
    if (!row.lockedUntil)
        return {row.updatedAt, Severity::Info, Text::tr("claimed by a dispatcher"), {}};
    const bool over = *row.lockedUntil < now;
    return {row.lockedUntil, over ? Severity::Warning : Severity::Info,
            over ? Text::tr("lease ran out, any dispatcher may take it") : Text::tr("claimed, lease ends"),
            relativeText(*row.lockedUntil, now)};
}

} // namespace

std::vector<TimelineStep> timelineOf(const RowDetail &detail, const QString &destination, qint64 now)
{
    const RowSummary &row = detail.row;
    std::vector<TimelineStep> steps;
    if (row.createdAt)
        steps.push_back({row.createdAt, Severity::Normal, Text::tr("written"), relativeText(*row.createdAt, now)});
    // A first due time later than the writing is a delay the producer asked for.
    if (row.retries == 0 && row.phase != Phase::Waiting && row.scheduledAt && row.createdAt
        && *row.scheduledAt / 1000 - *row.createdAt / 1000 > 1000)
        steps.push_back({row.scheduledAt, Severity::Normal, Text::tr("due"), {}});
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
        TimelineStep step{row.processedAt, Severity::Good, Text::tr("handed over"), {}};
        if (!destination.isEmpty())
            step.text = Text::tr("handed over to %1").arg(destination);
        if (row.processedAt && row.createdAt && *row.processedAt >= *row.createdAt)
            step.note = Text::tr("after %1").arg(durationText(*row.processedAt / 1000 - *row.createdAt / 1000));
        steps.push_back(step);
        break;
    }
    case Phase::Dead:
        steps.push_back({row.processedAt ? row.processedAt : row.updatedAt,
                         Severity::Critical,
                         Text::tr("dead: not tried again by itself"),
                         {}});
        break;
    case Phase::Cancelled:
        steps.push_back({row.updatedAt, Severity::Muted, Text::tr("cancelled"), {}});
        break;
    case Phase::Unknown:
        steps.push_back({row.updatedAt,
                         Severity::Warning,
                         Text::tr("status %1 is unknown to this layout").arg(QString::fromUtf8(row.status)),
                         {}});
        break;
    }
    return steps;
}

} // namespace models
