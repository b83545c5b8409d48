// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Every spelling of a table, with the same result: 324 combinations of layout, types and schema, each next to a decoy of
// the same name. The database's time zone, the process's, and UTC are three different ones throughout.

#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/discovery.h>

#include <tests/support/outboxjourney.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QSignalSpy>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using outbox::Layout;
using outbox::LayoutKind;

namespace {

constexpr char oddSchema[] = "Shop \"A\"";
constexpr char oddTable[] = "Out.Box";

} // namespace

class TestSchemaMatrix final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void everyCombination_data();
    void everyCombination();
    void dispatcher_data();
    void dispatcher();

private:
    // The table, and a decoy in the other schema whose rows are due as well.
    void makeTables(const test::TableVariant &variant, const QByteArray &schema);
    QByteArray decoyContent();
    QByteArray single(const QByteArray &statement);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    std::unique_ptr<redis::Client> m_redis;
    QByteArray m_decoySchema;
    int m_runs = 0;
};

void TestSchemaMatrix::initTestCase()
{
    qputenv("TZ", "Asia/Kolkata");
    test::PrivateServersOptions options;
    options.postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}};
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    m_redis = std::make_unique<redis::Client>(*redis::Endpoint::parse(m_servers->redisUrl()));
    VERIFY_WORKED(m_redis->exchange({"PING"}, std::chrono::seconds(10)));
    QCOMPARE(single("SHOW timezone"), "America/Sao_Paulo");
}

QByteArray TestSchemaMatrix::single(const QByteArray &statement)
{
    const auto rows = m_connection->execute(statement);
    if (!rows)
        return "failed: " + test::why(rows);
    return rows->count() > 0 ? rows->bytes(0, 0).toByteArray() : QByteArray();
}

void TestSchemaMatrix::makeTables(const test::TableVariant &variant, const QByteArray &schema)
{
    m_decoySchema = schema == "public" ? oddSchema : "public";
    VERIFY_WORKED(m_connection->executeScript("DROP SCHEMA IF EXISTS " + sql::quotedIdentifier(oddSchema)
                                              + " CASCADE;DROP SCHEMA public CASCADE;CREATE SCHEMA public"));
    VERIFY_WORKED(m_connection->executeScript(test::tableText(variant, schema, oddTable)));
    // A different variant, so that a statement that ends there cannot work by chance.
    test::TableVariant decoy = variant;
    decoy.kind = variant.kind == LayoutKind::Event ? LayoutKind::Message : LayoutKind::Event;
    decoy.idType = "text";
    const QByteArray table = sql::quotedIdentifier(m_decoySchema) + '.' + sql::quotedIdentifier(oddTable);
    QByteArray columns = "id, " + test::columnName(decoy, "tenantId") + ", " + test::columnName(decoy, "updatedAt")
        + ", " + test::columnName(decoy, "scheduledAt") + ", ";
    QByteArray values = "'decoy', 't', now(), now() - interval '1 day', ";
    if (decoy.kind == LayoutKind::Event) {
        columns += test::columnName(decoy, "eventType") + ", payload";
        values += "'mail.decoy.sent', '{}'";
    } else {
        columns += test::columnName(decoy, "messageType") + ", " + test::columnName(decoy, "aggregateId") + ", "
            + test::columnName(decoy, "aggregateType") + ", " + test::columnName(decoy, "eventData");
        values += "'email.decoy.sent', 'a', 'b', '{}'";
    }
    VERIFY_WORKED(m_connection->executeScript(test::tableText(decoy, m_decoySchema, oddTable) + "INSERT INTO " + table
                                              + " (" + columns + ") VALUES (" + values + ")"));
}

QByteArray TestSchemaMatrix::decoyContent()
{
    return single("SELECT string_agg(to_jsonb(d)::text, ' ') FROM " + sql::quotedIdentifier(m_decoySchema) + '.'
                  + sql::quotedIdentifier(oddTable) + " AS d");
}

void TestSchemaMatrix::everyCombination_data()
{
    QTest::addColumn<test::TableVariant>("variant");
    QTest::addColumn<QByteArray>("schema");
    for (const test::TableVariant &variant : test::everyTableVariant()) {
        for (const QByteArray &schema : {QByteArray("public"), QByteArray(oddSchema)})
            QTest::newRow((variant.name + ", " + schema).constData()) << variant << schema;
    }
}

void TestSchemaMatrix::everyCombination()
{
    QFETCH(const test::TableVariant, variant);
    QFETCH(const QByteArray, schema);
    makeTables(variant, schema);
    if (QTest::currentTestFailed())
        return;
    const QByteArray decoyBefore = decoyContent();
    QVERIFY(decoyBefore.contains("decoy"));

    const bool event = variant.kind == LayoutKind::Event;
    const QString qualified = QString::fromUtf8(sql::quotedIdentifier(schema) + ".\"Out.Box\"");
    const auto layout = outbox::discover(*m_connection, qualified);
    VERIFY_WORKED(layout);
    QCOMPARE(layout->kind, variant.kind);
    QCOMPARE(layout->schema, schema);
    QCOMPARE(layout->table, oddTable);
    QCOMPARE(layout->scheduledAt.quoted(), test::columnName(variant, "scheduledAt"));
    QCOMPARE(layout->payload.type, variant.payloadType);
    QCOMPARE(layout->id.type, variant.idType);
    QCOMPARE(layout->scheduledAt.isZoned(), variant.timeType == "timestamptz");
    QCOMPARE(layout->statuses.size(), size_t(5));
    QCOMPARE(layout->dispatchKeyIsUnique, event);
    QVERIFY(layout->hasDueIndex);
    // Two tables fit, so one has to be named, by itself or by its schema.
    QCOMPARE(outbox::discover(*m_connection, {}).error().code, ErrorCode::Ambiguous);
    QCOMPARE(outbox::discover(*m_connection, u"\"Out.Box\""_s).error().code, ErrorCode::Ambiguous);
    const auto preferred = outbox::discover(*m_connection, u"\"Out.Box\""_s, QString::fromUtf8(schema));
    VERIFY_WORKED(preferred);
    QCOMPARE(preferred->quotedTable(), layout->quotedTable());

    test::OutboxJourney(*m_connection, *m_redis, variant, *layout, "q" + QByteArray::number(++m_runs)).run();
    if (QTest::currentTestFailed())
        return;
    QCOMPARE(decoyContent(), decoyBefore);
}

void TestSchemaMatrix::dispatcher_data()
{
    QTest::addColumn<test::TableVariant>("variant");
    for (const test::TableVariant &variant : test::tableVariants())
        QTest::newRow(variant.name.constData()) << variant;
}

// The whole dispatcher, for variants that cover every value of every property.
void TestSchemaMatrix::dispatcher()
{
    QFETCH(const test::TableVariant, variant);
    makeTables(variant, oddSchema);
    if (QTest::currentTestFailed())
        return;
    const QByteArray decoyBefore = decoyContent();
    const auto layout = outbox::discover(*m_connection, u"Out.Box"_s, QString::fromUtf8(oddSchema));
    VERIFY_WORKED(outbox::discover(*m_connection, u"\"Out.Box\""_s, QString::fromUtf8(oddSchema)));
    QVERIFY(!layout); // without quotes that is a table named Box of a schema Out

    dispatch::DispatcherConfig config;
    config.layout = *outbox::discover(*m_connection, u"\"Out.Box\""_s, QString::fromUtf8(oddSchema));
    std::vector<outbox::NewEvent> events;
    for (const QByteArray &payload : test::delicatePayloads(variant.payloadType)) {
        outbox::NewEvent event;
        event.eventType = variant.kind == LayoutKind::Event ? "mail.welcome.sent" : "email.welcome.sent";
        event.tenantId = "t1";
        event.payload = payload;
        events.push_back(event);
    }
    auto transaction = sql::Transaction::begin(*m_connection);
    VERIFY_WORKED(transaction);
    const auto published = outbox::Publisher(config.layout).publishBatch(*transaction, events);
    VERIFY_WORKED(published);
    VERIFY_WORKED(transaction->commit());

    config.database = *sql::DatabaseUrl::parse(m_servers->databaseUrl());
    config.redis = *redis::Endpoint::parse(m_servers->redisUrl());
    config.router = dispatch::Router::builtIn(variant.kind);
    config.queuePrefix = "dispatcher" + QByteArray::number(++m_runs);
    config.mode = dispatch::RunMode::Drain;
    dispatch::Dispatcher dispatcher;
    QSignalSpy finished(&dispatcher, &dispatch::Dispatcher::finished);
    dispatcher.start(config);
    QVERIFY(finished.wait(30'000));
    const auto failure = finished[0][0].value<std::optional<Error>>();
    QVERIFY2(!failure, failure ? qPrintable(failure->text()) : "");
    QCOMPARE(dispatcher.progress().handedOver, qint64(events.size()));
    QCOMPARE(single("SELECT count(*) FROM " + config.layout.quotedTable() + " WHERE status = '"
                    + config.layout.statusFor(outbox::Phase::HandedOver) + "'"),
             QByteArray::number(qulonglong(events.size())));
    for (size_t i = 0; i < events.size(); ++i) {
        const auto data =
            m_redis->exchange({"HGET", config.queuePrefix + ":outbox.mail:outbox:" + (*published)[i].id, "data"},
                              std::chrono::seconds(10));
        VERIFY_WORKED(data);
        const QByteArray expected = "\"payload\":" + events[i].payload
            + (variant.kind == LayoutKind::Event ? QByteArray("}") : QByteArray(",\"aggregateType\""));
        QVERIFY2(data->text.contains(expected), data->text.constData());
    }
    QCOMPARE(decoyContent(), decoyBefore);
}

QTEST_GUILESS_MAIN(TestSchemaMatrix)
#include "tst_schemamatrix.moc"
