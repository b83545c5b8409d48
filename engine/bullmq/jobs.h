// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace engine::bullmq {

enum class JobState { Waiting, Active, Delayed, Prioritized, Failed, Completed, WaitingChildren, Unknown };

// As BullMQ says it: waiting, active, ..., waiting-children, unknown.
[[nodiscard]] QByteArrayView jobStateName(JobState state);
// Nothing: no such state, unknown included.
[[nodiscard]] std::optional<JobState> jobStateFrom(QByteArrayView name);
// All but Unknown, in the order a job usually goes through them.
[[nodiscard]] const QList<JobState> &jobStates();

// A job as lists show it. Points in time are microseconds since 1970 UTC, by the clock of the program that wrote them.
struct JobSummary
{
    QByteArray id;
    QByteArray name;
    JobState state = JobState::Unknown;
    bool gone = false; // the id stands in the list, the job itself is no longer there
    int attemptsMade = 0; // concluded; BullMQ 3 and 4 count starts
    std::optional<int> attemptsStarted; // from version 5 on
    std::optional<int> mostAttempts; // absent: the options do not say, which means one
    int stalls = 0; // times it was taken from a dead worker
    int priority = 0;
    QString failedReason; // of the latest failed attempt; cut at mostErrorText characters in lists
    std::optional<qint64> addedAt;
    std::optional<qint64> startedAt; // the latest attempt
    std::optional<qint64> finishedAt;
    std::optional<qint64> dueAt; // of a delayed job
    std::optional<bool> locked; // of an active job: whether a worker still holds it
    QByteArray worker; // the name of the worker that took it last, if it has one
    QByteArray data; // as stored; empty unless asked for

    static constexpr qsizetype mostErrorText = 2000;
};

struct JobPageRequest
{
    QByteArray queue;
    JobState state = JobState::Failed;
    qint64 offset = 0; // jobs to leave out, from the chosen end
    int limit = 100; // 1..1000
    bool oldestFirst = false; // waiting: next to run first; delayed: due soonest first; prioritized: most urgent first
    bool withData = false;

    friend bool operator==(const JobPageRequest &, const JobPageRequest &) = default;
};

struct JobPage
{
    std::vector<JobSummary> jobs;
    qint64 total = 0; // jobs in that state now
    qint64 serverTime = 0; // microseconds since 1970 UTC
};

// One job with everything that Redis still knows about it.
struct JobDetail
{
    // A time and the field it comes from. `text` is what the field holds where that is no time.
    struct Time
    {
        enum class Kind { Added, Started, Finished, Due, WaitsForChildren, LockEnds };
        Kind kind = Kind::Added;
        std::optional<qint64> at;
        QByteArray source;
        QByteArray text;
    };
    // Children of a flow. At most mostListed of each kind are named.
    struct Children
    {
        qint64 pending = 0;
        qint64 processed = 0;
        qint64 ignored = 0; // failed without failing the parent
        qint64 unsuccessful = 0; // failed and fail the parent
        std::vector<QByteArray> pendingKeys; // full keys
        std::vector<std::pair<QByteArray, QByteArray>> processedValues; // full key, return value as JSON
        std::vector<std::pair<QByteArray, QByteArray>> ignoredErrors; // full key, error text
        std::vector<QByteArray> unsuccessfulKeys;
        [[nodiscard]] qint64 total() const { return pending + processed + ignored + unsuccessful; }
    };
    struct Lock
    {
        QByteArray token; // <worker's number>:<its counter>
        std::optional<qint64> remainingMs; // absent: it has no end
    };

    QByteArray queue;
    JobSummary job; // with data and the whole error
    bool stateIsGuess = false; // its list is too long to be searched; no other place has it
    std::optional<qint64> position; // jobs that run before it, where that is known
    QByteArray options; // JSON as stored
    QByteArray progress; // JSON
    QByteArray returnValue; // JSON; empty: there is none
    std::vector<QString> stackTraces; // newest first
    std::vector<QString> logs; // oldest first; the last mostLogs
    qint64 logCount = 0;
    QByteArray parentKey; // full key; empty: no parent
    Children children;
    std::optional<Lock> lock;
    std::vector<Time> times;
    qint64 delayMs = 0;
    QByteArray backoff; // JSON of the option
    QByteArray deduplicationId;
    QByteArray deduplicationOwner; // the job that holds the id now
    std::optional<qint64> deduplicationRemainingMs;
    QByteArray repeatKey; // of the scheduler that made it
    QByteArray deferredFailure; // the next worker that takes it fails it with this text
    qint64 serverTime = 0;

    static constexpr int mostLogs = 1000;
    static constexpr int mostListed = 200;
};

} // namespace engine::bullmq
