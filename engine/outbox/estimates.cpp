// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimates.h"

namespace engine::outbox {

Result<QHash<QByteArray, qint64>> estimatedCounts(sql::Connection &connection, const Layout &layout)
{
    sql::Params params;
    params.text(layout.schema).text(layout.table).text(layout.status.name);
    // The planner's own way with a table that has grown since: as dense as it was, over the pages there are now.
    auto rows = connection.read(
        "SELECT value, (freq * greatest(reltuples, 0) * CASE WHEN relkind = 'r' AND relpages > 0 THEN "
        "pg_relation_size(c.oid)::float8 / current_setting('block_size')::int / relpages ELSE 1 END)::bigint "
        "FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_stats s ON s.schemaname = n.nspname "
        "AND s.tablename = c.relname, unnest(s.most_common_vals::text::text[], s.most_common_freqs) AS common(value, "
        "freq) WHERE n.nspname = $1 AND c.relname = $2 AND s.attname = $3 AND s.inherited = (c.relkind = 'p')",
        params, std::chrono::seconds(2));
    if (!rows)
        return fail(rows.error());
    QHash<QByteArray, qint64> found;
    for (int row = 0; row < rows->count(); ++row)
        found.insert(rows->bytes(row, 0).toByteArray(), rows->integer(row, 1));
    return found;
}

} // namespace engine::outbox
