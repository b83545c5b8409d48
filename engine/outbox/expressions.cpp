// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "expressions.h"

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

QByteArray literal(QByteArrayView word)
{
    QByteArray text = word.toByteArray();
    text.replace('\'', "''");
    return '\'' + text + '\'';
}

} // namespace engine::outbox::expressions
