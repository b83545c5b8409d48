// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobreader.h"

#include "jobfields.h"
#include "queuekeys.h"

#include <QCoreApplication>

#include <algorithm>

namespace engine::bullmq {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::bullmq::JobReader)
};

constexpr std::chrono::seconds callLimit{10};
// Looking for an id in a list takes time that grows with the list; both ends together stay below two milliseconds.
constexpr int mostListSearched = 100'000;

qint64 microsOf(const redis::Reply &time)
{
    return time.items.size() == 2 ? time.items[0].text.toLongLong() * 1'000'000 + time.items[1].text.toLongLong() : 0;
}

JobFields fieldsOf(const QList<QByteArray> &names, const redis::Reply &values)
{
    JobFields fields;
    for (qsizetype i = 0; i < names.size() && i < static_cast<qsizetype>(values.items.size()); ++i) {
        const redis::Reply &value = values.items[static_cast<size_t>(i)];
        if (!value.isNil())
            fields.insert(names[i], value.text);
    }
    return fields;
}

JobFields fieldsOf(const redis::Reply &hash)
{
    JobFields fields;
    for (size_t i = 0; i + 1 < hash.items.size(); i += 2)
        fields.insert(hash.items[i].text, hash.items[i + 1].text);
    return fields;
}

// The questions about one job, in this order in the pipeline.
enum Question {
    Time,
    Hash,
    LockToken,
    LockTime,
    LogCount,
    Logs,
    Pending,
    PendingKeys,
    Processed,
    ProcessedValues,
    Ignored,
    IgnoredErrors,
    Unsuccessful,
    UnsuccessfulKeys,
    FailedScore,
    CompletedScore,
    DelayedScore,
    PrioritizedScore,
    ChildrenScore,
    ActivePlace,
    WaitLength,
    WaitFromHead, // the head runs next and is a list's last element
    WaitFromTail,
    PausedLength,
    PausedFromHead,
    PausedFromTail,
    DelayedRank,
    PrioritizedRank,
};

std::vector<redis::Command> questionsAbout(const QueueKeys &keys, const QByteArray &id)
{
    const QByteArray job = keys.key(id);
    const QByteArray few = QByteArray::number(JobDetail::mostListed);
    const QByteArray searched = QByteArray::number(mostListSearched);
    const auto place = [&](const char *list, const char *from) -> redis::Command {
        return {"LPOS", keys.key(list), id, "RANK", from, "MAXLEN", searched};
    };
    return {{"TIME"},
            {"HGETALL", job},
            {"GET", job + ":lock"},
            {"PTTL", job + ":lock"},
            {"LLEN", job + ":logs"},
            {"LRANGE", job + ":logs", QByteArray::number(-JobDetail::mostLogs), "-1"},
            {"SCARD", job + ":dependencies"},
            {"SSCAN", job + ":dependencies", "0", "COUNT", few},
            {"HLEN", job + ":processed"},
            {"HSCAN", job + ":processed", "0", "COUNT", few},
            {"HLEN", job + ":failed"},
            {"HSCAN", job + ":failed", "0", "COUNT", few},
            {"ZCARD", job + ":unsuccessful"},
            {"ZRANGE", job + ":unsuccessful", "0", QByteArray::number(JobDetail::mostListed - 1)},
            {"ZSCORE", keys.key("failed"), id},
            {"ZSCORE", keys.key("completed"), id},
            {"ZSCORE", keys.key("delayed"), id},
            {"ZSCORE", keys.key("prioritized"), id},
            {"ZSCORE", keys.key("waiting-children"), id},
            place("active", "1"),
            {"LLEN", keys.key("wait")},
            place("wait", "-1"),
            place("wait", "1"),
            {"LLEN", keys.key("paused")},
            place("paused", "-1"),
            place("paused", "1"),
            {"ZRANK", keys.key("delayed"), id},
            {"ZRANK", keys.key("prioritized"), id}};
}

bool isThere(const redis::Reply &answer)
{
    return !answer.isError() && !answer.isNil();
}

// In the library's own order of looking.
void findState(const std::vector<redis::Reply> &answers, JobDetail &detail)
{
    detail.job.state = isThere(answers[CompletedScore]) ? JobState::Completed
        : isThere(answers[FailedScore])                 ? JobState::Failed
        : isThere(answers[DelayedScore])                ? JobState::Delayed
        : isThere(answers[PrioritizedScore])            ? JobState::Prioritized
        : isThere(answers[ActivePlace])                 ? JobState::Active
                                                        : JobState::Unknown;
    if (detail.job.state == JobState::Delayed || detail.job.state == JobState::Prioritized) {
        const redis::Reply &rank = answers[detail.job.state == JobState::Delayed ? DelayedRank : PrioritizedRank];
        if (isThere(rank))
            detail.position = rank.integer;
    }
    if (detail.job.state != JobState::Unknown)
        return;
    bool searchedAll = true;
    for (const auto &[length, fromHead, fromTail] : {std::tuple{WaitLength, WaitFromHead, WaitFromTail},
                                                     std::tuple{PausedLength, PausedFromHead, PausedFromTail}}) {
        const redis::Reply &place = isThere(answers[fromHead]) ? answers[fromHead] : answers[fromTail];
        if (isThere(place)) {
            detail.job.state = JobState::Waiting;
            detail.position = answers[length].integer - 1 - place.integer;
            return;
        }
        searchedAll = searchedAll && !answers[fromHead].isError() && answers[length].integer <= 2 * mostListSearched;
    }
    if (isThere(answers[ChildrenScore])) {
        detail.job.state = JobState::WaitingChildren;
    } else if (!searchedAll) {
        detail.job.state = JobState::Waiting;
        detail.stateIsGuess = true;
    }
}

// Pairs of a cursor scan's reply: the cursor, then name and value in turn.
std::vector<std::pair<QByteArray, QByteArray>> scannedPairs(const redis::Reply &answer)
{
    std::vector<std::pair<QByteArray, QByteArray>> pairs;
    if (answer.items.size() != 2)
        return pairs;
    const std::vector<redis::Reply> &items = answer.items[1].items;
    for (size_t i = 0; i + 1 < items.size() && pairs.size() < JobDetail::mostListed; i += 2)
        pairs.emplace_back(items[i].text, items[i + 1].text);
    return pairs;
}

std::vector<QByteArray> texts(const redis::Reply &array)
{
    std::vector<QByteArray> all;
    for (const redis::Reply &item : array.items) {
        if (all.size() < JobDetail::mostListed)
            all.push_back(item.text);
    }
    return all;
}

void readChildren(const std::vector<redis::Reply> &answers, JobDetail::Children &children)
{
    children.pending = answers[Pending].integer;
    children.processed = answers[Processed].integer;
    children.ignored = answers[Ignored].integer;
    children.unsuccessful = answers[Unsuccessful].integer;
    if (answers[PendingKeys].items.size() == 2)
        children.pendingKeys = texts(answers[PendingKeys].items[1]);
    children.processedValues = scannedPairs(answers[ProcessedValues]);
    children.ignoredErrors = scannedPairs(answers[IgnoredErrors]);
    children.unsuccessfulKeys = texts(answers[UnsuccessfulKeys]);
}

void readTimes(const JobFields &fields, const std::vector<redis::Reply> &answers, JobDetail &detail)
{
    using Kind = JobDetail::Time::Kind;
    const auto add = [&](Kind kind, const QByteArray &field) {
        if (fields.contains(field))
            detail.times.push_back({kind, timeOf(fields.value(field)), field, fields.value(field)});
    };
    add(Kind::Added, "timestamp");
    add(Kind::Started, "processedOn");
    add(Kind::Finished, "finishedOn");
    if (detail.job.state == JobState::Delayed) {
        detail.job.dueAt = dueTime(answers[DelayedScore].text);
        detail.times.push_back({Kind::Due, detail.job.dueAt, "delayed", answers[DelayedScore].text});
    }
    if (detail.job.state == JobState::WaitingChildren) {
        const QByteArray score = answers[ChildrenScore].text;
        detail.times.push_back({Kind::WaitsForChildren, timeOf(score), "waiting-children", score});
    }
    if (detail.lock && detail.lock->remainingMs)
        detail.times.push_back({Kind::LockEnds, detail.serverTime + *detail.lock->remainingMs * 1000, "lock",
                                QByteArray::number(*detail.lock->remainingMs)});
}

} // namespace

JobReader::JobReader(redis::Client &client, QByteArray prefix)
    : m_client(client)
    , m_prefix(std::move(prefix))
{ }

Result<std::vector<JobSummary>> JobReader::summaries(const QByteArray &queue, JobState state,
                                                     const std::vector<JobWindow::Entry> &entries, bool withData)
{
    const QueueKeys keys(m_prefix, queue);
    QList<QByteArray> names = summaryFields();
    if (withData)
        names << "data";
    std::vector<redis::Command> commands;
    for (const JobWindow::Entry &entry : entries) {
        commands.push_back(redis::Command{"HMGET", keys.key(entry.id)} + names);
        if (state == JobState::Active)
            commands.push_back({"EXISTS", keys.key(entry.id + ":lock")});
    }
    auto answers = m_client.exchange(commands, callLimit);
    if (!answers)
        return fail(answers.error());
    std::vector<JobSummary> jobs;
    size_t next = 0;
    for (const JobWindow::Entry &entry : entries) {
        const JobFields fields = fieldsOf(names, (*answers)[next++]);
        JobSummary job = summaryOf(fields);
        job.id = entry.id;
        job.state = state;
        job.gone = fields.isEmpty();
        job.failedReason.truncate(JobSummary::mostErrorText);
        job.data = fields.value("data");
        if (state == JobState::Delayed)
            job.dueAt = dueTime(entry.score);
        if (state == JobState::Active)
            job.locked = (*answers)[next++].integer == 1;
        jobs.push_back(std::move(job));
    }
    return jobs;
}

Result<JobPage> JobReader::page(const JobPageRequest &request)
{
    if (request.offset < 0 || request.limit < 1 || request.limit > 1000)
        return fail(ErrorCode::BadInput, Text::tr("A page of jobs begins at 0 or later and has 1 to 1000 jobs."));
    auto time = m_client.exchange(redis::Command{"TIME"}, callLimit);
    if (!time)
        return fail(time.error());
    auto window = readWindow(m_client, m_prefix, request.queue, request.state, request.offset, request.limit,
                             request.oldestFirst);
    if (!window)
        return fail(window.error());
    auto jobs = summaries(request.queue, request.state, window->entries, request.withData);
    if (!jobs)
        return fail(jobs.error());
    return JobPage{std::move(*jobs), window->total, microsOf(*time)};
}

Result<JobDetail> JobReader::detail(const QByteArray &queue, const QByteArray &id)
{
    const QueueKeys keys(m_prefix, queue);
    auto answers = m_client.exchange(questionsAbout(keys, id), callLimit);
    if (!answers)
        return fail(answers.error());
    const redis::Reply &hash = (*answers)[Hash];
    if (hash.isError() && !hash.text.startsWith("WRONGTYPE"))
        return fail(redis::replyError(hash, m_client.endpoint().display));
    const JobFields fields = fieldsOf(hash);
    // An id such as meta or x:processed leads to a hash of the queue that is no job.
    const bool isJob = fields.contains("name") || fields.contains("data") || fields.contains("timestamp")
        || fields.contains("processedOn") || fields.contains("finishedOn");
    if (!isJob)
        return fail(ErrorCode::NotFound,
                    Text::tr("Job %1 is not in queue %2.").arg(QString::fromUtf8(id), QString::fromUtf8(queue)),
                    Text::tr("It was never added, or it is gone: removed when it finished, by a clean-up or by hand."));

    JobDetail detail;
    detail.queue = queue;
    detail.serverTime = microsOf((*answers)[Time]);
    detail.job = summaryOf(fields);
    detail.job.id = id;
    detail.job.data = fields.value("data");
    findState(*answers, detail);
    if (isThere((*answers)[LockToken])) {
        const qint64 remaining = (*answers)[LockTime].integer;
        detail.lock =
            JobDetail::Lock{(*answers)[LockToken].text, remaining >= 0 ? std::optional(remaining) : std::nullopt};
    }
    if (detail.job.state == JobState::Active)
        detail.job.locked = detail.lock.has_value();
    detail.options = fields.value("opts");
    detail.backoff = optionOf(detail.options, u"backoff");
    detail.progress = fields.value("progress");
    detail.returnValue = fields.value("returnvalue");
    detail.stackTraces = stackTracesOf(fields.value("stacktrace"));
    detail.logCount = (*answers)[LogCount].integer;
    for (const redis::Reply &line : (*answers)[Logs].items)
        detail.logs.push_back(QString::fromUtf8(line.text));
    detail.parentKey = fields.value("parentKey");
    readChildren(*answers, detail.children);
    readTimes(fields, *answers, detail);
    detail.delayMs = fields.value("delay").toLongLong();
    detail.deduplicationId = fields.value("deid");
    detail.repeatKey = fields.value("rjk");
    detail.deferredFailure = fields.value("defa");
    if (!detail.deduplicationId.isEmpty()) {
        const QByteArray key = keys.key("de:" + detail.deduplicationId);
        auto owner = m_client.exchange(std::vector<redis::Command>{{"GET", key}, {"PTTL", key}}, callLimit);
        if (!owner)
            return fail(owner.error());
        detail.deduplicationOwner = (*owner)[0].text;
        if ((*owner)[1].integer >= 0)
            detail.deduplicationRemainingMs = (*owner)[1].integer;
        if ((*owner)[0].isError())
            detail.deduplicationOwner.clear();
    }
    return detail;
}

} // namespace engine::bullmq
