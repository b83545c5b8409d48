// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowjson.h"

#include "times.h"

#include <engine/payload/decode.h>

namespace cli {

using namespace Qt::StringLiterals;
using engine::dispatch::Router;
using engine::outbox::RowDetail;
using engine::outbox::RowSummary;

void writeTime(JsonWriter &json, QByteArrayView name, std::optional<qint64> micros)
{
    json.key(name);
    if (micros)
        json.value(isoTime(micros));
    else
        json.null();
}

void writeRowMembers(JsonWriter &json, const RowSummary &row, const Router &router)
{
    json.member("id", QByteArrayView(row.id))
        .member("tenantId", QByteArrayView(row.tenantId))
        .member("eventType", QByteArrayView(row.eventType))
        .member("status", QByteArrayView(row.status))
        .member("retries", row.retries);
    json.key("destination");
    if (const auto queue = router.queueFor(row.eventType))
        json.value(QByteArrayView(*queue));
    else
        json.null();
    writeTime(json, "scheduledAt", row.scheduledAt);
    writeTime(json, "lockedUntil", row.lockedUntil);
    writeTime(json, "processedAt", row.processedAt);
    writeTime(json, "createdAt", row.createdAt);
    writeTime(json, "updatedAt", row.updatedAt);
}

void writeRowDetail(JsonWriter &json, const RowDetail &detail, const Router &router)
{
    json.beginObject();
    writeRowMembers(json, detail.row, router);
    json.member("lastError", detail.lastError);
    if (!detail.dispatchKey.isEmpty())
        json.member("dispatchKey", QByteArrayView(detail.dispatchKey));
    if (!detail.aggregateType.isEmpty()) {
        json.member("aggregateType", QByteArrayView(detail.aggregateType))
            .member("aggregateId", QByteArrayView(detail.aggregateId));
        json.key("eventVersion").raw(detail.eventVersion.isEmpty() ? "null" : detail.eventVersion);
        json.member("maxRetries", detail.maxRetries);
    }
    json.member("payloadBytes", detail.payloadBytes);
    // The stored bytes, untouched; a text column may hold what is no JSON, and a very long one is cut.
    const bool isJson = detail.payloadType.startsWith("json") && detail.payload.size() == detail.payloadBytes;
    json.key("payload");
    if (isJson)
        json.raw(detail.payload);
    else
        json.value(QByteArrayView(detail.payload));
    // What a text column holds may be packed.
    const auto decoded = isJson ? engine::payload::Decoded() : engine::payload::decode(detail.payload, true);
    if (decoded.isDecoded()) {
        json.member("payloadForm", QByteArrayView(engine::payload::formName(decoded)));
        json.key("payloadDecoded").stored(decoded.bytes);
    }
    json.endObject();
}

} // namespace cli
