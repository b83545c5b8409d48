// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalogue.h"

#include <QCoreApplication>

#include <algorithm>

namespace engine::outbox {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::outbox::Discovery)
};

QList<QByteArray> split(QByteArrayView text)
{
    return text.isEmpty() ? QList<QByteArray>() : text.toByteArray().split('\n');
}

bool sameName(const QByteArray &catalogue, const QByteArray &wanted, bool exact)
{
    return exact ? catalogue == wanted : catalogue.compare(wanted, Qt::CaseInsensitive) == 0;
}

Error notFound(const QString &message, const QString &hint)
{
    return {ErrorCode::NotFound, message, hint, false, {}};
}

// Why a table by this name is not among those looked at: it is no table but a view, a partition and so on.
Error notATable(sql::Connection &connection, const std::pair<QByteArray, QByteArray> &name, const QString &wanted)
{
    sql::Params params;
    params.text(name.second).text(name.first);
    auto found = connection.read("SELECT c.relkind, c.relispartition FROM pg_class c JOIN pg_namespace n "
                                 "ON n.oid = c.relnamespace WHERE c.relname = $1 AND ($2 = '' OR n.nspname = $2) "
                                 "AND (c.relkind IN ('v', 'm', 'f') OR c.relispartition) LIMIT 1",
                                 params, std::chrono::seconds(20));
    if (!found)
        return found.error();
    if (found->count() == 0)
        return notFound(Text::tr("There is no table %1 in this database.").arg(wanted),
                        Text::tr("Check the name, or create it with: outbox-console schema apply."));
    if (found->boolean(0, 1))
        return notFound(Text::tr("%1 is a partition.").arg(wanted), Text::tr("Name the table that it is a part of."));
    return notFound(Text::tr("%1 is a view or a foreign table.").arg(wanted),
                    Text::tr("Name the table behind it: rows can only be claimed there."));
}

} // namespace

Column CatalogueTable::columnSpelled(const QList<QByteArray> &spellings) const
{
    for (const QByteArray &spelling : spellings) {
        for (const Column &column : columns) {
            if (column.name == spelling)
                return column;
        }
    }
    return {};
}

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

Result<std::vector<CatalogueTable>> tablesNamed(sql::Connection &connection, const std::vector<CatalogueTable> &tables,
                                                const QString &wanted)
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
            return named;
    }
    return fail(notATable(connection, *name, wanted));
}

} // namespace engine::outbox
