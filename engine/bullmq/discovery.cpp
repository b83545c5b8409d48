// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "discovery.h"

#include "queuekeys.h"

#include <QElapsedTimer>
#include <QMap>

#include <algorithm>

namespace engine::bullmq {

namespace {

constexpr std::chrono::seconds callLimit{10};

// The keys that give a queue away, and what they hold. Most queues have a meta hash; one that only workers or flows of
// version 3 touched has some of the others. A job's own hash may end in any of these words, so the type decides.
const QMap<QByteArray, QByteArray> &tellingKeys()
{
    static const QMap<QByteArray, QByteArray> keys{
        {"meta", "hash"},   {"id", "string"},    {"stalled-check", "string"}, {"events", "stream"},
        {"wait", "list"},   {"paused", "list"},  {"active", "list"},          {"completed", "zset"},
        {"failed", "zset"}, {"delayed", "zset"}, {"prioritized", "zset"},
    };
    return keys;
}

// Matches every suffix above and few job ids; one pattern, because each one costs a pass over the key space.
constexpr const char *lastLetters = "[ticev][adkste]";

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

} // namespace

Discovery::Discovery(redis::Client &client, QByteArray prefix)
    : m_client(client)
    , m_prefix(std::move(prefix))
{ }

Result<void> Discovery::tryFirst(const std::vector<QByteArray> &names)
{
    std::vector<Trace> traces;
    for (const QByteArray &name : names) {
        for (const char *suffix : {"meta", "id", "events", "stalled-check", "wait", "active"})
            traces.push_back({name, suffix});
    }
    return judge(traces);
}

Result<void> Discovery::step(std::chrono::milliseconds budget)
{
    QElapsedTimer timer;
    timer.start();
    const qsizetype from = m_prefix.size() + 1;
    do {
        if (m_complete)
            return {};
        auto reply = m_client.exchange(
            redis::Command{"SCAN", m_cursor, "MATCH", escapedPattern(m_prefix) + ":*:*" + lastLetters, "COUNT", "2000"},
            callLimit);
        if (!reply)
            return fail(reply.error());
        if (reply->isError())
            return fail(redis::replyError(*reply, m_client.endpoint().display));
        std::vector<Trace> traces;
        for (const redis::Reply &key : reply->items[1].items) {
            const qsizetype colon = key.text.lastIndexOf(':');
            const QByteArray name = key.text.mid(from, colon - from);
            const QByteArray suffix = key.text.mid(colon + 1);
            if (colon > from && tellingKeys().contains(suffix) && !m_certain.contains(name))
                traces.push_back({name, suffix});
        }
        if (auto judged = judge(traces); !judged)
            return judged;
        // Only now: a step that failed is done again.
        m_cursor = reply->items[0].text;
        m_complete = m_cursor == "0";
    } while (timer.elapsed() < budget.count());
    return {};
}

Result<void> Discovery::judge(const std::vector<Trace> &traces)
{
    if (traces.empty())
        return {};
    std::vector<redis::Command> commands;
    for (const Trace &trace : traces) {
        const QByteArray key = QueueKeys(m_prefix, trace.queue).key(trace.suffix);
        if (trace.suffix == "meta")
            commands.push_back({"HMGET", key, "data", "opts.maxLenEvents", "version", "paused"});
        else
            commands.push_back({"TYPE", key});
    }
    auto answers = m_client.exchange(commands, callLimit);
    if (!answers)
        return fail(answers.error());
    for (size_t i = 0; i < traces.size(); ++i) {
        const Trace &trace = traces[i];
        const redis::Reply &answer = (*answers)[i];
        if (trace.suffix == "meta") {
            // A job whose id ends in :meta has such a hash too; a queue's holds settings and no data.
            const std::vector<redis::Reply> &fields = answer.items;
            if (fields.size() == 4 && fields[0].isNil()
                && !(fields[1].isNil() && fields[2].isNil() && fields[3].isNil()))
                m_certain.insert(trace.queue);
        } else if (answer.text == tellingKeys().value(trace.suffix)) {
            (trace.suffix == "id" ? m_counterOnly : m_certain).insert(trace.queue);
        }
    }
    return {};
}

std::vector<QByteArray> Discovery::names() const
{
    QSet<QByteArray> names = m_certain;
    for (const QByteArray &name : m_counterOnly) {
        // A deduplication id that ends in :id is a string as well: <queue>:de:<something>:id.
        const qsizetype at = name.indexOf(":de:");
        if (at < 0 || !(m_certain.contains(name.first(at)) || m_counterOnly.contains(name.first(at))))
            names.insert(name);
    }
    std::vector<QByteArray> sorted(names.cbegin(), names.cend());
    std::ranges::sort(sorted);
    return sorted;
}

} // namespace engine::bullmq
