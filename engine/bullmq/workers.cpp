// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "workers.h"

#include <QHash>

namespace engine::bullmq {

namespace {

using Fields = QHash<QByteArray, QByteArray>;

// "id=7 addr=127.0.0.1:5000 name=bull:bWFpbA== age=12 ..."; a unix socket's path may hold spaces, names cannot.
Fields fieldsOf(const QByteArray &line)
{
    Fields fields;
    QByteArray last;
    for (const QByteArray &word : line.split(' ')) {
        const qsizetype equals = word.indexOf('=');
        if (equals < 0) {
            if (!last.isEmpty())
                fields[last] += ' ' + word;
            continue;
        }
        last = word.first(equals);
        fields.insert(last, word.mid(equals + 1));
    }
    return fields;
}

} // namespace

std::optional<std::vector<WorkerState>> workersIn(const redis::Reply &clientList, const QByteArray &prefix)
{
    if (clientList.isError())
        return std::nullopt;
    std::vector<WorkerState> workers;
    const QByteArray start = prefix + ':';
    for (const QByteArray &line : clientList.text.split('\n')) {
        if (!line.contains(" name=" + start))
            continue; // most clients; cheaper than taking the line apart
        const Fields fields = fieldsOf(line);
        // <prefix>:<base64 of the queue's name>, from version 5 on perhaps :w:<name> behind; :qe is QueueEvents.
        const QByteArray name = fields.value("name").mid(start.size());
        const qsizetype colon = name.indexOf(':');
        if (!fields.value("name").startsWith(start) || (colon >= 0 && !name.mid(colon).startsWith(":w:")))
            continue;
        const auto queue = QByteArray::fromBase64Encoding(colon < 0 ? name : name.first(colon),
                                                          QByteArray::AbortOnBase64DecodingErrors);
        if (!queue || queue.decoded.isEmpty())
            continue;
        WorkerState worker;
        worker.queue = queue.decoded;
        worker.name = colon < 0 ? QByteArray() : name.mid(colon + 3);
        worker.clientId = fields.value("id");
        worker.address = fields.value("addr");
        worker.connectedMs = fields.value("age").toLongLong() * 1000;
        worker.quietMs = fields.value("idle").toLongLong() * 1000;
        worker.waits = fields.value("flags").contains('b');
        worker.command = fields.value("cmd");
        workers.push_back(std::move(worker));
    }
    return workers;
}

} // namespace engine::bullmq
