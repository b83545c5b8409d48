// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "discovery.h"

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

struct CatalogueTable
{
    QByteArray schema;
    QByteArray name;
    std::vector<Column> columns;
    QList<QByteArray> enumLabels; // of the status column, if it is an enum
    QList<QByteArray> enums; // columns that are enums
    QList<QByteArray> generated; // columns that nobody can write
    QList<QByteArray> uniqueColumns; // columns with a unique index of their own
    QList<QByteArray> identifying; // columns whose value names one row
    QList<QByteArray> indexPrefixes; // "first,second" column of every index
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
        for (const QByteArray &spelling : part.spellings) {
            const auto found = std::find_if(table.columns.cbegin(), table.columns.cend(),
                                            [&](const Column &column) { return column.name == spelling; });
            if (found != table.columns.cend()) {
                target = *found;
                if (const QString fault = faultOf(table, part, *found); !fault.isEmpty())
                    result.faults << fault;
                break;
            }
        }
        if (part.required && !target.exists())
            result.missing << part.spellings.constFirst();
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

QList<QByteArray> split(QByteArrayView text)
{
    return text.isEmpty() ? QList<QByteArray>() : text.toByteArray().split('\n');
}

// Tables (also partitioned ones) with a column named status and one named id, with everything fit() asks about.
Result<std::vector<CatalogueTable>> readCatalogue(sql::Connection &connection)
{
    static const QByteArray statement = R"sql(
        WITH RECURSIVE domain(oid, type, typmod) AS (
            SELECT oid, typbasetype, typtypmod FROM pg_type WHERE typtype = 'd'
            UNION ALL
            SELECT d.oid, t.typbasetype, t.typtypmod FROM domain d JOIN pg_type t ON t.oid = d.type WHERE t.typtype = 'd'
        ), base AS (
            SELECT d.oid, d.type, d.typmod FROM domain d JOIN pg_type t ON t.oid = d.type WHERE t.typtype <> 'd'
        )
        SELECT n.nspname, c.relname, a.attname,
               format_type(coalesce(b.type, a.atttypid), coalesce(b.typmod, a.atttypmod)),
               a.atthasdef OR a.attidentity <> '',
               CASE WHEN a.attname = 'status' THEN
                   (SELECT string_agg(e.enumlabel, E'\n' ORDER BY e.enumsortorder) FROM pg_enum e
                       WHERE e.enumtypid = coalesce(b.type, a.atttypid))
               END,
               EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid
                       AND i.indimmediate AND i.indpred IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum),
               (SELECT string_agg(a2.attname, E'\n') FROM pg_index i
                   JOIN pg_attribute a2 ON a2.attrelid = c.oid AND a2.attnum = i.indkey[1]
                   WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND i.indkey[0] = a.attnum),
               -- A partitioned table's unique index has to hold the columns it is partitioned by: id beside these is
               -- as much of a key as it can have.
               EXISTS (SELECT 1 FROM pg_index i LEFT JOIN pg_partitioned_table p ON p.partrelid = i.indrelid
                       WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
                       AND a.attnum = ANY (i.indkey::int2[])
                       AND (i.indkey::int2[])[0:i.indnkeyatts - 1]
                           <@ (ARRAY[a.attnum] || coalesce(p.partattrs::int2[], '{}'))),
               a.attnotnull, a.attgenerated <> '',
               EXISTS (SELECT 1 FROM pg_enum e WHERE e.enumtypid = coalesce(b.type, a.atttypid))
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN base b ON b.oid = a.atttypid
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\_toast%'
          AND n.nspname NOT LIKE 'pg\_temp%'
        ORDER BY n.nspname, c.relname, a.attnum)sql";
    auto rows = connection.read(statement, {}, std::chrono::seconds(20));
    if (!rows)
        return fail(rows.error());

    std::vector<CatalogueTable> tables;
    for (int row = 0; row < rows->count(); ++row) {
        const QByteArray schema = rows->bytes(row, 0).toByteArray();
        const QByteArray name = rows->bytes(row, 1).toByteArray();
        if (tables.empty() || tables.back().schema != schema || tables.back().name != name) {
            CatalogueTable next;
            next.schema = schema;
            next.name = name;
            tables.push_back(std::move(next));
        }
        CatalogueTable &table = tables.back();
        const Column column{rows->bytes(row, 2).toByteArray(), rows->bytes(row, 3).toByteArray(), rows->boolean(row, 4),
                            !rows->boolean(row, 9)};
        table.enumLabels << split(rows->bytes(row, 5));
        if (rows->boolean(row, 6))
            table.uniqueColumns << column.name;
        for (const QByteArray &second : split(rows->bytes(row, 7)))
            table.indexPrefixes << column.name + ',' + second;
        if (rows->boolean(row, 8))
            table.identifying << column.name;
        if (rows->boolean(row, 10))
            table.generated << column.name;
        if (rows->boolean(row, 11))
            table.enums << column.name;
        table.columns.push_back(column);
    }
    return tables;
}

// Splits "schema.table" where each part may be double-quoted; a lone name leaves the schema empty.
Result<std::pair<QByteArray, QByteArray>> parseTableName(const QString &wanted)
{
    QList<QByteArray> parts{QByteArray()};
    bool quoted = false;
    const QByteArray text = wanted.toUtf8();
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' && quoted && i + 1 < text.size() && text[i + 1] == '"')
            parts.last() += text[++i];
        else if (c == '"')
            quoted = !quoted;
        else if (c == '.' && !quoted)
            parts << QByteArray();
        else
            parts.last() += c;
    }
    if (quoted || parts.size() > 2 || parts.last().isEmpty())
        return fail(ErrorCode::BadInput, Text::tr("\"%1\" is no table name.").arg(wanted),
                    Text::tr("Write it as table or schema.table, with double quotes where a name holds a dot."));
    return parts.size() == 2 ? std::pair(parts[0], parts[1]) : std::pair(QByteArray(), parts[0]);
}

QString missingText(const Fit &candidate)
{
    const QString kind = candidate.layout.kindName();
    if (candidate.missing.isEmpty())
        return Text::tr("%1 layout: %2").arg(kind, candidate.faults.join(u", "));
    return Text::tr("%1 layout lacks: %2").arg(kind, QString::fromUtf8(candidate.missing.join(", ")));
}

// Why a table by this name is not among those looked at: it is no table but a view, a partition and so on.
Result<Layout> notATable(sql::Connection &connection, const std::pair<QByteArray, QByteArray> &name,
                         const QString &wanted)
{
    sql::Params params;
    params.text(name.second).text(name.first);
    auto found = connection.read("SELECT c.relkind, c.relispartition FROM pg_class c JOIN pg_namespace n "
                                 "ON n.oid = c.relnamespace WHERE c.relname = $1 AND ($2 = '' OR n.nspname = $2) "
                                 "AND (c.relkind IN ('v', 'm', 'f') OR c.relispartition) LIMIT 1",
                                 params, std::chrono::seconds(20));
    if (!found)
        return fail(found.error());
    if (found->count() == 0)
        return fail(ErrorCode::NotFound, Text::tr("There is no table %1 in this database.").arg(wanted),
                    Text::tr("Check the name, or create it with: outbox-console schema apply."));
    if (found->boolean(0, 1))
        return fail(ErrorCode::NotFound, Text::tr("%1 is a partition.").arg(wanted),
                    Text::tr("Name the table that it is a part of."));
    return fail(ErrorCode::NotFound, Text::tr("%1 is a view or a foreign table.").arg(wanted),
                Text::tr("Name the table behind it: rows can only be claimed there."));
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

// A name given on a command line often lost its quotes and capitals; PostgreSQL would fold it, users do not expect that.
bool sameName(const QByteArray &catalogue, const QByteArray &wanted, bool exact)
{
    return exact ? catalogue == wanted : catalogue.compare(wanted, Qt::CaseInsensitive) == 0;
}

Result<Layout> discoverNamed(sql::Connection &connection, const std::vector<CatalogueTable> &tables,
                             const QString &wanted, const QString &preferredSchema)
{
    const auto name = parseTableName(wanted);
    if (!name)
        return fail(name.error());
    std::vector<CatalogueTable> named;
    for (const bool exact : {true, false}) {
        for (const CatalogueTable &table : tables) {
            if (sameName(table.name, name->second, exact)
                && (name->first.isEmpty() || sameName(table.schema, name->first, exact)))
                named.push_back(table);
        }
        if (!named.empty())
            break;
    }
    if (named.empty())
        return notATable(connection, *name, wanted);
    std::vector<Layout> found = fitting(named);
    if (found.size() > 1 && name->first.isEmpty()) {
        std::erase_if(found, [&](const Layout &layout) { return layout.schema != preferredSchema.toUtf8(); });
        if (found.empty())
            found = fitting(named);
    }
    if (found.size() > 1)
        return fail(ambiguous(found));
    if (found.empty()) {
        const Fit event = fit(named.front(), LayoutKind::Event);
        const Fit message = fit(named.front(), LayoutKind::Message);
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
