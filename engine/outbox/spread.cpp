// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "spread.h"

#include "expressions.h"
#include "rowsql.h"

#include <algorithm>

namespace engine::outbox {

using namespace expressions;
using Knot = Spread::Knot;

namespace {

constexpr std::chrono::seconds serverLimit{2};

struct Statistics
{
    std::vector<EpochMicros> bounds; // of buckets with equally many rows, oldest first
    std::vector<std::pair<EpochMicros, double>> common; // times that many rows share, with their share of all rows
};

double interpolated(double x, double x0, double x1, double y0, double y1)
{
    return x1 == x0 ? y0 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
}

// Column of a sub-select, of the schedule's type.
Column named(const char *name, const Layout &layout)
{
    Column column;
    column.name = name;
    column.type = layout.scheduledAt.type;
    return column;
}

Result<Statistics> readStatistics(sql::Connection &connection, const Layout &layout)
{
    const QByteArray array = "::text::" + layout.scheduledAt.type + "[]";
    const QByteArray at = epochMicros(named("at", layout));
    sql::Params params;
    params.text(layout.schema).text(layout.table).text(layout.scheduledAt.name);
    auto rows = connection.read(
        "WITH s AS (SELECT s.* FROM pg_stats s JOIN pg_namespace n ON n.nspname = s.schemaname JOIN pg_class c ON "
        "c.relnamespace = n.oid AND c.relname = s.tablename WHERE s.schemaname = $1 AND s.tablename = $2 AND "
        "s.attname = $3 AND s.inherited = (c.relkind = 'p')) SELECT NULL::float8, "
            + at + " FROM s, unnest(histogram_bounds" + array
            + ") AS bound(at) WHERE isfinite(at) UNION ALL SELECT freq, " + at + " FROM s, unnest(most_common_vals"
            + array + ", most_common_freqs) AS common(at, freq) WHERE isfinite(at) ORDER BY 2",
        params, serverLimit);
    if (!rows)
        return fail(rows.error());
    Statistics found;
    for (int row = 0; row < rows->count(); ++row) {
        if (rows->isNull(row, 0))
            found.bounds.push_back(rows->integer(row, 1));
        else
            found.common.emplace_back(rows->integer(row, 1), rows->bytes(row, 0).toDouble());
    }
    return found;
}

// Newest and oldest schedule of the statuses; empty: there is none.
Result<std::optional<std::pair<EpochMicros, EpochMicros>>> readEnds(sql::Connection &connection, const Layout &layout,
                                                                    const QList<QByteArray> &statuses)
{
    RowFilter filter;
    filter.statuses = statuses;
    QByteArray newest, oldest;
    for (const QByteArray &status : rowsql::statusesOf(layout, filter)) {
        const QByteArray of = layout.scheduledAt.quoted() + ") FROM " + layout.quotedTable() + " WHERE "
            + rowsql::statusIs(layout, status) + " AND isfinite(" + layout.scheduledAt.quoted() + "))";
        newest += (newest.isEmpty() ? "(SELECT max(" : ", (SELECT max(") + of;
        oldest += (oldest.isEmpty() ? "(SELECT min(" : ", (SELECT min(") + of;
    }
    auto rows = connection.read("SELECT " + epochMicros(named("newest", layout)) + ", "
                                    + epochMicros(named("oldest", layout)) + " FROM (SELECT greatest(" + newest
                                    + ") AS newest, least(" + oldest + ") AS oldest) AS ends",
                                {}, serverLimit, rowsql::byIndex);
    if (!rows)
        return fail(rows.error());
    const auto from = rows->optionalInteger(0, 0);
    const auto to = rows->optionalInteger(0, 1);
    if (!from || !to)
        return std::nullopt;
    return std::pair(*from, *to);
}

// The share of rows newer than each bound, newest first; common times are steps.
std::vector<Knot> knotsOf(const Statistics &statistics)
{
    double commonShare = 0;
    for (const auto &[at, share] : statistics.common)
        commonShare += share;
    const size_t buckets = std::max<size_t>(statistics.bounds.size(), 1) - 1;
    const double perBucket = buckets > 0 ? (1 - commonShare) / static_cast<double>(buckets) : 0;
    std::vector<Knot> knots;
    double newer = 0;
    auto common = statistics.common.crbegin();
    const auto takeCommon = [&](EpochMicros downTo, EpochMicros above, double bucketShare) {
        for (; common != statistics.common.crend() && common->first >= downTo; ++common) {
            const double partial = interpolated(static_cast<double>(common->first), static_cast<double>(above),
                                                static_cast<double>(downTo), 0, bucketShare);
            knots.push_back({common->first, newer + partial});
            newer += common->second;
            knots.push_back({common->first, newer + partial});
        }
    };
    for (size_t i = statistics.bounds.size(); i-- > 0;) {
        const bool isNewest = i + 1 == statistics.bounds.size();
        const EpochMicros bound = statistics.bounds[i];
        takeCommon(bound, isNewest ? bound : statistics.bounds[i + 1], isNewest ? 0 : perBucket);
        if (!isNewest)
            newer += perBucket;
        knots.push_back({bound, newer});
    }
    if (common != statistics.common.crend())
        takeCommon(statistics.common.front().first, common->first, 0);
    return knots;
}

} // namespace

Spread::Spread(std::vector<Knot> knots, bool fromStatistics)
    : m_knots(std::move(knots))
    , m_fromStatistics(fromStatistics)
{ }

std::optional<double> Spread::shareAt(EpochMicros at) const
{
    if (!isKnown())
        return std::nullopt;
    // The first knot that is not newer.
    const auto next = std::ranges::find_if(m_knots, [at](const Knot &knot) { return knot.at <= at; });
    if (next == m_knots.begin())
        return 0;
    if (next == m_knots.end())
        return 1;
    const Knot &before = *std::prev(next);
    return interpolated(static_cast<double>(at), static_cast<double>(before.at), static_cast<double>(next->at),
                        before.newer, next->newer);
}

std::optional<EpochMicros> Spread::timeAt(double share) const
{
    if (!isKnown())
        return std::nullopt;
    const auto next = std::ranges::find_if(m_knots, [share](const Knot &knot) { return knot.newer >= share; });
    if (next == m_knots.begin())
        return m_knots.front().at;
    if (next == m_knots.end())
        return m_knots.back().at;
    const Knot &before = *std::prev(next);
    return before.at
        + static_cast<EpochMicros>(
               interpolated(share, before.newer, next->newer, 0, static_cast<double>(next->at - before.at)));
}

Result<Spread> readSpread(sql::Connection &connection, const Layout &layout, const QList<QByteArray> &statuses)
{
    auto ends = readEnds(connection, layout, statuses);
    if (!ends)
        return fail(ends.error());
    if (!*ends)
        return Spread();
    const auto [newest, oldest] = **ends;
    auto statistics = readStatistics(connection, layout);
    if (!statistics)
        return fail(statistics.error());
    // Statistics are of the whole table and of some time ago: what lies beyond the ends is cut off.
    std::vector<Knot> knots = knotsOf(*statistics);
    std::erase_if(
        knots, [newest = newest, oldest = oldest](const Knot &knot) { return knot.at > newest || knot.at < oldest; });
    if (knots.size() < 2 || knots.back().newer <= knots.front().newer)
        return Spread({{newest, 0}, {oldest, 1}});
    const double first = knots.front().newer;
    const double all = knots.back().newer - first;
    std::vector<Knot> whole;
    whole.reserve(knots.size() + 2);
    if (knots.front().at < newest)
        whole.push_back({newest, 0});
    for (const Knot &knot : knots)
        whole.push_back({knot.at, (knot.newer - first) / all});
    if (knots.back().at > oldest)
        whole.push_back({oldest, 1});
    return Spread(std::move(whole), true);
}

} // namespace engine::outbox
