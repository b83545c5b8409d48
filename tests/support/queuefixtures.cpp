// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuefixtures.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>

using namespace Qt::StringLiterals;
using engine::redis::Command;

namespace test {

namespace {

QByteArray text(const QJsonValue &value)
{
    return value.isDouble() ? QByteArray::number(value.toDouble(), 'f', 0) : value.toString().toUtf8();
}

std::vector<Command> commandsFor(const QByteArray &key, const QJsonObject &entry)
{
    const QString type = entry["type"_L1].toString();
    const QJsonValue value = entry["value"_L1];
    std::vector<Command> commands;
    if (type == u"string")
        commands.push_back({"SET", key, text(value)});
    const QJsonObject fields = value.toObject();
    for (auto field = fields.begin(); field != fields.end(); ++field)
        commands.push_back({"HSET", key, field.key().toUtf8(), text(field.value())});
    const QJsonArray items = value.toArray();
    for (const QJsonValue &item : items) {
        if (type == u"list") {
            commands.push_back({"RPUSH", key, text(item)});
        } else if (type == u"set") {
            commands.push_back({"SADD", key, text(item)});
        } else if (type == u"zset") {
            commands.push_back({"ZADD", key, text(item[1]), text(item[0])});
        } else if (type == u"stream") {
            QJsonObject row = item.toObject();
            Command add{"XADD", key, text(row.take("_id"_L1))};
            for (auto field = row.begin(); field != row.end(); ++field)
                add << field.key().toUtf8() << text(field.value());
            commands.push_back(add);
        }
    }
    if (const qint64 left = entry["pttl"_L1].toInteger(); left > 0)
        commands.push_back({"PEXPIRE", key, QByteArray::number(left)});
    return commands;
}

} // namespace

QStringList queueFixtures()
{
    QStringList names = QDir(QStringLiteral(QUEUE_FIXTURES)).entryList({u"*.json"_s}, QDir::Files, QDir::Name);
    for (QString &name : names)
        name.chop(5);
    return names;
}

engine::Result<QueueFixture> restoreQueues(engine::redis::Client &client, const QString &name)
{
    QFile file(QDir(QStringLiteral(QUEUE_FIXTURES)).filePath(name + u".json"_s));
    if (!file.open(QIODevice::ReadOnly))
        return engine::fail(engine::ErrorCode::NotFound, file.fileName() + u": "_s + file.errorString());
    const QJsonObject fixture = QJsonDocument::fromJson(file.readAll()).object();
    const QJsonObject keys = fixture["keys"_L1].toObject();
    std::vector<Command> commands;
    for (auto key = keys.begin(); key != keys.end(); ++key) {
        for (Command &command : commandsFor(key.key().toUtf8(), key.value().toObject()))
            commands.push_back(std::move(command));
    }
    auto replies = client.exchange(commands, std::chrono::seconds(10));
    if (!replies)
        return engine::fail(replies.error());
    for (const engine::redis::Reply &reply : *replies) {
        if (reply.isError())
            return engine::fail(engine::redis::replyError(reply, name));
    }
    QueueFixture restored;
    restored.version = fixture["meta"_L1]["bullmq"_L1].toString();
    restored.expected = fixture["expected"_L1].toObject();
    for (const QJsonValue &clientName : fixture["meta"_L1]["clientNames"_L1].toArray())
        restored.clientNames << clientName.toString();
    return restored;
}

} // namespace test
