// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "failures.h"

#include "queuekeys.h"

namespace engine::bullmq {

namespace {

constexpr std::chrono::seconds callLimit{5};

} // namespace

Result<QHash<QByteArray, qint64>> failedWithin(redis::Client &client, const QByteArray &prefix,
                                               const std::vector<QByteArray> &queues, std::chrono::milliseconds span)
{
    auto time = client.exchange(redis::Command{"TIME"}, callLimit);
    if (!time)
        return fail(time.error());
    if (time->isError())
        return fail(redis::replyError(*time, client.endpoint().display));
    // The set's scores are the times at which the jobs failed.
    const qint64 now = time->items[0].text.toLongLong() * 1000 + time->items[1].text.toLongLong() / 1000;
    std::vector<redis::Command> commands;
    for (const QByteArray &queue : queues)
        commands.push_back({"ZCOUNT", QueueKeys(prefix, queue).key("failed"),
                            QByteArray::number(qlonglong(now - span.count())), "+inf"});
    auto answers = client.exchange(commands, callLimit);
    if (!answers)
        return fail(answers.error());
    QHash<QByteArray, qint64> failed;
    for (size_t i = 0; i < queues.size(); ++i) {
        if (!(*answers)[i].isError())
            failed.insert(queues[i], (*answers)[i].integer);
    }
    return failed;
}

} // namespace engine::bullmq
