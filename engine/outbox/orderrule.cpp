// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "orderrule.h"

#include "expressions.h"

#include <engine/transport/sql/params.h>

#include <QCoreApplication>
#include <QStringList>

namespace engine::outbox {

using expressions::literal;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::outbox::OrderRule)
};

// The statuses in which an event is not through yet.
QByteArray openStatuses(const Layout &layout, bool deadHolds)
{
    QByteArray words;
    for (const Phase phase : {Phase::Waiting, Phase::InFlight, Phase::Retrying, Phase::Dead}) {
        const QByteArray word = layout.statusFor(phase);
        if (word.isEmpty() || (phase == Phase::Dead && !deadHolds))
            continue;
        words += (words.isEmpty() ? "" : ", ") + literal(word);
    }
    return words;
}

} // namespace

Result<OrderRule> OrderRule::parse(const QString &key, const QString &dead)
{
    OrderRule rule;
    if (key == u"aggregate") {
        rule.key = Key::Aggregate;
    } else if (key == u"tenant") {
        rule.key = Key::Tenant;
    } else if (key.startsWith(u"payload:")) {
        rule.key = Key::Payload;
        rule.path = key.mid(8).toUtf8();
        for (const QByteArray &name : rule.path.split('.')) {
            if (name.isEmpty())
                return fail(ErrorCode::BadInput, Text::tr("\"%1\" names no member of the payload.").arg(key),
                            Text::tr("Write payload:orderId, or payload:order.id for a member of a member."));
        }
    } else if (key != u"none" && !key.isEmpty()) {
        return fail(ErrorCode::BadInput, Text::tr("\"%1\" is no order.").arg(key),
                    Text::tr("It takes none, aggregate, tenant, or payload:NAME."));
    }
    if (dead != u"hold" && dead != u"skip" && !dead.isEmpty())
        return fail(ErrorCode::BadInput, Text::tr("\"%1\" says not what a dead event does to its key.").arg(dead),
                    Text::tr("It takes hold or skip."));
    rule.deadHolds = dead != u"skip";
    return rule;
}

Result<void> OrderRule::checkAgainst(const Layout &layout) const
{
    if (key == Key::None)
        return {};
    const bool lacksAggregate =
        key == Key::Aggregate && (!layout.aggregateId.exists() || !layout.aggregateType.exists());
    if (lacksAggregate)
        return fail(ErrorCode::BadInput, Text::tr("The table %1 has no aggregate columns.").arg(layout.displayName()),
                    Text::tr("Order by tenant or by a member of the payload instead."));
    if (key == Key::Payload && !layout.payload.type.startsWith("json"))
        return fail(ErrorCode::BadInput,
                    Text::tr("The payload column of %1 holds text, not JSON, so it has no members to order by.")
                        .arg(layout.displayName()),
                    Text::tr("Order by tenant, or change the column's type to jsonb."));
    if (!layout.createdAt.exists())
        return fail(ErrorCode::BadInput,
                    Text::tr("The table %1 does not say when its events were created.").arg(layout.displayName()),
                    Text::tr("Without that column no order can be kept."));
    return {};
}

QByteArray OrderRule::keyExpression(const Layout &layout, const QByteArray &row) const
{
    const auto column = [&](const Column &c) { return row + '.' + c.quoted(); };
    switch (key) {
    case Key::None:
        break;
    case Key::Aggregate:
        // Immutable, so that it can be indexed; the separator occurs in no sane name.
        return '(' + column(layout.tenantId) + "::text || chr(31) || " + column(layout.aggregateType)
            + "::text || chr(31) || " + column(layout.aggregateId) + "::text)";
    case Key::Tenant:
        return column(layout.tenantId) + "::text";
    case Key::Payload: {
        sql::ArrayText names;
        for (const QByteArray &name : path.split('.'))
            names.append(QByteArrayView(name));
        return '(' + column(layout.payload) + " #>> " + literal(names.take()) + ')';
    }
    }
    return "NULL";
}

QByteArray OrderRule::condition(const Layout &layout, const QByteArray &row) const
{
    if (key == Key::None)
        return {};
    const auto position = [&](const QByteArray &alias) {
        return '(' + alias + '.' + layout.createdAt.quoted() + ", " + alias + '.' + layout.id.quoted() + ')';
    };
    return " AND NOT EXISTS (SELECT 1 FROM " + layout.quotedTable() + " AS earlier WHERE "
        + keyExpression(layout, "earlier") + " = " + keyExpression(layout, row) + " AND earlier."
        + layout.status.quoted() + " IN (" + openStatuses(layout, deadHolds) + ") AND " + position("earlier") + " < "
        + position(row) + ')';
}

QByteArray OrderRule::recommendedIndex(const Layout &layout) const
{
    if (key == Key::None)
        return {};
    QByteArray expression = keyExpression(layout, "x").replace("x.", "");
    return "CREATE INDEX CONCURRENTLY ON " + layout.quotedTable() + " ((" + expression + "), "
        + layout.createdAt.quoted() + ", " + layout.id.quoted() + ") WHERE " + layout.status.quoted() + " IN ("
        + openStatuses(layout, deadHolds) + ");";
}

} // namespace engine::outbox
