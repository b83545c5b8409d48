// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "entries.h"
#include "traceparts.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace engine::trace {

using bullmq::QueueEvent;
using outbox::Column;
using outbox::LayoutKind;
using outbox::RowDetail;
using outbox::RowSummary;
using RowPhase = outbox::Phase;
using RunPhase = workflow::Phase;
using workflow::ExecutionDetail;
using workflow::ExecutionLayout;
using workflow::Step;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::trace::Entries)
};

constexpr qint64 leaseMicros = 300'000'000; // what this console's and the usual dispatchers claim a row for
constexpr qint64 sameMoment = 1'000'000; // a job's field and its event are written together, by different clocks

QString firstLine(const QString &text)
{
    const QString trimmed = text.trimmed();
    return trimmed.section(u'\n', 0, 0).left(300);
}

// Entries of one subject under construction.
class Builder
{
public:
    Builder(Lane lane, QByteArray subject)
        : m_lane(lane)
        , m_subject(std::move(subject))
    { }

    Entry &add(std::optional<qint64> at, const char *kind, Tone tone, const QString &what, const QString &source)
    {
        Entry entry;
        entry.at = at;
        entry.lane = m_lane;
        entry.tone = tone;
        entry.kind = kind;
        entry.what = what;
        entry.source = source;
        entry.subject = m_subject;
        m_entries.push_back(std::move(entry));
        return m_entries.back();
    }
    [[nodiscard]] std::vector<Entry> take() { return std::move(m_entries); }

private:
    const Lane m_lane;
    const QByteArray m_subject;
    std::vector<Entry> m_entries;
};

void addRetries(Builder &builder, const RowDetail &row, const QString &source, const Column &updated)
{
    const RowSummary &summary = row.row;
    const int failed = summary.retries;
    if (failed == 0)
        return;
    if (failed > 1)
        builder.add({}, "row.retried", Tone::Warning,
                    failed == 2 ? Text::tr("1 earlier attempt failed")
                                : Text::tr("%1 earlier attempts failed").arg(failed - 1),
                    source);
    // A row that waits again, or is dead, was last written by the attempt that failed.
    const bool lastWriteFailed =
        summary.phase == RowPhase::Waiting || summary.phase == RowPhase::Retrying || summary.phase == RowPhase::Dead;
    Entry &entry = builder.add(lastWriteFailed && updated.exists() ? summary.updatedAt : std::nullopt, "row.retried",
                               Tone::Warning, Text::tr("attempt %1 to hand over failed").arg(failed), source);
    entry.note = firstLine(row.lastError);
    entry.certainty = Certainty::Likely;
}

} // namespace

std::vector<Entry> entriesOf(const RowDetail &row, const outbox::Layout &layout, const QByteArray &queue, bool followUp,
                             qint64 now)
{
    const RowSummary &summary = row.row;
    const QString table = layout.displayName();
    const auto field = [&](const Column &column) {
        return column.exists() ? table + u'.' + words(column.name) : table;
    };
    Builder builder(Lane::Outbox, summary.id);
    Entry &written =
        builder.add(summary.createdAt, followUp ? "row.followUp" : "row.written", followUp ? Tone::Going : Tone::Good,
                    followUp ? Text::tr("follow-up %1 written").arg(words(summary.eventType))
                             : Text::tr("row written: %1").arg(words(summary.eventType)),
                    field(layout.createdAt));
    written.note = words(summary.id);

    const bool ahead = summary.scheduledAt && *summary.scheduledAt > now;
    if (summary.retries == 0) {
        if (summary.scheduledAt
            && (summary.phase == RowPhase::Waiting || !summary.createdAt
                || *summary.scheduledAt / 1000 - *summary.createdAt / 1000 > sameMoment / 1000))
            builder.add(summary.scheduledAt, "row.due", ahead ? Tone::Plain : Tone::Good,
                        ahead ? Text::tr("will be due") : Text::tr("due"), field(layout.scheduledAt));
    } else {
        addRetries(builder, row, field(layout.retries), layout.updatedAt);
    }

    switch (summary.phase) {
    case RowPhase::Waiting:
    case RowPhase::Retrying:
        if (summary.retries > 0)
            builder.add(summary.scheduledAt, "row.due", ahead ? Tone::Going : Tone::Warning,
                        ahead ? Text::tr("next attempt") : Text::tr("due again, not claimed yet"),
                        field(summary.phase == RowPhase::Retrying ? layout.nextRetryAt : layout.scheduledAt));
        else if (!ahead)
            builder.add({}, "row.waiting", Tone::Going, Text::tr("waits for a dispatcher"), field(layout.status));
        break;
    case RowPhase::InFlight: {
        if (layout.kind == LayoutKind::Event && summary.lockedUntil) {
            Entry &claimed = builder.add(*summary.lockedUntil - leaseMicros, "row.claimed", Tone::Going,
                                         Text::tr("claimed by a dispatcher"), field(layout.lockedUntil));
            claimed.certainty = Certainty::Derived;
            claimed.note = Text::tr("if its lease is five minutes");
            const bool over = *summary.lockedUntil < now;
            builder.add(summary.lockedUntil, "row.leaseEnds", over ? Tone::Warning : Tone::Plain,
                        over ? Text::tr("lease ran out, any dispatcher may take it") : Text::tr("lease ends"),
                        field(layout.lockedUntil));
        } else {
            builder.add(summary.updatedAt, "row.claimed", Tone::Going, Text::tr("claimed by a dispatcher"),
                        field(layout.updatedAt));
        }
        break;
    }
    case RowPhase::HandedOver:
        builder.add(
            summary.processedAt, "row.handedOver", Tone::Good,
            queue.isEmpty()
                ? Text::tr("%1: handed over (not yet carried out)").arg(words(summary.status))
                : Text::tr("%1: handed over to %2 (not yet carried out)").arg(words(summary.status), words(queue)),
            field(layout.processedAt));
        break;
    case RowPhase::Dead: {
        const bool kept = layout.kind == LayoutKind::Message && summary.processedAt;
        Entry &dead = builder.add(kept ? summary.processedAt : summary.updatedAt, "row.dead", Tone::Bad,
                                  Text::tr("%1: dead, not tried again by itself").arg(words(summary.status)),
                                  field(kept ? layout.processedAt : layout.updatedAt));
        dead.note = firstLine(row.lastError);
        dead.certainty = kept ? Certainty::Recorded : Certainty::Likely;
        break;
    }
    case RowPhase::Cancelled:
        builder.add(summary.updatedAt, "row.cancelled", Tone::Plain, Text::tr("cancelled"), field(layout.updatedAt))
            .certainty = Certainty::Likely;
        break;
    case RowPhase::Unknown:
        builder.add(summary.updatedAt, "row.unknown", Tone::Warning,
                    Text::tr("status %1, which this layout does not know").arg(words(summary.status)),
                    field(layout.status));
        break;
    }
    return builder.take();
}

namespace {

struct JobTimes
{
    QString stream; // source of events
    QString fields; // source of fields, with a blank behind
    int starts = 0; // seen so far
};

void addEvent(Builder &builder, const QueueEvent &event, const TracedJob &job, JobTimes &times)
{
    const QString &source = times.stream;
    if (event.kind == "active") {
        ++times.starts;
        builder.add(event.at, "job.started", Tone::Going, Text::tr("attempt %1 started").arg(times.starts), source);
    } else if (event.kind == "stalled") {
        builder.add(event.at, "job.stalled", Tone::Warning,
                    Text::tr("stalled: its worker stopped renewing the lock; put back"), source);
    } else if (event.kind == "delayed" && times.starts > 0) {
        builder.add(event.at, "job.retrying", Tone::Warning,
                    Text::tr("attempt %1 failed, tried again later").arg(times.starts), source);
    } else if (event.kind == "waiting" && times.starts > 0
               && (event.previous == "active" || event.previous == "failed")) {
        builder.add(event.at, "job.retrying", Tone::Warning, Text::tr("back in the queue"), source);
    } else if (event.kind == "waiting" && event.previous == "delayed") {
        builder.add(event.at, "job.waiting", Tone::Plain, Text::tr("ready again"), source);
    } else if (event.kind == "completed") {
        builder.add(event.at, "job.completed", Tone::Good, Text::tr("job completed"), source);
    } else if (event.kind == "failed") {
        builder.add(event.at, "job.failed", Tone::Bad, Text::tr("job failed for good"), source).note =
            firstLine(event.reason);
    } else if (event.kind == "removed") {
        builder.add(event.at, "job.removed", Tone::Warning, Text::tr("job removed by somebody"), source);
    } else if (event.kind == "duplicated") {
        builder.add(event.at, "job.duplicate", Tone::Plain, Text::tr("handed over again; the job was there already"),
                    source);
    }
    Q_UNUSED(job)
}

bool has(const std::vector<QueueEvent> &events, std::initializer_list<const char *> kinds,
         std::optional<qint64> near = {})
{
    return std::ranges::any_of(events, [&](const QueueEvent &event) {
        const bool kind = std::ranges::any_of(kinds, [&](const char *one) { return event.kind == one; });
        return kind && (!near || std::abs(event.at / 1000 - *near / 1000) <= sameMoment / 1000);
    });
}

void addEnd(Builder &builder, const bullmq::JobDetail &detail, const JobTimes &times)
{
    const bool failed = detail.job.state == bullmq::JobState::Failed
        || (detail.job.state != bullmq::JobState::Completed && !detail.job.failedReason.isEmpty());
    Entry &end = builder.add(
        detail.job.finishedAt, failed ? "job.failed" : "job.completed", failed ? Tone::Bad : Tone::Good,
        failed ? Text::tr("job failed for good") : Text::tr("job completed"), times.fields + u"finishedOn"_s);
    if (failed)
        end.note = firstLine(detail.job.failedReason);
}

// How the job stands now, where no time tells.
void addState(Builder &builder, const bullmq::JobDetail &detail, const QString &queue)
{
    using bullmq::JobState;
    switch (detail.job.state) {
    case JobState::Waiting:
    case JobState::Prioritized:
        builder
            .add({}, "job.waiting", Tone::Going,
                 detail.stateIsGuess ? Text::tr("probably waits for a worker; its list is too long to be searched")
                                     : Text::tr("waits for a worker"),
                 queue)
            .certainty = detail.stateIsGuess ? Certainty::Likely : Certainty::Recorded;
        break;
    case JobState::Delayed:
        builder.add(detail.job.dueAt, "job.due", Tone::Going, Text::tr("next attempt of the job"),
                    queue + u" delayed"_s);
        break;
    case JobState::Active:
        if (!detail.lock)
            builder.add({}, "job.stalled", Tone::Warning,
                        Text::tr("active without a live lock: its worker is gone; the next check puts it back"), queue);
        else
            builder.add({}, "job.active", Tone::Going, Text::tr("a worker is at it"), queue);
        break;
    case JobState::WaitingChildren:
        builder.add({}, "job.waiting", Tone::Going, Text::tr("waits for its children"), queue);
        break;
    case JobState::Unknown:
        builder.add({}, "job.lost", Tone::Warning, Text::tr("in no list: nothing will take it"), queue);
        break;
    case JobState::Completed:
    case JobState::Failed:
        break;
    }
}

void addAbsence(Builder &builder, const TracedJob &job)
{
    const QString queue = words(job.queue);
    switch (job.absence->kind) {
    case Absence::Kind::RemovedWhenFinished:
        builder.add({}, "job.gone", Tone::Plain, Text::tr("the job was removed when it finished"), queue);
        break;
    case Absence::Kind::RemovedByHand:
        break; // the event says so
    case Absence::Kind::LikelyRemoved:
        builder.add({}, "job.gone", Tone::Plain, Text::tr("no job now: likely removed when it finished"), queue)
            .certainty = Certainty::Likely;
        break;
    case Absence::Kind::NoTrace:
        builder.add({}, "job.missing", Tone::Bad,
                    job.absence->wasAdded ? Text::tr("the job has vanished without an event")
                                          : Text::tr("no trace of a job"),
                    queue);
        break;
    }
}

} // namespace

std::vector<Entry> entriesOf(const TracedJob &job)
{
    Builder builder(Lane::Job, job.id);
    JobTimes times;
    times.stream = words(job.queue) + u" events"_s;
    times.fields = words(job.queue) + u' ';
    const std::vector<QueueEvent> &events = job.events.events;
    if (job.detail && job.detail->job.addedAt) {
        builder
            .add(job.detail->job.addedAt, "job.added", Tone::Good, Text::tr("job added to %1").arg(words(job.queue)),
                 times.fields + u"timestamp"_s)
            .note = words(job.id);
    } else if (const auto added = std::ranges::find(events, "added", &QueueEvent::kind); added != events.end()) {
        builder.add(added->at, "job.added", Tone::Good, Text::tr("job added to %1").arg(words(job.queue)), times.stream)
            .note = words(job.id);
    }
    // Where the stream no longer tells of the first attempts, the rest are counted from the job's own number.
    if (job.detail) {
        const auto seen = static_cast<int>(std::ranges::count(events, "active", &QueueEvent::kind));
        times.starts = std::max(0, job.detail->job.attemptsStarted.value_or(job.detail->job.attemptsMade) - seen);
        if (times.starts > 0 && seen > 0)
            builder.add({}, "job.started", Tone::Warning,
                        times.starts == 1 ? Text::tr("1 earlier attempt")
                                          : Text::tr("%1 earlier attempts").arg(times.starts),
                        times.fields + (job.detail->job.attemptsStarted ? u"ats"_s : u"attemptsMade"_s));
        if (job.detail->job.startedAt && seen == 0) {
            const int attempt = std::max(1, times.starts);
            builder.add(job.detail->job.startedAt, "job.started", Tone::Going,
                        Text::tr("attempt %1 started").arg(attempt), times.fields + u"processedOn"_s);
        }
        if (job.detail->job.stalls > 0 && !has(events, {"stalled"}))
            builder.add({}, "job.stalled", Tone::Warning,
                        job.detail->job.stalls == 1 ? Text::tr("stalled once")
                                                    : Text::tr("stalled %1 times").arg(job.detail->job.stalls),
                        times.fields + u"stc"_s);
    }
    for (const QueueEvent &event : events)
        addEvent(builder, event, job, times);
    if (job.detail) {
        if (job.detail->job.finishedAt && !has(events, {"completed", "failed"}, job.detail->job.finishedAt))
            addEnd(builder, *job.detail, times);
        addState(builder, *job.detail, words(job.queue));
    } else if (job.absence) {
        addAbsence(builder, job);
    }
    std::vector<Entry> entries = builder.take();
    if (!job.detail && !entries.empty())
        entries.back().after = job.handedOverAt;
    for (Entry &entry : entries) {
        if (entry.kind == "job.retrying" && entry.note.isEmpty() && job.detail)
            entry.note = firstLine(job.detail->job.failedReason);
    }
    return entries;
}

namespace {

Tone toneOf(RunPhase phase)
{
    switch (phase) {
    case RunPhase::Completed:
        return Tone::Good;
    case RunPhase::Failed:
        return Tone::Bad;
    case RunPhase::Running:
    case RunPhase::Queued:
    case RunPhase::Waiting:
        return Tone::Going;
    case RunPhase::Cancelled:
    case RunPhase::Unknown:
        break;
    }
    return Tone::Plain;
}

} // namespace

std::vector<Entry> entriesOf(const ExecutionDetail &detail, const ExecutionLayout &layout, qint64 now)
{
    const workflow::Execution &run = detail.execution;
    const QString table = layout.displayName();
    const auto field = [&](const Column &column) {
        return column.exists() ? table + u'.' + words(column.name) : table;
    };
    Builder builder(Lane::Execution, run.id);
    const QString name = run.workflowName.isEmpty() ? words(run.workflowId) : run.workflowName;
    builder
        .add(run.queuedAt ? run.queuedAt : run.createdAt, "execution.queued", Tone::Good,
             run.isStream ? Text::tr("stream run of %1 recorded").arg(name)
                          : Text::tr("execution of %1 queued").arg(name),
             field(run.queuedAt ? layout.queuedAt : layout.createdAt))
        .note = words(run.id);
    if (run.startedAt)
        builder.add(run.startedAt, "execution.started", Tone::Good, Text::tr("execution started"),
                    field(layout.startedAt));
    int number = 0;
    for (const Step &step : detail.steps.steps) {
        ++number;
        const QString status = step.status.isEmpty() ? Text::tr("no status") : step.status;
        Entry &entry = builder.add(
            step.finishedAt ? step.finishedAt : step.startedAt, "execution.step", toneOf(step.phase),
            step.type.isEmpty() ? Text::tr("step %1 %2: %3").arg(number).arg(step.name, status)
                                : Text::tr("step %1 %2 (%3): %4").arg(number).arg(step.name, step.type, status),
            field(layout.steps));
        entry.note = firstLine(step.error);
    }
    if (run.phase == RunPhase::Waiting) {
        builder.add({}, "execution.waiting", Tone::Going,
                    run.waitingFor.isEmpty() ? Text::tr("waits for input")
                                             : Text::tr("waits for %1").arg(run.waitingFor),
                    field(layout.waitingFor));
    } else if (workflow::isTerminal(run.phase)) {
        Entry &end = builder.add(run.finishedAt ? run.finishedAt : run.updatedAt, "execution.ended", toneOf(run.phase),
                                 Text::tr("execution ended: %1").arg(words(run.status)),
                                 field(run.finishedAt ? layout.finishedAt : layout.updatedAt));
        end.note = firstLine(detail.error);
        end.certainty = run.finishedAt ? Certainty::Recorded : Certainty::Likely;
    } else if (run.lateness == workflow::Lateness::PossiblyInterrupted) {
        builder
            .add({}, "execution.late", Tone::Warning,
                 Text::tr("possibly interrupted: a stream run that lasts longer than usual"), field(layout.status))
            .certainty = Certainty::Likely;
    } else if (run.lateness != workflow::Lateness::None) {
        builder.add({}, "execution.late", Tone::Warning, Text::tr("longer than usual"), field(layout.status))
            .certainty = Certainty::Derived;
    } else if (run.phase == RunPhase::Unknown) {
        builder.add(run.updatedAt, "execution.unknown", Tone::Warning,
                    Text::tr("status %1, which is not known here").arg(words(run.status)), field(layout.status));
    }
    Q_UNUSED(now)
    return builder.take();
}

std::vector<Entry> merged(std::vector<std::vector<Entry>> lists)
{
    struct Placed
    {
        qint64 at;
        Entry entry;
    };
    std::vector<Placed> placed;
    for (std::vector<Entry> &list : lists) {
        // What has no time takes that of the entry before it, or of the first that has one.
        const auto first = std::ranges::find_if(list, [](const Entry &entry) { return entry.at.has_value(); });
        qint64 last = first == list.end() ? 0 : *first->at;
        for (Entry &entry : list) {
            last = entry.at.value_or(entry.after ? std::max(last, *entry.after) : last);
            placed.push_back({last, std::move(entry)});
        }
    }
    std::ranges::stable_sort(placed, {}, &Placed::at);
    std::vector<Entry> line;
    for (Placed &one : placed)
        line.push_back(std::move(one.entry));
    return line;
}

} // namespace engine::trace
