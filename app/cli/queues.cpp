// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "target.h"

#include <engine/bullmq/inspector.h>

namespace cli {

using namespace Qt::StringLiterals;
using engine::bullmq::QueueState;

namespace {

void writeQueue(JsonWriter &json, const QueueState &queue)
{
    json.beginObject().member("name", QByteArrayView(queue.name));
    if (queue.problem.isEmpty()) {
        json.member("waiting", queue.waiting)
            .member("active", queue.active)
            .member("delayed", queue.delayed)
            .member("prioritized", queue.prioritized)
            .member("failed", queue.failed)
            .member("completed", queue.completed)
            .member("waitingChildren", queue.waitingChildren)
            .member("stalled", queue.stalled)
            .member("paused", queue.paused);
    }
    json.member("workers", queue.workers ? std::optional<qint64>(*queue.workers) : std::nullopt)
        .member("oldestWaitingMs", queue.oldestWaitingMs)
        .member("version", QByteArrayView(queue.version));
    if (!queue.problem.isEmpty())
        json.member("problem", queue.problem);
    json.endObject();
}

} // namespace

int runQueues(const QStringList &arguments)
{
    CommandLine line(u"queues"_s, u"Shows every BullMQ queue below the prefix."_s, CommandLine::Reach::Redis);
    if (const auto exit = line.parse(arguments))
        return *exit;
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto client = target->openRedis();
    if (!client)
        return line.fail(client.error());
    auto queues = engine::bullmq::Inspector(**client, target->profile().queuePrefix.toUtf8()).queues();
    if (!queues)
        return line.fail(queues.error());

    if (line.wantsJson()) {
        JsonWriter json;
        json.beginArray();
        for (const QueueState &queue : *queues)
            writeQueue(json, queue);
        printJson(json.endArray());
        return Done;
    }
    printLine(u"%1 %2 %3 %4 %5 %6 %7 %8"_s.arg(u"queue"_s, -36)
                  .arg(u"waiting"_s, 9)
                  .arg(u"active"_s, 9)
                  .arg(u"delayed"_s, 9)
                  .arg(u"failed"_s, 9)
                  .arg(u"completed"_s, 10)
                  .arg(u"stalled"_s, 9)
                  .arg(u"workers"_s, 9));
    for (const QueueState &queue : *queues) {
        if (!queue.problem.isEmpty()) {
            printLine(u"%1 %2"_s.arg(QString::fromUtf8(queue.name), -36).arg(queue.problem));
            continue;
        }
        printLine(u"%1 %2 %3 %4 %5 %6 %7 %8%9"_s.arg(QString::fromUtf8(queue.name), -36)
                      .arg(queue.waiting + queue.prioritized, 9)
                      .arg(queue.active, 9)
                      .arg(queue.delayed, 9)
                      .arg(queue.failed, 9)
                      .arg(queue.completed, 10)
                      .arg(queue.stalled, 9)
                      .arg(queue.workers ? QString::number(*queue.workers) : u"unknown"_s, 9)
                      .arg(queue.paused ? u"  paused"_s : QString()));
    }
    return Done;
}

} // namespace cli
