// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sampledata.h"

#include <engine/transport/sql/transaction.h>

#include <QCoreApplication>
#include <QFile>

using namespace Qt::StringLiterals;

namespace engine::sandbox {

namespace {

// Stands as the database's comment once the events are in; goes in with them or not at all.
constexpr char sampleMark[] = "Outbox Console sandbox, sample events written";

Result<QByteArray> script(const QString &name)
{
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return fail(
            ErrorCode::Failed,
            QCoreApplication::translate("engine::sandbox::SampleData", "%1 is missing in this program.").arg(name));
    return file.readAll();
}

Result<void> run(sql::Connection &connection, const QString &name, const QByteArray &table = {})
{
    auto text = script(name);
    if (!text)
        return fail(text.error());
    return connection.executeScript(text->replace("{table}", table));
}

Result<bool> hasSample(sql::Connection &connection)
{
    auto mark = connection.execute("SELECT shobj_description(oid, 'pg_database') FROM pg_database "
                                   "WHERE datname = current_database()");
    if (!mark)
        return fail(mark.error());
    return mark->count() == 1 && mark->bytes(0, 0) == sampleMark;
}

Result<void> makeTables(sql::Connection &connection)
{
    const std::pair<QString, QByteArray> scripts[]{{u":/outbox/sql/event.sql"_s, {}},
                                                   {u":/outbox/sql/message.sql"_s, {}},
                                                   {u":/outbox/sql/workflow.sql"_s, {}},
                                                   {u":/outbox/sql/wakeup.sql"_s, "\"public\".\"OutboxEvent\""},
                                                   {u":/outbox/sql/wakeup.sql"_s, "\"public\".\"message_outbox\""}};
    for (const auto &[name, table] : scripts) {
        if (auto made = run(connection, name, table); !made)
            return made;
    }
    return {};
}

// Jobs that BullMQ's workers have completed, with what they leave behind. Writing them again changes nothing.
Result<void> addJobs(sql::Connection &connection, redis::Client &redis)
{
    auto statement = script(u":/sandbox/sql/samplejobs.sql"_s);
    if (!statement)
        return fail(statement.error());
    auto jobs = connection.execute(*statement);
    if (!jobs)
        return fail(jobs.error());
    std::vector<redis::Command> commands;
    for (int row = 0; row < jobs->count(); ++row) {
        const QByteArray prefix = "bull:" + jobs->bytes(row, 0).toByteArray() + ':';
        const QByteArray id = jobs->bytes(row, 1).toByteArray();
        const qint64 addedMs = jobs->integer(row, 4);
        const QByteArray finishedMs = QByteArray::number(addedMs + 180);
        commands.push_back({"HSET", prefix + "meta", "opts.maxLenEvents", "10000"});
        commands.push_back({"HSET",        prefix + id,
                            "name",        jobs->bytes(row, 2).toByteArray(),
                            "data",        jobs->bytes(row, 3).toByteArray(),
                            "opts",        R"({"attempts":5,"backoff":{"type":"exponential","delay":1000}})",
                            "timestamp",   QByteArray::number(addedMs),
                            "delay",       "0",
                            "priority",    "0",
                            "processedOn", QByteArray::number(addedMs + 60),
                            "finishedOn",  finishedMs,
                            "atm",         "1",
                            "ats",         "1",
                            "returnvalue", "null"});
        commands.push_back({"ZADD", prefix + "completed", finishedMs, id});
    }
    auto replies = redis.exchange(commands, std::chrono::seconds(10));
    if (!replies)
        return fail(replies.error());
    for (const redis::Reply &reply : *replies) {
        if (reply.isError())
            return fail(redis::replyError(reply, redis.endpoint().display));
    }
    return {};
}

} // namespace

Result<bool> ensureSampleData(sql::Connection &connection, redis::Client &redis)
{
    auto transaction = sql::Transaction::begin(connection);
    if (!transaction)
        return fail(transaction.error());
    if (auto made = makeTables(connection); !made)
        return fail(made.error());
    const auto sampled = hasSample(connection);
    if (!sampled)
        return fail(sampled.error());
    if (!*sampled) {
        if (auto written = run(connection, u":/sandbox/sql/sample.sql"_s); !written)
            return fail(written.error());
        if (auto added = addJobs(connection, redis); !added)
            return fail(added.error());
        auto name = connection.execute("SELECT quote_ident(current_database())");
        if (!name)
            return fail(name.error());
        const QByteArray database = name->bytes(0, 0).toByteArray();
        if (auto marked = connection.executeScript("COMMENT ON DATABASE " + database + " IS '" + sampleMark + '\'');
            !marked)
            return fail(marked.error());
    }
    if (auto committed = transaction->commit(); !committed)
        return fail(committed.error());
    return !*sampled;
}

} // namespace engine::sandbox
