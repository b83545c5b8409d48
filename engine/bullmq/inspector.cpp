// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspector.h"

#include "queuekeys.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include <algorithm>

namespace engine::bullmq {

namespace {

constexpr std::chrono::seconds callLimit{10};
constexpr int mostActiveLooked = 1000; // far above any real concurrency; keeps the reply bounded

QByteArray escapedPattern(const QByteArray &text)
{
    QByteArray escaped;
    for (const char c : text) {
        if (QByteArrayView("*?[]\\").contains(c))
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

bool isMarker(const QByteArray &element)
{
    return element.startsWith("0:");
}

// The questions of one queue, in this order in the pipeline.
enum Question {
    WaitLength,
    PausedLength,
    WaitHead,
    PausedHead,
    ActiveLength,
    Delayed,
    Prioritized,
    Failed,
    Completed,
    WaitingChildren,
    Meta,
    ActiveIds,
    QuestionCount
};

std::vector<redis::Command> questionsAbout(const QueueKeys &keys)
{
    // The head of a list, the element that runs next, is its last one; a marker element stands there too.
    return {{"LLEN", keys.key("wait")},
            {"LLEN", keys.key("paused")},
            {"LRANGE", keys.key("wait"), "-2", "-1"},
            {"LRANGE", keys.key("paused"), "-2", "-1"},
            {"LLEN", keys.key("active")},
            {"ZCARD", keys.key("delayed")},
            {"ZCARD", keys.key("prioritized")},
            {"ZCARD", keys.key("failed")},
            {"ZCARD", keys.key("completed")},
            {"ZCARD", keys.key("waiting-children")},
            {"HMGET", keys.key("meta"), "paused", "version"},
            {"LRANGE", keys.key("active"), "0", QByteArray::number(mostActiveLooked - 1)}};
}

struct QueueHead
{
    QByteArray oldestId; // the job that runs next; empty: none
    std::vector<QByteArray> activeIds;
};

void readList(const redis::Reply &length, const redis::Reply &head, QueueState &state, QueueHead &queueHead)
{
    state.waiting += length.integer;
    for (auto element = head.items.crbegin(); element != head.items.crend(); ++element) {
        if (isMarker(element->text))
            --state.waiting;
        else if (queueHead.oldestId.isEmpty())
            queueHead.oldestId = element->text;
    }
}

QueueHead readAnswers(std::span<const redis::Reply> answers, QueueState &state)
{
    QueueHead head;
    for (const redis::Reply &answer : answers) {
        if (answer.isError()) {
            state.problem = QString::fromUtf8(answer.text);
            return head;
        }
    }
    readList(answers[WaitLength], answers[WaitHead], state, head);
    readList(answers[PausedLength], answers[PausedHead], state, head);
    state.active = answers[ActiveLength].integer;
    state.delayed = answers[Delayed].integer;
    state.prioritized = answers[Prioritized].integer;
    state.failed = answers[Failed].integer;
    state.completed = answers[Completed].integer;
    state.waitingChildren = answers[WaitingChildren].integer;
    state.paused = !answers[Meta].items[0].isNil();
    state.version = answers[Meta].items[1].text.mid(answers[Meta].items[1].text.indexOf(':') + 1);
    for (const redis::Reply &id : answers[ActiveIds].items) {
        if (!isMarker(id.text))
            head.activeIds.push_back(id.text);
    }
    return head;
}

// Workers name their blocking connection <prefix>:<base64 of the queue name>, from version 5 on with :w:<name> behind.
std::optional<QHash<QByteArray, int>> countWorkers(const redis::Reply &clientList, const QByteArray &prefix)
{
    if (clientList.isError())
        return std::nullopt;
    QHash<QByteArray, int> workers;
    for (const QByteArray &line : clientList.text.split('\n')) {
        const qsizetype at = line.indexOf(" name=" + prefix + ':');
        if (at < 0)
            continue;
        const qsizetype from = at + 7 + prefix.size();
        const QByteArray name = line.mid(from, line.indexOf(' ', from) - from);
        const qsizetype colon = name.indexOf(':');
        if (colon >= 0 && !name.mid(colon).startsWith(":w:"))
            continue; // QueueEvents, for one
        ++workers[QByteArray::fromBase64(colon < 0 ? name : name.first(colon))];
    }
    return workers;
}

} // namespace

Inspector::Inspector(redis::Client &client, QByteArray prefix)
    : m_client(client)
    , m_prefix(std::move(prefix))
{ }

Result<std::vector<QByteArray>> Inspector::discover()
{
    // Most queues have a meta hash; a queue that only workers or flows of version 3 touched has one of the others.
    const QList<std::pair<QByteArray, QByteArray>> traces{
        {"meta", "hash"}, {"id", "string"}, {"stalled-check", "string"}};
    QSet<QByteArray> names;
    std::vector<QByteArray> metaOnly;
    for (const auto &[suffix, type] : traces) {
        QByteArray cursor = "0";
        do {
            auto reply =
                m_client.exchange(redis::Command{"SCAN", cursor, "MATCH", escapedPattern(m_prefix) + ":*:" + suffix,
                                                 "COUNT", "1000", "TYPE", type},
                                  callLimit);
            if (!reply)
                return fail(reply.error());
            if (reply->isError())
                return fail(redis::replyError(*reply, m_client.endpoint().display));
            cursor = reply->items[0].text;
            for (const redis::Reply &key : reply->items[1].items) {
                const qsizetype from = m_prefix.size() + 1;
                const QByteArray name = key.text.mid(from, key.text.size() - from - suffix.size() - 1);
                if (suffix == "meta")
                    metaOnly.push_back(name);
                else
                    names.insert(name);
            }
        } while (cursor != "0");
    }

    // A job whose id ends in :meta has such a hash too; a queue's holds settings and no data.
    std::vector<redis::Command> commands;
    for (const QByteArray &name : metaOnly)
        commands.push_back(
            {"HMGET", QueueKeys(m_prefix, name).key("meta"), "data", "opts.maxLenEvents", "version", "paused"});
    auto settings = m_client.exchange(commands, callLimit);
    if (!settings)
        return fail(settings.error());
    for (size_t i = 0; i < metaOnly.size(); ++i) {
        const std::vector<redis::Reply> &fields = (*settings)[i].items;
        if (fields.size() == 4 && fields[0].isNil() && !(fields[1].isNil() && fields[2].isNil() && fields[3].isNil()))
            names.insert(metaOnly[i]);
    }
    std::vector<QByteArray> sorted(names.cbegin(), names.cend());
    std::ranges::sort(sorted);
    return sorted;
}

Result<std::vector<QueueState>> Inspector::states(const std::vector<QByteArray> &names)
{
    std::vector<redis::Command> commands{{"TIME"}, {"CLIENT", "LIST"}};
    for (const QByteArray &name : names) {
        for (redis::Command &question : questionsAbout(QueueKeys(m_prefix, name)))
            commands.push_back(std::move(question));
    }
    auto answers = m_client.exchange(commands, callLimit);
    if (!answers)
        return fail(answers.error());
    const redis::Reply &time = (*answers)[0];
    if (time.isError())
        return fail(redis::replyError(time, m_client.endpoint().display));
    const qint64 now = time.items[0].text.toLongLong() * 1000 + time.items[1].text.toLongLong() / 1000;
    const auto workers = countWorkers((*answers)[1], m_prefix);

    // A second round for what hangs on the first: the oldest job's time, and which active jobs still have a lock.
    std::vector<QueueState> states;
    std::vector<QueueHead> heads;
    std::vector<redis::Command> followUps;
    for (size_t i = 0; i < names.size(); ++i) {
        QueueState state;
        state.name = names[i];
        heads.push_back(readAnswers(std::span(*answers).subspan(2 + i * QuestionCount, QuestionCount), state));
        if (workers)
            state.workers = workers->value(names[i], 0);
        states.push_back(std::move(state));
        const QueueKeys keys(m_prefix, names[i]);
        if (!heads.back().oldestId.isEmpty())
            followUps.push_back({"HGET", keys.key(heads.back().oldestId), "timestamp"});
        for (const QByteArray &id : heads.back().activeIds)
            followUps.push_back({"EXISTS", keys.key(id + ":lock")});
    }
    auto details = m_client.exchange(followUps, callLimit);
    if (!details)
        return fail(details.error());
    size_t next = 0;
    for (size_t i = 0; i < states.size(); ++i) {
        if (!heads[i].oldestId.isEmpty()) {
            bool isNumber = false;
            const qint64 timestamp = (*details)[next++].text.toLongLong(&isNumber);
            if (isNumber)
                states[i].oldestWaitingMs = std::max<qint64>(0, now - timestamp);
        }
        for (size_t id = 0; id < heads[i].activeIds.size(); ++id) {
            if ((*details)[next++].integer == 0)
                ++states[i].stalled;
        }
    }
    return states;
}

Result<bool> Inspector::hasJob(const QByteArray &queue, const QByteArray &jobId)
{
    auto reply = m_client.exchange(redis::Command{"HEXISTS", QueueKeys(m_prefix, queue).key(jobId), "name"}, callLimit);
    if (!reply)
        return fail(reply.error());
    if (reply->isError())
        return fail(redis::replyError(*reply, m_client.endpoint().display));
    return reply->integer == 1;
}

Result<std::vector<QueueState>> Inspector::queues()
{
    auto names = discover();
    if (!names)
        return fail(names.error());
    return states(*names);
}

} // namespace engine::bullmq
