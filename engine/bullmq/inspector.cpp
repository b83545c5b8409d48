// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inspector.h"

#include "discovery.h"
#include "queuekeys.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <iterator>

namespace engine::bullmq {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::bullmq::Inspector)
};

constexpr std::chrono::seconds callLimit{10};
constexpr int mostActiveLooked = 1000; // far above any usual concurrency; keeps commands and replies bounded
constexpr size_t mostNamesLooked = 200; // active jobs that are asked for their worker's name
constexpr int headsLooked = 5; // of each list: with lifo jobs and retries the next to run is not always the oldest

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
    PriorityHead,
    ActiveLength,
    Delayed,
    Prioritized,
    Failed,
    Completed,
    WaitingChildren,
    StalledSet,
    Repeat,
    Meta,
    ActiveIds,
    QuestionCount
};

std::vector<redis::Command> questionsAbout(const QueueKeys &keys)
{
    // The head of a list, the element that runs next, is its last one; a marker element stands there too.
    const QByteArray heads = QByteArray::number(-headsLooked - 1);
    return {{"LLEN", keys.key("wait")},
            {"LLEN", keys.key("paused")},
            {"LRANGE", keys.key("wait"), heads, "-1"},
            {"LRANGE", keys.key("paused"), heads, "-1"},
            {"ZRANGE", keys.key("prioritized"), "0", "0"},
            {"LLEN", keys.key("active")},
            {"ZCARD", keys.key("delayed")},
            {"ZCARD", keys.key("prioritized")},
            {"ZCARD", keys.key("failed")},
            {"ZCARD", keys.key("completed")},
            {"ZCARD", keys.key("waiting-children")},
            {"SCARD", keys.key("stalled")},
            {"ZCARD", keys.key("repeat")},
            {"HMGET", keys.key("meta"), "paused", "version"},
            {"LRANGE", keys.key("active"), "0", QByteArray::number(mostActiveLooked - 1)}};
}

// What the first answers ask further: which jobs may be the oldest, which are active.
struct Leads
{
    std::vector<QByteArray> heads;
    std::vector<QByteArray> activeIds;
    bool wantsNames = false; // a worker of this queue has a name
};

// Markers stand at the end where the next job is taken; at most one, but nothing is lost by looking at all.
void readList(const redis::Reply &length, const redis::Reply &head, QueueState &state, Leads &leads)
{
    state.waiting += length.integer;
    for (const redis::Reply &element : head.items) {
        if (isMarker(element.text))
            --state.waiting;
        else
            leads.heads.push_back(element.text);
    }
}

QString problemOf(const redis::Command &question, const redis::Reply &answer)
{
    return Text::tr("The key %1 cannot be read: %2")
        .arg(QString::fromUtf8(question.at(1)), QString::fromUtf8(answer.text));
}

Leads readAnswers(std::span<const redis::Command> questions, std::span<const redis::Reply> answers, QueueState &state)
{
    Leads leads;
    for (size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].isError()) {
            state.problem = problemOf(questions[i], answers[i]);
            return leads;
        }
    }
    readList(answers[WaitLength], answers[WaitHead], state, leads);
    readList(answers[PausedLength], answers[PausedHead], state, leads);
    for (const redis::Reply &id : answers[PriorityHead].items)
        leads.heads.push_back(id.text);
    state.active = answers[ActiveLength].integer;
    state.delayed = answers[Delayed].integer;
    state.prioritized = answers[Prioritized].integer;
    state.failed = answers[Failed].integer;
    state.completed = answers[Completed].integer;
    state.waitingChildren = answers[WaitingChildren].integer;
    state.suspected = answers[StalledSet].integer;
    state.schedulers = answers[Repeat].integer;
    state.paused = !answers[Meta].items[0].isNil();
    state.version = answers[Meta].items[1].text.mid(answers[Meta].items[1].text.indexOf(':') + 1);
    for (const redis::Reply &id : answers[ActiveIds].items) {
        if (!isMarker(id.text))
            leads.activeIds.push_back(id.text);
    }
    state.stalledAtLeast = state.active > static_cast<qint64>(answers[ActiveIds].items.size());
    return leads;
}

// A job without a lock that is still active when looked at once more. The lock is looked for on both sides of the
// list, because a job that ends just now leaves both.
std::vector<redis::Command> secondLook(const QueueKeys &keys, const QByteArray &id)
{
    return {{"EXISTS", keys.key(id + ":lock")}, {"LPOS", keys.key("active"), id}, {"EXISTS", keys.key(id + ":lock")}};
}

void countJobs(std::vector<WorkerState> &workers, const QByteArray &queue, const QHash<QByteArray, int> &jobsByName)
{
    for (WorkerState &worker : workers) {
        if (worker.queue != queue || worker.name.isEmpty())
            continue;
        // Two workers of one name cannot be told apart by it.
        const auto namesakes = std::ranges::count_if(
            workers, [&](const WorkerState &other) { return other.queue == queue && other.name == worker.name; });
        if (namesakes == 1)
            worker.jobs = jobsByName.value(worker.name, 0);
    }
}

} // namespace

Inspector::Inspector(redis::Client &client, QByteArray prefix)
    : m_client(client)
    , m_prefix(std::move(prefix))
{ }

Result<std::vector<QByteArray>> Inspector::discover()
{
    Discovery discovery(m_client, m_prefix);
    while (!discovery.isComplete()) {
        if (auto found = discovery.step(std::chrono::seconds(1)); !found)
            return fail(found.error());
    }
    return discovery.names();
}

Result<QueueOverview> Inspector::overview(const std::vector<QByteArray> &names)
{
    std::vector<redis::Command> commands{{"TIME"}, {"CLIENT", "LIST"}};
    for (const QByteArray &name : names)
        std::ranges::move(questionsAbout(QueueKeys(m_prefix, name)), std::back_inserter(commands));
    auto answers = m_client.exchange(commands, callLimit);
    if (!answers)
        return fail(answers.error());
    const redis::Reply &time = (*answers)[0];
    if (time.isError())
        return fail(redis::replyError(time, m_client.endpoint().display));
    const qint64 now = time.items[0].text.toLongLong() * 1000 + time.items[1].text.toLongLong() / 1000;

    // A second round for what hangs on the first: the oldest job's time, how many active jobs still have a lock, and
    // who works on them.
    QueueOverview overview;
    overview.workers = workersIn((*answers)[1], m_prefix);
    QHash<QByteArray, int> workerCounts;
    QHash<QByteArray, bool> named;
    for (const WorkerState &worker : overview.workers.value_or(std::vector<WorkerState>())) {
        ++workerCounts[worker.queue];
        named[worker.queue] |= !worker.name.isEmpty();
    }
    std::vector<Leads> leads;
    std::vector<redis::Command> followUps;
    for (size_t i = 0; i < names.size(); ++i) {
        QueueState state;
        state.name = names[i];
        const size_t from = 2 + i * QuestionCount;
        Leads lead = readAnswers(std::span(commands).subspan(from, QuestionCount),
                                 std::span(*answers).subspan(from, QuestionCount), state);
        if (overview.workers)
            state.workers = workerCounts.value(names[i], 0);
        const QueueKeys keys(m_prefix, names[i]);
        for (const QByteArray &id : lead.heads)
            followUps.push_back({"HGET", keys.key(id), "timestamp"});
        if (!lead.activeIds.empty()) {
            redis::Command locks{"EXISTS"};
            for (const QByteArray &id : lead.activeIds)
                locks << keys.key(id + ":lock");
            followUps.push_back(std::move(locks));
        }
        lead.wantsNames = named.value(names[i]) && lead.activeIds.size() <= mostNamesLooked;
        if (lead.wantsNames) {
            for (const QByteArray &id : lead.activeIds)
                followUps.push_back({"HGET", keys.key(id), "pb"});
        }
        overview.queues.push_back(std::move(state));
        leads.push_back(std::move(lead));
    }
    auto details = m_client.exchange(followUps, callLimit);
    if (!details)
        return fail(details.error());
    size_t next = 0;
    std::vector<redis::Command> secondLooks;
    std::vector<size_t> suspects; // the queue of each second look
    for (size_t i = 0; i < names.size(); ++i) {
        QueueState &state = overview.queues[i];
        for (size_t head = 0; head < leads[i].heads.size(); ++head) {
            bool isNumber = false;
            const qint64 timestamp = (*details)[next++].text.toLongLong(&isNumber);
            if (isNumber)
                state.oldestWaitingMs = std::max({qint64(0), now - timestamp, state.oldestWaitingMs.value_or(0)});
        }
        const QueueKeys keys(m_prefix, names[i]);
        if (!leads[i].activeIds.empty()) {
            const qint64 locked = (*details)[next++].integer;
            if (locked < static_cast<qint64>(leads[i].activeIds.size())) {
                for (const QByteArray &id : leads[i].activeIds) {
                    std::ranges::move(secondLook(keys, id), std::back_inserter(secondLooks));
                    suspects.push_back(i);
                }
            }
        }
        if (leads[i].wantsNames) {
            QHash<QByteArray, int> jobsByName;
            for (size_t id = 0; id < leads[i].activeIds.size(); ++id)
                ++jobsByName[(*details)[next++].text];
            countJobs(*overview.workers, names[i], jobsByName);
        }
    }
    auto looked = m_client.exchange(secondLooks, callLimit);
    if (!looked)
        return fail(looked.error());
    for (size_t i = 0; i < suspects.size(); ++i) {
        const std::span<const redis::Reply> look = std::span(*looked).subspan(3 * i, 3);
        // Before Redis 6.0.6 there is no LPOS; then the locks alone have to do.
        const bool active = look[1].isError() || !look[1].isNil();
        if (look[0].integer == 0 && active && look[2].integer == 0)
            ++overview.queues[suspects[i]].stalled;
    }
    return overview;
}

Result<std::vector<QueueState>> Inspector::states(const std::vector<QByteArray> &names)
{
    auto seen = overview(names);
    if (!seen)
        return fail(seen.error());
    return std::move(seen->queues);
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
