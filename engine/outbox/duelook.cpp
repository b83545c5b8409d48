// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "duelook.h"

#include "expressions.h"

#include <algorithm>

namespace engine::outbox {

using namespace expressions;

namespace {

constexpr qint64 countLimit = 100'000;
constexpr std::chrono::seconds readLimit{5};

// The age of a column's value in milliseconds; null for null and infinite ones.
QByteArray ageMs(const Column &column, const QByteArray &extra = {})
{
    return "CASE WHEN isfinite(" + column.quoted() + ") THEN (extract(epoch FROM " + now(column) + " - "
        + column.quoted() + extra + ") * 1000)::bigint END";
}

} // namespace

Result<DueLook> lookAtDue(sql::Connection &connection, const Layout &layout, std::chrono::seconds lease)
{
    const std::vector<QByteArray> conditions = dueConditions(layout, lease);
    QByteArray counts;
    QByteArray ages;
    QByteArray waits;
    for (size_t i = 0; i < conditions.size(); ++i) {
        const QByteArray from = " FROM " + layout.quotedTable() + " WHERE " + conditions[i];
        // Waiting rows are claimable since their schedule, the first of the index range. The others, retries and
        // abandoned rows, have no index on what makes them claimable, but are few.
        const bool isWaiting = i == 0;
        const bool isExpired = i + 1 == conditions.size();
        const QByteArray wait = isWaiting ? ageMs(layout.scheduledAt)
            : !isExpired                  ? ageMs(layout.nextRetryAt)
            : layout.kind == LayoutKind::Event
            ? ageMs(layout.lockedUntil)
            : ageMs(layout.updatedAt, " - interval '" + QByteArray::number(qlonglong(lease.count())) + " seconds'");
        const QByteArray oldest = "(SELECT " + ageMs(layout.scheduledAt) + from + " AND isfinite("
            + layout.scheduledAt.quoted() + ") ORDER BY " + layout.scheduledAt.quoted() + " LIMIT 1)";
        const QByteArray comma = i == 0 ? "" : ", ";
        counts += (i == 0 ? "" : " + ") + QByteArray("(SELECT count(*) FROM (SELECT 1") + from + " LIMIT "
            + QByteArray::number(countLimit + 1) + ") AS due)";
        ages += comma + oldest;
        waits += comma
            + (isWaiting ? oldest
                         : "(SELECT max(wait) FROM (SELECT " + wait + " AS wait" + from + " LIMIT "
                       + QByteArray::number(countLimit) + ") AS due)");
    }
    auto rows =
        connection.read("SELECT " + counts + ", greatest(" + ages + "), greatest(" + waits + ")", {}, readLimit);
    if (!rows)
        return fail(rows.error());
    const qint64 due = rows->integer(0, 0);
    DueLook look;
    look.due = {std::min(due, countLimit), due > countLimit ? Count::Kind::AtLeast : Count::Kind::Exact};
    look.oldestAgeMs = rows->optionalInteger(0, 1);
    look.longestWaitMs = rows->optionalInteger(0, 2);
    return look;
}

} // namespace engine::outbox
