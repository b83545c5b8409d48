// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "enqueuer.h"

#include "queuekeys.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QFile>

#include <algorithm>

namespace engine::bullmq {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::bullmq::Enqueuer)
};

// Attempts and backoff of the receiver, which count after the handover and apart from the outbox's own retries.
constexpr QByteArrayView jobOptions = R"({"attempts":5,"backoff":{"type":"exponential","delay":1000}})";

// One wake-up each for this many idle workers; further ones follow as these take and finish jobs.
constexpr size_t mostWakeUps = 16;

QByteArray readScript()
{
    QFile file(QStringLiteral(":/bullmq/lua/addjobs.lua"));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT_X(opened, "bullmq", "the script is compiled into the program");
    return file.readAll();
}

} // namespace

Result<void> checkJobId(QByteArrayView id)
{
    static const QList<QByteArrayView> ownKeys{"wait",          "paused", "active",          "delayed", "prioritized",
                                               "priority",      "pc",     "completed",       "failed",  "stalled",
                                               "stalled-check", "meta",   "events",          "id",      "marker",
                                               "limiter",       "repeat", "waiting-children"};
    static const QList<QByteArrayView> subKeys{":lock",   ":logs",         ":dependencies", ":processed",
                                               ":failed", ":unsuccessful", ":completed",    ":data"};
    const bool isNumber = std::all_of(id.cbegin(), id.cend(), [](char c) { return c >= '0' && c <= '9'; });
    const qsizetype colon = id.lastIndexOf(':');
    const bool isSubKey = colon >= 0 && subKeys.contains(id.sliced(colon));
    // Markers, schedulers, deduplication keys and metrics.
    static const QList<QByteArrayView> ownPrefixes{"0:", "repeat:", "de:", "metrics:"};
    const bool isOwnPrefix = std::any_of(ownPrefixes.cbegin(), ownPrefixes.cend(),
                                         [&](QByteArrayView prefix) { return id.startsWith(prefix); });
    if (!id.isEmpty() && !isNumber && !isOwnPrefix && !ownKeys.contains(id) && !isSubKey)
        return {};
    return fail(ErrorCode::BadInput,
                Text::tr("BullMQ cannot take a job with the id \"%1\".").arg(QString::fromUtf8(id)),
                Text::tr("Change the job id template."));
}

Enqueuer::Enqueuer(redis::Client &client, QByteArray prefix)
    : m_client(client)
    , m_prefix(std::move(prefix))
    , m_script(readScript())
    , m_sha(QCryptographicHash::hash(m_script, QCryptographicHash::Sha1).toHex())
{ }

void Enqueuer::add(const QByteArray &queue, const std::vector<NewJob> &jobs, Callback callback)
{
    Q_ASSERT(!jobs.empty() && jobs.size() <= mostJobsPerCall);
    const QueueKeys keys(m_prefix, queue);
    redis::Command command;
    command.reserve(12 + 3 * static_cast<qsizetype>(jobs.size()));
    command << "EVALSHA" << m_sha << "7" << keys.key("meta") << keys.key("id") << keys.key("events") << keys.key("wait")
            << keys.key("paused") << keys.key("marker") << keys.key("active") << keys.base()
            << jobOptions.toByteArray();
    for (const NewJob &job : jobs)
        command << job.id << job.name << job.data;
    call(std::move(command), jobs.size(), keys.key("marker"), std::move(callback));
}

void Enqueuer::call(redis::Command command, size_t jobCount, QByteArray markerKey, Callback callback)
{
    m_client.send(command,
                  [this, command, jobCount, markerKey = std::move(markerKey),
                   callback = std::move(callback)](const Result<redis::Reply> &reply) mutable {
                      if (!reply) {
                          callback(fail(reply.error()));
                          return;
                      }
                      if (reply->isError()) {
                          if (reply->text.startsWith("NOSCRIPT") && command[0] == "EVALSHA") {
                              redis::Command withScript = command;
                              withScript[0] = "EVAL";
                              withScript[1] = m_script;
                              call(withScript, jobCount, std::move(markerKey), std::move(callback));
                              return;
                          }
                          callback(fail(redis::replyError(*reply, m_client.endpoint().display)));
                          return;
                      }
                      if (!reply->items.empty() && reply->items.front().integer == 1) {
                          for (size_t i = 0; i < std::min(jobCount - 1, mostWakeUps); ++i)
                              m_client.send({"ZADD", markerKey, "0", "0"}, [](const Result<redis::Reply> &) {});
                      }
                      callback(interpret(*reply, jobCount));
                  });
}

std::vector<AddResult> Enqueuer::interpret(const redis::Reply &reply, size_t jobCount) const
{
    std::vector<AddResult> results(jobCount, AddResult::Added);
    for (size_t i = 1; i < reply.items.size(); ++i) {
        const qint64 position = reply.items[i].integer;
        results.at(static_cast<size_t>(position >= 0 ? position : -1 - position)) =
            position >= 0 ? AddResult::Duplicate : AddResult::KeyTaken;
    }
    return results;
}

} // namespace engine::bullmq
