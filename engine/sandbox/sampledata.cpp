// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sampledata.h"

#include <engine/transport/sql/transaction.h>

#include <QCoreApplication>
#include <QFile>

using namespace Qt::StringLiterals;

namespace engine::sandbox {

namespace {

// Stands as the database's comment once the events are in; goes in with them or not at all.
constexpr char sampleMark[] = "Outbox Console sandbox, sample events written";

Result<QByteArray> script(const QString &name)
{
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly))
        return fail(
            ErrorCode::Failed,
            QCoreApplication::translate("engine::sandbox::SampleData", "%1 is missing in this program.").arg(name));
    return file.readAll();
}

Result<void> run(sql::Connection &connection, const QString &name, const QByteArray &table = {})
{
    auto text = script(name);
    if (!text)
        return fail(text.error());
    return connection.executeScript(text->replace("{table}", table));
}

Result<bool> hasSample(sql::Connection &connection)
{
    auto mark = connection.execute("SELECT shobj_description(oid, 'pg_database') FROM pg_database "
                                   "WHERE datname = current_database()");
    if (!mark)
        return fail(mark.error());
    return mark->count() == 1 && mark->bytes(0, 0) == sampleMark;
}

Result<void> makeTables(sql::Connection &connection)
{
    const std::pair<QString, QByteArray> scripts[]{{u":/outbox/sql/event.sql"_s, {}},
                                                   {u":/outbox/sql/message.sql"_s, {}},
                                                   {u":/outbox/sql/workflow.sql"_s, {}},
                                                   {u":/outbox/sql/wakeup.sql"_s, "\"public\".\"OutboxEvent\""},
                                                   {u":/outbox/sql/wakeup.sql"_s, "\"public\".\"message_outbox\""}};
    for (const auto &[name, table] : scripts) {
        if (auto made = run(connection, name, table); !made)
            return made;
    }
    return {};
}

} // namespace

Result<bool> ensureSampleData(sql::Connection &connection)
{
    auto transaction = sql::Transaction::begin(connection);
    if (!transaction)
        return fail(transaction.error());
    if (auto made = makeTables(connection); !made)
        return fail(made.error());
    const auto sampled = hasSample(connection);
    if (!sampled)
        return fail(sampled.error());
    if (!*sampled) {
        if (auto written = run(connection, u":/sandbox/sql/sample.sql"_s); !written)
            return fail(written.error());
        auto name = connection.execute("SELECT quote_ident(current_database())");
        if (!name)
            return fail(name.error());
        const QByteArray database = name->bytes(0, 0).toByteArray();
        if (auto marked = connection.executeScript("COMMENT ON DATABASE " + database + " IS '" + sampleMark + '\'');
            !marked)
            return fail(marked.error());
    }
    if (auto committed = transaction->commit(); !committed)
        return fail(committed.error());
    return !*sampled;
}

} // namespace engine::sandbox
