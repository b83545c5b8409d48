// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "serverpolicy.h"

#include <QCoreApplication>

namespace engine::bullmq {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::bullmq::ServerPolicy)
};

} // namespace

void checkEvictionPolicy(redis::Client &client, std::function<void(const Result<void> &)> callback)
{
    const QString server = client.endpoint().display;
    client.send({"INFO", "memory"}, [server, callback = std::move(callback)](const Result<redis::Reply> &reply) {
        if (!reply)
            callback(fail(reply.error()));
        else if (reply->isError() && reply->text.startsWith("NOPERM"))
            callback({}); // a server that hides it: nothing to judge
        else if (reply->isError())
            callback(fail(redis::replyError(*reply, server)));
        else
            callback(judgeEvictionPolicy(reply->text, server));
    });
}

Result<void> judgeEvictionPolicy(const QByteArray &infoMemory, const QString &server)
{
    constexpr QByteArrayView field = "maxmemory_policy:";
    const qsizetype at = infoMemory.indexOf(field);
    if (at < 0)
        return {}; // a server that hides it: nothing to judge
    const qsizetype from = at + field.size();
    const QByteArray policy = infoMemory.mid(from, infoMemory.indexOf('\r', from) - from);
    if (policy == "noeviction")
        return {};
    return fail(ErrorCode::Refused,
                Text::tr("Redis at %1 may evict keys (maxmemory-policy is %2), and with them jobs.")
                    .arg(server, QString::fromUtf8(policy)),
                Text::tr("Set it with: redis-cli CONFIG SET maxmemory-policy noeviction."));
}

} // namespace engine::bullmq
