// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "expressions.h"

#include <QUuid>

#include <algorithm>

namespace engine::outbox::expressions {

QByteArray now(const Column &column)
{
    return column.isZoned() ? "now()" : "(now() AT TIME ZONE 'UTC')";
}

QByteArray epochMicros(const Column &column)
{
    const QByteArray name = column.quoted();
    return "CASE WHEN isfinite(" + name + ") THEN (extract(epoch FROM " + name + ") * 1000000)::bigint END";
}

QByteArray fromEpochMicros(const Column &column, const QByteArray &micros)
{
    const QByteArray epoch =
        column.isZoned() ? "timestamptz '1970-01-01 00:00:00+00'" : "timestamp '1970-01-01 00:00:00'";
    return "(" + epoch + " + " + micros + " * interval '1 microsecond')";
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

std::vector<QByteArray> dueConditions(const Layout &layout, std::chrono::seconds lease)
{
    const auto status = [&](Phase phase) { return layout.status.quoted() + " = " + literal(layout.statusFor(phase)); };
    std::vector<QByteArray> conditions;
    conditions.push_back(status(Phase::Waiting) + " AND " + layout.scheduledAt.quoted()
                         + " <= " + now(layout.scheduledAt));
    if (layout.kind == LayoutKind::Event) {
        conditions.push_back(status(Phase::InFlight) + " AND " + layout.lockedUntil.quoted() + " < "
                             + now(layout.lockedUntil));
    } else {
        conditions.push_back(status(Phase::Retrying) + " AND " + layout.nextRetryAt.quoted()
                             + " <= " + now(layout.nextRetryAt));
        conditions.push_back(status(Phase::InFlight) + " AND " + layout.updatedAt.quoted() + " < "
                             + now(layout.updatedAt) + " - interval '" + QByteArray::number(qlonglong(lease.count()))
                             + " seconds'");
    }
    return conditions;
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
