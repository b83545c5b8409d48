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
    QList<QByteArray> uniqueColumns; // columns with a unique index of their own
    QList<QByteArray> indexPrefixes; // "first,second" column of every index
};

// A part of a layout and the spellings under which it is seen in the wild.
struct Part
{
    Column Layout::*column;
    QList<QByteArray> spellings;
    bool required;
};

const QList<Part> &partsOf(LayoutKind kind)
{
    static const QList<Part> event{
        {&Layout::id, {"id"}, true},
        {&Layout::tenantId, {"tenantId", "tenant_id"}, true},
        {&Layout::eventType, {"eventType", "event_type", "type"}, true},
        {&Layout::payload, {"payload"}, true},
        {&Layout::dispatchKey, {"dispatchKey", "dispatch_key"}, false},
        {&Layout::status, {"status"}, true},
        {&Layout::retries, {"retries"}, true},
        {&Layout::scheduledAt, {"scheduledAt", "scheduled_at"}, true},
        {&Layout::lockedUntil, {"lockedUntil", "locked_until"}, true},
        {&Layout::processedAt, {"processedAt", "processed_at"}, true},
        {&Layout::lastError, {"lastError", "last_error"}, true},
        {&Layout::createdAt, {"createdAt", "created_at"}, true},
        {&Layout::updatedAt, {"updatedAt", "updated_at"}, false},
    };
    static const QList<Part> message{
        {&Layout::id, {"id"}, true},
        {&Layout::tenantId, {"tenantId", "tenant_id"}, true},
        {&Layout::eventType, {"messageType", "message_type"}, true},
        {&Layout::aggregateId, {"aggregateId", "aggregate_id"}, true},
        {&Layout::aggregateType, {"aggregateType", "aggregate_type"}, true},
        {&Layout::eventVersion, {"eventVersion", "event_version"}, true},
        {&Layout::payload, {"eventData", "event_data"}, true},
        {&Layout::metadata, {"metadata"}, false},
        {&Layout::status, {"status"}, true},
        {&Layout::scheduledAt, {"scheduledAt", "scheduled_at"}, true},
        {&Layout::processedAt, {"processedAt", "processed_at"}, true},
        {&Layout::retries, {"retryCount", "retry_count"}, true},
        {&Layout::maxRetries, {"maxRetries", "max_retries"}, true},
        {&Layout::nextRetryAt, {"nextRetryAt", "next_retry_at"}, true},
        {&Layout::lastError, {"lastError", "last_error"}, true},
        {&Layout::createdAt, {"createdAt", "created_at"}, true},
        {&Layout::updatedAt, {"updatedAt", "updated_at"}, true},
    };
    return kind == LayoutKind::Event ? event : message;
}

struct Fit
{
    Layout layout;
    QList<QByteArray> missing; // first spelling of each required part that is not there
};

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
                break;
            }
        }
        if (part.required && !target.exists())
            result.missing << part.spellings.constFirst();
    }

    for (const Phase phase :
         {Phase::Waiting, Phase::InFlight, Phase::HandedOver, Phase::Retrying, Phase::Dead, Phase::Cancelled}) {
        const QByteArray word = layout.statusFor(phase);
        // An enum without the word cannot even be compared with it.
        if (!word.isEmpty() && (table.enumLabels.isEmpty() || table.enumLabels.contains(word)))
            layout.statuses.push_back(word);
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
        SELECT n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.atthasdef OR a.attidentity <> '',
               CASE WHEN a.attname = 'status' THEN
                   (SELECT string_agg(e.enumlabel, E'\n' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = a.atttypid)
               END,
               EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid
                       AND i.indpred IS NULL AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum),
               (SELECT string_agg(a2.attname, E'\n') FROM pg_index i
                   JOIN pg_attribute a2 ON a2.attrelid = c.oid AND a2.attnum = i.indkey[1]
                   WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL AND i.indkey[0] = a.attnum)
        FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
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
        const Column column{rows->bytes(row, 2).toByteArray(), rows->bytes(row, 3).toByteArray(),
                            rows->boolean(row, 4)};
        table.enumLabels << split(rows->bytes(row, 5));
        if (rows->boolean(row, 6))
            table.uniqueColumns << column.name;
        for (const QByteArray &second : split(rows->bytes(row, 7)))
            table.indexPrefixes << column.name + ',' + second;
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
    return Text::tr("%1 layout lacks: %2")
        .arg(candidate.layout.kindName(), QString::fromUtf8(candidate.missing.join(", ")));
}

std::vector<Layout> fitting(const std::vector<CatalogueTable> &tables)
{
    std::vector<Layout> found;
    for (const CatalogueTable &table : tables) {
        for (const LayoutKind kind : {LayoutKind::Event, LayoutKind::Message}) {
            if (Fit candidate = fit(table, kind); candidate.missing.isEmpty())
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

Result<Layout> discoverNamed(const std::vector<CatalogueTable> &tables, const QString &wanted,
                             const QString &preferredSchema)
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
        return fail(ErrorCode::NotFound, Text::tr("There is no table %1 in this database.").arg(wanted),
                    Text::tr("Check the name, or create it with: outbox-console schema apply."));
    std::vector<Layout> found = fitting(named);
    if (found.size() > 1 && name->first.isEmpty()) {
        std::erase_if(found, [&](const Layout &layout) { return layout.schema != preferredSchema.toUtf8(); });
        if (found.empty())
            found = fitting(named);
    }
    if (found.size() > 1)
        return fail(ambiguous(found));
    if (found.empty())
        return fail(ErrorCode::NotFound,
                    Text::tr("The table %1 fits no outbox layout (%2; %3).")
                        .arg(wanted, missingText(fit(named.front(), LayoutKind::Event)),
                             missingText(fit(named.front(), LayoutKind::Message))),
                    Text::tr("See both layouts with: outbox-console schema print."));
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
        return discoverNamed(*tables, wanted, preferredSchema);

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
