// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "schema.h"

#include <engine/transport/sql/transaction.h>

#include <QCoreApplication>
#include <QFile>

namespace engine::outbox {

namespace {

QByteArray resource(const QString &name)
{
    QFile file(QStringLiteral(":/outbox/sql/%1.sql").arg(name));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT_X(opened, "schema", "the DDL is compiled into the program");
    return file.readAll();
}

QByteArray tableOf(SchemaKind kind)
{
    return kind == SchemaKind::Event ? "\"OutboxEvent\"" : "message_outbox";
}

QByteArray wakeUpText(const QByteArray &table)
{
    return resource(QStringLiteral("wakeup")).replace("{table}", table);
}

// In the first schema of the search path. Answers whether there was anything to do.
Result<bool> installWakeUp(sql::Connection &connection, const QByteArray &table)
{
    sql::Params params;
    params.text(table);
    auto found = connection.execute("SELECT to_regclass('outbox_wakeup_until') IS NOT NULL AND EXISTS (SELECT 1 FROM "
                                    "pg_trigger WHERE tgrelid = to_regclass($1) AND tgname = 'outbox_wakeup')",
                                    params);
    if (!found)
        return fail(found.error());
    if (found->boolean(0, 0))
        return false;
    if (auto made = connection.executeScript(wakeUpText(table)); !made)
        return fail(made.error());
    return true;
}

} // namespace

QByteArray schemaText(SchemaKind kind, bool wakeUp)
{
    const QString name = kind == SchemaKind::Event ? QStringLiteral("event")
        : kind == SchemaKind::Message              ? QStringLiteral("message")
                                                   : QStringLiteral("workflow");
    QByteArray text = resource(name);
    if (wakeUp && kind != SchemaKind::Workflow)
        text += '\n' + wakeUpText(tableOf(kind));
    return text;
}

Result<SchemaReport> applySchema(sql::Connection &connection, SchemaKind kind, bool wakeUp)
{
    auto transaction = sql::Transaction::begin(connection);
    if (!transaction)
        return fail(transaction.error());
    // Two consoles applying at once would race between the look and the CREATE.
    auto schema =
        connection.execute("SELECT current_schema(), pg_advisory_xact_lock(hashtext('outbox-console schema apply'))");
    if (!schema)
        return fail(schema.error());
    if (schema->isNull(0, 0))
        return fail(
            ErrorCode::NotFound,
            QCoreApplication::translate("engine::outbox::Schema", "No schema of this session's search path exists."),
            QCoreApplication::translate("engine::outbox::Schema",
                                        "Create one, or name one with ?options=-csearch_path%3Dname in the URL."));
    const QByteArray inSchema = sql::quotedIdentifier(schema->bytes(0, 0)) + '.';

    SchemaReport report;
    const QList<QByteArray> tables = kind == SchemaKind::Workflow
        ? QList<QByteArray>{"\"Workflow\"", "\"WorkflowExecution\""}
        : QList<QByteArray>{tableOf(kind)};
    for (const QByteArray &table : tables) {
        sql::Params params;
        params.text(inSchema + table);
        auto found = connection.execute("SELECT to_regclass($1) IS NOT NULL", params);
        if (!found)
            return fail(found.error());
        QString name = QString::fromUtf8(table);
        name.remove(u'"');
        (found->boolean(0, 0) ? report.existing : report.created) << name;
    }
    if (!report.created.isEmpty()) {
        if (auto made = connection.executeScript(schemaText(kind, false)); !made)
            return fail(made.error());
    }
    if (wakeUp && kind != SchemaKind::Workflow) {
        auto installed = installWakeUp(connection, inSchema + tableOf(kind));
        if (!installed)
            return fail(installed.error());
        (*installed ? report.created : report.existing) << QStringLiteral("outbox_wakeup");
    }
    if (auto committed = transaction->commit(); !committed)
        return fail(committed.error());
    return report;
}

Result<SchemaReport> applyWakeUp(sql::Connection &connection, const Layout &layout)
{
    auto transaction = sql::Transaction::begin(connection);
    if (!transaction)
        return fail(transaction.error());
    auto located =
        connection.executeScript("SET LOCAL search_path = " + sql::quotedIdentifier(layout.schema)
                                 + "; SELECT pg_advisory_xact_lock(hashtext('outbox-console schema apply'))");
    if (!located)
        return fail(located.error());
    auto installed = installWakeUp(connection, layout.quotedTable());
    if (!installed)
        return fail(installed.error());
    if (auto committed = transaction->commit(); !committed)
        return fail(committed.error());
    SchemaReport report;
    (*installed ? report.created : report.existing) << QStringLiteral("outbox_wakeup");
    return report;
}

} // namespace engine::outbox
