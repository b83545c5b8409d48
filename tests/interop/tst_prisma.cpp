// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Rows that a real Prisma client has written, in a database whose time zone is far from UTC: they are found, shown with
// the right times, and handed over at once.

#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestPrisma : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void findsAndHandsOver_data();
    void findsAndHandsOver();

private:
    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
};

void TestPrisma::initTestCase()
{
    QVERIFY2(QFileInfo::exists(QStringLiteral(PRISMA_CLIENT "/generated")),
             "the Prisma client is not there: run ctest -R prisma_client");
    test::PrivateServersOptions options;
    options.tcp = true;
    options.postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}};
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);

    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    QFile schema(QStringLiteral(INTEROP_SOURCES "/prisma/schema.sql"));
    QVERIFY(schema.open(QIODevice::ReadOnly));
    VERIFY_WORKED(m_connection->executeScript(schema.readAll()));
    const auto zone = m_connection->execute("SHOW timezone");
    VERIFY_WORKED(zone);
    QCOMPARE(zone->text(0, 0), u"America/Sao_Paulo"_s);
}

void TestPrisma::findsAndHandsOver_data()
{
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("waiting");
    QTest::addColumn<QString>("done");
    QTest::addColumn<QString>("queue");
    QTest::addColumn<QString>("model");
    QTest::newRow("event") << u"event"_s << u"public.\"OutboxEvent\""_s << u"PENDING"_s << u"DONE"_s << u"outbox.mail"_s
                           << u"outboxEvent"_s;
    QTest::newRow("message") << u"message"_s << u"public.message_outbox"_s << u"pending"_s << u"sent"_s
                             << u"outbox.webhook"_s << u"messageOutbox"_s;
    QTest::newRow("event, mapped names") << u"event"_s << u"outbox_event"_s << u"PENDING"_s << u"DONE"_s
                                         << u"outbox.mail"_s << u"mappedEvent"_s;
    QTest::newRow("message, mapped names")
        << u"message"_s << u"mapped_outbox"_s << u"pending"_s << u"sent"_s << u"outbox.webhook"_s << u"mappedMessage"_s;
}

void TestPrisma::findsAndHandsOver()
{
    QFETCH(const QString, layout);
    QFETCH(const QString, table);
    QFETCH(const QString, waiting);
    QFETCH(const QString, done);
    QFETCH(const QString, queue);
    QFETCH(const QString, model);
    const QString url = m_servers->databaseUrl();
    const auto produced =
        test::run(u"node"_s,
                  {u"--import"_s, QStringLiteral("file://" PRISMA_CLIENT "/node_modules/tsx/dist/loader.mjs"),
                   QStringLiteral(PRISMA_CLIENT "/produce.mts"), u"30"_s, model},
                  {{u"DATABASE_URL"_s, url}, {u"TZ"_s, u"Asia/Tokyo"_s}});
    VERIFY_EXIT(produced, 0);
    QCOMPARE(produced.object()["committed"_L1].toInt(-1), 27);
    QCOMPARE(produced.object()["rolledBack"_L1].toInt(-1), 3);
    const qint64 from = produced.object()["from"_L1].toInteger();
    const qint64 to = produced.object()["to"_L1].toInteger();

    // As the application's own .env would name it.
    const QStringList database{u"--json"_s, u"--database"_s, url + u"?schema=public&connection_limit=3"_s, u"--table"_s,
                               table};
    const test::Environment elsewhere{{u"TZ"_s, u"Pacific/Auckland"_s}};
    const auto stats = test::console(QStringList{u"stats"_s} + database, elsewhere);
    VERIFY_EXIT(stats, 0);
    QCOMPARE(stats.object()["layout"_L1].toString(), layout);
    QCOMPARE(stats.object()["counts"_L1][waiting].toInt(-1), 27);
    QCOMPARE(stats.object()["due"_L1].toInt(-1), 27);
    const qint64 age = stats.object()["oldestDueAgeMs"_L1].toInteger(-1);
    QVERIFY2(age >= 0 && age < 120'000, stats.text().constData());

    const auto rows = test::console(QStringList{u"rows"_s, u"--limit"_s, u"100"_s} + database, elsewhere);
    VERIFY_EXIT(rows, 0);
    QCOMPARE(rows.json().array().size(), 27);
    for (const QJsonValue &row : rows.json().array()) {
        for (const auto name : {"scheduledAt"_L1, "createdAt"_L1, "updatedAt"_L1}) {
            const QDateTime time = QDateTime::fromString(row[name].toString(), Qt::ISODateWithMs);
            QCOMPARE(time.offsetFromUtc(), 0);
            // The database's own clock gives some of the times; it is this machine's too.
            QVERIFY2(time.toMSecsSinceEpoch() >= from - 5 && time.toMSecsSinceEpoch() <= to + 5,
                     qPrintable(row[name].toString()));
        }
    }

    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    const auto drained = test::console(
        QStringList{u"dispatch"_s, u"--drain"_s, u"--redis"_s, m_servers->redisUrl(), u"--prefix"_s, model} + database,
        elsewhere);
    VERIFY_EXIT(drained, 0);
    QCOMPARE(drained.object()["handedOver"_L1].toInt(-1), 27);
    const auto after = test::console(QStringList{u"rows"_s, u"--status"_s, done} + database, elsewhere);
    VERIFY_EXIT(after, 0);
    QCOMPARE(after.json().array().size(), 27);
    for (const QJsonValue &row : after.json().array()) {
        const QDateTime time = QDateTime::fromString(row["processedAt"_L1].toString(), Qt::ISODateWithMs);
        QVERIFY2(time.toMSecsSinceEpoch() >= before - 5
                     && time.toMSecsSinceEpoch() <= QDateTime::currentMSecsSinceEpoch() + 5,
                 qPrintable(row["processedAt"_L1].toString()));
    }
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    const QByteArray keys = model.toUtf8() + ':' + queue.toUtf8() + ':';
    const auto length = client.exchange(redis::Command{"LLEN", keys + "wait"}, 10s);
    VERIFY_WORKED(length);
    QCOMPARE(length->integer, 27);

    // What the job holds is what the column holds.
    const auto stored = m_connection->execute("SELECT id::text, "
                                              + QByteArray(layout == u"event"                ? "payload"
                                                               : model.startsWith(u"mapped") ? "event_data"
                                                                                             : "\"eventData\"")
                                              + "::text FROM " + table.toUtf8());
    VERIFY_WORKED(stored);
    QCOMPARE(stored->count(), 27);
    for (int row = 0; row < stored->count(); ++row) {
        const QByteArray id = stored->bytes(row, 0).toByteArray();
        const auto data = client.exchange(redis::Command{"HGET", keys + "outbox:" + id, "data"}, 10s);
        VERIFY_WORKED(data);
        QVERIFY2(data->text.contains("\"payload\":" + stored->bytes(row, 1).toByteArray()), data->text.constData());
        QVERIFY2(data->text.startsWith("{\"outboxEventId\":\"" + id + "\""), data->text.constData());
    }
}

QTEST_GUILESS_MAIN(TestPrisma)
#include "tst_prisma.moc"
