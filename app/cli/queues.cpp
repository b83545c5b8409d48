// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "duration.h"
#include "table.h"
#include "target.h"

#include <engine/bullmq/inspector.h>
#include <engine/bullmq/queuetrouble.h>
#include <engine/bullmq/workergroups.h>

namespace cli {

using namespace Qt::StringLiterals;
using engine::bullmq::Inspector;
using engine::bullmq::QueueOverview;
using engine::bullmq::QueueState;
using engine::bullmq::WorkerGroupState;
using engine::bullmq::WorkerState;

namespace {

using Side = TextTable::Side;

std::optional<qint64> wide(std::optional<int> number)
{
    return number ? std::optional<qint64>(*number) : std::nullopt;
}

QString name(const QByteArray &utf8)
{
    return QString::fromUtf8(utf8);
}

QString orUnknown(std::optional<int> number)
{
    return number ? QString::number(*number) : u"unknown"_s;
}

QString age(std::optional<qint64> ms)
{
    return ms ? shortDuration(*ms) : u"-"_s;
}

QString troubleText(const QueueState &queue)
{
    if (!queue.problem.isEmpty())
        return queue.problem;
    QStringList words;
    for (const auto trouble : engine::bullmq::troublesOf(queue))
        words << QString::fromLatin1(engine::bullmq::troubleName(trouble));
    return words.join(u", ");
}

QByteArrayView groupName(const WorkerGroupState &group)
{
    return group.kind == WorkerGroupState::Kind::Mail ? "mail" : "general";
}

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
            .member("stalledIsAtLeast", queue.stalledAtLeast)
            .member("inStalledSet", queue.suspected)
            .member("schedulers", queue.schedulers)
            .member("paused", queue.paused);
    }
    json.member("workers", wide(queue.workers))
        .member("oldestWaitingMs", queue.oldestWaitingMs)
        .member("version", QByteArrayView(queue.version));
    json.key("trouble").beginArray();
    for (const auto trouble : engine::bullmq::troublesOf(queue))
        json.value(engine::bullmq::troubleName(trouble));
    json.endArray();
    if (!queue.problem.isEmpty())
        json.member("problem", queue.problem);
    json.endObject();
}

void printQueues(const std::vector<QueueState> &queues)
{
    TextTable table({{u"queue"_s, Side::Left, 48},
                     {u"waiting"_s, Side::Right},
                     {u"priority"_s, Side::Right},
                     {u"active"_s, Side::Right},
                     {u"delayed"_s, Side::Right},
                     {u"children"_s, Side::Right},
                     {u"failed"_s, Side::Right},
                     {u"completed"_s, Side::Right},
                     {u"stalled"_s, Side::Right},
                     {u"schedulers"_s, Side::Right},
                     {u"workers"_s, Side::Right},
                     {u"oldest"_s, Side::Right},
                     {u"trouble"_s}});
    for (const QueueState &queue : queues) {
        QStringList cells{name(queue.name)};
        if (queue.problem.isEmpty()) {
            for (const qint64 figure : {queue.waiting, queue.prioritized, queue.active, queue.delayed,
                                        queue.waitingChildren, queue.failed, queue.completed})
                cells << QString::number(figure);
            cells << QString::number(queue.stalled) + (queue.stalledAtLeast ? u"+"_s : QString())
                  << QString::number(queue.schedulers);
        } else {
            for (int i = 0; i < 9; ++i)
                cells << u"?"_s;
        }
        cells << orUnknown(queue.workers) << age(queue.oldestWaitingMs) << troubleText(queue);
        table.add(cells);
    }
    table.print();
}

void writeWorker(JsonWriter &json, const WorkerState &worker)
{
    json.beginObject()
        .member("queue", QByteArrayView(worker.queue))
        .member("name", QByteArrayView(worker.name))
        .member("address", QByteArrayView(worker.address))
        .member("connectedMs", worker.connectedMs)
        .member("quietMs", worker.quietMs)
        .member("waitsForJobs", worker.waits)
        .member("activeJobs", wide(worker.jobs))
        .endObject();
}

void writeWorkers(JsonWriter &json, const QueueOverview &overview)
{
    json.beginObject().key("groups").beginArray();
    for (const WorkerGroupState &group : engine::bullmq::workerGroups(overview.queues)) {
        json.beginObject()
            .member("name", groupName(group))
            .member("queues", static_cast<qint64>(group.queues.size()))
            .member("queuesWithWorkers", overview.workers ? std::optional<qint64>(group.served) : std::nullopt)
            .member("workers", wide(group.workers))
            .member("ready", group.ready)
            .member("active", group.active)
            .member("failed", group.failed)
            .member("stalled", group.stalled)
            .member("oldestWaitingMs", group.oldestWaitingMs)
            .member("unreadable", group.unreadable);
        json.key("queuesWithoutWorkers").beginArray();
        for (const QByteArray &queue : group.unserved)
            json.value(QByteArrayView(queue));
        json.endArray().endObject();
    }
    json.endArray().key("workers");
    if (!overview.workers) {
        json.null().endObject();
        return;
    }
    json.beginArray();
    for (const WorkerState &worker : *overview.workers)
        writeWorker(json, worker);
    json.endArray().endObject();
}

void printWorkers(const QueueOverview &overview)
{
    TextTable groups({{u"group"_s},
                      {u"queues"_s, Side::Right},
                      {u"workers"_s, Side::Right},
                      {u"ready"_s, Side::Right},
                      {u"active"_s, Side::Right},
                      {u"failed"_s, Side::Right},
                      {u"stalled"_s, Side::Right},
                      {u"oldest"_s, Side::Right},
                      {u"jobs but no worker"_s}});
    for (const WorkerGroupState &group : engine::bullmq::workerGroups(overview.queues)) {
        QStringList unserved;
        for (const QByteArray &queue : group.unserved)
            unserved << name(queue);
        groups.add({QString::fromLatin1(groupName(group)), QString::number(group.queues.size()),
                    group.queues.empty() && overview.workers ? u"0"_s : orUnknown(group.workers),
                    QString::number(group.ready), QString::number(group.active), QString::number(group.failed),
                    QString::number(group.stalled), age(group.oldestWaitingMs),
                    unserved.isEmpty() ? u"-"_s : unserved.join(u", ")});
    }
    groups.print();
    if (!overview.workers) {
        printNote(u"The server does not let this user list its clients, so who works is unknown."_s);
        return;
    }
    printLine({});
    TextTable workers({{u"queue"_s, Side::Left, 48},
                       {u"worker"_s, Side::Left, 32},
                       {u"address"_s},
                       {u"connected"_s, Side::Right},
                       {u"active jobs"_s, Side::Right},
                       {u"doing"_s}});
    for (const WorkerState &worker : *overview.workers)
        workers.add({name(worker.queue), worker.name.isEmpty() ? u"(no name)"_s : name(worker.name),
                     name(worker.address), shortDuration(worker.connectedMs), orUnknown(worker.jobs),
                     worker.waits ? u"has room, waits for jobs"_s
                                  : u"busy or fetching for %1"_s.arg(shortDuration(worker.quietMs))});
    workers.print();
}

} // namespace

int runQueues(const QStringList &arguments)
{
    CommandLine line(u"queues"_s, u"Shows every BullMQ queue below the prefix, or who works on them."_s,
                     CommandLine::Reach::Redis);
    line.addOption(u"workers"_s, u"Show the workers and the health of the worker groups instead."_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    auto client = target->openRedis();
    if (!client)
        return line.fail(client.error());
    Inspector inspector(**client, target->profile().queuePrefix.toUtf8());
    auto names = inspector.discover();
    if (!names)
        return line.fail(names.error());
    auto overview = inspector.overview(*names);
    if (!overview)
        return line.fail(overview.error());

    if (line.wantsJson()) {
        JsonWriter json;
        if (line.isSet(u"workers"_s)) {
            writeWorkers(json, *overview);
        } else {
            json.beginArray();
            for (const QueueState &queue : overview->queues)
                writeQueue(json, queue);
            json.endArray();
        }
        printJson(json);
    } else if (line.isSet(u"workers"_s)) {
        printWorkers(*overview);
    } else {
        printQueues(overview->queues);
    }
    return Done;
}

} // namespace cli
