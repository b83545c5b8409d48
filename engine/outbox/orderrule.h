// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/base/error.h>

namespace engine::outbox {

// Which events must be handed over one after the other. An event is claimed only when no earlier event of its key is
// still open, so that an event on its way or waiting for its retry holds back the later ones of its key and no others.
// "Earlier" is by createdAt, then by id, among the committed rows: an event whose transaction commits late comes late.
struct OrderRule
{
    enum class Key {
        None, // no order; the default
        Aggregate, // tenant, aggregateType and aggregateId; message layout only
        Tenant,
        Payload, // a member of the payload; events without it have no order
    };

    Key key = Key::None;
    QByteArray path; // of Payload: names of objects inside each other, separated by dots
    // Whether a dead event holds back its key until it is requeued or cancelled. If not, the key goes on without it.
    bool deadHolds = true;

    // `key` is none, aggregate, tenant or payload:a.b; `dead` is hold or skip. Errors: BadInput, saying what fits.
    [[nodiscard]] static Result<OrderRule> parse(const QString &key, const QString &dead);
    // The columns that the rule needs. Errors: BadInput, naming what the table lacks.
    [[nodiscard]] Result<void> checkAgainst(const Layout &layout) const;

    // The key of a row as SQL, over the table's alias `row`; a text or null.
    [[nodiscard]] QByteArray keyExpression(const Layout &layout, const QByteArray &row) const;
    // What a claim adds to its WHERE clause, over the alias `row`. Empty without order.
    [[nodiscard]] QByteArray condition(const Layout &layout, const QByteArray &row) const;
    // The index without which every claim looks at all open events; DDL for a person to run.
    [[nodiscard]] QByteArray recommendedIndex(const Layout &layout) const;
};

} // namespace engine::outbox
