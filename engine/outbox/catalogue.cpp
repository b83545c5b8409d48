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

Result<std::vector<CatalogueTable>> tablesNamed(const std::vector<CatalogueTable> &tables, const QString &wanted)
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
    return fail(ErrorCode::NotFound, Text::tr("There is no table %1 in this database.").arg(wanted),
                Text::tr("Check the name, or create it with: outbox-console schema apply."));
}

} // namespace engine::outbox
