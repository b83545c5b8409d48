// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Real BullMQ of every supported major version is the judge of what the dispatcher writes into Redis.

#include <engine/base/jsontext.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QCryptographicHash>
#include <QFileInfo>
#include <QJsonArray>
#include <QTemporaryFile>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;

class TestInterop : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void everyVersionRunsEveryJob_data();
    void everyVersionRunsEveryJob();
    void pausedQueueKeepsEveryJob_data();
    void pausedQueueKeepsEveryJob();
    void idleWorkerWakesAtOnce_data();
    void idleWorkerWakesAtOnce();
    void idleWorkersShareABatch();

private:
    struct Event
    {
        QByteArray type;
        QByteArray payload;
    };
    [[nodiscard]] QStringList target() const
    {
        return {u"--json"_s, u"--database"_s, m_databaseUrl, u"--redis"_s, m_redisUrl};
    }
    [[nodiscard]] QStringList database() const { return {u"--json"_s, u"--database"_s, m_databaseUrl}; }
    [[nodiscard]] test::Environment modules() const
    {
        return {{u"INTEROP_MODULES"_s, QStringLiteral(INTEROP_MODULES)}};
    }
    void publish(const std::vector<Event> &events);
    void dispatch(int expected);
    [[nodiscard]] std::unique_ptr<QProcess> startChecker(const QString &bullmq, const QString &queue, int expected,
                                                         const QStringList &more = {}) const;
    [[nodiscard]] test::Outcome queueTool(const QString &bullmq, const QString &queue, const QString &action) const;

    std::unique_ptr<test::PrivateServers> m_servers;
    // Of the running test function: a database and a Redis database of its own.
    int m_number = 0;
    QString m_databaseUrl;
    QString m_redisUrl;
    std::unique_ptr<sql::Connection> m_connection;
};

void TestInterop::initTestCase()
{
    QVERIFY2(QFileInfo::exists(QStringLiteral(INTEROP_MODULES "/node_modules/bullmq6")),
             "the npm packages are not installed: run ctest -R interop_packages");
    test::PrivateServersOptions options;
    options.tcp = true;
    options.redis = {{u"databases"_s, u"64"_s}};
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
}

void TestInterop::init()
{
    ++m_number;
    const auto url = m_servers->createDatabase(u"interop%1"_s.arg(m_number));
    VERIFY_WORKED(url);
    m_databaseUrl = *url;
    m_redisUrl = m_servers->redisUrl(m_number);
    const auto applied = test::console(QStringList{u"schema"_s, u"apply"_s} + database());
    VERIFY_EXIT(applied, 0);
    auto connection = test::connect(m_databaseUrl);
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

// The dispatch key of an event is its place in the list.
void TestInterop::publish(const std::vector<Event> &events)
{
    QTemporaryFile file;
    QVERIFY(file.open());
    int number = 0;
    for (const Event &event : events) {
        QByteArray line = "{\"type\":\"" + event.type + "\",\"tenant\":\"tenant \\\"ż\\\"\",\"dispatchKey\":\"";
        line += QByteArray::number(number++) + "\",\"payload\":" + event.payload + "}\n";
        QCOMPARE(file.write(line), line.size());
    }
    QVERIFY(file.flush());
    const auto published = test::console(QStringList{u"publish"_s, u"--from"_s, file.fileName()} + database());
    VERIFY_EXIT(published, 0);
    QCOMPARE(published.object()["published"_L1].toInteger(), qint64(events.size()));
}

void TestInterop::dispatch(int expected)
{
    const auto drained = test::console(QStringList{u"dispatch"_s, u"--drain"_s} + target());
    VERIFY_EXIT(drained, 0);
    const QJsonObject numbers = drained.object();
    QCOMPARE(numbers["handedOver"_L1].toInt(-1), expected);
    QCOMPARE(numbers["claimed"_L1].toInt(-1), expected);
    for (const auto name : {"duplicates"_L1, "retried"_L1, "dead"_L1, "leaseLost"_L1})
        QCOMPARE(numbers[name].toInt(-1), 0);
}

std::unique_ptr<QProcess> TestInterop::startChecker(const QString &bullmq, const QString &queue, int expected,
                                                    const QStringList &more) const
{
    return test::start(u"node"_s,
                       QStringList{QStringLiteral(INTEROP_SOURCES "/interop-check.mjs"), u"--redis"_s, m_redisUrl,
                                   u"--bullmq"_s, bullmq, u"--queue"_s, queue, u"--expect"_s, QString::number(expected),
                                   u"--settle"_s, u"300"_s}
                           + more,
                       modules());
}

test::Outcome TestInterop::queueTool(const QString &bullmq, const QString &queue, const QString &action) const
{
    return test::run(u"node"_s,
                     {QStringLiteral(INTEROP_SOURCES "/queue.mjs"), u"--redis"_s, m_redisUrl, u"--bullmq"_s, bullmq,
                      u"--queue"_s, queue, action},
                     modules());
}

void TestInterop::everyVersionRunsEveryJob_data()
{
    QTest::addColumn<QString>("bullmq");
    QTest::addColumn<QByteArray>("payloadType");
    // As text the payload's bytes stay as they were published; jsonb has its own spelling of the same value.
    for (const char *bullmq : {"bullmq3", "bullmq4", "bullmq5mid", "bullmq5", "bullmq6"})
        QTest::addRow("%s, text", bullmq) << QString::fromLatin1(bullmq) << QByteArray("text");
    QTest::newRow("bullmq6, json") << u"bullmq6"_s << QByteArray("json");
    QTest::newRow("bullmq6, jsonb") << u"bullmq6"_s << QByteArray("jsonb");
}

void TestInterop::everyVersionRunsEveryJob()
{
    QFETCH(const QString, bullmq);
    QFETCH(const QByteArray, payloadType);
    const auto changed = m_connection->execute("ALTER TABLE \"OutboxEvent\" ALTER payload TYPE " + payloadType);
    VERIFY_WORKED(changed);

    const QList<QByteArray> payloads{
        R"({})",
        R"([])",
        R"("text")",
        R"(null)",
        R"(  { "spaced" : [ 1 , 2 ] }  )",
        R"({"z":1,"a":2,"m":3})",
        R"({"big":9007199254740993,"huge":123456789012345678901234567890})",
        R"({"price":19.90,"small":0.000001,"exponent":1.5e-7})",
        u"{\"text\":\"żółć 漢字 🎉\",\"ключ\":1}"_s.toUtf8(),
        R"({"escaped":"\u00e9\n\t\"\\\/","pair":"\ud83d\ude00"})",
        R"({"html":"<script>alert('x')</script>&amp;"})",
        "{\"long\":\"" + QByteArray(200'000, 'x') + "\"}",
        QByteArray(200, '[') + QByteArray(200, ']'),
    };
    const std::vector<std::pair<QByteArray, QString>> routes{
        {"mail.welcome.sent", u"outbox.mail"_s},
        {"webhook.booking.confirmed", u"outbox.webhook"_s},
        {"plugin.capability-use.recorded", u"outbox.plugin-capability-use"_s}};
    std::vector<Event> events;
    for (const auto &[type, queue] : routes) {
        for (const QByteArray &payload : payloads)
            events.push_back({type, payload});
    }
    publish(events);
    dispatch(int(events.size()));
    dispatch(0);

    std::map<QString, std::unique_ptr<QProcess>> checkers;
    for (const auto &[type, queue] : routes) {
        // On one queue some jobs fail at first and come back by the backoff they carry.
        const QStringList failing{u"--fail-rate"_s, queue == u"outbox.mail" ? u"0.3"_s : u"0"_s};
        checkers[queue] = startChecker(bullmq, queue, int(payloads.size()), failing);
    }
    for (const auto &[type, queue] : routes) {
        const auto checked = test::finish(*checkers.at(queue));
        VERIFY_EXIT(checked, 0);
        const QJsonObject report = checked.object();
        QCOMPARE(report["completed"_L1].toInteger(), payloads.size());
        QCOMPARE(report["distinctIds"_L1].toInteger(), payloads.size());
        QCOMPARE(report["duplicatesSeen"_L1].toInt(-1), 0);
        QCOMPARE(report["errors"_L1].toArray(), QJsonArray());

        // The same hash, made from what was published and what the table says its ids are.
        const auto rows = m_connection->execute("SELECT id, \"dispatchKey\", payload::text FROM \"OutboxEvent\" WHERE "
                                                "\"eventType\" = $1 AND status = 'DONE' ORDER BY id COLLATE \"C\"",
                                                sql::Params().text(type));
        VERIFY_WORKED(rows);
        QCOMPARE(rows->count(), int(payloads.size()));
        QCryptographicHash hash(QCryptographicHash::Sha256);
        for (int row = 0; row < rows->count(); ++row) {
            const QByteArray id = rows->bytes(row, 0).toByteArray();
            const QByteArray published = events.at(size_t(rows->integer(row, 1))).payload.trimmed();
            const QByteArray payload = payloadType == "jsonb" ? rows->bytes(row, 2).toByteArray() : published;
            QByteArray data = "{\"outboxEventId\":\"" + id + "\",\"tenantId\":";
            jsontext::appendString(data, u"tenant \"ż\""_s.toUtf8());
            data += ",\"eventType\":\"" + type + "\",\"payload\":" + payload + '}';
            hash.addData("outbox:" + id + '\t' + data + '\n');
        }
        QCOMPARE(report["dataHash"_L1].toString().toLatin1(), hash.result().toHex());
    }
}

void TestInterop::pausedQueueKeepsEveryJob_data()
{
    QTest::addColumn<QString>("bullmq");
    for (const char *bullmq : {"bullmq3", "bullmq4", "bullmq5mid", "bullmq5", "bullmq6"})
        QTest::newRow(bullmq) << QString::fromLatin1(bullmq);
}

void TestInterop::pausedQueueKeepsEveryJob()
{
    QFETCH(const QString, bullmq);
    VERIFY_EXIT(queueTool(bullmq, u"outbox.mail"_s, u"pause"_s), 0);
    const std::vector<Event> events(20, {"mail.welcome.sent", R"({"a":1})"});
    publish(events);
    dispatch(20);

    const auto queues = test::console({u"queues"_s, u"--json"_s, u"--redis"_s, m_redisUrl});
    VERIFY_EXIT(queues, 0);
    QCOMPARE(queues.json().array().size(), 1);
    const QJsonObject paused = queues.json().array().first().toObject();
    QCOMPARE(paused["name"_L1].toString(), u"outbox.mail"_s);
    QCOMPARE(paused["paused"_L1].toBool(), true);
    QCOMPARE(paused["waiting"_L1].toInt(-1), 20);

    VERIFY_EXIT(queueTool(bullmq, u"outbox.mail"_s, u"resume"_s), 0);
    const auto checked = test::finish(*startChecker(bullmq, u"outbox.mail"_s, 20));
    VERIFY_EXIT(checked, 0);
    QCOMPARE(checked.object()["completed"_L1].toInt(-1), 20);
}

void TestInterop::idleWorkerWakesAtOnce_data()
{
    pausedQueueKeepsEveryJob_data();
}

void TestInterop::idleWorkerWakesAtOnce()
{
    QFETCH(const QString, bullmq);
    QTemporaryDir folder;
    const QString ready = folder.filePath(u"ready"_s);
    const auto checker = startChecker(bullmq, u"outbox.mail"_s, 5, {u"--ready-file"_s, ready, u"--no-exercise"_s});
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(ready), 20'000);
    publish(std::vector<Event>(5, {"mail.welcome.sent", R"({"a":1})"}));
    dispatch(5);
    const auto checked = test::finish(*checker);
    VERIFY_EXIT(checked, 0);
    // Without a wake-up a worker looks again after about five seconds.
    const double slowest = checked.object()["wakeLatencyMs"_L1]["max"_L1].toDouble(-1);
    QVERIFY2(slowest >= 0 && slowest < 1000, checked.text().constData());
}

void TestInterop::idleWorkersShareABatch()
{
    // Before 5.30 one wake-up wakes one worker only.
    QTemporaryDir folder;
    const QString ready = folder.filePath(u"ready"_s);
    const auto checker = startChecker(u"bullmq5mid"_s, u"outbox.mail"_s, 16,
                                      {u"--ready-file"_s, ready, u"--no-exercise"_s, u"--workers"_s, u"4"_s,
                                       u"--concurrency"_s, u"1"_s, u"--work-ms"_s, u"150"_s});
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(ready), 20'000);
    publish(std::vector<Event>(16, {"mail.welcome.sent", R"({"a":1})"}));
    dispatch(16);
    const auto checked = test::finish(*checker);
    VERIFY_EXIT(checked, 0);
    const QJsonObject shares = checked.object()["jobsPerWorker"_L1].toObject();
    QVERIFY2(shares.size() == 4, checked.text().constData());
    for (const QJsonValue &share : shares)
        QVERIFY2(share.toInt() >= 2, checked.text().constData());
}

QTEST_GUILESS_MAIN(TestInterop)
#include "tst_interop.moc"
