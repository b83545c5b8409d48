// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Workflow executions as users' tables spell them: found, counted, paged, judged, and their steps read.

#include <engine/transport/sql/connection.h>
#include <engine/workflow/executiondiscovery.h>
#include <engine/workflow/executionreader.h>

#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QSet>
#include <QTest>

using namespace engine;
using namespace engine::workflow;
using namespace Qt::StringLiterals;
using outbox::CountMode;
using outbox::PageDirection;
using outbox::PageKey;

class TestWorkflow final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void findsAndReadsEveryVariant_data();
    void findsAndReadsEveryVariant();
    void saysWhatIsMissing();
    void choosesAmongSeveral();
    void pagesMeetEveryRunOnce();
    void filters();
    void judgesByTheWorkflowsOwnRuns();
    void marksStreamRuns();
    void readsSteps_data();
    void readsSteps();
    void brokenStepsAreShownAsText();
    void onlyReads();

private:
    // The usual table, and a workflow wfl_1 called Confirm.
    void makeTable();
    void add(const QByteArray &id, const QByteArray &columns, const QByteArray &values);
    [[nodiscard]] ExecutionReader reader();

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_writer;
    std::unique_ptr<sql::Connection> m_connection; // reads only
    int m_number = 0;
};

namespace {

QByteArray workflowTables()
{
    QFile file(u":/outbox/sql/workflow.sql"_s);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QList<QByteArray> idsOf(const std::vector<Execution> &executions)
{
    QList<QByteArray> ids;
    for (const Execution &execution : executions)
        ids << execution.id;
    return ids;
}

const Execution *find(const std::vector<Execution> &executions, const QByteArray &id)
{
    for (const Execution &execution : executions) {
        if (execution.id == id)
            return &execution;
    }
    return nullptr;
}

} // namespace

void TestWorkflow::initTestCase()
{
    test::PrivateServersOptions options;
    options.withRedis = false;
    options.postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}, {u"log_statement"_s, u"all"_s}};
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
}

void TestWorkflow::init()
{
    const auto url = m_servers->createDatabase(u"workflow%1"_s.arg(++m_number));
    VERIFY_WORKED(url);
    sql::ConnectOptions options;
    options.url = *sql::DatabaseUrl::parse(*url);
    auto reading = sql::Connection::open(options);
    VERIFY_WORKED(reading);
    m_connection = std::move(*reading);
    options.access = sql::Access::ReadWrite;
    auto writing = sql::Connection::open(options);
    VERIFY_WORKED(writing);
    m_writer = std::move(*writing);
}

void TestWorkflow::makeTable()
{
    VERIFY_WORKED(m_writer->executeScript(workflowTables()));
    VERIFY_WORKED(m_writer->executeScript(
        "INSERT INTO \"Workflow\" (id, \"tenantId\", name, status, definition, \"updatedAt\") VALUES "
        "('wfl_1', 'acme', 'Confirm', 'LIVE', '{}', now()), ('wfl_2', 'acme', 'Follow up', 'LIVE', '{}', now())"));
}

// Times in `values` are written as {-5 minutes}: relative to the database's now, in UTC.
void TestWorkflow::add(const QByteArray &id, const QByteArray &columns, const QByteArray &values)
{
    QByteArray spelled = values;
    spelled.replace("{", "(now() AT TIME ZONE 'UTC') + interval '").replace("}", "'");
    VERIFY_WORKED(m_writer->executeScript("INSERT INTO \"WorkflowExecution\" (id, \"tenantId\", \"updatedAt\", "
                                          + columns + ") VALUES ('" + id + "', 'acme', now(), " + spelled + ")"));
}

ExecutionReader TestWorkflow::reader()
{
    auto layout = discover(*m_connection);
    Q_ASSERT(layout);
    return ExecutionReader(*m_connection, std::move(*layout));
}

void TestWorkflow::findsAndReadsEveryVariant_data()
{
    QTest::addColumn<QByteArray>("ddl");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("id");
    QTest::newRow("as Prisma makes it, in another schema") << QByteArray(
        R"(CREATE SCHEMA "Ops"; SET search_path = "Ops"; CREATE TYPE s AS ENUM ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED');
            CREATE TABLE "WorkflowExecution" (id text PRIMARY KEY, "tenantId" text, "workflowId" text, status s, "trigger" text,
            steps jsonb, error text, "outboxEventId" text, "queuedAt" timestamp(3), "startedAt" timestamp(3), "finishedAt" timestamp(3),
            "createdAt" timestamp(3) NOT NULL DEFAULT (now() AT TIME ZONE 'UTC'), "updatedAt" timestamp(3));
            INSERT INTO "WorkflowExecution" (id, "tenantId", "workflowId", status, "trigger", steps, "outboxEventId", "queuedAt", "startedAt")
            VALUES ('e1', 't', 'w', 'RUNNING', 'event', '[{"block":"a","status":"COMPLETED"}]', 'o1', '2026-01-31 15:02:11.204', '2026-01-31 15:02:12');)")
                                                           << u"\"Ops\".\"WorkflowExecution\""_s << QByteArray("e1");
    QTest::newRow("snake case, uuid, text status, zones, steps as text") << QByteArray(
        R"(CREATE TABLE workflow_executions (id uuid PRIMARY KEY, tenant_id text, workflow_id uuid, status text, trigger text,
            steps text, error_message text, outbox_event_id text, queued_at timestamptz, started_at timestamptz, completed_at timestamptz);
            INSERT INTO workflow_executions VALUES ('0198f0aa-7c1e-7b3a-9d7f-2f1de1a4c001', 't', '0198f0aa-7c1e-7b3a-9d7f-2f1de1a4c002',
            'running', 'event', '[{"block":"a","status":"COMPLETED"}]', NULL, 'o1', '2026-01-31 15:02:11.204+00', '2026-01-31 15:02:12+00', NULL);)")
                                                                         << u"public.workflow_executions"_s
                                                                         << QByteArray(
                                                                                "0198f0aa-7c1e-7b3a-9d7f-2f1de1a4c001");
    QTest::newRow("bigint, varchar status, few columns") << QByteArray(
        R"(CREATE TABLE execution (id bigint PRIMARY KEY, workflow_id bigint, status varchar(20), "startedAt" timestamptz,
            "createdAt" timestamptz, outbox_event_id varchar(40), steps json);
            INSERT INTO execution VALUES (42, 7, 'RUNNING', '2026-01-31 15:02:12+00', '2026-01-31 15:02:11.204+00', 'o1',
            '[{"block":"a","status":"COMPLETED"}]');)") << u"public.execution"_s
                                                         << QByteArray("42");
}

void TestWorkflow::findsAndReadsEveryVariant()
{
    QFETCH(const QByteArray, ddl);
    QFETCH(const QString, name);
    QFETCH(const QByteArray, id);
    VERIFY_WORKED(m_writer->executeScript(ddl));
    const auto layout = discover(*m_connection);
    VERIFY_WORKED(layout);
    QCOMPARE(layout->displayName(), name);
    for (const Phase phase : {Phase::Queued, Phase::Running, Phase::Completed, Phase::Failed})
        QVERIFY(!layout->statusesOf({phase}).empty());
    ExecutionReader reader(*m_connection, *layout);

    const auto page = reader.page({});
    VERIFY_WORKED(page);
    QCOMPARE(idsOf(page->executions), QList<QByteArray>{id});
    const Execution &execution = page->executions.front();
    QCOMPARE(execution.phase, Phase::Running);
    QCOMPARE(execution.outboxEventId, "o1");
    // Whatever the session's zone (São Paulo) and the column's type.
    QCOMPARE(execution.startedAt.value_or(0), 1'769'871'732'000'000);
    QCOMPARE(execution.queuedAt ? *execution.queuedAt : execution.createdAt.value_or(0), 1'769'871'731'204'000);
    QCOMPARE(execution.lateness, Lateness::Running); // since January
    QVERIFY(!execution.usual.isMeasured());

    const auto detail = reader.detail(id);
    VERIFY_WORKED(detail);
    QCOMPARE(detail->execution, execution);
    QCOMPARE(detail->steps.steps.size(), 1U);
    QCOMPARE(detail->steps.steps.front().name, u"a"_s);
    const auto started = reader.startedBy({"o1", "none"});
    VERIFY_WORKED(started);
    QCOMPARE(idsOf(*started), QList<QByteArray>{id});
    for (const CountMode mode : {CountMode::Exact, CountMode::Bounded}) {
        const auto stats = reader.stats(mode);
        VERIFY_WORKED(stats);
        qint64 all = 0;
        for (const auto &[status, count] : stats->counts) {
            QCOMPARE(count.kind, outbox::Count::Kind::Exact);
            all += count.value;
        }
        QCOMPARE(all, 1);
    }
    for (const char *wrong : {"nobody", "0", "'; DROP TABLE x", ""}) {
        const auto missing = reader.detail(wrong);
        QVERIFY(!missing && missing.error().code == ErrorCode::NotFound);
    }
}

void TestWorkflow::saysWhatIsMissing()
{
    const auto none = discover(*m_connection);
    QVERIFY(!none);
    QCOMPARE(none.error().code, ErrorCode::NotFound);
    QVERIFY(none.error().hint.contains(u"workflowId"));
    VERIFY_WORKED(m_writer->executeScript("CREATE TABLE other (id text, status text)"));
    const auto named = discover(*m_connection, u"public.other"_s);
    QVERIFY(!named && named.error().message.contains(u"public.other"));
}

void TestWorkflow::choosesAmongSeveral()
{
    makeTable();
    VERIFY_WORKED(m_writer->executeScript(
        "CREATE TABLE step (id text, workflow_id text, status text, started_at timestamptz);"
        "CREATE SCHEMA b; CREATE TABLE b.execution (id text, workflow_id text, status text, started_at timestamptz);"));
    const auto several = discover(*m_connection);
    QVERIFY(!several && several.error().code == ErrorCode::Ambiguous);
    QVERIFY(several.error().message.contains(u"public.\"WorkflowExecution\""));
    QVERIFY(!several.error().message.contains(u"step"));
    const auto preferred = discover(*m_connection, {}, u"b"_s);
    VERIFY_WORKED(preferred);
    QCOMPARE(preferred->displayName(), u"b.execution"_s);
    const auto wanted = discover(*m_connection, u"public.WorkflowExecution"_s);
    VERIFY_WORKED(wanted);
    QCOMPARE(wanted->displayName(), u"public.\"WorkflowExecution\""_s);
}

void TestWorkflow::pagesMeetEveryRunOnce()
{
    makeTable();
    // Many at the same moment, over all statuses.
    VERIFY_WORKED(m_writer->executeScript(
        "INSERT INTO \"WorkflowExecution\" (id, \"tenantId\", \"workflowId\", status, \"trigger\", \"queuedAt\", "
        "\"updatedAt\") "
        "SELECT 'e' || n, 't', 'wfl_1', (enum_range(NULL::\"WorkflowExecutionStatus\"))[1 + n % 6], 'event', "
        "timestamp '2026-01-31 10:00' + interval '1 second' * (n / 40), now() FROM generate_series(1, 250) n"));
    ExecutionReader executions = reader();
    for (const PageDirection direction : {PageDirection::Older, PageDirection::Newer}) {
        QList<QByteArray> seen;
        ExecutionRequest request;
        request.limit = 17;
        request.direction = direction;
        for (;;) {
            const auto page = executions.page(request);
            VERIFY_WORKED(page);
            const QList<QByteArray> ids = idsOf(page->executions);
            const bool older = direction == PageDirection::Older;
            seen = older ? seen + ids : ids + seen;
            if (!(older ? page->hasOlder : page->hasNewer))
                break;
            const Execution &edge = older ? page->executions.back() : page->executions.front();
            request.from = PageKey{edge.queuedAt, edge.id};
        }
        QCOMPARE(seen.size(), 250);
        QCOMPARE(QSet<QByteArray>(seen.cbegin(), seen.cend()).size(), 250);
    }
}

void TestWorkflow::filters()
{
    makeTable();
    const QByteArray columns = "\"workflowId\", status, \"trigger\", error, \"queuedAt\"";
    add("a", columns, "'wfl_1', 'FAILED', 'event', 'The endpoint answered 502', {-3 hours}");
    add("b", columns, "'wfl_2', 'FAILED', 'event', 'Other', {-2 hours}");
    add("c", columns, "'wfl_1', 'COMPLETED', 'event', NULL, {-1 hours}");
    ExecutionReader executions = reader();
    const auto listed = [&](const ExecutionFilter &filter) {
        const auto page = executions.page({filter, {}, PageDirection::Older, 200});
        return page ? idsOf(page->executions) : QList<QByteArray>{"error"};
    };
    const auto now = executions.stats(CountMode::Exact)->databaseTime;
    QCOMPARE(listed({}), (QList<QByteArray>{"c", "b", "a"}));
    QCOMPARE(listed({.statuses = {"FAILED"}}), (QList<QByteArray>{"b", "a"}));
    QCOMPARE(listed({.workflow = u"wfl_1"_s}), (QList<QByteArray>{"c", "a"}));
    QCOMPARE(listed({.tenant = u"globex"_s}), QList<QByteArray>());
    QCOMPARE(listed({.errorText = u"endpoint ANSWERED"_s}), QList<QByteArray>{"a"});
    QCOMPARE(listed({.errorText = u"%"_s}), QList<QByteArray>());
    QCOMPARE(listed({.since = now - 9'000'000'000}), (QList<QByteArray>{"c", "b"}));
    QCOMPARE(listed({.until = now - 9'000'000'000}), QList<QByteArray>{"a"});
    const auto page = executions.page({});
    VERIFY_WORKED(page);
    QCOMPARE(page->executions.front().workflowName, u"Confirm"_s);
}

void TestWorkflow::judgesByTheWorkflowsOwnRuns()
{
    makeTable();
    // wfl_1 takes 100 s, one in a hundred takes far longer; wfl_2 has too few runs to say.
    VERIFY_WORKED(m_writer->executeScript("INSERT INTO \"WorkflowExecution\" (id, \"tenantId\", \"workflowId\", "
                                          "status, \"trigger\", \"queuedAt\", \"startedAt\", "
                                          "\"finishedAt\", \"createdAt\", \"updatedAt\") SELECT 'old' || n, 't', CASE "
                                          "WHEN n <= 100 THEN 'wfl_1' ELSE 'wfl_2' END, "
                                          "'COMPLETED', 'event', t, t + interval '40 s', t + interval '140 s' + CASE "
                                          "WHEN n = 50 THEN interval '1 day' ELSE '0' END, t, t "
                                          "FROM (SELECT n, timestamp '2026-01-01' + n * interval '1 minute' AS t FROM "
                                          "generate_series(1, 103) n) AS runs"));
    const QByteArray columns = "\"workflowId\", status, \"trigger\", \"queuedAt\", \"startedAt\"";
    add("quick", columns, "'wfl_1', 'RUNNING', 'event', {-90 s}, {-90 s}");
    add("slow", columns, "'wfl_1', 'RUNNING', 'event', {-150 s}, {-110 s}");
    add("queued", columns, "'wfl_1', 'QUEUED', 'event', {-50 s}, NULL");
    add("unknown", columns, "'wfl_2', 'RUNNING', 'event', {-14 minutes}, {-14 minutes}");
    add("unknown slow", columns, "'wfl_2', 'RUNNING', 'event', {-16 minutes}, {-16 minutes}");
    add("waits", columns, "'wfl_1', 'WAITING', 'event', {-5 days}, {-5 days}");
    ExecutionReader executions = reader();
    const auto page = executions.page({});
    VERIFY_WORKED(page);
    const auto of = [&](const QByteArray &id) { return *find(page->executions, id); };
    QCOMPARE(of("quick").lateness, Lateness::None);
    QCOMPARE(of("slow").lateness, Lateness::Running);
    QCOMPARE(of("queued").lateness, Lateness::Queued);
    QCOMPARE(of("slow").usual, (Usual{100'000, 40'000, 100}));
    QCOMPARE(of("unknown").lateness, Lateness::None);
    QCOMPARE(of("unknown slow").lateness, Lateness::Running);
    QVERIFY(!of("unknown slow").usual.isMeasured());
    QCOMPARE(of("unknown slow").usual.runMs, defaultRunMs);
    QCOMPARE(of("waits").lateness, Lateness::None);

    const auto late = executions.page({{.lateOnly = true}, {}, PageDirection::Older, 200});
    VERIFY_WORKED(late);
    QCOMPARE(idsOf(late->executions), (QList<QByteArray>{"queued", "slow", "unknown slow"}));
}

void TestWorkflow::marksStreamRuns()
{
    makeTable();
    const QByteArray columns = "\"workflowId\", status, \"trigger\", \"queuedAt\", \"startedAt\"";
    add("fresh", columns, "'wfl_1', 'RUNNING', 'stream', {-1 minutes}, {-1 minutes}");
    add("lost", columns, "'wfl_1', 'RUNNING', 'stream', {-70 minutes}, {-70 minutes}");
    ExecutionReader executions = reader();
    const auto page = executions.page({});
    VERIFY_WORKED(page);
    QVERIFY(find(page->executions, "fresh")->isStream);
    QCOMPARE(find(page->executions, "fresh")->lateness, Lateness::None);
    QCOMPARE(find(page->executions, "lost")->lateness, Lateness::PossiblyInterrupted);
    QVERIFY(find(page->executions, "lost")->durationMs(page->databaseTime).value_or(0) >= 70 * 60'000);
}

void TestWorkflow::readsSteps_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QStringList>("expected"); // name|status|phase|took|error
    QTest::newRow("nothing") << QByteArray() << QStringList();
    QTest::newRow("null") << QByteArray("null") << QStringList();
    QTest::newRow("list") << QByteArray(
        R"([{"block":"a","status":"COMPLETED","startedAt":"2026-01-31T15:00:00.000Z","finishedAt":"2026-01-31T15:00:00.160Z"},
                                {"name":"b","state":"failed","error":{"message":"no template"}}])")
                          << QStringList{u"a|COMPLETED|3|160|"_s, u"b|failed|4|–|no template"_s};
    QTest::newRow("by name") << QByteArray(R"({"one":{"status":"RUNNING","startedAt":1769871600000},"two":"skipped"})")
                             << QStringList{u"one|RUNNING|1|–|"_s, u"two|skipped|6|–|"_s};
    QTest::newRow("wrapped, duration") << QByteArray(
        R"({"steps":[{"id":7,"startedAt":"2026-01-31T15:00:00","durationMs":1500}]})")
                                       << QStringList{u"7||6|1500|"_s};
    QTest::newRow("odd members") << QByteArray(
        R"([null, 3, "done", {"block":[],"startedAt":"yesterday","status":null}, {"error":"x"}])")
                                 << QStringList{u"#1||6|–|"_s, u"#2|3|6|–|"_s, u"#3|done|3|–|"_s, u"[]||6|–|"_s,
                                                u"#5||4|–|x"_s};
}

void TestWorkflow::readsSteps()
{
    QFETCH(const QByteArray, json);
    QFETCH(const QStringList, expected);
    const Steps steps = parseSteps(json);
    QCOMPARE(steps.problem, QString());
    QStringList read;
    for (const Step &step : steps.steps) {
        const QString took =
            step.startedAt && step.finishedAt ? QString::number((*step.finishedAt - *step.startedAt) / 1000) : u"–"_s;
        read << u"%1|%2|%3|%4|%5"_s.arg(step.name, step.status).arg(int(step.phase)).arg(took, step.error);
    }
    QCOMPARE(read, expected);
}

void TestWorkflow::brokenStepsAreShownAsText()
{
    VERIFY_WORKED(m_writer->executeScript(
        "CREATE TABLE execution (id text, workflow_id text, status text, started_at timestamptz, steps text);"
        "INSERT INTO execution VALUES ('e', 'w', 'FAILED', now(), '[{\"block\": oops')"));
    ExecutionReader executions = reader();
    const auto detail = executions.detail("e");
    VERIFY_WORKED(detail);
    QVERIFY(detail->steps.steps.empty());
    QVERIFY(!detail->steps.problem.isEmpty());
    QCOMPARE(detail->stepsText, "[{\"block\": oops");
    QCOMPARE(parseSteps("[" + QByteArray("[").repeated(100'000)).steps.size(), 0U);
}

void TestWorkflow::onlyReads()
{
    makeTable();
    add("e", "\"workflowId\", status, \"trigger\"", "'wfl_1', 'FAILED', 'event'");
    const auto before =
        m_writer->execute("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
    VERIFY_WORKED(before);
    ExecutionReader executions = reader();
    VERIFY_WORKED(executions.page({}));
    VERIFY_WORKED(executions.detail("e"));
    // Nothing of it commits: every statement stands in a read-only transaction that is rolled back.
    const auto refused = m_connection->execute("DELETE FROM \"WorkflowExecution\"");
    QVERIFY(!refused && refused.error().code == ErrorCode::Refused);
}

QTEST_GUILESS_MAIN(TestWorkflow)
#include "tst_workflow.moc"
