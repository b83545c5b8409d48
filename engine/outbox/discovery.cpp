// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "discovery.h"

#include "catalogue.h"

#include <QCoreApplication>
#include <QHash>
#include <QStringList>

namespace engine::outbox {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::outbox::Discovery)
};

// What a column has to be able to hold.
enum class Holds { Anything, Text, Name, Json, Number, Time, Status, Identity };

// A part of a layout and the spellings under which it is seen in the wild.
struct Part
{
    Column Layout::*column;
    QList<QByteArray> spellings;
    Holds holds;
    bool required = true;
    bool written = false; // by a claim or a settle
};

const QList<Part> &partsOf(LayoutKind kind)
{
    static const QList<Part> event{
        {&Layout::id, {"id"}, Holds::Identity},
        {&Layout::tenantId, {"tenantId", "tenant_id"}, Holds::Anything},
        {&Layout::eventType, {"eventType", "event_type", "type"}, Holds::Name},
        {&Layout::payload, {"payload"}, Holds::Json},
        {&Layout::dispatchKey, {"dispatchKey", "dispatch_key"}, Holds::Text, false},
        {&Layout::status, {"status"}, Holds::Status, true, true},
        {&Layout::retries, {"retries"}, Holds::Number, true, true},
        {&Layout::scheduledAt, {"scheduledAt", "scheduled_at"}, Holds::Time, true, true},
        {&Layout::lockedUntil, {"lockedUntil", "locked_until"}, Holds::Time, true, true},
        {&Layout::processedAt, {"processedAt", "processed_at"}, Holds::Time, true, true},
        {&Layout::lastError, {"lastError", "last_error"}, Holds::Text, true, true},
        {&Layout::createdAt, {"createdAt", "created_at"}, Holds::Time},
        {&Layout::updatedAt, {"updatedAt", "updated_at"}, Holds::Time, false, true},
    };
    static const QList<Part> message{
        {&Layout::id, {"id"}, Holds::Identity},
        {&Layout::tenantId, {"tenantId", "tenant_id"}, Holds::Anything},
        {&Layout::eventType, {"messageType", "message_type"}, Holds::Name},
        {&Layout::aggregateId, {"aggregateId", "aggregate_id"}, Holds::Anything},
        {&Layout::aggregateType, {"aggregateType", "aggregate_type"}, Holds::Name},
        {&Layout::eventVersion, {"eventVersion", "event_version"}, Holds::Number},
        {&Layout::payload, {"eventData", "event_data"}, Holds::Json},
        {&Layout::metadata, {"metadata"}, Holds::Json, false},
        {&Layout::status, {"status"}, Holds::Status, true, true},
        {&Layout::scheduledAt, {"scheduledAt", "scheduled_at"}, Holds::Time, true, true},
        {&Layout::processedAt, {"processedAt", "processed_at"}, Holds::Time, true, true},
        {&Layout::retries, {"retryCount", "retry_count"}, Holds::Number, true, true},
        {&Layout::maxRetries, {"maxRetries", "max_retries"}, Holds::Number},
        {&Layout::nextRetryAt, {"nextRetryAt", "next_retry_at"}, Holds::Time, true, true},
        {&Layout::lastError, {"lastError", "last_error"}, Holds::Text, true, true},
        {&Layout::createdAt, {"createdAt", "created_at"}, Holds::Time},
        {&Layout::updatedAt, {"updatedAt", "updated_at"}, Holds::Time, true, true},
    };
    return kind == LayoutKind::Event ? event : message;
}

bool canHold(Holds holds, const Column &column, bool isEnum)
{
    const QByteArray &type = column.type;
    const bool isWhole = type == "smallint" || type == "integer" || type == "bigint";
    const bool isNumber = isWhole || type.startsWith("numeric");
    switch (holds) {
    case Holds::Anything:
        return true;
    case Holds::Text:
        return column.isText();
    case Holds::Name:
    case Holds::Status:
        return column.isText() || isEnum;
    case Holds::Json:
        return column.isText() || type == "json" || type == "jsonb";
    case Holds::Number:
        return isNumber;
    case Holds::Time:
        return type.startsWith("timestamp");
    case Holds::Identity:
        return column.isText() || type == "uuid" || isNumber;
    }
    return false;
}

struct Fit
{
    Layout layout;
    QList<QByteArray> missing; // first spelling of each required part that is not there
    QStringList faults; // what else keeps the table from being used

    [[nodiscard]] bool isGood() const { return missing.isEmpty() && faults.isEmpty(); }
};

// What is wrong with a column that has the right name.
QString faultOf(const CatalogueTable &table, const Part &part, const Column &column)
{
    const QString name = QString::fromUtf8(column.name);
    if (!canHold(part.holds, column, table.enums.contains(column.name)))
        return Text::tr("column %1 is of type %2").arg(name, QString::fromUtf8(column.type));
    if (part.written && table.generated.contains(column.name))
        return Text::tr("column %1 is generated").arg(name);
    // Claims and jobs go by id alone: two rows with one id would become one job, and the second event be lost.
    if (part.holds == Holds::Identity && (column.nullable || !table.identifying.contains(column.name)))
        return Text::tr("column %1 is not a key of its own (NOT NULL and unique)").arg(name);
    return {};
}

Fit fit(const CatalogueTable &table, LayoutKind kind)
{
    Fit result;
    Layout &layout = result.layout;
    layout.kind = kind;
    layout.schema = table.schema;
    layout.table = table.name;
    for (const Part &part : partsOf(kind)) {
        Column &target = layout.*part.column;
        target = table.columnSpelled(part.spellings);
        if (!target.exists()) {
            if (part.required)
                result.missing << part.spellings.constFirst();
        } else if (const QString fault = faultOf(table, part, target); !fault.isEmpty()) {
            result.faults << fault;
        }
    }

    for (const Phase phase :
         {Phase::Waiting, Phase::InFlight, Phase::HandedOver, Phase::Retrying, Phase::Dead, Phase::Cancelled}) {
        const QByteArray word = layout.statusFor(phase);
        if (word.isEmpty())
            continue;
        // An enum without the word cannot even be compared with it.
        if (table.enumLabels.isEmpty() || table.enumLabels.contains(word))
            layout.statuses.push_back(word);
        else if (phase != Phase::Cancelled && layout.status.exists())
            result.faults << Text::tr("its status has no value %1").arg(QString::fromUtf8(word));
    }
    layout.dispatchKeyIsUnique = layout.dispatchKey.exists() && table.uniqueColumns.contains(layout.dispatchKey.name);
    layout.hasDueIndex = table.indexPrefixes.contains(layout.status.name + ',' + layout.scheduledAt.name);
    return result;
}

QString missingText(const Fit &candidate)
{
    const QString kind = candidate.layout.kindName();
    if (candidate.missing.isEmpty())
        return Text::tr("%1 layout: %2").arg(kind, candidate.faults.join(u", "));
    return Text::tr("%1 layout lacks: %2").arg(kind, QString::fromUtf8(candidate.missing.join(", ")));
}

std::vector<Layout> fitting(const std::vector<CatalogueTable> &tables)
{
    std::vector<Layout> found;
    for (const CatalogueTable &table : tables) {
        for (const LayoutKind kind : {LayoutKind::Event, LayoutKind::Message}) {
            if (Fit candidate = fit(table, kind); candidate.isGood())
                found.push_back(std::move(candidate.layout));
        }
    }
    return found;
}

Error ambiguous(const std::vector<Layout> &found)
{
    QStringList names;
    for (const Layout &layout : found)
        names << layout.displayName();
    return {ErrorCode::Ambiguous,
            Text::tr("%1 tables fit an outbox layout: %2.").arg(found.size()).arg(names.join(u", ")),
            Text::tr("Choose one: in the connection's Table field, or with --table '%1' in a terminal.")
                .arg(names.constFirst()),
            false,
            {}};
}

Result<Layout> discoverNamed(sql::Connection &connection, const std::vector<CatalogueTable> &tables,
                             const QString &wanted, const QString &preferredSchema)
{
    const auto named = tablesNamed(connection, tables, wanted);
    if (!named)
        return fail(named.error());
    std::vector<Layout> found = fitting(*named);
    if (found.size() > 1 && parseTableName(wanted)->first.isEmpty()) {
        std::erase_if(found, [&](const Layout &layout) { return layout.schema != preferredSchema.toUtf8(); });
        if (found.empty())
            found = fitting(*named);
    }
    if (found.size() > 1)
        return fail(ambiguous(found));
    if (found.empty()) {
        const Fit event = fit(named->front(), LayoutKind::Event);
        const Fit message = fit(named->front(), LayoutKind::Message);
        // With every column there, the other layout is not what was meant.
        const QString reason = event.missing.isEmpty() ? missingText(event)
            : message.missing.isEmpty()                ? missingText(message)
                                        : QStringList{missingText(event), missingText(message)}.join(u"; ");
        return fail(ErrorCode::NotFound, Text::tr("The table %1 fits no outbox layout (%2).").arg(wanted, reason),
                    Text::tr("See both layouts with: outbox-console schema print."));
    }
    return std::move(found.front());
}

} // namespace

Result<std::vector<Layout>> discoverAll(sql::Connection &connection)
{
    auto tables = readCatalogue(connection);
    if (!tables)
        return fail(tables.error());
    return fitting(*tables);
}

Result<Layout> discover(sql::Connection &connection, const QString &wanted, const QString &preferredSchema)
{
    auto tables = readCatalogue(connection);
    if (!tables)
        return fail(tables.error());
    if (!wanted.isEmpty())
        return discoverNamed(connection, *tables, wanted, preferredSchema);

    std::vector<Layout> found = fitting(*tables);
    if (found.size() > 1 && !preferredSchema.isEmpty()) {
        std::vector<Layout> preferred = found;
        std::erase_if(preferred, [&](const Layout &layout) { return layout.schema != preferredSchema.toUtf8(); });
        if (preferred.size() == 1)
            found = std::move(preferred);
    }
    if (found.size() > 1)
        return fail(ambiguous(found));
    if (!found.empty())
        return std::move(found.front());

    // Nothing fits. The table that comes nearest is the most useful thing to name.
    const Fit *nearest = nullptr;
    std::vector<Fit> candidates;
    for (const CatalogueTable &table : *tables) {
        candidates.push_back(fit(table, LayoutKind::Event));
        candidates.push_back(fit(table, LayoutKind::Message));
    }
    for (const Fit &candidate : candidates) {
        if (candidate.missing.size() <= 6 && (!nearest || candidate.missing.size() < nearest->missing.size()))
            nearest = &candidate;
    }
    const QString message = nearest ? Text::tr("No table fits an outbox layout; nearest is %1 (%2).")
                                          .arg(nearest->layout.displayName(), missingText(*nearest))
                                    : Text::tr("This database has no outbox table.");
    return fail(ErrorCode::NotFound, message, Text::tr("Create one with: outbox-console schema apply."));
}

} // namespace engine::outbox
