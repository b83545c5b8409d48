// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/connection.h>

#include <QList>

// What the database's catalogue says about tables that may be a user's outbox or executions.
namespace engine::outbox {

struct CatalogueTable
{
    QByteArray schema;
    QByteArray name;
    std::vector<Column> columns;
    QList<QByteArray> enumLabels; // of the status column, if it is an enum
    QList<QByteArray> enums; // columns that are enums
    QList<QByteArray> generated; // columns that nobody can write
    QList<QByteArray> uniqueColumns; // columns with a unique index of their own
    QList<QByteArray> identifying; // columns whose value names one row
    QList<QByteArray> indexPrefixes; // "first,second" column of every index

    // The first of these spellings that the table has; absent: a column without a name.
    [[nodiscard]] Column columnSpelled(const QList<QByteArray> &spellings) const;
};

// Every ordinary or partitioned table outside the system's own schemas, sorted by schema and name. Types are those behind
// a domain.
[[nodiscard]] Result<std::vector<CatalogueTable>> readCatalogue(sql::Connection &connection);

// Splits "schema.table" where each part may be double-quoted; a lone name leaves the schema empty. Errors: BadInput.
[[nodiscard]] Result<std::pair<QByteArray, QByteArray>> parseTableName(const QString &wanted);

// Those called `wanted`: by exact spelling if there are any, else without regard to capitals, which a command line
// often loses. At least one. Errors: BadInput, NotFound, saying so if a view or a partition is called that.
[[nodiscard]] Result<std::vector<CatalogueTable>>
tablesNamed(sql::Connection &connection, const std::vector<CatalogueTable> &tables, const QString &wanted);

} // namespace engine::outbox
