// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobjson.h"

#include "documents.h"
#include "times.h"

namespace cli {

using engine::bullmq::JobDetail;
using engine::bullmq::JobSummary;

namespace {

void writeTime(JsonWriter &json, QByteArrayView name, std::optional<qint64> micros)
{
    json.key(name);
    if (micros)
        json.value(isoTime(micros));
    else
        json.null();
}

void writeMembers(JsonWriter &json, const JobSummary &job)
{
    const auto wide = [](std::optional<int> number) { return number ? std::optional<qint64>(*number) : std::nullopt; };
    json.member("id", QByteArrayView(job.id))
        .member("name", QByteArrayView(job.name))
        .member("state", jobStateName(job.state))
        .member("attemptsMade", job.attemptsMade)
        .member("attemptsStarted", wide(job.attemptsStarted))
        .member("attempts", job.mostAttempts.value_or(1))
        .member("failedReason", job.failedReason)
        .member("priority", job.priority)
        .member("stalledCount", job.stalls)
        .member("processedBy", QByteArrayView(job.worker));
    writeTime(json, "timestamp", job.addedAt);
    writeTime(json, "processedOn", job.startedAt);
    writeTime(json, "finishedOn", job.finishedAt);
    writeTime(json, "dueAt", job.dueAt);
    json.key("locked");
    if (job.locked)
        json.value(*job.locked);
    else
        json.null();
}

QByteArrayView timeName(JobDetail::Time::Kind kind)
{
    using Kind = JobDetail::Time::Kind;
    switch (kind) {
    case Kind::Added:
        return "added";
    case Kind::Started:
        return "started";
    case Kind::Finished:
        return "finished";
    case Kind::Due:
        return "due";
    case Kind::WaitsForChildren:
        return "waits-for-children-since";
    case Kind::LockEnds:
        return "lock-ends";
    }
    return {};
}

void writeKeys(JsonWriter &json, QByteArrayView name, const std::vector<QByteArray> &keys)
{
    json.key(name).beginArray();
    for (const QByteArray &key : keys)
        json.value(QByteArrayView(key));
    json.endArray();
}

void writeChildren(JsonWriter &json, const JobDetail::Children &children)
{
    json.key("children").beginObject();
    json.member("pendingCount", children.pending)
        .member("processedCount", children.processed)
        .member("ignoredCount", children.ignored)
        .member("unsuccessfulCount", children.unsuccessful);
    writeKeys(json, "pending", children.pendingKeys);
    json.key("processed").beginObject();
    for (const auto &[key, value] : children.processedValues)
        json.key(key).stored(value);
    json.endObject().key("ignored").beginObject();
    for (const auto &[key, error] : children.ignoredErrors)
        json.member(key, QByteArrayView(error));
    json.endObject();
    writeKeys(json, "unsuccessful", children.unsuccessfulKeys);
    json.endObject();
}

} // namespace

void writeJob(JsonWriter &json, const JobSummary &job)
{
    json.beginObject();
    writeMembers(json, job);
    if (job.gone)
        json.member("gone", true);
    writeStored(json, "data", job.data);
    json.endObject();
}

void writeJobDetail(JsonWriter &json, const JobDetail &detail)
{
    json.beginObject().member("queue", QByteArrayView(detail.queue));
    writeMembers(json, detail.job);
    json.member("stateIsGuess", detail.stateIsGuess).member("jobsBefore", detail.position);
    writeStored(json, "data", detail.job.data);
    writeStored(json, "opts", detail.options);
    writeStored(json, "progress", detail.progress);
    writeStored(json, "returnvalue", detail.returnValue);
    json.key("stacktrace").beginArray(); // newest first
    for (const QString &trace : detail.stackTraces)
        json.value(trace);
    json.endArray().member("logCount", detail.logCount).key("logs").beginArray();
    for (const QString &log : detail.logs)
        json.value(log);
    json.endArray();
    json.member("parentKey", QByteArrayView(detail.parentKey));
    writeChildren(json, detail.children);
    json.key("lock");
    if (detail.lock)
        json.beginObject()
            .member("token", QByteArrayView(detail.lock->token))
            .member("remainingMs", detail.lock->remainingMs)
            .endObject();
    else
        json.null();
    json.key("times").beginArray();
    for (const JobDetail::Time &time : detail.times) {
        json.beginObject().member("what", timeName(time.kind));
        writeTime(json, "at", time.at);
        json.member("source", QByteArrayView(time.source)).member("stored", QByteArrayView(time.text)).endObject();
    }
    json.endArray()
        .member("delayMs", detail.delayMs)
        .member("deduplicationId", QByteArrayView(detail.deduplicationId))
        .member("deduplicationOwner", QByteArrayView(detail.deduplicationOwner))
        .member("deduplicationRemainingMs", detail.deduplicationRemainingMs)
        .member("repeatJobKey", QByteArrayView(detail.repeatKey))
        .member("deferredFailure", QByteArrayView(detail.deferredFailure))
        .endObject();
}

} // namespace cli
