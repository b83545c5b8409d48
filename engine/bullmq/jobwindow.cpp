// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobwindow.h"

#include "queuekeys.h"

#include <QCoreApplication>

#include <algorithm>

namespace engine::bullmq {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::bullmq::JobWindow)
};

constexpr std::chrono::seconds callLimit{10};

bool isMarker(const QByteArray &element)
{
    return element.startsWith("0:");
}

Result<std::vector<redis::Reply>> ask(redis::Client &client, const std::vector<redis::Command> &commands)
{
    auto answers = client.exchange(commands, callLimit);
    if (!answers)
        return answers;
    for (size_t i = 0; i < answers->size(); ++i) {
        const redis::Reply &answer = (*answers)[i];
        if (answer.isError() && answer.text.startsWith("WRONGTYPE"))
            return fail(ErrorCode::Failed,
                        Text::tr("The key %1 cannot be read: %2")
                            .arg(QString::fromUtf8(commands[i].at(1)), QString::fromUtf8(answer.text)),
                        Text::tr("Something other than BullMQ wrote this key; look at it with redis-cli."));
        if (answer.isError())
            return fail(redis::replyError(answer, client.endpoint().display));
    }
    return answers;
}

QByteArray text(qint64 number)
{
    return QByteArray::number(number);
}

Result<JobWindow> readLists(redis::Client &client, const std::vector<QByteArray> &keys, qint64 offset, int limit,
                            bool oldestFirst)
{
    std::vector<redis::Command> commands;
    for (const QByteArray &key : keys) {
        commands.push_back({"LLEN", key});
        commands.push_back({"LRANGE", key, "-2", "-1"});
    }
    auto sizes = ask(client, commands);
    if (!sizes)
        return fail(sizes.error());

    JobWindow window;
    std::vector<redis::Command> ranges;
    for (size_t i = 0; i < keys.size(); ++i) {
        // Versions 3 and 4 keep a marker at the end that runs next; it is no job and takes no place.
        const std::vector<redis::Reply> &tail = (*sizes)[2 * i + 1].items;
        const auto markers =
            std::ranges::count_if(tail, [](const redis::Reply &element) { return isMarker(element.text); });
        const qint64 count = (*sizes)[2 * i].integer - markers;
        const qint64 from = std::max<qint64>(0, offset - window.total);
        const qint64 wanted = std::min<qint64>(count, offset + limit - window.total) - from;
        window.total += count;
        if (wanted <= 0)
            continue;
        // New jobs come in at the left: counted from the right, places stay the same meanwhile.
        if (oldestFirst)
            ranges.push_back({"LRANGE", keys[i], text(-markers - from - wanted), text(-markers - from - 1)});
        else
            ranges.push_back({"LRANGE", keys[i], text(from), text(from + wanted - 1)});
    }
    auto lists = ask(client, ranges);
    if (!lists)
        return fail(lists.error());
    for (redis::Reply &list : *lists) {
        if (oldestFirst)
            std::ranges::reverse(list.items);
        for (const redis::Reply &id : list.items) {
            if (!isMarker(id.text))
                window.entries.push_back({id.text, {}});
        }
    }
    return window;
}

Result<JobWindow> readSet(redis::Client &client, const QByteArray &key, qint64 offset, int limit, bool oldestFirst)
{
    auto answers =
        ask(client,
            {{"ZCARD", key},
             {oldestFirst ? "ZRANGE" : "ZREVRANGE", key, text(offset), text(offset + limit - 1), "WITHSCORES"}});
    if (!answers)
        return fail(answers.error());
    JobWindow window;
    window.total = (*answers)[0].integer;
    const std::vector<redis::Reply> &items = (*answers)[1].items;
    for (size_t i = 0; i + 1 < items.size(); i += 2)
        window.entries.push_back({items[i].text, items[i + 1].text});
    return window;
}

} // namespace

Result<JobWindow> readWindow(redis::Client &client, const QByteArray &prefix, const QByteArray &queue, JobState state,
                             qint64 offset, int limit, bool oldestFirst)
{
    const QueueKeys keys(prefix, queue);
    switch (state) {
    case JobState::Waiting: {
        // Up to version 5 a pause turns `wait` into `paused`, whose jobs are then the older ones.
        std::vector<QByteArray> lists{keys.key("wait"), keys.key("paused")};
        if (oldestFirst)
            std::ranges::reverse(lists);
        return readLists(client, lists, offset, limit, oldestFirst);
    }
    case JobState::Active:
        return readLists(client, {keys.key("active")}, offset, limit, oldestFirst);
    case JobState::Delayed:
    case JobState::Prioritized:
    case JobState::Failed:
    case JobState::Completed:
    case JobState::WaitingChildren:
        return readSet(client, keys.key(jobStateName(state)), offset, limit, oldestFirst);
    case JobState::Unknown:
        break;
    }
    return fail(ErrorCode::BadInput, Text::tr("There is no list of jobs in an unknown state."));
}

} // namespace engine::bullmq
