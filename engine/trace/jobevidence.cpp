// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobevidence.h"
#include "traceparts.h"

#include <engine/bullmq/queuekeys.h>

#include <QJsonDocument>
#include <QJsonObject>

namespace engine::trace {

using bullmq::QueueEvent;
using bullmq::QueueKeys;

namespace {

// The database's and Redis' clocks need not agree, and a job is added a little before its row is marked.
constexpr qint64 clockMargin = 60'000'000;
constexpr int sampledEnds = 50;

// Options of a few jobs in each state; a queue's producers mostly agree.
Result<bool> optionsSayRemove(redis::Client &client, const QueueKeys &keys)
{
    auto ids = client.exchange(std::vector<redis::Command>{{"ZRANGE", keys.key("completed"), "0", "4"},
                                                           {"ZRANGE", keys.key("failed"), "0", "4"},
                                                           {"ZRANGE", keys.key("delayed"), "0", "4"},
                                                           {"LRANGE", keys.key("wait"), "0", "4"},
                                                           {"LRANGE", keys.key("active"), "0", "4"}},
                               callLimit);
    if (!ids)
        return fail(ids.error());
    std::vector<redis::Command> questions;
    for (const redis::Reply &reply : *ids) {
        for (const redis::Reply &id : reply.items)
            questions.push_back({"HGET", keys.key(id.text), "opts"});
    }
    auto options = client.exchange(questions, callLimit);
    if (!options)
        return fail(options.error());
    for (const redis::Reply &reply : *options) {
        const QJsonValue remove =
            QJsonDocument::fromJson(reply.text).object().value(QLatin1StringView("removeOnComplete"));
        if (!remove.isUndefined() && !remove.isNull() && remove != QJsonValue(false))
            return true;
    }
    return false;
}

} // namespace

Result<QueueMemory> QueueMemory::read(redis::Client &client, const QByteArray &prefix, const QByteArray &queue,
                                      qint64 since)
{
    auto window = bullmq::readEvents(client, prefix, queue, since - clockMargin);
    if (!window)
        return fail(window.error());
    QueueMemory memory;
    memory.m_knownFrom = window->knownFrom;
    memory.m_cutShort = window->cutShort;
    std::vector<QByteArray> completed; // oldest first: a queue that keeps the last thousand has dropped these
    for (const QueueEvent &event : window->events) {
        End &end = memory.m_ends[event.jobId];
        const bool isEnd = event.kind == "completed" || event.kind == "failed" || event.kind == "removed";
        if (isEnd)
            end = {event.kind, event.at};
        else if (event.kind != "duplicated" && event.kind != "deduplicated" && event.kind != "debounced")
            end = {"added", event.at}; // running again, if it had ended before
        if (event.kind == "completed" && completed.size() < sampledEnds)
            completed.push_back(event.jobId);
    }

    const QueueKeys keys(prefix, queue);
    std::vector<redis::Command> questions;
    for (const QByteArray &id : completed) {
        if (memory.m_ends.value(id).kind == "completed")
            questions.push_back({"EXISTS", keys.key(id)});
    }
    auto kept = client.exchange(questions, callLimit);
    if (!kept)
        return fail(kept.error());
    for (const redis::Reply &reply : *kept)
        memory.m_removesFinished = memory.m_removesFinished || (!reply.isError() && reply.integer == 0);
    if (!memory.m_removesFinished) {
        auto removes = optionsSayRemove(client, keys);
        if (!removes)
            return fail(removes.error());
        memory.m_removesFinished = *removes;
    }
    return memory;
}

Absence QueueMemory::explain(const QByteArray &jobId, qint64 handedOverAt) const
{
    Absence absence;
    absence.eventsReachBack = m_knownFrom && *m_knownFrom <= handedOverAt - clockMargin;
    if (const auto end = m_ends.constFind(jobId); end != m_ends.constEnd()) {
        absence.wasAdded = true;
        if (end->kind == "completed" || end->kind == "failed") {
            absence.kind = Absence::Kind::RemovedWhenFinished;
            absence.failed = end->kind == "failed";
            absence.at = end->at;
        } else if (end->kind == "removed") {
            absence.kind = Absence::Kind::RemovedByHand;
            absence.at = end->at;
        }
    } else if (!absence.eventsReachBack && m_removesFinished) {
        absence.kind = Absence::Kind::LikelyRemoved;
    }
    return absence;
}

} // namespace engine::trace
