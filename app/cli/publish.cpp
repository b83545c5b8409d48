// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "duration.h"
#include "target.h"

#include <engine/base/jsontext.h>
#include <engine/dispatch/router.h>
#include <engine/outbox/publisher.h>

#include <QFile>

namespace cli {

using namespace Qt::StringLiterals;
using engine::Error;
using engine::ErrorCode;
using engine::Result;
using engine::outbox::NewEvent;
using engine::outbox::Published;

namespace {

constexpr size_t rowsPerStatement = 1000;

Result<QByteArray> readInput(const QString &path)
{
    QFile file(path);
    const bool opened = path == u"-" ? file.open(stdin, QIODevice::ReadOnly) : file.open(QIODevice::ReadOnly);
    if (!opened)
        return engine::fail(ErrorCode::BadInput, u"%1 cannot be read: %2."_s.arg(path, file.errorString()));
    return file.readAll();
}

// One line of an NDJSON file: {"type": ..., "tenant": ..., "payload": ..., "dispatchKey": ..., "delay": "5m"}.
Result<NewEvent> eventFromLine(QByteArrayView line)
{
    if (const auto fault = engine::jsontext::findFault(line))
        return engine::fail(
            ErrorCode::BadInput,
            u"it is not JSON: %1, at column %2"_s.arg(QString::fromLatin1(fault->reason)).arg(fault->offset + 1));
    if (!line.trimmed().startsWith('{'))
        return engine::fail(ErrorCode::BadInput, u"it is no JSON object"_s);
    NewEvent event;
    for (const auto &[key, value] : engine::jsontext::membersOf(line)) {
        if (key == u"payload") {
            event.payload = value.toByteArray();
            continue;
        }
        if (key == u"metadata") {
            event.metadata = value.toByteArray();
            continue;
        }
        if (value == "null")
            continue;
        const auto text = engine::jsontext::stringValue(value);
        if (!text)
            return engine::fail(ErrorCode::BadInput, u"\"%1\" is no string"_s.arg(key));
        if (key == u"type" || key == u"eventType" || key == u"messageType") {
            event.eventType = text->toUtf8();
        } else if (key == u"tenant" || key == u"tenantId") {
            event.tenantId = text->toUtf8();
        } else if (key == u"dispatchKey") {
            event.dispatchKey = text->toUtf8();
        } else if (key == u"delay") {
            auto delay = parseDuration(*text);
            if (!delay)
                return engine::fail(delay.error());
            event.delay = *delay;
        } else if (key == u"aggregateType") {
            event.aggregateType = text->toUtf8();
        } else if (key == u"aggregateId") {
            event.aggregateId = text->toUtf8();
        } else {
            return engine::fail(ErrorCode::BadInput, u"it has the unknown member \"%1\""_s.arg(key));
        }
    }
    if (event.payload.isNull())
        return engine::fail(ErrorCode::BadInput, u"it has no payload"_s);
    return event;
}

Result<NewEvent> eventFromOptions(const CommandLine &line)
{
    NewEvent event;
    event.eventType = line.value(u"type"_s).toUtf8();
    event.tenantId = line.value(u"tenant"_s).toUtf8();
    event.payload = line.value(u"payload"_s).toUtf8();
    event.aggregateType = line.value(u"aggregate-type"_s).toUtf8();
    event.aggregateId = line.value(u"aggregate-id"_s).toUtf8();
    event.metadata = line.value(u"metadata"_s).toUtf8();
    if (event.payload == "-") {
        auto input = readInput(u"-"_s);
        if (!input)
            return engine::fail(input.error());
        event.payload = input->trimmed();
    }
    if (line.isSet(u"dispatch-key"_s))
        event.dispatchKey = line.value(u"dispatch-key"_s).toUtf8();
    if (line.isSet(u"delay"_s)) {
        auto delay = parseDuration(line.value(u"delay"_s));
        if (!delay)
            return engine::fail(delay.error());
        event.delay = *delay;
    }
    return event;
}

Result<void> check(const NewEvent &event, const engine::outbox::Layout &layout, const engine::dispatch::Router &router)
{
    if (auto good = engine::outbox::checkEvent(event, layout); !good)
        return good;
    if (router.queueFor(event.eventType))
        return {};
    return engine::fail(ErrorCode::Refused,
                        u"No route takes the event type %1."_s.arg(QString::fromUtf8(event.eventType)),
                        u"Correct the type, or give a routes file with --routes. Nothing was written."_s);
}

Error atLine(Error error, qsizetype number)
{
    while (error.message.endsWith(u'.'))
        error.message.chop(1);
    error.message = u"Line %1: %2."_s.arg(number).arg(error.message);
    if (error.hint.isEmpty())
        error.hint = u"Nothing was written."_s;
    return error;
}

} // namespace

int runPublish(const QStringList &arguments)
{
    CommandLine line(u"publish"_s, u"Writes one event, or every event of a file, all or nothing."_s,
                     CommandLine::Reach::Database);
    line.addOption(u"type"_s, u"Event type, for instance mail.welcome.sent."_s, u"TYPE"_s);
    line.addOption(u"tenant"_s, u"Tenant."_s, u"TENANT"_s);
    line.addOption(u"payload"_s, u"Payload as JSON; - reads standard input."_s, u"JSON"_s);
    line.addOption(u"dispatch-key"_s, u"The producer's own key: a second event with it is a duplicate."_s, u"KEY"_s);
    line.addOption(u"delay"_s, u"Due this much later, for instance 5m."_s, u"TIME"_s);
    line.addOption(
        u"from"_s,
        u"NDJSON file, one event a line: {\"type\", \"tenant\", \"payload\", \"dispatchKey\", \"delay\"}; - reads standard input."_s,
        u"FILE"_s);
    line.addOption(u"routes"_s, u"Routes file instead of OUTBOX_ROUTES or the built-in routes."_s, u"FILE"_s);
    line.addOption(u"aggregate-type"_s, u"Message layout: the aggregate's type."_s, u"TYPE"_s);
    line.addOption(u"aggregate-id"_s, u"Message layout: the aggregate's id."_s, u"ID"_s);
    line.addOption(u"metadata"_s, u"Message layout: metadata as JSON."_s, u"JSON"_s);
    line.addOption(u"write"_s, u"Write although the saved connection is read-only."_s);
    if (const auto exit = line.parse(arguments))
        return *exit;
    const bool fromFile = line.isSet(u"from"_s);
    if (!fromFile) {
        for (const QString &needed : {u"type"_s, u"tenant"_s, u"payload"_s}) {
            if (!line.isSet(needed))
                return line.failUsage(u"--%1 is missing."_s.arg(needed));
        }
    }

    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    if (auto allowed = target->allowWriting(line); !allowed)
        return line.fail(allowed.error());

    // The whole input is read and understood before anything is asked of the database.
    std::vector<NewEvent> events;
    std::vector<qsizetype> lineNumbers;
    if (fromFile) {
        auto input = readInput(line.value(u"from"_s));
        if (!input)
            return line.fail(input.error());
        qsizetype number = 0;
        for (const QByteArray &text : input->split('\n')) {
            ++number;
            if (text.trimmed().isEmpty())
                continue;
            auto event = eventFromLine(text);
            if (!event)
                return line.fail(atLine(event.error(), number));
            events.push_back(std::move(*event));
            lineNumbers.push_back(number);
        }
        if (events.empty())
            return line.fail({ErrorCode::BadInput, u"%1 holds no events."_s.arg(line.value(u"from"_s)), {}, false, {}});
    } else {
        auto event = eventFromOptions(line);
        if (!event)
            return line.fail(event.error());
        events.push_back(std::move(*event));
    }

    auto table = target->openTable(engine::sql::Access::ReadWrite);
    if (!table)
        return line.fail(table.error());
    const engine::outbox::Layout &layout = table->layout;
    const auto router = routerFor(line, layout);
    if (!router)
        return line.fail(router.error());
    for (size_t i = 0; i < events.size(); ++i) {
        if (auto good = check(events[i], layout, *router); !good)
            return line.fail(fromFile ? atLine(good.error(), lineNumbers[i]) : good.error());
    }

    auto transaction = engine::sql::Transaction::begin(*table->connection);
    if (!transaction)
        return line.fail(transaction.error());
    const engine::outbox::Publisher publisher(layout);
    std::vector<Published> published;
    for (size_t from = 0; from < events.size(); from += rowsPerStatement) {
        const auto first = events.begin() + static_cast<std::ptrdiff_t>(from);
        const auto last =
            events.begin() + static_cast<std::ptrdiff_t>(std::min(from + rowsPerStatement, events.size()));
        auto some = publisher.publishBatch(*transaction, std::vector<NewEvent>(first, last));
        if (!some)
            return line.fail(some.error());
        published.insert(published.end(), some->begin(), some->end());
    }
    if (auto committed = transaction->commit(); !committed)
        return line.fail(committed.error());

    const auto duplicates = std::ranges::count_if(published, &Published::duplicate);
    const auto written = static_cast<qint64>(published.size()) - duplicates;
    if (line.wantsJson()) {
        JsonWriter json;
        json.beginObject();
        if (fromFile)
            json.member("published", written).member("duplicates", qint64(duplicates));
        else
            json.member("id", QByteArrayView(published.front().id)).member("duplicate", published.front().duplicate);
        printJson(json.endObject());
    } else if (fromFile) {
        printLine(u"Published %1 events, %2 were there already."_s.arg(written).arg(duplicates));
    } else {
        const QString id = QString::fromUtf8(published.front().id);
        printLine(published.front().duplicate ? u"Already published as %1; nothing was written."_s.arg(id)
                                              : u"Published as %1."_s.arg(id));
    }
    return Done;
}

} // namespace cli
