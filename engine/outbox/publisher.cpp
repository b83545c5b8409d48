// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "publisher.h"

#include "eventtype.h"
#include "expressions.h"

#include <engine/base/ids.h>
#include <engine/base/jsontext.h>

#include <QCoreApplication>
#include <QHash>

namespace engine::outbox {

using namespace expressions;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::outbox::Publisher)
};

bool idIsOurs(const Layout &layout)
{
    // uuid and text ids are made here, as Prisma's client would; numbers, and ids too short for a UUID, come from the
    // table itself.
    const QByteArray &type = layout.id.type;
    if (!layout.id.isText())
        return type == "uuid";
    const qsizetype bracket = type.indexOf('(');
    return bracket < 0 ? type != "character" : type.mid(bracket + 1).chopped(1).toInt() >= newUuid7().size();
}

// A text expression for a column. An explicit cast to varchar(n) would cut silently; an assignment refuses.
QByteArray assignable(const QByteArray &text, const Column &column)
{
    return column.isText() ? text : text + "::" + column.type;
}

Result<void> checkJson(const QByteArray &text, const QString &what)
{
    const auto fault = jsontext::findFault(text);
    if (!fault)
        return {};
    const qsizetype line = text.first(fault->offset).count('\n') + 1;
    const qsizetype column = fault->offset - text.first(fault->offset).lastIndexOf('\n');
    return fail(ErrorCode::BadInput,
                Text::tr("The %1 is not JSON: %2, at line %3, column %4.")
                    .arg(what, QString::fromLatin1(fault->reason))
                    .arg(line)
                    .arg(column),
                Text::tr("Nothing was written."));
}

// Columns and the expression over the unnested input that fills each.
struct InsertPlan
{
    QByteArray columns;
    QByteArray values;

    void add(const Column &column, const QByteArray &value)
    {
        if (!column.exists())
            return;
        columns += (columns.isEmpty() ? "" : ", ") + column.quoted();
        values += (values.isEmpty() ? "" : ", ") + value;
    }
};

QByteArray insertStatement(const Layout &layout, bool dueAtPointInTime)
{
    InsertPlan plan;
    if (idIsOurs(layout))
        plan.add(layout.id, assignable("event.id", layout.id));
    plan.add(layout.tenantId, assignable("event.tenant", layout.tenantId));
    plan.add(layout.eventType, assignable("event.type", layout.eventType));
    plan.add(layout.payload, assignable("event.payload", layout.payload));
    plan.add(layout.status, literal(layout.statusFor(Phase::Waiting)) + "::" + layout.status.type);
    plan.add(layout.retries, "0");
    // Every time is written here: a column default such as CURRENT_TIMESTAMP would follow the session's time zone.
    plan.add(layout.scheduledAt,
             dueAtPointInTime ? fromEpochMicros(layout.scheduledAt, "event.time")
                              // Cut to what a timestamp(3) holds: rounded up it would be due only in the next instant.
                              : "date_trunc('milliseconds', " + now(layout.scheduledAt)
                     + ") + event.time * interval '1 millisecond'");
    plan.add(layout.createdAt, now(layout.createdAt));
    plan.add(layout.updatedAt, now(layout.updatedAt));
    plan.add(layout.dispatchKey, "event.key");
    if (layout.kind == LayoutKind::Message) {
        plan.add(layout.aggregateType, assignable("event.aggregate_type", layout.aggregateType));
        plan.add(layout.aggregateId, assignable("event.aggregate_id", layout.aggregateId));
        if (!layout.eventVersion.hasDefault)
            plan.add(layout.eventVersion, "1");
        if (!layout.maxRetries.hasDefault)
            plan.add(layout.maxRetries, "3");
        plan.add(layout.metadata, assignable("coalesce(event.metadata, '{}')", layout.metadata));
    }
    const QByteArray conflict =
        layout.dispatchKeyIsUnique ? " ON CONFLICT (" + layout.dispatchKey.quoted() + ") DO NOTHING" : QByteArray();
    const QByteArray keyColumn = layout.dispatchKey.exists() ? layout.dispatchKey.quoted() : QByteArray("NULL::text");
    return "INSERT INTO " + layout.quotedTable() + " (" + plan.columns + ") SELECT " + plan.values
        + " FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], "
          "$8::text[], "
          "$9::text[]) WITH ORDINALITY AS event(id, tenant, type, payload, time, key, aggregate_type, aggregate_id, "
          "metadata, position) ORDER BY event.position"
        + conflict + " RETURNING " + layout.id.quoted() + "::text, " + keyColumn;
}

} // namespace

Result<void> checkEvent(const NewEvent &event, const Layout &layout)
{
    if (auto type = checkEventType(event.eventType); !type)
        return type;
    if (event.tenantId.isEmpty())
        return fail(ErrorCode::BadInput, Text::tr("The event has no tenant."), Text::tr("Nothing was written."));
    if (auto json = checkJson(event.payload, Text::tr("payload")); !json)
        return json;
    if (event.payload.contains('\0') || event.tenantId.contains('\0'))
        return fail(ErrorCode::BadInput, Text::tr("The event holds a NUL byte."), Text::tr("Nothing was written."));
    if (event.delay.count() < 0)
        return fail(ErrorCode::BadInput, Text::tr("The delay is negative."), Text::tr("Nothing was written."));
    if (event.dispatchKey && layout.kind == LayoutKind::Message)
        return fail(ErrorCode::BadInput, Text::tr("The message layout has no dispatch key."),
                    Text::tr("Leave the key out, or choose a table of the event layout."));
    if (event.dispatchKey && !layout.dispatchKeyIsUnique)
        return fail(
            ErrorCode::Refused,
            Text::tr("%1 has no unique index on its dispatch key, so the key would not keep a second event out.")
                .arg(layout.displayName()),
            Text::tr("Ask the table's owner for the index, or leave the key out."));
    if (!event.metadata.isEmpty())
        return checkJson(event.metadata, Text::tr("metadata"));
    return {};
}

namespace {

// Only a trigger or a rule of the table can do that.
Error notTaken(const Layout &layout)
{
    return {ErrorCode::Refused,
            Text::tr("%1 did not keep the event as it was written.").arg(layout.displayName()),
            Text::tr("Look at the table's triggers and rules, and roll back."),
            false,
            {}};
}

} // namespace

Publisher::Publisher(Layout layout)
    : m_layout(std::move(layout))
{ }

Result<Published> Publisher::publish(sql::Transaction &transaction, const NewEvent &event) const
{
    auto published = insert(transaction, {event}, std::nullopt);
    if (!published)
        return fail(published.error());
    return std::move(published->front());
}

Result<Published> Publisher::schedule(sql::Transaction &transaction, NewEvent event, qint64 dueAtMicros) const
{
    auto published = insert(transaction, {std::move(event)}, dueAtMicros);
    if (!published)
        return fail(published.error());
    return std::move(published->front());
}

Result<std::vector<Published>> Publisher::publishBatch(sql::Transaction &transaction,
                                                       const std::vector<NewEvent> &events) const
{
    return insert(transaction, events, std::nullopt);
}

Result<std::vector<Published>> Publisher::insert(sql::Transaction &transaction, const std::vector<NewEvent> &events,
                                                 std::optional<qint64> dueAtMicros) const
{
    if (events.empty())
        return std::vector<Published>{};
    std::vector<Published> results;
    results.reserve(events.size());
    sql::ArrayText ids, tenants, types, payloads, times, keys, aggregateTypes, aggregateIds, metadata;
    for (const NewEvent &event : events) {
        if (auto good = checkEvent(event, m_layout); !good)
            return fail(good.error());
        const QByteArray id = newUuid7();
        results.push_back({idIsOurs(m_layout) ? id : QByteArray(), true});
        ids.append(QByteArrayView(id));
        tenants.append(QByteArrayView(event.tenantId));
        types.append(QByteArrayView(event.eventType));
        payloads.append(QByteArrayView(event.payload));
        times.append(QByteArrayView(QByteArray::number(dueAtMicros.value_or(event.delay.count()))));
        keys.append(event.dispatchKey);
        aggregateTypes.append(QByteArrayView(
            event.aggregateType.isEmpty() ? event.eventType.left(event.eventType.indexOf('.')) : event.aggregateType));
        aggregateIds.append(QByteArrayView(event.aggregateId.isEmpty() ? id : event.aggregateId));
        metadata.append(event.metadata.isEmpty() ? std::nullopt : std::optional(event.metadata));
    }
    sql::Params params;
    for (sql::ArrayText *array :
         {&ids, &tenants, &types, &payloads, &times, &keys, &aggregateTypes, &aggregateIds, &metadata})
        params.text(array->take());
    auto inserted = transaction.connection().execute(insertStatement(m_layout, dueAtMicros.has_value()), params);
    if (!inserted)
        return fail(inserted.error());

    // What came back was written now. Ids of our own identify the rows; a table's own ids come back in the order
    // of the input, except for keys that were taken.
    if (idIsOurs(m_layout)) {
        QHash<QByteArray, size_t> positionOf;
        for (size_t i = 0; i < results.size(); ++i)
            positionOf.insert(results[i].id, i);
        for (int row = 0; row < inserted->count(); ++row) {
            const auto position = positionOf.constFind(inserted->bytes(row, 0).toByteArray());
            if (position == positionOf.constEnd())
                return fail(notTaken(m_layout));
            results[*position].duplicate = false;
        }
    } else {
        size_t position = 0;
        for (int row = 0; row < inserted->count(); ++row, ++position) {
            const auto isTaken = [&] {
                return events[position].dispatchKey
                    && (inserted->isNull(row, 1)
                        || inserted->bytes(row, 1) != QByteArrayView(*events[position].dispatchKey));
            };
            while (position < events.size() && isTaken())
                ++position;
            if (position == events.size())
                return fail(notTaken(m_layout));
            results[position] = {inserted->bytes(row, 0).toByteArray(), false};
        }
    }

    sql::ArrayText takenKeys;
    QHash<QByteArray, QList<size_t>> positionsOfKey;
    for (size_t i = 0; i < results.size(); ++i) {
        if (!results[i].duplicate)
            continue;
        if (!events[i].dispatchKey)
            return fail(notTaken(m_layout));
        if (!positionsOfKey.contains(*events[i].dispatchKey))
            takenKeys.append(QByteArrayView(*events[i].dispatchKey));
        positionsOfKey[*events[i].dispatchKey] << i;
    }
    if (positionsOfKey.isEmpty())
        return results;
    sql::Params lookup;
    lookup.text(takenKeys.take());
    auto existing = transaction.connection().execute(
        "SELECT " + m_layout.id.quoted() + "::text, " + m_layout.dispatchKey.quoted() + " FROM "
            + m_layout.quotedTable() + " WHERE " + m_layout.dispatchKey.quoted() + " = ANY($1::text[])",
        lookup);
    if (!existing)
        return fail(existing.error());
    for (int row = 0; row < existing->count(); ++row) {
        for (const size_t position : positionsOfKey.take(existing->bytes(row, 1).toByteArray()))
            results[position].id = existing->bytes(row, 0).toByteArray();
    }
    if (!positionsOfKey.isEmpty()) {
        return fail(Error{
            ErrorCode::Conflict,
            Text::tr("The dispatch key \"%1\" was taken by a row that is gone or not visible to this transaction.")
                .arg(QString::fromUtf8(positionsOfKey.constBegin().key())),
            Text::tr("Roll back and publish again."),
            true,
            {}});
    }
    return results;
}

} // namespace engine::outbox
