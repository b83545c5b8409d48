// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventlog.h"

#include "queuekeys.h"

#include <algorithm>

namespace engine::bullmq {

namespace {

constexpr std::chrono::seconds callLimit{10};
constexpr int entriesPerStep = 200;
constexpr qsizetype mostReason = 2000;

// An entry's id is <milliseconds>-<number>.
qint64 microsOf(const QByteArray &id)
{
    return id.first(std::max<qsizetype>(0, id.indexOf('-'))).toLongLong() * 1000;
}

// The id just before this one. (The exclusive form of a range needs Redis 6.2.)
QByteArray before(const QByteArray &id)
{
    const qsizetype dash = id.indexOf('-');
    const quint64 milliseconds = id.first(std::max<qsizetype>(0, dash)).toULongLong();
    const quint64 number = id.mid(dash + 1).toULongLong();
    if (number > 0)
        return QByteArray::number(milliseconds) + '-' + QByteArray::number(number - 1);
    return milliseconds == 0 ? QByteArray("0-0") : QByteArray::number(milliseconds - 1) + "-18446744073709551615";
}

QueueEvent toEvent(const redis::Reply &entry)
{
    QueueEvent event;
    event.at = microsOf(entry.items[0].text);
    const std::vector<redis::Reply> &fields = entry.items[1].items;
    for (size_t i = 0; i + 1 < fields.size(); i += 2) {
        const QByteArray &name = fields[i].text;
        const QByteArray &value = fields[i + 1].text;
        if (name == "event")
            event.kind = value;
        else if (name == "jobId")
            event.jobId = value;
        else if (name == "prev")
            event.previous = value;
        else if (name == "failedReason")
            event.reason = QString::fromUtf8(value).left(mostReason);
        else if (name == "delay" && value.toLongLong() > 0)
            event.dueAt = value.toLongLong() * 1000;
    }
    return event;
}

qint64 sizeOf(const redis::Reply &reply)
{
    qint64 size = reply.text.size();
    for (const redis::Reply &item : reply.items)
        size += sizeOf(item);
    return size;
}

} // namespace

Result<EventWindow> readEvents(redis::Client &client, const QByteArray &prefix, const QByteArray &queue, qint64 since,
                               const QByteArray &jobId, const EventLimits &limits)
{
    const QByteArray key = QueueKeys(prefix, queue).key("events");
    EventWindow window;
    QByteArray end = "+";
    qint64 bytes = 0;
    for (int read = 0;;) {
        auto reply = client.exchange(
            redis::Command{"XREVRANGE", key, end, "-", "COUNT", QByteArray::number(entriesPerStep)}, callLimit);
        if (!reply)
            return fail(reply.error());
        if (reply->isError()) {
            // Another type of key under this name is no event stream.
            if (reply->text.startsWith("WRONGTYPE"))
                return EventWindow();
            return fail(redis::replyError(*reply, client.endpoint().display));
        }
        bytes += sizeOf(*reply);
        read += static_cast<int>(reply->items.size());
        for (const redis::Reply &entry : reply->items) {
            if (entry.items.size() < 2)
                continue;
            QueueEvent event = toEvent(entry);
            window.knownFrom = event.at;
            end = before(entry.items[0].text);
            if (event.at < since)
                break;
            if (jobId.isEmpty() ? !event.jobId.isEmpty() : event.jobId == jobId)
                window.events.push_back(std::move(event));
        }
        const bool atEnd = reply->items.size() < entriesPerStep;
        if (atEnd || (window.knownFrom && *window.knownFrom < since))
            break;
        if (read >= limits.mostEntries || bytes >= limits.mostBytes) {
            window.cutShort = true;
            break;
        }
    }
    std::ranges::reverse(window.events);
    return window;
}

} // namespace engine::bullmq
