// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <chrono>

// Fragments of SQL that mean the same whatever the column's type and the session's time zone.
namespace engine::outbox::expressions {

// The database's now, as a value of the column's type. A column without zone holds UTC by convention (Prisma).
[[nodiscard]] QByteArray now(const Column &column);
// The column as microseconds since 1970 UTC (bigint); null for null and for infinity. The last years that a timestamp
// knows do not fit into a bigint of microseconds: they come as its end.
[[nodiscard]] QByteArray epochMicros(const Column &column);
// The reverse, for a bigint expression such as "$2::bigint", as a value of the column's type.
[[nodiscard]] QByteArray fromEpochMicros(const Column &column, const QByteArray &micros);
// True for rows of the alias `row` that are in flight under one of the tokens in the bigint[] `tokens`: the fence.
[[nodiscard]] QByteArray heldUnder(const Layout &layout, const QByteArray &tokens);
// The ways in which a row can be claimable now, each a condition that one index range answers: waiting and due,
// retry due (message layout), in flight past its lease. Joined by OR they would cost the index: use one statement,
// or one branch of a UNION ALL, for each. With `age`: claimable for longer than that.
[[nodiscard]] std::vector<QByteArray> dueConditions(const Layout &layout, std::chrono::seconds lease,
                                                    std::chrono::seconds age = std::chrono::seconds(0));

// Since when a row that fits the due condition at the same place has been claimable.
struct DueTime
{
    QByteArray order; // to sort by; where the schedule decides, the index has this order
    QByteArray epochMicros;
};
[[nodiscard]] std::vector<DueTime> dueTimes(const Layout &layout, std::chrono::seconds lease);
// Whether the text can be a value of an id column's type (text, uuid, a whole number): one that cannot would fail the
// statement that casts it, for all the others too.
[[nodiscard]] bool canBeValueOf(const QByteArray &type, QByteArrayView text);
// A string literal. Only for words of our own, such as statuses.
[[nodiscard]] QByteArray literal(QByteArrayView word);

} // namespace engine::outbox::expressions
