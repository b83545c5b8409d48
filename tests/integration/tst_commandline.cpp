// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// What the command line says to bad input: the documented exit code, one clear message on standard error that names the
// thing, the same as a document on standard output if asked for, and nothing half-written.

#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QFile>
#include <QSettings>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestCommandLine : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void refuses_data();
    void refuses();
    void refusesAnEvictingRedis();
    void publishesAFileWholeOrNotAtAll();
    void savedConnectionsAreReadOnlyUnlessAsked();
    void helpNamesEverySubCommand();

private:
    // An empty database of its own, named after what is in it.
    QString makeDatabase(const QString &name, const QByteArray &content);
    [[nodiscard]] QByteArray inventory() const; // of the database with the table, and of Redis

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    QTemporaryDir m_folder;
    QByteArray m_before;
};

namespace {

std::unique_ptr<sql::Connection> openUrl(const QString &url)
{
    auto connection = test::connect(url);
    return connection ? std::move(*connection) : nullptr;
}

const QByteArray eventTable = R"(CREATE TABLE %1 (id text PRIMARY KEY, "tenantId" text NOT NULL,
    "eventType" text NOT NULL, payload jsonb NOT NULL, "dispatchKey" text UNIQUE, status text NOT NULL DEFAULT 'PENDING',
    retries int NOT NULL DEFAULT 0, "scheduledAt" timestamp(3) NOT NULL DEFAULT now(), "lockedUntil" timestamp(3),
    "processedAt" timestamp(3), "lastError" text, "createdAt" timestamp(3) NOT NULL DEFAULT now(),
    "updatedAt" timestamp(3) NOT NULL);)";

QByteArray tableNamed(const QByteArray &name)
{
    QByteArray text = eventTable;
    return text.replace("%1", name);
}

} // namespace

QString TestCommandLine::makeDatabase(const QString &name, const QByteArray &content)
{
    const auto url = m_servers->createDatabase(name);
    if (!url)
        return {};
    const auto connection = openUrl(*url);
    return connection && connection->executeScript(content) ? *url : QString();
}

void TestCommandLine::initTestCase()
{
    test::PrivateServersOptions options;
    options.tcp = true;
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    m_connection = openUrl(m_servers->databaseUrl());
    QVERIFY(m_connection);
    const auto filled = m_connection->executeScript(
        tableNamed("\"OutboxEvent\"")
        + "INSERT INTO \"OutboxEvent\" (id, \"tenantId\", \"eventType\", payload, \"updatedAt\", \"scheduledAt\") "
          "VALUES ('waiting', 't', 'mail.welcome.sent', '{}', now(), now() AT TIME ZONE 'UTC' - interval '1 day')");
    VERIFY_WORKED(filled);
}

void TestCommandLine::init()
{
    m_before = inventory();
    QVERIFY(m_before.startsWith("rows "));
}

QByteArray TestCommandLine::inventory() const
{
    const auto rows =
        m_connection->execute("SELECT string_agg(to_jsonb(o)::text, E'\\n' ORDER BY id) FROM \"OutboxEvent\" o");
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    const auto keys = client.exchange(redis::Command{"DBSIZE"}, 10s);
    if (!rows || !keys)
        return "unreachable";
    return "rows " + rows->bytes(0, 0).toByteArray() + " keys " + QByteArray::number(keys->integer);
}

void TestCommandLine::refuses_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<test::Environment>("environment");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QStringList>("named"); // what the message has to name
    const QString database = m_servers->databaseUrl();
    const QString redis = m_servers->redisUrl();
    quint16 freePort = 0;
    {
        QTcpServer server;
        QVERIFY(server.listen(QHostAddress::LocalHost));
        freePort = server.serverPort();
    }
    const QString freePlace = u"127.0.0.1:%1"_s.arg(freePort);
    QUrl wrongPassword(database);
    wrongPassword.setPassword(u"geheim"_s);
    const QString wrongRedis = u"redis://:geheim@127.0.0.1:%1"_s.arg(m_servers->redisPort());
    const QStringList servers{u"--database"_s, database, u"--redis"_s, redis};
    const auto dispatch = [](const QString &databaseUrl, const QString &redisUrl, const QStringList &more = {}) {
        return QStringList{u"dispatch"_s, u"--drain"_s, u"--database"_s, databaseUrl, u"--redis"_s, redisUrl} + more;
    };
    const auto publish = [&](const QString &type, const QString &payload, const QStringList &more = {}) {
        return QStringList{u"publish"_s,  u"--database"_s, database,       u"--type"_s, type,
                           u"--tenant"_s, u"t"_s,          u"--payload"_s, payload}
        + more;
    };
    const auto row = [](const char *name, const QStringList &arguments, int exitCode, const QStringList &named,
                        const test::Environment &environment = {}) {
        QTest::newRow(name) << arguments << environment << exitCode << named;
    };

    row("no database named", {u"stats"_s}, 2, {u"--database"_s});
    row("no Redis named", {u"dispatch"_s, u"--drain"_s, u"--database"_s, database}, 2, {u"--redis"_s});
    row("unknown option", QStringList{u"stats"_s, u"--frobnicate"_s} + servers, 2, {u"frobnicate"_s});
    row("database URL of another kind", dispatch(u"mysql://shop:geheim@h/d"_s, redis), 2, {u"postgresql://"_s});
    row("broken database URL", dispatch(u"postgresql://shop:geheim@h:port/d"_s, redis), 2, {u"database URL"_s});
    row("Redis URL of another kind", dispatch(database, u"http://:geheim@h"_s), 2, {u"Redis URL"_s});
    row("database URL from the environment", {u"stats"_s}, 2, {u"postgresql://"_s},
        {{u"OUTBOX_DATABASE_URL"_s, u"oracle://shop:geheim@h/d"_s}});

    row("unreachable PostgreSQL", dispatch(u"postgresql://shop:geheim@%1/d"_s.arg(freePlace), redis), 4,
        {u"PostgreSQL"_s, freePlace});
    row("unreachable Redis", dispatch(database, u"redis://:geheim@%1"_s.arg(freePlace)), 4, {u"Redis"_s, freePlace});
    row("unreachable Redis, queues", {u"queues"_s, u"--redis"_s, u"redis://:geheim@%1"_s.arg(freePlace)}, 4,
        {u"Redis"_s, freePlace});
    row("wrong PostgreSQL password", dispatch(QString::fromLatin1(wrongPassword.toEncoded()), redis), 4,
        {u"PostgreSQL"_s, u"password"_s});
    row("wrong Redis password", dispatch(database, wrongRedis), 4, {u"Redis"_s, u"password"_s});
    row("no such database", dispatch(m_servers->databaseUrl(u"nowhere"_s), redis), 4, {u"nowhere"_s});

    row("no table", dispatch(makeDatabase(u"empty"_s, "SELECT 1"), redis), 1, {u"table"_s});
    row("missing table", dispatch(database, redis, {u"--table"_s, u"public.nowhere"_s}), 1, {u"nowhere"_s});
    const QString other = makeDatabase(u"other"_s, "CREATE TABLE customer (id int, name text)");
    row("table that fits no layout", dispatch(other, redis, {u"--table"_s, u"customer"_s}), 1, {u"customer"_s});
    const QString two = makeDatabase(u"two"_s,
                                     "CREATE SCHEMA sales; CREATE SCHEMA stock;" + tableNamed("sales.events")
                                         + tableNamed("stock.events"));
    row("two tables that fit", dispatch(two, redis), 1, {u"sales.events"_s, u"stock.events"_s, u"--table"_s});

    for (const auto &[variable, value] : test::Environment{
             {u"OUTBOX_DISPATCHER_ENABLED"_s, u"maybe"_s},
             {u"OUTBOX_DISPATCH_INTERVAL_MS"_s, u"0"_s},
             {u"OUTBOX_DISPATCH_BATCH_SIZE"_s, u"10.5"_s},
             {u"OUTBOX_DISPATCH_CONCURRENCY"_s, u"-1"_s},
             {u"OUTBOX_MAX_RETRIES"_s, u"many"_s},
             {u"OUTBOX_DONE_RETENTION_HOURS"_s, u"0"_s},
             {u"OUTBOX_DONE_RETENTION_BATCH_SIZE"_s,
              u"x"_s}}.asKeyValueRange())
        row(qPrintable(variable), dispatch(database, redis), 2, {variable, value}, {{variable, value}});
    row("batch out of range", dispatch(database, redis, {u"--batch"_s, u"0"_s}), 2, {u"--batch"_s});
    row("lease is no number", dispatch(database, redis, {u"--lease"_s, u"soon"_s}), 2, {u"--lease"_s, u"soon"_s});
    row("job id without the id", dispatch(database, redis, {u"--job-id"_s, u"job"_s}), 2, {u"{id}"_s});
    row("no routes file", dispatch(database, redis, {u"--routes"_s, u"/nowhere/routes.json"_s}), 1,
        {u"/nowhere/routes.json"_s});
    const QString brokenRoutes = m_folder.filePath(u"routes.json"_s);
    QFile file(brokenRoutes);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"routes\": [{\"prefix\": 1}]}") > 0);
    file.close();
    row("broken routes file", dispatch(database, redis, {u"--routes"_s, brokenRoutes}), 2, {brokenRoutes});

    row("payload is not JSON", publish(u"mail.welcome.sent"_s, u"{\"a\":}"_s), 2, {u"JSON"_s});
    row("payload is empty", publish(u"mail.welcome.sent"_s, u""_s), 2, {u"JSON"_s});
    row("payload with a tail", publish(u"mail.welcome.sent"_s, u"{} {}"_s), 2, {u"JSON"_s});
    for (const char *type : {"Mail.Sent", "mail", "mail..sent", "mail.", ".mail", "mail sent.x", "mail.\u017c"})
        row(QByteArray("type " + QByteArray(type)).constData(), publish(QString::fromUtf8(type), u"{}"_s), 2,
            {QString::fromUtf8(type)});
    row("type without route", publish(u"nobody.listens.here"_s, u"{}"_s), 3, {u"nobody.listens.here"_s});
    row("delay is no time", publish(u"mail.welcome.sent"_s, u"{}"_s, {u"--delay"_s, u"tomorrow"_s}), 2,
        {u"tomorrow"_s});
    row("tenant missing",
        {u"publish"_s, u"--database"_s, database, u"--type"_s, u"mail.welcome.sent"_s, u"--payload"_s, u"{}"_s}, 2,
        {u"--tenant"_s});
    row("no file to publish", {u"publish"_s, u"--database"_s, database, u"--from"_s, u"/nowhere/events.ndjson"_s}, 2,
        {u"/nowhere/events.ndjson"_s});
    row("no such status", {u"rows"_s, u"--database"_s, database, u"--status"_s, u"LOST"_s}, 2, {u"LOST"_s});
    row("no such row", {u"rows"_s, u"--database"_s, database, u"--id"_s, u"nobody"_s}, 1, {u"nobody"_s});
    row("no such layout", {u"schema"_s, u"print"_s, u"--layout"_s, u"round"_s}, 2, {u"round"_s});
}

void TestCommandLine::refuses()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const test::Environment, environment);
    QFETCH(const int, exitCode);
    QFETCH(const QStringList, named);
    for (const QStringList &style : {QStringList(), QStringList{u"--json"_s}}) {
        const auto outcome = test::console(arguments + style, environment);
        VERIFY_EXIT(outcome, exitCode);
        const QString message = QString::fromUtf8(outcome.errors);
        for (const QString &word : named)
            QVERIFY2(message.contains(word), outcome.text().constData());
        if (style.isEmpty())
            QVERIFY2(outcome.output.isEmpty(), outcome.text().constData());
        else
            QVERIFY2(outcome.object()["error"_L1].isObject(), outcome.text().constData());
        QVERIFY2(!message.contains(u"QCommandLineParser"), outcome.text().constData());
        QVERIFY2(!message.contains(u"geheim"), outcome.text().constData());
        // One message, perhaps with a hint, and not a page of the program's insides.
        const auto lines = message.trimmed().count(u'\n') + 1;
        QVERIFY2(!message.trimmed().isEmpty() && lines <= 3, outcome.text().constData());
        QCOMPARE(inventory(), m_before);
    }
}

void TestCommandLine::refusesAnEvictingRedis()
{
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    const auto set = [&client](const QByteArray &policy) {
        return client.exchange(redis::Command{"CONFIG", "SET", "maxmemory-policy", policy}, 10s);
    };
    VERIFY_WORKED(set("allkeys-lru"));
    const QStringList drain{u"dispatch"_s, u"--drain"_s,         u"--json"_s, u"--database"_s, m_servers->databaseUrl(),
                            u"--redis"_s,  m_servers->redisUrl()};
    const auto refused = test::console(drain);
    VERIFY_EXIT(refused, 3);
    QVERIFY2(refused.errors.contains("allkeys-lru") && refused.errors.contains("noeviction"),
             refused.text().constData());
    QVERIFY(refused.object()["error"_L1].isObject());
    QCOMPARE(inventory(), m_before);
    VERIFY_WORKED(set("noeviction"));
}

void TestCommandLine::publishesAFileWholeOrNotAtAll()
{
    const QString path = m_folder.filePath(u"events.ndjson"_s);
    const auto write = [&path](const QByteArray &content) {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
    };
    const QStringList publish{u"publish"_s, u"--json"_s, u"--database"_s, m_servers->databaseUrl(), u"--from"_s, path};
    const QByteArray good = R"({"type":"mail.welcome.sent","tenant":"t","payload":{},"dispatchKey":"a"})";
    for (const QByteArray &bad : {QByteArray(R"({"type":"mail.welcome.sent","tenant":"t","payload":{)"),
                                  QByteArray(R"({"type":"Mail","tenant":"t","payload":{}})"),
                                  QByteArray(R"({"type":"nobody.listens","tenant":"t","payload":{}})")}) {
        QVERIFY(write(good + "\n\n" + bad + '\n'));
        const auto refused = test::console(publish);
        QVERIFY2(refused.exitCode == 2 || refused.exitCode == 3, refused.text().constData());
        QVERIFY2(refused.errors.contains("ine 3"), refused.text().constData());
        QCOMPARE(inventory(), m_before);
    }
    QVERIFY(write(good + '\n' + good + '\n'));
    const auto published = test::console(publish);
    VERIFY_EXIT(published, 0);
    QCOMPARE(published.object()["published"_L1].toInt(-1), 1);
    QCOMPARE(published.object()["duplicates"_L1].toInt(-1), 1);
}

void TestCommandLine::savedConnectionsAreReadOnlyUnlessAsked()
{
    QTemporaryDir settingsFolder;
    const test::Environment environment{{u"XDG_CONFIG_HOME"_s, settingsFolder.path()}};
    {
        QSettings settings(settingsFolder.filePath(u"outbox-console/outbox-console.conf"_s), QSettings::IniFormat);
        settings.beginWriteArray(u"connections"_s, 1);
        settings.setArrayIndex(0);
        settings.setValue(u"name"_s, u"orders"_s);
        settings.setValue(u"database"_s, m_servers->databaseSocketUrl());
        settings.setValue(u"redis"_s, m_servers->redisSocketUrl());
        settings.endArray();
    }
    const QStringList on{u"--json"_s, u"--connection"_s, u"orders"_s};
    const QStringList publish = QStringList{u"publish"_s} + on
        + QStringList{u"--type"_s, u"mail.a.sent"_s, u"--tenant"_s, u"t"_s, u"--payload"_s, u"{}"_s};
    VERIFY_EXIT(test::console(QStringList{u"stats"_s} + on, environment), 0);
    const auto refused = test::console(publish, environment);
    VERIFY_EXIT(refused, 3);
    QVERIFY2(refused.errors.contains("--write"), refused.text().constData());
    QCOMPARE(inventory(), m_before);
    VERIFY_EXIT(test::console(publish + QStringList{u"--write"_s}, environment), 0);

    const auto unknown = test::console({u"stats"_s, u"--connection"_s, u"order"_s}, environment);
    VERIFY_EXIT(unknown, 2);
    QVERIFY2(unknown.errors.contains("orders"), unknown.text().constData());
}

void TestCommandLine::helpNamesEverySubCommand()
{
    const auto unknown = test::console({u"dispach"_s});
    VERIFY_EXIT(unknown, 2);
    QVERIFY2(unknown.errors.contains("dispach") && unknown.output.isEmpty(), unknown.text().constData());
    const auto help = test::console({u"--help"_s});
    VERIFY_EXIT(help, 0);
    for (const char *name : {"publish", "dispatch", "stats", "queues", "rows", "executions", "trace", "reconcile", "schema", "doctor"}) {
        QVERIFY2(help.output.contains(name), help.output.constData());
        const auto own = test::console({QString::fromLatin1(name), u"--help"_s});
        VERIFY_EXIT(own, 0);
        QVERIFY2(own.output.contains("--json"), own.output.constData());
    }
}

QTEST_GUILESS_MAIN(TestCommandLine)
#include "tst_commandline.moc"
