// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobtext.h"

#include "counttext.h"
#include "timetext.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;
using engine::bullmq::JobDetail;
using engine::bullmq::JobState;
using engine::bullmq::JobSummary;

namespace models {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(models::JobText)
};

QString text(const QByteArray &utf8)
{
    return QString::fromUtf8(utf8);
}

QString childrenText(const JobDetail::Children &children)
{
    QStringList parts;
    if (children.pending > 0)
        parts << Text::tr("%1 not finished").arg(numberText(children.pending));
    if (children.processed > 0)
        parts << Text::tr("%1 completed").arg(numberText(children.processed));
    if (children.ignored > 0)
        parts << Text::tr("%1 failed, ignored").arg(numberText(children.ignored));
    if (children.unsuccessful > 0)
        parts << Text::tr("%1 failed").arg(numberText(children.unsuccessful));
    return parts.join(u", ");
}

QString lockText(const JobDetail &detail)
{
    if (detail.lock) {
        const QString holder = detail.job.worker.isEmpty() ? text(detail.lock->token)
                                                           : text(detail.job.worker + " (" + detail.lock->token + ')');
        return detail.lock->remainingMs
            ? Text::tr("held by %1, %2 left unless renewed").arg(holder, durationText(*detail.lock->remainingMs))
            : Text::tr("held by %1, without an end").arg(holder);
    }
    return detail.job.state == JobState::Active ? Text::tr("nobody holds it: stalled") : QString();
}

QString stepText(JobDetail::Time::Kind kind, const JobDetail &detail)
{
    using Kind = JobDetail::Time::Kind;
    switch (kind) {
    case Kind::Added:
        return Text::tr("Added");
    case Kind::Started:
        return Text::tr("Latest attempt started");
    case Kind::Finished:
        return detail.job.state == JobState::Failed ? Text::tr("Failed for good") : Text::tr("Finished");
    case Kind::Due:
        return Text::tr("Due");
    case Kind::WaitsForChildren:
        return Text::tr("Waits for its children");
    case Kind::LockEnds:
        return Text::tr("Lock ends unless renewed");
    }
    return {};
}

} // namespace

QString jobStateText(JobState state)
{
    switch (state) {
    case JobState::Waiting:
        return Text::tr("Waiting", "state of a job");
    case JobState::Active:
        return Text::tr("Active", "state of a job");
    case JobState::Delayed:
        return Text::tr("Delayed", "state of a job");
    case JobState::Prioritized:
        return Text::tr("Prioritized", "state of a job");
    case JobState::Failed:
        return Text::tr("Failed", "state of a job");
    case JobState::Completed:
        return Text::tr("Completed", "state of a job");
    case JobState::WaitingChildren:
        return Text::tr("On children", "state of a job");
    case JobState::Unknown:
        break;
    }
    return Text::tr("In no list", "state of a job");
}

Severity jobStateSeverity(JobState state)
{
    switch (state) {
    case JobState::Active:
        return Severity::Info;
    case JobState::Failed:
        return Severity::Critical;
    case JobState::Completed:
        return Severity::Good;
    case JobState::Unknown:
        return Severity::Warning;
    default:
        return Severity::Normal;
    }
}

QString attemptsText(const JobSummary &job)
{
    const int most = job.mostAttempts.value_or(1);
    const QString made = Text::tr("%1 of %2", "attempts").arg(job.attemptsMade).arg(most);
    return job.attemptsStarted && *job.attemptsStarted > job.attemptsMade
        ? made + u" · "_s + Text::tr("%1 started").arg(*job.attemptsStarted)
        : made;
}

std::vector<std::pair<QString, QString>> jobFacts(const JobDetail &detail)
{
    std::vector<std::pair<QString, QString>> facts;
    const auto add = [&](const QString &name, const QString &value) {
        if (!value.isEmpty())
            facts.emplace_back(name, value);
    };
    const JobSummary &job = detail.job;
    QString attempts = attemptsText(job);
    if (job.stalls > 0)
        attempts +=
            u" · "_s + (job.stalls == 1 ? Text::tr("stalled once") : Text::tr("stalled %1 times").arg(job.stalls));
    add(Text::tr("Attempts"), attempts);
    add(Text::tr("Lock"), lockText(detail));
    if (detail.stateIsGuess)
        add(Text::tr("Place"), Text::tr("deep in a long list, not looked up"));
    else if (detail.position)
        add(Text::tr("Place"),
            *detail.position == 0 ? Text::tr("next") : Text::tr("%1 jobs before it").arg(numberText(*detail.position)));
    if (job.state == JobState::Unknown)
        add(Text::tr("Place"), Text::tr("in no list of the queue; it will not run by itself"));
    add(Text::tr("Will fail"), text(detail.deferredFailure));
    if (job.priority > 0)
        add(Text::tr("Priority"), numberText(job.priority));
    if (detail.delayMs > 0)
        add(Text::tr("Delay"), durationText(detail.delayMs));
    add(Text::tr("Backoff"), text(detail.backoff));
    if (!detail.lock)
        add(Text::tr("Last worker"), text(job.worker));
    add(Text::tr("Progress"), detail.progress == "0" ? QString() : text(detail.progress));
    add(Text::tr("Parent"), text(detail.parentKey));
    add(Text::tr("Children"), childrenText(detail.children));
    add(Text::tr("Scheduler"), text(detail.repeatKey));
    if (!detail.deduplicationId.isEmpty()) {
        const QString owner = detail.deduplicationOwner.isEmpty() ? Text::tr("free again")
            : detail.deduplicationOwner == job.id                 ? Text::tr("held by this job")
                                                  : Text::tr("held by %1").arg(text(detail.deduplicationOwner));
        add(Text::tr("Deduplication"), text(detail.deduplicationId) + u" · "_s + owner);
    }
    return facts;
}

std::vector<TimelineStep> jobTimeline(const JobDetail &detail)
{
    using Kind = JobDetail::Time::Kind;
    std::vector<TimelineStep> steps;
    for (const JobDetail::Time &time : detail.times) {
        TimelineStep step;
        step.at = time.at;
        step.text = stepText(time.kind, detail);
        step.note = text(time.source);
        if (!time.at) // null, text, a year that no calendar has
            step.note += u": "_s + Text::tr("\"%1\" is no time").arg(text(time.text.left(40)));
        if (time.kind == Kind::Finished)
            step.severity = jobStateSeverity(detail.job.state);
        steps.push_back(step);
    }
    std::ranges::stable_sort(steps, [](const TimelineStep &one, const TimelineStep &other) {
        return one.at && other.at && *one.at < *other.at;
    });
    if (detail.job.state == JobState::Active && !detail.lock)
        steps.push_back({std::nullopt, Severity::Warning, Text::tr("Stalled"), Text::tr("no lock")});
    return steps;
}

QString jobErrorText(const JobDetail &detail)
{
    QStringList parts;
    if (!detail.job.failedReason.isEmpty())
        parts << detail.job.failedReason;
    if (!detail.deferredFailure.isEmpty())
        parts << Text::tr("The next worker fails it with: %1").arg(text(detail.deferredFailure));
    const auto count = static_cast<int>(detail.stackTraces.size());
    for (int i = 0; i < count; ++i)
        parts << (i == 0 ? Text::tr("— Stack trace %1 of %1, the newest —").arg(count)
                         : Text::tr("— Stack trace %1 of %2 —").arg(count - i).arg(count))
                + u'\n' + detail.stackTraces[static_cast<size_t>(i)];
    return parts.join(u"\n\n"_s);
}

} // namespace models
