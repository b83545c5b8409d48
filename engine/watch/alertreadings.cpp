// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertreadings.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace engine::watch {

using namespace Qt::StringLiterals;
using bullmq::QueueState;
using outbox::Count;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::watch::Alerts)
};

QString number(qint64 value)
{
    return QLocale().toString(value);
}

QString number(const Count &count)
{
    return number(count.value) + (count.kind == Count::Kind::AtLeast ? u"+"_s : QString());
}

QString duration(qint64 ms)
{
    const qint64 seconds = ms / 1000;
    if (seconds < 60)
        return Text::tr("%1 s").arg(seconds);
    if (seconds < 3600)
        return Text::tr("%1 min").arg(seconds / 60);
    if (seconds < 86'400)
        return Text::tr("%1 h %2 min").arg(seconds / 3600).arg(seconds / 60 % 60);
    return Text::tr("%1 d %2 h").arg(seconds / 86'400).arg(seconds / 3600 % 24);
}

QString shortList(const QStringList &names)
{
    constexpr qsizetype most = 3;
    const QString text = names.first(qMin(most, names.size())).join(u", ");
    return names.size() > most ? Text::tr("%1 and %2 more").arg(text).arg(names.size() - most) : text;
}

QString tenants(qint64 count)
{
    return count == 1 ? Text::tr("1 tenant") : Text::tr("%1 tenants").arg(number(count));
}

AlertReading dueBacklog(const AlertRule &rule, const outbox::Vitals &vitals)
{
    AlertReading reading;
    reading.value = vitals.dueOverAge.value;
    // The sample told the age of the row that makes it one too many.
    if (vitals.rankedDueAgeMs && vitals.dueOverAge.value > rule.above)
        reading.provenMs = qMax<qint64>(0, *vitals.rankedDueAgeMs - rule.ageSeconds * 1000LL);
    reading.headline = Text::tr("%1 rows have been due for more than %2")
                           .arg(number(vitals.dueOverAge), duration(rule.ageSeconds * 1000LL));
    reading.detail = vitals.oldestDueAgeMs
        ? Text::tr("oldest for %1 · %2 · %3")
              .arg(duration(*vitals.oldestDueAgeMs), tenants(vitals.dueTenants), shortList(vitals.dueTypes))
        : QString();
    reading.advice = Text::tr("Look whether a dispatcher runs and what it says; start one if none does.");
    return reading;
}

AlertReading deadLetters(const outbox::Vitals &vitals)
{
    AlertReading reading;
    reading.value = vitals.deadLastDay.value;
    reading.headline = vitals.deadLastDay.value == 1
        ? Text::tr("1 dead letter within a day")
        : Text::tr("%1 dead letters within a day").arg(number(vitals.deadLastDay));
    QStringList words{tenants(vitals.deadTenants)};
    if (!vitals.deadTypes.isEmpty())
        words << shortList(vitals.deadTypes);
    if (!vitals.commonError.isEmpty())
        words << Text::tr("most often “%1”").arg(vitals.commonError.simplified().left(100));
    reading.detail = words.join(u" · ");
    reading.advice = Text::tr("Read their errors, repair the cause, then requeue them.");
    return reading;
}

AlertReading unrouted(const Sample &sample)
{
    AlertReading reading;
    reading.value = sample.unroutedTypes.size();
    reading.headline = reading.value == 1 ? Text::tr("No route for the event type %1").arg(sample.unroutedTypes.first())
                                          : Text::tr("No route for %1 event types").arg(number(*reading.value));
    reading.detail = sample.unroutedTypes.size() > 1 ? shortList(sample.unroutedTypes) : QString();
    reading.advice = Text::tr("Add a route for it, or correct the producer; such rows die at once.");
    return reading;
}

qint64 depthOf(const QueueState &queue)
{
    return queue.waiting + queue.prioritized;
}

QString workersText(const QueueState &queue)
{
    return !queue.workers     ? Text::tr("workers unknown")
        : *queue.workers == 1 ? Text::tr("1 worker")
                              : Text::tr("%1 workers").arg(number(*queue.workers));
}

QString oldestText(const QueueState &queue)
{
    return queue.oldestWaitingMs ? Text::tr("oldest for %1").arg(duration(*queue.oldestWaitingMs)) : QString();
}

AlertReading ofQueue(const AlertRule &rule, const QueueState &queue, const Sample &sample)
{
    AlertReading reading;
    reading.subject = QString::fromUtf8(queue.name);
    if (!queue.problem.isEmpty())
        return reading;
    QStringList words;
    switch (rule.metric) {
    case AlertMetric::QueueDepth:
        reading.value = depthOf(queue);
        reading.headline = Text::tr("Queue %1 has %2 waiting jobs").arg(reading.subject, number(*reading.value));
        words << oldestText(queue) << workersText(queue) << (queue.paused ? Text::tr("paused") : QString());
        reading.advice = queue.paused
            ? Text::tr("The queue is paused; resume it when its receiver is well again.")
            : Text::tr("Its workers are too slow or stand still: look at their logs, add some.");
        break;
    case AlertMetric::QueueFailed:
        if (!sample.failedLastDay.contains(queue.name))
            return reading;
        reading.value = sample.failedLastDay.value(queue.name);
        reading.headline = reading.value == 1
            ? Text::tr("1 job of queue %1 failed for good within a day").arg(reading.subject)
            : Text::tr("%2 jobs of queue %1 failed for good within a day").arg(reading.subject, number(*reading.value));
        words << Text::tr("%1 failed jobs kept").arg(number(queue.failed));
        reading.advice = Text::tr("Read their errors, repair the cause, then retry the jobs.");
        break;
    case AlertMetric::QueueStalled:
        reading.value = queue.stalled;
        reading.headline = reading.value == 1
            ? Text::tr("1 job of queue %1 is stalled").arg(reading.subject)
            : Text::tr("%2 jobs of queue %1 are stalled").arg(reading.subject, number(*reading.value));
        words << workersText(queue);
        reading.advice = Text::tr("A worker died or blocks its event loop; another takes the job over after a check.");
        break;
    case AlertMetric::QueueUnserved:
        if (!queue.workers)
            return reading;
        reading.value = *queue.workers == 0 ? depthOf(queue) : 0;
        reading.headline = reading.value == 1
            ? Text::tr("Queue %1 has 1 waiting job and no worker").arg(reading.subject)
            : Text::tr("Queue %1 has %2 waiting jobs and no worker").arg(reading.subject, number(*reading.value));
        words << oldestText(queue) << (queue.paused ? Text::tr("paused") : QString());
        reading.advice = Text::tr("Start the workers of this queue.");
        break;
    default:
        return reading;
    }
    words.removeAll(QString());
    reading.detail = words.join(u" · ");
    return reading;
}

AlertReading executions(AlertMetric metric, const ExecutionFigures &figures)
{
    AlertReading reading;
    switch (metric) {
    case AlertMetric::ExecutionsFailed:
        reading.value = figures.failedLastDay;
        reading.headline = reading.value == 1
            ? Text::tr("1 workflow execution failed within a day")
            : Text::tr("%1 workflow executions failed within a day").arg(number(*reading.value));
        reading.advice = Text::tr("Open the execution and read the step that failed.");
        break;
    case AlertMetric::ExecutionsStalled:
        reading.value = figures.runningTooLong;
        reading.headline = reading.value == 1
            ? Text::tr("1 workflow execution runs longer than usual")
            : Text::tr("%1 workflow executions run longer than usual").arg(number(*reading.value));
        reading.advice = Text::tr("Its worker may have died in between: look at the job behind it.");
        break;
    default:
        reading.value = figures.queuedTooLong;
        reading.headline = reading.value == 1
            ? Text::tr("1 workflow execution is queued longer than usual")
            : Text::tr("%1 workflow executions are queued longer than usual").arg(number(*reading.value));
        if (figures.oldestQueuedMs)
            reading.detail = Text::tr("oldest for %1").arg(duration(*figures.oldestQueuedMs));
        reading.advice = Text::tr("Look whether the queue outbox.workflow has workers.");
        break;
    }
    return reading;
}

} // namespace

std::optional<QList<AlertReading>> readingsOf(const AlertRule &rule, const Sample &sample)
{
    switch (rule.metric) {
    case AlertMetric::DueBacklog:
    case AlertMetric::DeadLetters:
    case AlertMetric::UnroutedTypes:
        if (!sample.outbox)
            return std::nullopt;
        return QList<AlertReading>{rule.metric == AlertMetric::DueBacklog        ? dueBacklog(rule, *sample.outbox)
                                       : rule.metric == AlertMetric::DeadLetters ? deadLetters(*sample.outbox)
                                                                                 : unrouted(sample)};
    case AlertMetric::ExecutionsFailed:
    case AlertMetric::ExecutionsStalled:
    case AlertMetric::ExecutionsQueued:
        if (!sample.executions)
            return std::nullopt;
        return QList<AlertReading>{executions(rule.metric, *sample.executions)};
    default:
        break;
    }
    if (!sample.queues)
        return std::nullopt;
    QList<AlertReading> readings;
    for (const QueueState &queue : *sample.queues) {
        if (!rule.queues.isEmpty() && !rule.queues.contains(QString::fromUtf8(queue.name)))
            continue;
        readings << ofQueue(rule, queue, sample);
    }
    return readings;
}

outbox::VitalsRequest vitalsRequestFor(const AlertRules &rules)
{
    outbox::VitalsRequest request;
    for (const AlertRule &rule : rules.rules) {
        if (rule.metric != AlertMetric::DueBacklog || !rule.enabled)
            continue;
        request.dueRank = static_cast<int>(std::min<qint64>(rule.above, 1'000'000)) + 1;
        request.dueAge = std::chrono::seconds(rule.ageSeconds);
        break;
    }
    return request;
}

} // namespace engine::watch
