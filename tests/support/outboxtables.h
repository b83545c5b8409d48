// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/layout.h>

#include <QByteArray>
#include <QList>

namespace test {

// One way in which a user's outbox table may look.
struct TableVariant
{
    QByteArray name; // of the variant, for test rows
    engine::outbox::LayoutKind kind;
    bool snakeCase;
    QByteArray idType; // text, uuid or bigint
    QByteArray statusType; // enum, text or varchar(20)
    QByteArray timeType; // timestamp(3) or timestamptz
    QByteArray payloadType; // jsonb, json or text
};

// DDL for the variant as `schema`.`table`, dropping what was there. Both names unquoted.
[[nodiscard]] QByteArray tableText(const TableVariant &variant, const QByteArray &schema, const QByteArray &table);

// Variants that cover every value of every property, and the pairs that are seen in the wild.
[[nodiscard]] const QList<TableVariant> &tableVariants();

// All combinations: 162.
[[nodiscard]] QList<TableVariant> everyTableVariant();

// The variant's own spelling of a column such as scheduledAt, quoted.
[[nodiscard]] QByteArray columnName(const TableVariant &variant, const QByteArray &camelCase);

// SQL expressions over n for the columns of generated rows.
struct RowExpressions
{
    QByteArray status; // a word, or text
    QByteArray scheduledAt; // of the column's type
    QByteArray id = "'r' || n";
    QByteArray eventType = "'mail.invoice.sent'";
    QByteArray tenantId = "'tenant_' || n % 50";
    QByteArray lastError = "NULL";
};

// INSERT of the rows n = first .. last, for either layout with ids of text.
[[nodiscard]] QByteArray insertRows(const engine::outbox::Layout &layout, qint64 first, qint64 last,
                                    const RowExpressions &row);

} // namespace test
