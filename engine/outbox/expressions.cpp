// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "expressions.h"

#include <QUuid>

#include <algorithm>
#include <limits>

namespace engine::outbox::expressions {

namespace {

// The largest value short of the greatest bigint, which stands for infinity where one is needed.
constexpr qint64 lastEpochMicros = std::numeric_limits<qint64>::max() - 1;

} // namespace

QByteArray now(const Column &column)
{
    return column.isZoned() ? "now()" : "(now() AT TIME ZONE 'UTC')";
}

QByteArray epochMicros(const Column &column)
{
    const QByteArray name = column.quoted();
    return "CASE WHEN isfinite(" + name + ") THEN least(extract(epoch FROM " + name + ") * 1000000, "
        + QByteArray::number(lastEpochMicros) + ")::bigint END";
}

QByteArray fromEpochMicros(const Column &column, const QByteArray &micros)
{
    // An interval is multiplied as a double, which is exact for some centuries only; days and the rest of a day are
    // exact for all. Whole days are added without a zone, where each has 24 hours.
    const QByteArray utc = "timestamp '1970-01-01' + make_interval(days => (" + micros
        + " / 86400000000)::int, secs => (" + micros + " % 86400000000)::float8 / 1000000)";
    return column.isZoned() ? "((" + utc + ") AT TIME ZONE 'UTC')" : '(' + utc + ')';
}

QByteArray heldUnder(const Layout &layout, const QByteArray &tokens)
{
    const Column &token = layout.kind == LayoutKind::Event ? layout.lockedUntil : layout.updatedAt;
    // IS TRUE keeps the planner off the (status, scheduledAt) index: statistics say that next to nothing is in flight,
    // so it would read that whole range, dead entries included, instead of going by primary key.
    return "(row." + layout.status.quoted() + " = " + literal(layout.statusFor(Phase::InFlight)) + ") IS TRUE AND row."
        + token.quoted() + " = ANY(ARRAY(SELECT " + fromEpochMicros(token, "held") + " FROM unnest(" + tokens
        + "::bigint[]) AS held))";
}

namespace {

QByteArray secondsInterval(std::chrono::seconds seconds)
{
    return "interval '" + QByteArray::number(qlonglong(seconds.count())) + " seconds'";
}

} // namespace

std::vector<QByteArray> dueConditions(const Layout &layout, std::chrono::seconds lease, std::chrono::seconds age)
{
    const auto status = [&](Phase phase) { return layout.status.quoted() + " = " + literal(layout.statusFor(phase)); };
    const auto before = [&](const Column &column) {
        return age.count() > 0 ? now(column) + " - " + secondsInterval(age) : now(column);
    };
    std::vector<QByteArray> conditions;
    conditions.push_back(status(Phase::Waiting) + " AND " + layout.scheduledAt.quoted()
                         + " <= " + before(layout.scheduledAt));
    if (layout.kind == LayoutKind::Event) {
        conditions.push_back(status(Phase::InFlight) + " AND " + layout.lockedUntil.quoted() + " < "
                             + before(layout.lockedUntil));
    } else {
        conditions.push_back(status(Phase::Retrying) + " AND " + layout.nextRetryAt.quoted()
                             + " <= " + before(layout.nextRetryAt));
        conditions.push_back(status(Phase::InFlight) + " AND " + layout.updatedAt.quoted() + " < "
                             + before(layout.updatedAt) + " - " + secondsInterval(lease));
    }
    return conditions;
}

std::vector<DueTime> dueTimes(const Layout &layout, std::chrono::seconds lease)
{
    const auto at = [](const Column &column) { return DueTime{column.quoted(), epochMicros(column)}; };
    if (layout.kind == LayoutKind::Event)
        return {at(layout.scheduledAt), at(layout.lockedUntil)};
    const QByteArray leaseMicros = QByteArray::number(qlonglong(lease.count())) + "000000";
    return {at(layout.scheduledAt),
            at(layout.nextRetryAt),
            {layout.updatedAt.quoted(), epochMicros(layout.updatedAt) + " + " + leaseMicros}};
}

bool canBeValueOf(const QByteArray &type, QByteArrayView text)
{
    if (text.contains('\0'))
        return false;
    if (type == "uuid")
        return text.size() == 36 && !QUuid::fromString(QLatin1StringView(text)).isNull();
    const int digits = type == "bigint" ? 18 : type == "integer" ? 9 : type == "smallint" ? 4 : 0;
    return digits == 0
        || (!text.isEmpty() && text.size() <= digits
            && std::all_of(text.cbegin(), text.cend(), [](char c) { return c >= '0' && c <= '9'; }));
}

QByteArray literal(QByteArrayView word)
{
    QByteArray text = word.toByteArray();
    text.replace('\'', "''");
    return '\'' + text + '\'';
}

} // namespace engine::outbox::expressions
