// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Events dispatched for real and worked off by real BullMQ: the trace shows every station at the right time, and a
// comparison of the stores tells removed jobs from lost ones.

#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QDateTime>
#include <QFileInfo>
#include <QJsonArray>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestTraceInterop final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void everyStationAtItsTime_data();
    void everyStationAtItsTime();
    void removedJobsAreNotLostJobs_data();
    void removedJobsAreNotLostJobs();
    void comparisonGoesOnByToken();

private:
    [[nodiscard]] QString publish(const QString &type);
    void dispatch();
    void work(const QString &bullmq, const QString &queue, int jobs, const QStringList &more = {});
    [[nodiscard]] QJsonObject ask(const QStringList &words, int exitCode = 0);

    std::unique_ptr<test::PrivateServers> m_servers;
    int m_number = 0;
    QString m_databaseUrl;
    QString m_redisUrl;
};

void TestTraceInterop::initTestCase()
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

void TestTraceInterop::init()
{
    const auto url = m_servers->createDatabase(u"trace%1"_s.arg(++m_number));
    VERIFY_WORKED(url);
    m_databaseUrl = *url;
    m_redisUrl = m_servers->redisUrl(m_number);
    for (const auto &layout : {u"event"_s, u"workflow"_s})
        VERIFY_EXIT(test::console({u"schema"_s, u"apply"_s, u"--layout"_s, layout, u"--database"_s, m_databaseUrl}), 0);
}

QString TestTraceInterop::publish(const QString &type)
{
    const auto published = test::console({u"publish"_s, u"--json"_s, u"--database"_s, m_databaseUrl, u"--type"_s, type,
                                          u"--tenant"_s, u"t"_s, u"--payload"_s, u"{\"a\":1}"_s});
    return published.object()["id"_L1].toString();
}

void TestTraceInterop::dispatch()
{
    VERIFY_EXIT(test::console({u"dispatch"_s, u"--drain"_s, u"--database"_s, m_databaseUrl, u"--redis"_s, m_redisUrl}),
                0);
}

void TestTraceInterop::work(const QString &bullmq, const QString &queue, int jobs, const QStringList &more)
{
    VERIFY_EXIT(test::run(u"node"_s,
                          QStringList{QStringLiteral(INTEROP_SOURCES "/worker.mjs"), u"--redis"_s, m_redisUrl,
                                      u"--bullmq"_s, bullmq, u"--queue"_s, queue, u"--expect"_s, QString::number(jobs)}
                              + more,
                          {{u"INTEROP_MODULES"_s, QStringLiteral(INTEROP_MODULES)}}),
                0);
}

QJsonObject TestTraceInterop::ask(const QStringList &words, int exitCode)
{
    const auto outcome =
        test::console(words + QStringList{u"--json"_s, u"--database"_s, m_databaseUrl, u"--redis"_s, m_redisUrl});
    if (outcome.exitCode != exitCode)
        qWarning("%s", outcome.text().constData());
    return outcome.object();
}

void TestTraceInterop::everyStationAtItsTime_data()
{
    QTest::addColumn<QString>("bullmq");
    for (const char *bullmq : {"bullmq3", "bullmq4", "bullmq5mid", "bullmq5", "bullmq6"})
        QTest::newRow(bullmq) << QString::fromLatin1(bullmq);
}

void TestTraceInterop::everyStationAtItsTime()
{
    QFETCH(const QString, bullmq);
    const QDateTime begun = QDateTime::currentDateTimeUtc().addMSecs(-100);
    const QString id = publish(u"mail.welcome.sent"_s);
    QVERIFY(!id.isEmpty());
    dispatch();
    work(bullmq, u"outbox.mail"_s, 1, {u"--fail-first"_s});
    const QDateTime ended = QDateTime::currentDateTimeUtc().addMSecs(100);

    for (const QString &asked : {id, u"outbox:"_s + id}) {
        const QJsonObject trace = ask({u"trace"_s, asked});
        QCOMPARE(trace["row"_L1]["id"_L1].toString(), id);
        QCOMPARE(trace["row"_L1]["status"_L1].toString(), u"DONE"_s);
        QCOMPARE(trace["job"_L1]["id"_L1].toString(), u"outbox:"_s + id);
        QCOMPARE(trace["job"_L1]["state"_L1].toString(), u"completed"_s);
        QCOMPARE(trace["job"_L1]["returnValue"_L1]["delivered"_L1].toString(), id);
        QCOMPARE(trace["executions"_L1].toArray(), QJsonArray());
        QVERIFY(!trace["looked"_L1].toArray().isEmpty());
        QCOMPARE(trace["unknown"_L1].toArray(), QJsonArray());

        QStringList kinds;
        QDateTime last = begun;
        const QJsonArray timeline = trace["timeline"_L1].toArray();
        for (const QJsonValue &value : timeline) {
            const QJsonObject entry = value.toObject();
            kinds << entry["kind"_L1].toString();
            QVERIFY(!entry["what"_L1].toString().isEmpty() && !entry["source"_L1].toString().isEmpty());
            if (entry["at"_L1].isNull())
                continue;
            const QDateTime at = QDateTime::fromString(entry["at"_L1].toString(), Qt::ISODateWithMs);
            QVERIFY2(at >= last && at <= ended, qPrintable(entry["at"_L1].toString() + u' ' + kinds.last()));
            last = at;
        }
        // The handover is noted in the table a moment after the job is in its queue.
        QCOMPARE(kinds.count(u"job.started"_s), 2);
        for (const auto kind : {"row.written", "job.added", "row.handedOver", "job.retrying", "job.completed"})
            QVERIFY2(kinds.contains(QString::fromLatin1(kind)), qPrintable(kinds.join(u' ')));
        QVERIFY(kinds.indexOf(u"job.retrying"_s) > kinds.indexOf(u"job.started"_s));
        QVERIFY(kinds.indexOf(u"job.completed"_s) > kinds.lastIndexOf(u"job.started"_s));
        QVERIFY(!kinds.contains(u"job.failed"_s));
    }
    const QJsonObject report = ask({u"reconcile"_s, u"--check"_s});
    QVERIFY(report["finished"_L1].toBool());
    QCOMPARE(report["findings"_L1].toArray(), QJsonArray());
}

void TestTraceInterop::removedJobsAreNotLostJobs_data()
{
    QTest::addColumn<QString>("bullmq");
    for (const char *bullmq : {"bullmq3", "bullmq5", "bullmq6"})
        QTest::newRow(bullmq) << QString::fromLatin1(bullmq);
}

void TestTraceInterop::removedJobsAreNotLostJobs()
{
    QFETCH(const QString, bullmq);
    const QString removed = publish(u"mail.welcome.sent"_s);
    dispatch();
    work(bullmq, u"outbox.mail"_s, 1, {u"--remove"_s});
    const QString kept = publish(u"mail.welcome.sent"_s);
    const QString lost = publish(u"audit.user.login"_s);
    dispatch();

    const QJsonObject trace = ask({u"trace"_s, removed});
    QCOMPARE(trace["job"_L1]["present"_L1].toBool(true), false);
    QCOMPARE(trace["job"_L1]["absence"_L1].toString(), u"removed-when-finished"_s);
    const QByteArray text = QJsonDocument(trace["timeline"_L1].toArray()).toJson();
    QVERIFY2(text.contains("job.completed") && text.contains("job.started"), text.constData());

    // As after an accident: one queue's keys are gone.
    redis::Client redis(*redis::Endpoint::parse(m_redisUrl));
    const auto keys = redis.exchange(redis::Command{"KEYS", "bull:outbox.audit:*"}, 5s);
    VERIFY_WORKED(keys);
    for (const redis::Reply &key : keys->items)
        VERIFY_WORKED(redis.exchange(redis::Command{"DEL", key.text}, 5s));
    const QJsonObject report = ask({u"reconcile"_s});
    const QJsonArray findings = report["findings"_L1].toArray();
    QCOMPARE(findings.size(), 1);
    QCOMPARE(findings[0]["kind"_L1].toString(), u"row-without-job"_s);
    QCOMPARE(findings[0]["id"_L1].toString(), lost);
    QCOMPARE(report["rowsExplained"_L1].toInt(-1), 1);
    QCOMPARE(ask({u"reconcile"_s, u"--check"_s}, 1)["attention"_L1].toBool(), true);
    QVERIFY(!ask({u"trace"_s, kept})["job"_L1].isNull());
}

void TestTraceInterop::comparisonGoesOnByToken()
{
    for (int i = 0; i < 3; ++i)
        QVERIFY(!publish(u"mail.welcome.sent"_s).isEmpty());
    dispatch();
    redis::Client redis(*redis::Endpoint::parse(m_redisUrl));
    VERIFY_WORKED(redis.exchange(redis::Command{"FLUSHDB"}, 5s));
    QStringList found;
    QString token;
    int runs = 0;
    do {
        QStringList words{u"reconcile"_s, u"--limit"_s, u"1"_s};
        if (!token.isEmpty())
            words << u"--resume"_s << token;
        const QJsonObject report = ask(words);
        const QJsonArray findings = report["findings"_L1].toArray();
        for (const QJsonValue &finding : findings)
            found << finding["id"_L1].toString();
        token = report["resume"_L1].toString();
        QVERIFY(++runs < 10);
    } while (!token.isEmpty());
    QVERIFY(runs > 1);
    QCOMPARE(found.size(), 3);
    QVERIFY(ask({u"reconcile"_s, u"--resume"_s, u"rubbish"_s}, 2).contains(u"error"_s));
    QVERIFY(ask({u"trace"_s, u"nobody"_s}, 1)["row"_L1].isNull());
    QVERIFY(ask({u"trace"_s}, 2).contains(u"error"_s));
}

QTEST_GUILESS_MAIN(TestTraceInterop)
#include "tst_traceinterop.moc"
