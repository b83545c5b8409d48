// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Rows, executions and jobs with values that nobody expects, as lists, details, traces and the terminal show them: each
// concerns itself alone, and no page stays blank because of one.

#include <models/executionmodel.h>
#include <models/jobmodel.h>
#include <models/jobtext.h>
#include <models/outboxmodel.h>
#include <models/timeline.h>
#include <models/tracemodel.h>

#include <engine/bullmq/jobreader.h>
#include <engine/outbox/discovery.h>
#include <engine/trace/tracer.h>
#include <engine/watch/documentfeed.h>
#include <engine/workflow/executiondiscovery.h>
#include <engine/workflow/executionreader.h>

#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QAbstractItemModelTester>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using redis::Command;

namespace {

constexpr char tables[] = R"sql(
CREATE TABLE "OutboxEvent" (id text PRIMARY KEY, "tenantId" text, "eventType" text, payload text, "dispatchKey" text,
    status text, retries int, "scheduledAt" timestamp, "lockedUntil" timestamp, "processedAt" timestamp,
    "lastError" text, "createdAt" timestamp, "updatedAt" timestamp);
CREATE INDEX ON "OutboxEvent" (status, "scheduledAt");
CREATE TABLE "WorkflowExecution" (id text PRIMARY KEY, "tenantId" text, "workflowId" text, status text, trigger text,
    "waitingFor" text, steps text, error text, "outboxEventId" text, "queuedAt" timestamp, "startedAt" timestamp,
    "finishedAt" timestamp, "createdAt" timestamp, "updatedAt" timestamp);
)sql";

const QList<QByteArray> &times()
{
    static const QList<QByteArray> all{
        "null",         "'infinity'",   "'-infinity'",     "'40000-01-01'",
        "'1969-12-31'", "'0001-01-01'", "'4713-01-01 BC'", "'294276-12-31 23:59:59.999999'"};
    return all;
}

const QList<QByteArray> &texts()
{
    static const QList<QByteArray> all{"null",
                                       "''",
                                       "E'\\\\x1f8b0800'",
                                       "'{\"n\":1e400,\"\":1,\"\":2,\"lone\":\"\\ud800\"}'",
                                       "repeat('[', 10000)",
                                       "repeat('x', 3000000)",
                                       "U&'user\\202Egnp.exe'",
                                       "E'\\x01\\x1b[31m'",
                                       "'<b>bold</b>'"};
    return all;
}

// Every cell in every role that a view asks for.
QStringList cellsOf(const QAbstractItemModel &model)
{
    QStringList cells;
    for (int row = 0; row < model.rowCount(); ++row) {
        for (int column = 0; column < model.columnCount(); ++column) {
            const QModelIndex index = model.index(row, column);
            for (int role = 0; role < Qt::UserRole + 110; ++role)
                model.data(index, role);
            cells << index.data().toString();
        }
    }
    return cells;
}

} // namespace

class TestHostileViews final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void outboxRows();
    void executions();
    void jobs();
    void traces();
    void terminal();
    void documentsAreWrittenWhole();
    void theWindowGetsWholeDocuments();

private:
    void insert(const QByteArray &table, const QByteArray &columns, const QByteArray &values);
    // With the servers that the command knows.
    [[nodiscard]] test::Outcome console(QStringList arguments) const
    {
        if (arguments.front() != u"jobs")
            arguments << u"--database"_s << m_servers->databaseUrl();
        if (arguments.front() == u"jobs" || arguments.front() == u"trace")
            arguments << u"--redis"_s << m_servers->redisUrl();
        return test::console(arguments);
    }

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    std::unique_ptr<redis::Client> m_client;
    int m_rows = 0;
    int m_executions = 0;
    int m_jobs = 0;
};

void TestHostileViews::insert(const QByteArray &table, const QByteArray &columns, const QByteArray &values)
{
    VERIFY_WORKED(
        m_connection->executeScript("INSERT INTO \"" + table + "\" (" + columns + ") VALUES (" + values + ")"));
}

void TestHostileViews::initTestCase()
{
    auto servers = test::PrivateServers::start();
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    VERIFY_WORKED(m_connection->executeScript(tables));
    m_client = std::make_unique<redis::Client>(*redis::Endpoint::parse(m_servers->redisUrl()));

    const auto row = [&](const QByteArray &columns, const QByteArray &values) {
        insert("OutboxEvent", "id, status, \"eventType\"" + columns,
               "'row" + QByteArray::number(m_rows++) + "', 'DONE', 'mail.a.sent'" + values);
    };
    const auto run = [&](const QByteArray &columns, const QByteArray &values) {
        insert("WorkflowExecution", "id, \"workflowId\", status" + columns,
               "'run" + QByteArray::number(m_executions++) + "', 'flow', 'RUNNING'" + values);
    };
    row("", "");
    run("", "");
    for (const QByteArray &time : times()) {
        for (const QByteArray &other : times()) {
            row(", \"scheduledAt\", \"createdAt\", \"processedAt\", \"updatedAt\", \"lockedUntil\"",
                ", " + time + ", " + other + ", " + time + ", " + other + ", " + time);
            run(", \"queuedAt\", \"startedAt\", \"finishedAt\", \"createdAt\"",
                ", " + time + ", " + other + ", " + time + ", " + other);
        }
    }
    for (const QByteArray &text : texts()) {
        row(", payload, \"lastError\", \"tenantId\", \"scheduledAt\"",
            ", " + text + ", " + text + ", " + text + ", now()");
        run(", steps, error, \"tenantId\", trigger, \"waitingFor\", \"queuedAt\"",
            ", " + text + ", " + text + ", " + text + ", " + text + ", " + text + ", now()");
    }
    for (const char *retries : {"null", "-5", "2147483647"})
        row(", retries", QByteArray(", ") + retries);

    std::vector<Command> commands;
    const auto job = [&](const QList<QByteArray> &fields) {
        const QByteArray id = "job" + QByteArray::number(m_jobs++);
        if (!fields.isEmpty())
            commands.push_back(Command{"HSET", "bull:q:" + id} + fields);
        commands.push_back({"ZADD", "bull:q:failed", QByteArray::number(m_jobs), id});
    };
    job({}); // gone
    for (const QByteArray &time :
         QList<QByteArray>{"", "x", "-1", "1e400", "-1e400", "nan", "8640000000000000", "-8640000000000000",
                           "99999999999999999999", "1200000000000000", "0x10", " 5 "}) {
        job({"name", "n", "timestamp", time, "processedOn", "-8640000000000000", "finishedOn", time, "delay", time,
             "attemptsMade", time, "priority", time});
    }
    for (const QByteArray &bytes : QList<QByteArray>{
             "", QByteArray::fromHex("1f8b0800"), QByteArray::fromHex("82a16101a16293c3c0cb3ff8000000000000"),
             QByteArray::fromHex("00fffe"), "{\"a\":", QByteArray(10'000, '['), QByteArray(3'000'000, 'x'),
             "{\"s\":\"\\ud800\",\"n\":1e400}", "null", "\"\xe2\x80\xae\""}) {
        job({"name", bytes, "data", bytes, "opts", bytes, "returnvalue", bytes, "progress", bytes, "stacktrace", bytes,
             "failedReason", bytes, "parentKey", bytes, "timestamp", "1"});
    }
    commands.push_back({"SET", "bull:q:text", "no hash"});
    commands.push_back({"ZADD", "bull:q:failed", "inf", "text"});
    ++m_jobs;
    VERIFY_WORKED(m_client->exchange(commands, std::chrono::seconds(10)));
}

void TestHostileViews::outboxRows()
{
    const auto layout = outbox::discover(*m_connection, u"OutboxEvent"_s);
    VERIFY_WORKED(layout);
    outbox::Reader reader(*m_connection, *layout);
    outbox::PageRequest request;
    request.limit = 1000;
    const auto page = reader.page(request);
    VERIFY_WORKED(page);
    QCOMPARE(static_cast<int>(page->rows.size()), m_rows);
    models::OutboxModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setNow(1'769'871'731'000'000);
    model.applyPage(page->rows, false);
    QCOMPARE(model.rowCount(), m_rows);
    QVERIFY(cellsOf(model).filter(u"40000-01-01"_s).size() > 0);
    model.setZone(models::Zone::Local);
    QVERIFY(!cellsOf(model).isEmpty());
    for (const outbox::RowSummary &row : page->rows) {
        const auto detail = reader.detail(row.id);
        VERIFY_WORKED(detail);
        QVERIFY(!models::timelineOf(*detail, u"queue"_s, 1'769'871'731'000'000).empty());
        const auto whole = reader.payload(row.id);
        VERIFY_WORKED(whole);
        QVERIFY(whole->startsWith(detail->payload));
        QCOMPARE(qint64(whole->size()), detail->payloadBytes);
    }
    QCOMPARE(static_cast<int>(reader.payload("nobody").error().code), static_cast<int>(ErrorCode::NotFound));
}

void TestHostileViews::executions()
{
    const auto layout = workflow::discover(*m_connection, {}, {});
    VERIFY_WORKED(layout);
    workflow::ExecutionReader reader(*m_connection, *layout);
    workflow::ExecutionRequest request;
    request.limit = 1000;
    const auto page = reader.page(request);
    VERIFY_WORKED(page);
    QCOMPARE(static_cast<int>(page->executions.size()), m_executions);
    models::ExecutionModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setNow(page->databaseTime);
    model.applyPage(page->executions, false);
    QCOMPARE(model.rowCount(), m_executions);
    QVERIFY(!cellsOf(model).isEmpty());
    for (const workflow::Execution &execution : page->executions) {
        const auto detail = reader.detail(execution.id);
        VERIFY_WORKED(detail);
        const auto whole = reader.stepsText(execution.id);
        VERIFY_WORKED(whole);
        QCOMPARE(qint64(whole->size()), detail->stepsBytes);
    }
    QCOMPARE(static_cast<int>(reader.stepsText("nobody").error().code), static_cast<int>(ErrorCode::NotFound));
}

void TestHostileViews::jobs()
{
    bullmq::JobReader reader(*m_client, "bull");
    bullmq::JobPageRequest request;
    request.queue = "q";
    const auto page = reader.page(request);
    VERIFY_WORKED(page);
    QCOMPARE(static_cast<int>(page->jobs.size()), m_jobs);
    models::JobModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.applyPage(bullmq::JobState::Failed, page->jobs, page->serverTime, true);
    QCOMPARE(model.rowCount(), m_jobs);
    QVERIFY(!cellsOf(model).isEmpty());
    int gone = 0;
    for (const bullmq::JobSummary &job : page->jobs) {
        const auto detail = reader.detail("q", job.id);
        if (!detail) {
            QCOMPARE(static_cast<int>(detail.error().code), static_cast<int>(ErrorCode::NotFound));
            ++gone;
            continue;
        }
        QVERIFY(!models::jobFacts(*detail).empty());
        QVERIFY(models::jobTimeline(*detail).size() <= 6);
        QVERIFY(!models::jobErrorText(*detail).isNull() || detail->stackTraces.empty());
    }
    QCOMPARE(gone, 2); // the one that vanished and the one that is no hash
}

void TestHostileViews::traces()
{
    trace::Stores::Options options;
    options.profile.databaseUrl = m_servers->databaseUrl();
    options.profile.redisUrl = m_servers->redisUrl();
    options.profile.table = u"OutboxEvent"_s;
    trace::Stores stores(options);
    VERIFY_WORKED(stores.open());
    trace::Tracer tracer(stores);
    models::TraceModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QList<QByteArray> ids;
    for (int i = 0; i < m_rows; i += 5)
        ids << "row" + QByteArray::number(i);
    for (int i = 0; i < m_executions; i += 5)
        ids << "run" + QByteArray::number(i);
    for (int i = 0; i < m_jobs; ++i)
        ids << "job" + QByteArray::number(i);
    for (const QByteArray &id : ids) {
        const auto found = tracer.trace(id);
        QVERIFY2(found, QByteArray(id + ": " + test::why(found)).constData());
        model.setTimeline(found->timeline, found->databaseTime);
        QCOMPARE(static_cast<size_t>(model.rowCount()), found->timeline.size());
        cellsOf(model);
    }
}

void TestHostileViews::terminal()
{
    const auto rows = console({u"rows"_s, u"--json"_s, u"--limit"_s, u"1000"_s});
    VERIFY_EXIT(rows, 0);
    QCOMPARE(rows.json().array().size(), m_rows);
    QVERIFY(rows.output.contains("+040000-01-01T00:00:00.000Z"));
    QVERIFY(rows.output.contains("-004712-01-01T00:00:00.000Z"));
    VERIFY_EXIT(console({u"rows"_s, u"--limit"_s, u"1000"_s}), 0);
    const auto runs = console({u"executions"_s, u"--json"_s, u"--limit"_s, u"1000"_s});
    VERIFY_EXIT(runs, 0);
    QCOMPARE(runs.json().array().size(), m_executions);
    const auto list = console({u"jobs"_s, u"q"_s, u"--json"_s, u"--limit"_s, u"1000"_s});
    VERIFY_EXIT(list, 0);
    QVERIFY(list.output.contains("1e400"));
    // Qt's parser has no such number.
    const QJsonArray listed = QJsonDocument::fromJson(QByteArray(list.output).replace("1e400", "1")).array();
    QCOMPARE(listed.size(), m_jobs);
    bool sawMessagePack = false;
    for (const QJsonValue &job : listed) {
        if (job["dataForm"_L1] == u"MessagePack"_s) {
            sawMessagePack = true;
            QVERIFY(job["data"_L1].isNull());
            QCOMPARE(job["dataBase64"_L1].toString(), u"gqFhAaFik8PAyz/4AAAAAAAA"_s);
            QCOMPARE(job["dataDecoded"_L1]["a"_L1].toInt(), 1);
        }
    }
    QVERIFY(sawMessagePack);
    VERIFY_EXIT(console({u"jobs"_s, u"q"_s}), 0);
    VERIFY_EXIT(console({u"trace"_s, u"row20"_s, u"--json"_s}), 0);
}

void TestHostileViews::documentsAreWrittenWhole()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"payload"_s);
    const auto content = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("no file");
    };
    // Longer than a detail holds, in characters of several bytes.
    insert("OutboxEvent", "id, status, \"eventType\", payload", "'long', 'DONE', 'a.b', repeat('żółć', 2000000)");
    const auto saved = console({u"rows"_s, u"--id"_s, u"long"_s, u"--payload-to"_s, path, u"--json"_s});
    VERIFY_EXIT(saved, 0);
    QCOMPARE(saved.object()["bytes"_L1].toInteger(), qint64(16'000'000));
    QCOMPARE(content(), u"żółć"_s.toUtf8().repeated(2'000'000));
    const auto piped = console({u"rows"_s, u"--id"_s, u"long"_s, u"--payload-to"_s, u"-"_s});
    VERIFY_EXIT(piped, 0);
    QCOMPARE(piped.output, content());

    // gzip in a text column, as bytea writes it.
    const QByteArray packed = "1f8b0800000000000003ab564a54b252304c01ab050000ffff"; // cut, so damaged
    insert("OutboxEvent", "id, status, \"eventType\", payload", "'packed', 'DONE', 'a.b', E'\\\\x" + packed + "'");
    VERIFY_EXIT(console({u"rows"_s, u"--id"_s, u"packed"_s, u"--payload-to"_s, path}), 0);
    QCOMPARE(content(), "\\x" + packed);
    const auto shown = console({u"rows"_s, u"--id"_s, u"packed"_s, u"--json"_s});
    VERIFY_EXIT(shown, 0);
    QCOMPARE(shown.object()["payloadForm"_L1].toString(), u"hex, gzip"_s);

    VERIFY_WORKED(m_client->exchange(Command{"HSET", "bull:q:bytes", "name", "n", "data", QByteArray("\0\xff", 2),
                                             "returnvalue", "{\"ok\":true}", "timestamp", "1"},
                                     std::chrono::seconds(5)));
    VERIFY_EXIT(console({u"jobs"_s, u"q"_s, u"--id"_s, u"bytes"_s, u"--payload-to"_s, path}), 0);
    QCOMPARE(content(), QByteArray("\0\xff", 2));
    VERIFY_EXIT(
        console({u"jobs"_s, u"q"_s, u"--id"_s, u"bytes"_s, u"--payload-to"_s, path, u"--field"_s, u"returnvalue"_s}),
        0);
    QCOMPARE(content(), QByteArray("{\"ok\":true}"));
    VERIFY_WORKED(m_connection->executeScript("INSERT INTO \"WorkflowExecution\" (id, \"workflowId\", status, steps) "
                                              "VALUES ('long', 'f', 'RUNNING', repeat('[', 5000000))"));
    VERIFY_EXIT(console({u"executions"_s, u"--id"_s, u"long"_s, u"--payload-to"_s, path}), 0);
    QCOMPARE(content(), QByteArray(5'000'000, '['));

    // Nothing half, and the reason said.
    VERIFY_EXIT(console({u"rows"_s, u"--id"_s, u"nobody"_s, u"--payload-to"_s, path}), 1);
    QCOMPARE(content(), QByteArray(5'000'000, '['));
    const auto nowhere =
        console({u"rows"_s, u"--id"_s, u"long"_s, u"--payload-to"_s, folder.filePath(u"no/such/folder"_s)});
    VERIFY_EXIT(nowhere, 1);
    QVERIFY(nowhere.errors.contains("could not be written"));
    VERIFY_EXIT(console({u"rows"_s, u"--id"_s, u"long"_s, u"--payload-to"_s, folder.path()}), 1);
    VERIFY_EXIT(console({u"rows"_s, u"--payload-to"_s, path}), 2);
    VERIFY_EXIT(console({u"rows"_s, u"--id"_s, u"long"_s, u"--decoded"_s}), 2);
    VERIFY_EXIT(console({u"jobs"_s, u"q"_s, u"--id"_s, u"bytes"_s, u"--field"_s, u"nonsense"_s}), 2);
}

void TestHostileViews::theWindowGetsWholeDocuments()
{
    using watch::DocumentFeed;
    using watch::DocumentRef;
    QTemporaryDir folder;
    const QString path = folder.filePath(u"payload"_s);
    config::ConnectionProfile profile;
    profile.databaseUrl = m_servers->databaseUrl();
    profile.table = u"OutboxEvent"_s;
    DocumentFeed feed(profile);
    QSignalSpy ready(&feed, &DocumentFeed::ready);
    QSignalSpy failed(&feed, &DocumentFeed::failed);
    QSignalSpy saved(&feed, &DocumentFeed::saved);
    QSignalSpy saveFailed(&feed, &DocumentFeed::saveFailed);
    const DocumentRef row{DocumentRef::Store::OutboxPayload, "long"};
    const DocumentRef run{DocumentRef::Store::ExecutionSteps, "long"};
    feed.request(row);
    feed.request(run);
    feed.save(row, path);
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, 30'000);
    QCOMPARE(ready.count(), 2);
    QCOMPARE(ready[0][1].toByteArray(), u"żółć"_s.toUtf8().repeated(2'000'000));
    QCOMPARE(ready[1][1].toByteArray(), QByteArray(5'000'000, '['));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), ready[0][1].toByteArray());
    // Gone, and nowhere to write to: said, and nothing half is left.
    const DocumentRef nobody{DocumentRef::Store::OutboxPayload, "nobody"};
    feed.request(nobody);
    feed.save(nobody, folder.filePath(u"other"_s));
    feed.save(row, folder.filePath(u"no/such/folder"_s));
    QTRY_COMPARE_WITH_TIMEOUT(saveFailed.count(), 2, 30'000);
    QCOMPARE(failed.count(), 1);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{u"payload"_s});
}

QTEST_GUILESS_MAIN(TestHostileViews)
#include "tst_hostileviews.moc"
