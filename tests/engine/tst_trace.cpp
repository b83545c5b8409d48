// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// One event followed through outbox, queue and execution, from every id that leads to it, whatever is away; and the
// comparison of the three stores on planted faults of every kind, and no others.

#include <engine/trace/reconciler.h>
#include <engine/trace/tracer.h>

#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QDateTime>
#include <QFile>
#include <QSet>
#include <QTest>

using namespace engine;
using namespace engine::trace;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestTrace final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void followsFromEveryId_data();
    void followsFromEveryId();
    void everyTableVariant_data();
    void everyTableVariant();
    void correlationAndAggregate();
    void saysWhatItDidNotSearch();
    void explainsAMissingJob();
    void worksWithoutRedis();
    void worksWithoutDatabase();
    void nobodyKnowsTheId();
    void reconcileFindsEveryPlantedFault();
    void reconcileAfterFlushAll();
    void reconcileStopsAndGoesOn();
    void jobsVanishHalfWay();
    void onlyReads();

private:
    void makeTables(); // the event layout, and workflows
    void sql(const QByteArray &script);
    // A done row, handed over `secondsAgo`.
    void addRow(const QByteArray &id, const QByteArray &type, int secondsAgo, const QByteArray &more = "{}",
                const QByteArray &status = "DONE", const QByteArray &key = {});
    void addRun(const QByteArray &id, const QByteArray &status, const QByteArray &event, int secondsAgo,
                const QByteArray &steps = "[]", const QByteArray &trigger = "event");
    // A job as the dispatcher and a worker leave it. `state`: wait, active, completed or failed.
    void addJob(const QByteArray &queue, const QByteArray &id, const QByteArray &rowId, const QByteArray &state,
                int secondsAgo, const QByteArray &options = R"({"attempts":5})");
    void event(const QByteArray &queue, const QByteArray &kind, const QByteArray &jobId, int secondsAgo);
    void redisCommand(const redis::Command &command);
    [[nodiscard]] std::unique_ptr<Stores> stores(const QString &table = {});
    [[nodiscard]] Trace traced(const QByteArray &id, const QString &table = {});
    // kind|id of every finding, sorted.
    [[nodiscard]] static QStringList findings(const ReconcileReport &report);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_writer;
    std::unique_ptr<redis::Client> m_redis;
    QString m_databaseUrl;
    QString m_redisUrl;
    int m_number = 0;
};

namespace {

QStringList kindsOf(const Trace &trace)
{
    QStringList kinds;
    for (const Entry &entry : trace.timeline)
        kinds << QString::fromLatin1(entry.kind);
    return kinds;
}

QByteArray ms(int secondsAgo)
{
    return QByteArray::number(QDateTime::currentMSecsSinceEpoch() - secondsAgo * 1000LL);
}

QByteArray ago(int seconds)
{
    return "((now() AT TIME ZONE 'UTC') - interval '" + QByteArray::number(seconds) + " s')";
}

} // namespace

void TestTrace::initTestCase()
{
    test::PrivateServersOptions options;
    options.redis = {{u"databases"_s, u"64"_s}};
    options.postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}};
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
}

void TestTrace::init()
{
    ++m_number;
    const auto url = m_servers->createDatabase(u"trace%1"_s.arg(m_number));
    VERIFY_WORKED(url);
    m_databaseUrl = *url;
    m_redisUrl = m_servers->redisUrl(m_number);
    auto opened = test::connect(m_databaseUrl);
    VERIFY_WORKED(opened);
    m_writer = std::move(*opened);
    m_redis = std::make_unique<redis::Client>(*redis::Endpoint::parse(m_redisUrl));
}

void TestTrace::cleanup()
{
    redisCommand({"FLUSHDB"});
    m_redis.reset();
}

void TestTrace::sql(const QByteArray &script)
{
    VERIFY_WORKED(m_writer->executeScript(script));
}

void TestTrace::makeTables()
{
    for (const char *name : {":/outbox/sql/event.sql", ":/outbox/sql/workflow.sql"}) {
        QFile file(QString::fromLatin1(name));
        QVERIFY(file.open(QIODevice::ReadOnly));
        sql(file.readAll());
    }
    sql("INSERT INTO \"Workflow\" (id, \"tenantId\", name, definition, \"updatedAt\") VALUES ('wfl_1', 't', 'Confirm', "
        "'{}', now())");
}

void TestTrace::addRow(const QByteArray &id, const QByteArray &type, int secondsAgo, const QByteArray &payload,
                       const QByteArray &status, const QByteArray &key)
{
    const QByteArray done = status == "DONE" ? ago(secondsAgo) : QByteArray("NULL");
    sql("INSERT INTO \"OutboxEvent\" (id, \"tenantId\", \"eventType\", payload, status, \"scheduledAt\", "
        "\"createdAt\", "
        "\"processedAt\", \"updatedAt\", \"dispatchKey\") VALUES ('"
        + id + "', 't', '" + type + "', '" + payload + "', '" + status + "', " + ago(secondsAgo + 2) + ", "
        + ago(secondsAgo + 2) + ", " + done + ", " + ago(secondsAgo) + ", "
        + (key.isEmpty() ? QByteArray("NULL") : "'" + key + "'") + ")");
}

void TestTrace::addRun(const QByteArray &id, const QByteArray &status, const QByteArray &event, int secondsAgo,
                       const QByteArray &steps, const QByteArray &trigger)
{
    const bool started = status != "QUEUED";
    const bool ended = status == "COMPLETED" || status == "FAILED";
    sql("INSERT INTO \"WorkflowExecution\" (id, \"tenantId\", \"workflowId\", status, \"trigger\", steps, "
        "\"outboxEventId\", "
        "\"queuedAt\", \"startedAt\", \"finishedAt\", \"createdAt\", \"updatedAt\") VALUES ('"
        + id + "', 't', 'wfl_1', '" + status + "', '" + trigger + "', '" + steps + "', "
        + (event.isEmpty() ? QByteArray("NULL") : "'" + event + "'") + ", " + ago(secondsAgo) + ", "
        + (started ? ago(secondsAgo - 1) : QByteArray("NULL")) + ", "
        + (ended ? ago(secondsAgo - 5) : QByteArray("NULL")) + ", " + ago(secondsAgo) + ", " + ago(secondsAgo - 5)
        + ")");
}

void TestTrace::redisCommand(const redis::Command &command)
{
    const auto reply = m_redis->exchange(command, 5s);
    VERIFY_WORKED(reply);
    QVERIFY2(!reply->isError(), reply->text.constData());
}

void TestTrace::event(const QByteArray &queue, const QByteArray &kind, const QByteArray &jobId, int secondsAgo)
{
    redisCommand({"XADD", "bull:" + queue + ":events", ms(secondsAgo) + "-*", "event", kind, "jobId", jobId});
}

void TestTrace::addJob(const QByteArray &queue, const QByteArray &id, const QByteArray &rowId, const QByteArray &state,
                       int secondsAgo, const QByteArray &options)
{
    const QByteArray base = "bull:" + queue + ':';
    redisCommand({"HSET", base + "meta", "opts.maxLenEvents", "10000"});
    redis::Command hash{
        "HSET", base + id, "name",      "the.event.type", "data", "{\"outboxEventId\":\"" + rowId + "\"}",
        "opts", options,   "timestamp", ms(secondsAgo)};
    if (state != "wait")
        hash << "processedOn" << ms(secondsAgo - 1) << "ats"
             << "1";
    if (state == "completed" || state == "failed")
        hash << "finishedOn" << ms(secondsAgo - 2);
    if (state == "failed")
        hash << "failedReason"
             << "no template";
    redisCommand(hash);
    if (state == "completed" || state == "failed")
        redisCommand({"ZADD", base + state, ms(secondsAgo - 2), id});
    else
        redisCommand({"LPUSH", base + state, id});
}

std::unique_ptr<Stores> TestTrace::stores(const QString &table)
{
    Stores::Options options;
    options.profile.databaseUrl = m_databaseUrl;
    options.profile.redisUrl = m_redisUrl;
    options.profile.table = table;
    auto all = std::make_unique<Stores>(options);
    const auto opened = all->open();
    Q_ASSERT(opened);
    return all;
}

Trace TestTrace::traced(const QByteArray &id, const QString &table)
{
    const auto all = stores(table);
    auto trace = Tracer(*all).trace(id);
    Q_ASSERT(trace);
    return std::move(*trace);
}

QStringList TestTrace::findings(const ReconcileReport &report)
{
    QStringList list;
    for (const Finding &finding : report.findings)
        list << QString::fromLatin1(kindName(finding.kind).toByteArray()) + u'|' + QString::fromUtf8(finding.id);
    list.sort();
    return list;
}

void TestTrace::followsFromEveryId_data()
{
    QTest::addColumn<QByteArray>("id");
    for (const char *id : {"evt_1", "key:1", "outbox:evt_1", "bull:outbox.workflow:outbox:evt_1", "exe_1", "  evt_1\n"})
        QTest::newRow(id) << QByteArray(id);
}

void TestTrace::followsFromEveryId()
{
    QFETCH(const QByteArray, id);
    makeTables();
    addRow("evt_1", "workflow.execution.requested", 100, R"({"executionId":"exe_1"})", "DONE", "key:1");
    addRow("evt_2", "plugin.hook.workflow.executed", 85, R"({"workflow":"wfl_1","execution":"exe_1"})");
    addRow("evt_3", "plugin.hook.workflow.executed", 90, R"({"workflow":"wfl_1","execution":"exe_2"})");
    addJob("outbox.workflow", "outbox:evt_1", "evt_1", "completed", 100);
    event("outbox.workflow", "added", "outbox:evt_1", 100);
    event("outbox.workflow", "active", "outbox:evt_1", 99);
    event("outbox.workflow", "completed", "outbox:evt_1", 98);
    addRun("exe_1", "COMPLETED", "evt_1", 97,
           R"([{"block":"a","status":"COMPLETED"},{"block":"b","status":"FAILED"}])");

    const Trace trace = traced(id);
    QVERIFY(!trace.understoodAs.isEmpty());
    QCOMPARE(trace.rows.size(), 1U);
    QCOMPARE(trace.rows[0].row.id, "evt_1");
    QCOMPARE(trace.jobs.size(), 1U);
    QVERIFY(trace.jobs[0].detail);
    QCOMPARE(trace.jobs[0].detail->job.state, bullmq::JobState::Completed);
    QCOMPARE(trace.executions.size(), 1U);
    QCOMPARE(trace.executions[0].execution.id, "exe_1");
    QCOMPARE(trace.followUps.size(), 1U);
    QCOMPARE(trace.followUps[0].row.id, "evt_2");
    QCOMPARE(kindsOf(trace).join(u' '),
             u"row.written row.handedOver job.added job.started job.completed execution.queued execution.started "
             "execution.step execution.step execution.ended row.followUp row.handedOver"_s);
    for (size_t i = 0; i < trace.timeline.size(); ++i) {
        const Entry &entry = trace.timeline[i];
        QVERIFY2(!entry.what.isEmpty() && !entry.source.isEmpty(), entry.kind.constData());
        if (i > 0 && entry.at && trace.timeline[i - 1].at)
            QVERIFY(*entry.at >= *trace.timeline[i - 1].at);
    }
    QVERIFY(!trace.looked.isEmpty());
    // The steps keep no times, and the trace says so.
    QVERIFY2(trace.unknown.join(u'\n').contains(u"exe_1"), qPrintable(trace.unknown.join(u'\n')));
}

void TestTrace::everyTableVariant_data()
{
    QTest::addColumn<int>("variant");
    for (int i = 0; i < test::tableVariants().size(); ++i)
        QTest::newRow(test::tableVariants()[i].name.constData()) << i;
}

void TestTrace::everyTableVariant()
{
    QFETCH(const int, variant);
    const test::TableVariant &table = test::tableVariants()[variant];
    sql(test::tableText(table, "Ops", "Box"));
    const bool event = table.kind == outbox::LayoutKind::Event;
    const auto name = [&](const QByteArray &camel, const QByteArray &snake) {
        return table.snakeCase ? snake : '"' + camel + '"';
    };
    const QByteArray id = table.idType == "uuid" ? "0198f0aa-7c1e-7b3a-9d7f-2f1de1a4c001"
        : table.idType == "bigint"               ? "9007199254740993"
                                                 : "evt'1";
    QByteArray quoted = id;
    quoted.replace('\'', "''");
    QByteArray columns = "id, " + name("tenantId", "tenant_id") + ", " + name("updatedAt", "updated_at") + ", status, "
        + name("processedAt", "processed_at") + ", ";
    QByteArray values = "'" + quoted + "', 't', '2026-01-31 15:02:11+00', '" + (event ? "DONE" : "sent")
        + "', '2026-01-31 15:02:11+00', ";
    if (event) {
        columns += name("eventType", "event_type") + ", payload";
        values += R"('mail.sent', '{"executionId":"exe_9"}')";
    } else {
        columns += name("messageType", "message_type") + ", " + name("aggregateId", "aggregate_id") + ", "
            + name("aggregateType", "aggregate_type") + ", " + name("eventData", "event_data") + ", metadata";
        values += R"('email.sent', 'agg_1', 'order', '{"executionId":"exe_9"}', '{"correlationId":"cor_1"}')";
    }
    sql("INSERT INTO \"Ops\".\"Box\" (" + columns + ") VALUES (" + values + ")");

    const Trace trace = traced(id, u"\"Ops\".\"Box\""_s);
    QCOMPARE(trace.rows.size(), 1U);
    QCOMPARE(trace.rows[0].row.id, id);
    const auto handedOver = std::ranges::find(trace.timeline, "row.handedOver", &Entry::kind);
    QVERIFY(handedOver != trace.timeline.end());
    QCOMPARE(handedOver->at.value_or(0), 1'769'871'731'000'000); // in any zone, with any type
    QCOMPARE(trace.jobs.size(), 1U);
    QVERIFY(trace.jobs[0].absence && trace.jobs[0].absence->kind == Absence::Kind::NoTrace);
    if (!event) {
        for (const char *other : {"agg_1", "cor_1"}) {
            const Trace same = traced(other, u"\"Ops\".\"Box\""_s);
            QCOMPARE(same.rows.size(), 1U);
        }
    }
    const Trace byPayload = traced("exe_9", u"\"Ops\".\"Box\""_s);
    QCOMPARE(byPayload.rows.size(), table.payloadType == "text" ? 0U : 1U);
    if (table.payloadType == "text" && event)
        QVERIFY2(byPayload.unknown.join(u'\n').contains(u"not searched"), qPrintable(byPayload.unknown.join(u'\n')));
}

void TestTrace::correlationAndAggregate()
{
    makeTables();
    addRow("evt_1", "mail.a", 100, R"({"correlationId":"cor_1"})");
    addRow("evt_2", "mail.b", 90, R"({"metadata":{"correlationId":"cor_1","sagaId":"saga_1"}})");
    addRow("evt_3", "mail.c", 80, R"({"sagaId":"saga_1"})");
    addRow("evt_4", "mail.d", 80, R"({"correlationId":"cor_2"})");
    const Trace correlated = traced("cor_1");
    QCOMPARE(correlated.rows.size(), 2U);
    QCOMPARE(correlated.rows[0].row.id, "evt_1");
    QCOMPARE(correlated.rows[1].row.id, "evt_2");
    // Of the same saga as one of them.
    QCOMPARE(correlated.followUps.size(), 1U);
    QCOMPARE(correlated.followUps[0].row.id, "evt_3");
    const Trace one = traced("evt_1");
    QCOMPARE(one.rows.size(), 1U);
    QCOMPARE(one.followUps.size(), 1U);
    QCOMPARE(one.followUps[0].row.id, "evt_2");
}

void TestTrace::saysWhatItDidNotSearch()
{
    makeTables();
    sql("ALTER TABLE \"OutboxEvent\" ALTER payload TYPE text");
    addRow("evt_1", "mail.a", 100, R"({"correlationId":"cor_1"})");
    const Trace trace = traced("cor_1");
    QVERIFY(trace.isEmpty());
    QVERIFY2(trace.unknown.join(u'\n').contains(u"text column"), qPrintable(trace.unknown.join(u'\n')));
    // Without executions' table it says that too.
    sql("DROP TABLE \"WorkflowExecution\"");
    QVERIFY(traced("evt_1").unknown.join(u'\n').contains(u"no table of workflow executions"));
}

void TestTrace::explainsAMissingJob()
{
    makeTables();
    addRow("gone", "mail.a", 100);
    addRow("removed", "mail.a", 100);
    addRow("lost", "mail.a", 100);
    event("outbox.mail", "added", "outbox:other", 1000); // the events reach back
    event("outbox.mail", "added", "outbox:gone", 102);
    event("outbox.mail", "active", "outbox:gone", 101);
    event("outbox.mail", "completed", "outbox:gone", 100);
    event("outbox.mail", "added", "outbox:removed", 90);
    event("outbox.mail", "removed", "outbox:removed", 80);
    const auto absence = [&](const QByteArray &id) {
        const Trace trace = traced(id);
        return trace.jobs.size() == 1 && trace.jobs[0].absence ? int(trace.jobs[0].absence->kind) : -1;
    };
    QCOMPARE(absence("gone"), int(Absence::Kind::RemovedWhenFinished));
    QCOMPARE(absence("removed"), int(Absence::Kind::RemovedByHand));
    QCOMPARE(absence("lost"), int(Absence::Kind::NoTrace));
    const Trace gone = traced("gone");
    const QStringList kinds = kindsOf(gone);
    for (const QString &kind : {u"job.added"_s, u"job.started"_s, u"job.completed"_s, u"job.gone"_s})
        QVERIFY2(kinds.contains(kind), qPrintable(kinds.join(u' ')));
    // A receiver's record is found too.
    redisCommand({"SET", "outbox:lost", "done", "EX", "1000"});
    QCOMPARE(traced("lost").jobs[0].receiverRecord, u"outbox:lost"_s);
}

void TestTrace::worksWithoutRedis()
{
    makeTables();
    addRow("evt_1", "workflow.execution.requested", 100);
    addRun("exe_1", "RUNNING", "evt_1", 97);
    const QString before = std::exchange(m_redisUrl, u"redis+unix:///nowhere/redis.sock"_s);
    const Trace trace = traced("evt_1");
    m_redisUrl = before;
    QCOMPARE(trace.rows.size(), 1U);
    QCOMPARE(trace.executions.size(), 1U);
    QVERIFY(trace.jobs.empty());
    QVERIFY2(trace.unknown.join(u'\n').contains(u"/nowhere/redis.sock"), qPrintable(trace.unknown.join(u'\n')));
}

void TestTrace::worksWithoutDatabase()
{
    addJob("outbox.mail", "outbox:evt_1", "evt_1", "failed", 100);
    m_databaseUrl = u"postgresql:///nobody?host=/nowhere"_s;
    for (const char *id : {"evt_1", "outbox:evt_1"}) {
        const Trace trace = traced(id);
        QVERIFY(trace.rows.empty());
        QCOMPARE(trace.jobs.size(), 1U);
        QCOMPARE(trace.jobs[0].rowId, "evt_1");
        QVERIFY(kindsOf(trace).contains(u"job.failed"_s));
        QVERIFY2(trace.unknown.join(u'\n').contains(u"/nowhere"), qPrintable(trace.unknown.join(u'\n')));
    }
    m_redisUrl = u"redis+unix:///nowhere/redis.sock"_s;
    const auto all = stores();
    const auto neither = Tracer(*all).trace("evt_1");
    m_redisUrl = m_servers->redisUrl(m_number);
    QVERIFY(!neither && neither.error().code == ErrorCode::CannotConnect);
}

void TestTrace::nobodyKnowsTheId()
{
    makeTables();
    addJob("outbox.mail", "outbox:evt_1", "evt_1", "wait", 100);
    for (const char *id : {"nobody", "bull:outbox.mail:meta", "'; DROP TABLE \"OutboxEvent\"; --", "%", "wait"}) {
        const Trace trace = traced(id);
        QVERIFY2(trace.isEmpty(), id);
        QVERIFY(trace.understoodAs.isEmpty());
        QVERIFY(trace.looked.size() >= 3);
    }
    const auto all = stores();
    for (const QByteArray &id : {QByteArray(), QByteArray("  "), QByteArray(5000, 'x'), QByteArray("a\0b", 3)}) {
        const auto refused = Tracer(*all).trace(id);
        QVERIFY(!refused && refused.error().code == ErrorCode::BadInput);
    }
}

void TestTrace::reconcileFindsEveryPlantedFault()
{
    makeTables();
    // In order: every kind of what is well.
    addRow("ok completed", "mail.a", 1000);
    addJob("outbox.mail", "outbox:ok completed", "ok completed", "completed", 1000);
    addRow("ok waiting", "mail.a", 1000);
    addJob("outbox.mail", "outbox:ok waiting", "ok waiting", "wait", 1000);
    addRow("ok record", "mail.a", 1000);
    redisCommand({"SET", "outbox:ok record", "x", "EX", "1000"});
    addRow("ok keyed", "mail.a", 1000, "{}", "DONE", "key:9");
    redisCommand({"SET", "outbox:key:9", "x", "EX", "1000"});
    addRow("ok pending", "mail.a", 1000, "{}", "PENDING");
    addRow("ok dead", "mail.a", 1000, "{}", "FAILED");
    addRow("ok too old", "mail.a", 200'000);
    addRow("ok no route", "nobody.wants.this", 1000);
    addRow("ok moved", "mail.a", 1000);
    addJob("old.mail", "outbox:ok moved", "ok moved", "completed", 1000);
    event("outbox.audit", "added", "outbox:someone", 5000);
    addRow("ok removed", "audit.a", 1000);
    event("outbox.audit", "added", "outbox:ok removed", 1001);
    event("outbox.audit", "completed", "outbox:ok removed", 999);
    redisCommand({"HSET", "bull:outbox.audit:meta", "opts.maxLenEvents", "10000"});
    redisCommand({"HSET", "bull:other:meta", "opts.maxLenEvents", "10000"});
    redisCommand({"HSET", "bull:other:1", "name", "x", "data", R"({"no":"event"})", "timestamp", ms(10)});
    redisCommand({"HSET", "elsewhere:outbox:x", "name", "x", "timestamp", "1"});
    // What is not.
    addRow("lost", "audit.a", 1000);
    addRow("lost mail", "mail.a", 1000);
    addRow("likely removed", "search.index.a", 5000);
    addJob("outbox.search-index", "outbox:kept", "kept", "wait", 10, R"({"removeOnComplete":true})");
    addRow("kept", "search.index.a", 10);
    addJob("outbox.mail", "outbox:orphan", "orphan", "wait", 1000);
    addJob("outbox.mail", "some-id", "orphan too", "completed", 1000);
    addJob("outbox.mail", "outbox:retired", "retired", "completed", 40 * 86'400);
    addRow("twice", "mail.a", 1000);
    addJob("outbox.mail", "outbox:twice", "twice", "completed", 1000);
    addJob("outbox.mail", "again", "twice", "completed", 900);
    addRow("thrice", "mail.a", 1000);
    addJob("a", "x1", "thrice", "completed", 900);
    addJob("b", "x2", "thrice", "completed", 900);
    redisCommand({"SET", "outbox:thrice", "x"});

    // Executions.
    addRow("w pending", "workflow.execution.requested", 500, "{}", "PENDING");
    addRun("run pending", "QUEUED", "w pending", 500);
    addRow("w active", "workflow.execution.requested", 500);
    addJob("outbox.workflow", "outbox:w active", "w active", "active", 500);
    addRun("run active", "RUNNING", "w active", 500);
    addRow("w over", "workflow.execution.requested", 500);
    addJob("outbox.workflow", "outbox:w over", "w over", "completed", 500);
    addRun("run done", "COMPLETED", "w over", 500);
    addRun("run stuck", "RUNNING", "w over", 500);
    addRun("run young", "RUNNING", "w over", 20);
    addRow("w dead", "workflow.execution.requested", 500, "{}", "FAILED");
    addRun("run of dead", "QUEUED", "w dead", 500);
    addRun("run of nobody", "QUEUED", "w gone", 500);
    addRow("w continue", "workflow.execution.continue.requested", 100, R"({"executionId":"run continued"})", "PENDING");
    addRun("run continued", "RUNNING", "w over", 500);
    addRun("run waits", "WAITING", "w over", 500);
    addRun("stream new", "RUNNING", {}, 500, "[]", "stream");
    addRun("stream lost", "RUNNING", {}, 5000, "[]", "stream");

    const auto all = stores();
    auto reconciler = Reconciler::begin(*all, {});
    VERIFY_WORKED(reconciler);
    while (!(*reconciler)->isFinished())
        VERIFY_WORKED((*reconciler)->step());
    const ReconcileReport &report = (*reconciler)->report();
    QStringList expected{
        u"row-without-job|lost"_s,          u"row-without-job|lost mail"_s,     u"job-removed|likely removed"_s,
        u"job-without-row|outbox:orphan"_s, u"job-without-row|some-id"_s,       u"row-retired|outbox:retired"_s,
        u"duplicate-job|again"_s,           u"stuck-execution|run stuck"_s,     u"stuck-execution|run of dead"_s,
        u"stuck-execution|run of nobody"_s, u"interrupted-stream|stream lost"_s};
    QStringList found = findings(report);
    // Of two jobs with unusual ids the one that the scan meets second is the duplicate.
    const qsizetype thrice =
        found.removeIf([](const QString &one) { return one == u"duplicate-job|x1" || one == u"duplicate-job|x2"; });
    expected.sort();
    QCOMPARE(found, expected);
    QCOMPARE(thrice, 1);
    QCOMPARE(report.rowsExplained, 4);
    QCOMPARE(report.rowsWithoutRoute, 1);
    for (const Finding &finding : report.findings)
        QVERIFY2(!finding.detail.isEmpty(), finding.id.constData());
    QVERIFY2(report.unknown.isEmpty(), qPrintable(report.unknown.join(u'\n')));
}

void TestTrace::reconcileAfterFlushAll()
{
    makeTables();
    for (int i = 0; i < 30; ++i) {
        const QByteArray id = "evt_" + QByteArray::number(i);
        addRow(id, "mail.a", 100 + i);
        addJob("outbox.mail", "outbox:" + id, id, "wait", 100 + i);
    }
    redisCommand({"FLUSHDB"});
    // Life goes on afterwards.
    addRow("later", "mail.a", 1);
    addJob("outbox.mail", "outbox:later", "later", "wait", 1);
    event("outbox.mail", "added", "outbox:later", 1);
    const auto all = stores();
    auto reconciler = Reconciler::begin(*all, {});
    VERIFY_WORKED(reconciler);
    while (!(*reconciler)->isFinished())
        VERIFY_WORKED((*reconciler)->step());
    QCOMPARE((*reconciler)->report().counts.value(Finding::Kind::RowWithoutJob), 30);
    QCOMPARE((*reconciler)->report().findings.size(), 30U);
}

void TestTrace::reconcileStopsAndGoesOn()
{
    makeTables();
    sql("INSERT INTO \"OutboxEvent\" (id, \"tenantId\", \"eventType\", payload, status, \"scheduledAt\", "
        "\"processedAt\", "
        "\"updatedAt\") SELECT 'evt_' || n, 't', 'mail.a', '{}', 'DONE', (now() AT TIME ZONE 'UTC') - interval '1 "
        "hour', "
        "(now() AT TIME ZONE 'UTC') - interval '1 hour', now() FROM generate_series(1, 1300) n");
    for (int i = 0; i < 3000; i += 1000) {
        redis::Command fill{"EVAL",
                            "for i = ARGV[1], ARGV[1] + 999 do redis.call('HSET', 'bull:outbox.mail:outbox:o' .. i, "
                            "'name', 'n', 'timestamp', '1', 'data', '{}') end return 1",
                            "0", QByteArray::number(i)};
        redisCommand(fill);
    }
    redisCommand({"HSET", "bull:outbox.mail:meta", "opts.maxLenEvents", "10000"});
    for (int i = 0; i < 450; ++i)
        sql("INSERT INTO \"WorkflowExecution\" (id, \"tenantId\", \"workflowId\", status, \"trigger\", \"queuedAt\", "
            "\"createdAt\", \"updatedAt\") VALUES ('exe_"
            + QByteArray::number(i) + "', 't', 'wfl_1', 'QUEUED', 'event', " + ago(1000) + ", " + ago(1000) + ", "
            + ago(1000) + ")");

    // After every step by another program.
    QByteArray token;
    QStringList found;
    QList<int> phases;
    for (int steps = 0;; ++steps) {
        QVERIFY(steps < 100);
        const auto all = stores();
        ReconcileRequest request;
        request.resume = token;
        auto reconciler = Reconciler::begin(*all, request);
        VERIFY_WORKED(reconciler);
        VERIFY_WORKED((*reconciler)->step());
        const ReconcileProgress progress = (*reconciler)->progress();
        found << findings(progress.report);
        phases << int(progress.phase);
        token = progress.token;
        if (token.isEmpty())
            break;
    }
    QVERIFY(phases.contains(int(ReconcilePhase::Jobs)) && phases.contains(int(ReconcilePhase::Executions)));
    const QSet<QString> distinct(found.cbegin(), found.cend());
    QCOMPARE(distinct.size(), 1300 + 3000 + 450);

    const auto all = stores();
    for (const char *wrong : {"x", "e30", "eyJ2IjoxLCJwaGFzZSI6OSwic2luY2UiOiIxIn0", "%%%"}) {
        ReconcileRequest request;
        request.resume = wrong;
        const auto refused = Reconciler::begin(*all, request);
        QVERIFY2(!refused && refused.error().code == ErrorCode::BadInput, wrong);
    }
}

void TestTrace::jobsVanishHalfWay()
{
    makeTables();
    for (int i = 0; i < 50; ++i) {
        const QByteArray id = "evt_" + QByteArray::number(i);
        addRow(id, "mail.a", 100 + i);
        addJob("outbox.mail", "outbox:" + id, id, "wait", 100 + i);
    }
    const auto all = stores();
    auto reconciler = Reconciler::begin(*all, {});
    VERIFY_WORKED(reconciler);
    VERIFY_WORKED((*reconciler)->step()); // the rows
    redisCommand({"FLUSHDB"});
    while (!(*reconciler)->isFinished())
        VERIFY_WORKED((*reconciler)->step());
    QVERIFY((*reconciler)->report().findings.empty());
    // A hash of another kind under a job's name, and one that lost its fields.
    redisCommand({"SET", "bull:outbox.mail:outbox:evt_1", "text"});
    redisCommand({"HSET", "bull:outbox.mail:outbox:evt_2", "junk", "1"});
    redisCommand({"HSET", "bull:outbox.mail:meta", "opts.maxLenEvents", "10000"});
    for (const char *id : {"evt_1", "evt_2", "outbox:evt_2"}) {
        const Trace trace = traced(id);
        QCOMPARE(trace.rows.size(), 1U);
        QVERIFY(trace.jobs.size() == 1 && !trace.jobs[0].detail);
    }
    // A queue's keys of the wrong kind are no reason to stop either.
    redisCommand({"SET", "bull:outbox.mail:events", "text"});
    redisCommand({"SET", "bull:outbox.mail:completed", "text"});
    const auto again = Reconciler::begin(*all, {});
    VERIFY_WORKED(again);
    while (!(*again)->isFinished())
        VERIFY_WORKED((*again)->step());
}

void TestTrace::onlyReads()
{
    makeTables();
    addRow("evt_1", "workflow.execution.requested", 100, R"({"executionId":"exe_1"})");
    addRow("lost", "mail.a", 100);
    addJob("outbox.workflow", "outbox:evt_1", "evt_1", "completed", 100);
    addRun("exe_1", "RUNNING", "evt_1", 97);
    const auto inventory = [&] {
        return m_writer
            ->execute("SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM (SELECT "
                      "to_jsonb(o)::text FROM \"OutboxEvent\" o UNION ALL SELECT to_jsonb(e)::text FROM "
                      "\"WorkflowExecution\" e) AS all_rows(t)")
            ->text(0, 0);
    };
    const QString before = inventory();
    redisCommand({"CONFIG", "RESETSTAT"});
    QVERIFY(!traced("evt_1").isEmpty());
    QVERIFY(!traced("exe_1").isEmpty());
    QVERIFY(traced("nobody").isEmpty());
    const auto all = stores();
    auto reconciler = Reconciler::begin(*all, {});
    VERIFY_WORKED(reconciler);
    while (!(*reconciler)->isFinished())
        VERIFY_WORKED((*reconciler)->step());
    QCOMPARE(inventory(), before);
    // The connection would not take a write.
    const auto refused = all->database()->execute("DELETE FROM \"OutboxEvent\"");
    QVERIFY(!refused && refused.error().code == ErrorCode::Refused);

    const auto stats = m_redis->exchange(redis::Command{"INFO", "commandstats"}, 5s);
    VERIFY_WORKED(stats);
    static const QSet<QByteArray> reading{
        "ping",           "scan",   "type",      "exists", "hexists", "hmget",  "hget",     "hgetall",
        "hstrlen",        "hlen",   "strlen",    "get",    "pttl",    "lpos",   "llen",     "lrange",
        "zscore",         "zrange", "zrevrange", "zcard",  "zrank",   "scard",  "smembers", "sscan",
        "hscan",          "zscan",  "xrevrange", "dbsize", "time",    "select", "info",     "config|resetstat",
        "client|setname", "zcount", "sismember", "ttl",    "hello"};
    for (const QByteArray &line : stats->text.split('\n')) {
        if (!line.startsWith("cmdstat_"))
            continue;
        const QByteArray command = line.mid(8, line.indexOf(':') - 8);
        QVERIFY2(reading.contains(command), line.constData());
    }
}

QTEST_GUILESS_MAIN(TestTrace)
#include "tst_trace.moc"
