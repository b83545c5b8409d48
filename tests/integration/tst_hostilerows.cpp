// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Values that a table may legally hold and nobody expects. Wherever one stands, it concerns its own row: the others are
// claimed, settled and shown as if it were not there.

#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/claims.h>
#include <engine/outbox/discovery.h>
#include <engine/outbox/reader.h>
#include <engine/outbox/settler.h>

#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QSignalSpy>
#include <QTest>

#include <set>

using namespace engine;
using namespace engine::outbox;
using namespace Qt::StringLiterals;

namespace {

// What a row under test is expected to be.
enum Due : bool { NotDue, IsDue };

// No rule but the key: every column takes null, and text wherever text may stand.
constexpr char looseTables[] = R"sql(
CREATE TABLE event (id text PRIMARY KEY, "tenantId" text, "eventType" text, payload text, "dispatchKey" text, status text,
    retries int, "scheduledAt" timestamp, "lockedUntil" timestamp, "processedAt" timestamp, "lastError" text,
    "createdAt" timestamp, "updatedAt" timestamp);
CREATE INDEX ON event (status, "scheduledAt");
CREATE TABLE message (id text PRIMARY KEY, "tenantId" text, "messageType" text, "aggregateId" text, "aggregateType" text,
    "eventVersion" numeric, "eventData" text, metadata text, status text, "scheduledAt" timestamp,
    "processedAt" timestamp, "retryCount" int, "maxRetries" int, "nextRetryAt" timestamp, "lastError" text,
    "createdAt" timestamp, "updatedAt" timestamp);
CREATE INDEX ON message (status, "scheduledAt");
)sql";

// Three good rows around the one under test.
constexpr char eventRows[] = R"sql(
TRUNCATE event;
INSERT INTO event SELECT n, 't', 'mail.a.sent', '{}', null, 'PENDING', 0, now() AT TIME ZONE 'UTC' - n::int * interval '1 minute',
    null, null, null, now(), now() FROM unnest(ARRAY['1','2','3','4']) n;
)sql";
constexpr char messageRows[] = R"sql(
TRUNCATE message;
INSERT INTO message SELECT n, 't', 'email.a.sent', 'a', 'b', 1, '{}', '{}', 'pending', now() AT TIME ZONE 'UTC' - n::int * interval '1 minute',
    null, 0, 3, null, null, now(), now() FROM unnest(ARRAY['1','2','3','4']) n;
)sql";

} // namespace

class TestHostileRows final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void touchOnlyThemselves_data();
    void touchOnlyThemselves();
    void doNotStopADispatcher_data();
    void doNotStopADispatcher();

private:
    struct BadRow
    {
        QByteArray name;
        LayoutKind kind;
        QByteArray assignment; // what makes row 2 bad
        Due due;
    };
    static QList<BadRow> badRows();
    void fill(LayoutKind kind, const QByteArray &assignment);
    void showsEveryRow(const Layout &layout);
    QByteArray single(const QByteArray &statement);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    std::optional<Layout> m_event, m_message;
};

void TestHostileRows::initTestCase()
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
    VERIFY_WORKED(m_connection->executeScript(looseTables));
    const auto event = discover(*m_connection, u"event"_s);
    VERIFY_WORKED(event);
    m_event = *event;
    const auto message = discover(*m_connection, u"message"_s);
    VERIFY_WORKED(message);
    m_message = *message;
}

QByteArray TestHostileRows::single(const QByteArray &statement)
{
    const auto rows = m_connection->execute(statement);
    if (!rows)
        return "failed: " + test::why(rows) + " in " + statement;
    return rows->count() > 0 ? rows->bytes(0, 0).toByteArray() : QByteArray();
}

QList<TestHostileRows::BadRow> TestHostileRows::badRows()
{
    QList<BadRow> rows;
    const auto event = [&](const QByteArray &assignment, Due due = IsDue) {
        rows << BadRow{"event, " + assignment.left(60), LayoutKind::Event, assignment, due};
    };
    const auto message = [&](const QByteArray &assignment, Due due = IsDue) {
        rows << BadRow{"message, " + assignment.left(60), LayoutKind::Message, assignment, due};
    };
    const QList<std::pair<QByteArray, Due>> times{
        {"null", NotDue},
        {"'infinity'", NotDue},
        {"'-infinity'", IsDue},
        {"'200000-01-01'", NotDue},
        {"'294276-12-31 23:59:59.999999'", NotDue},
        {"'4713-01-01 BC'", IsDue},
    };
    for (const auto &[time, due] : times) {
        event("\"scheduledAt\" = " + time, due);
        event("\"createdAt\" = " + time + ", \"updatedAt\" = " + time + ", \"processedAt\" = " + time);
        event("\"lockedUntil\" = " + time);
        event("status = 'PROCESSING', \"lockedUntil\" = " + time, due);
        message("\"scheduledAt\" = " + time, due);
        message("\"createdAt\" = " + time + ", \"updatedAt\" = " + time + ", \"nextRetryAt\" = " + time);
        message("status = 'failed', \"nextRetryAt\" = " + time, due);
        message("status = 'failed', \"nextRetryAt\" = '2020-01-01', \"scheduledAt\" = " + time);
        message("status = 'processing', \"updatedAt\" = " + time, due);
    }
    for (const char *count : {"null", "-5", "2147483647", "-2147483648"}) {
        event(QByteArray("retries = ") + count);
        message(QByteArray("\"retryCount\" = ") + count);
    }
    for (const char *most : {"null", "0", "-1", "2147483647"})
        message(QByteArray("\"maxRetries\" = ") + most);
    for (const char *word : {"'pending '", "'BOGUS'", "''", "null", "E'\\n'"}) {
        event(QByteArray("status = ") + word, NotDue);
        message(QByteArray("status = ") + word, NotDue);
    }
    for (const char *text : {"''", "null", "repeat('x', 1000000)", "E'\"\\\\ {,} \\n\\t\\x01'"}) {
        event(QByteArray("\"tenantId\" = ") + text);
        event(QByteArray("\"eventType\" = ") + text);
        event(QByteArray("payload = ") + text);
        event(QByteArray("\"lastError\" = ") + text);
        message(QByteArray("\"messageType\" = ") + text + ", \"aggregateId\" = " + text
                + ", \"aggregateType\" = " + text);
        message(QByteArray("metadata = ") + text);
    }
    for (const char *version : {"null", "'NaN'", "-1.5", "1e30"})
        message(QByteArray("\"eventVersion\" = ") + version);
    for (const char *id :
         {"''", "' '", "'  both  '", "'\"'", "''''", "'a,b'", "'{}'", "'{\"a\"}'", "'NULL'", "E'back\\\\slash'",
          "E'line\\nbreak'", "'żółć 漢字 🎉'", "repeat('x', 1000)", "E'\\x01'", "'outbox:1:lock'", "'%'"}) {
        event(QByteArray("id = ") + id);
        message(QByteArray("id = ") + id);
    }
    return rows;
}

void TestHostileRows::fill(LayoutKind kind, const QByteArray &assignment)
{
    const QByteArray table = kind == LayoutKind::Event ? "event" : "message";
    VERIFY_WORKED(m_connection->executeScript((kind == LayoutKind::Event ? eventRows : messageRows)
                                              + ("UPDATE " + table + " SET " + assignment + " WHERE id = '2'")));
}

// Statistics, and pages of one row each way, which have to visit every row of a known status once.
void TestHostileRows::showsEveryRow(const Layout &layout)
{
    Reader reader(*m_connection, layout);
    for (const CountMode mode : {CountMode::Exact, CountMode::Bounded}) {
        const auto stats = reader.stats(mode);
        VERIFY_WORKED(stats);
        QVERIFY(stats->due.value >= 3);
        QVERIFY(stats->oldestDueAgeMs && *stats->oldestDueAgeMs >= 60'000);
    }
    QByteArray words;
    for (const QByteArray &status : layout.statuses)
        words += (words.isEmpty() ? "'" : ", '") + status + "'";
    const qint64 known =
        single("SELECT count(*) FROM " + layout.quotedTable() + " WHERE status IN (" + words + ")").toLongLong();
    for (const PageDirection direction : {PageDirection::Older, PageDirection::Newer}) {
        std::set<QByteArray> seen;
        PageRequest request;
        request.direction = direction;
        request.limit = 1;
        for (int pages = 0; pages < 10; ++pages) {
            const auto page = reader.page(request);
            VERIFY_WORKED(page);
            QCOMPARE(page->rows.size(), size_t(1));
            const QByteArray id = page->rows.front().id;
            QVERIFY2(seen.insert(id).second, "a row was shown twice");
            const auto detail = reader.detail(id);
            VERIFY_WORKED(detail);
            QCOMPARE(detail->row, page->rows.front());
            const bool older = direction == PageDirection::Older;
            if (!(older ? page->hasOlder : page->hasNewer))
                break;
            request.from = older ? page->oldest : page->newest;
        }
        QCOMPARE(qint64(seen.size()), known);
    }
}

void TestHostileRows::touchOnlyThemselves_data()
{
    QTest::addColumn<LayoutKind>("kind");
    QTest::addColumn<QByteArray>("assignment");
    QTest::addColumn<bool>("due");
    for (const BadRow &row : badRows())
        QTest::newRow(row.name.constData()) << row.kind << row.assignment << bool(row.due);
}

void TestHostileRows::touchOnlyThemselves()
{
    QFETCH(const LayoutKind, kind);
    QFETCH(const QByteArray, assignment);
    QFETCH(const bool, due);
    const Layout &layout = kind == LayoutKind::Event ? *m_event : *m_message;
    fill(kind, assignment);
    if (!QTest::currentTestFailed())
        showsEveryRow(layout);
    if (QTest::currentTestFailed())
        return;

    // Everybody's attempt fails, as when Redis refuses the command.
    Claims claims(*m_connection, layout, std::chrono::minutes(5));
    Settler settler(*m_connection, layout, 6);
    qint64 claimed = 0;
    for (int round = 0; round < 6; ++round) {
        const auto batch = round < 3 ? claims.claimDue(2) : claims.claimExpired(10);
        VERIFY_WORKED(batch);
        if (batch->rows.empty())
            continue;
        claimed += qint64(batch->rows.size());
        std::vector<Outcome> outcomes;
        for (const ClaimedRow &row : batch->rows)
            outcomes.push_back({row.id, Outcome::Kind::FailedAttempt, "refused"});
        const auto counts = settler.settle(batch->token, outcomes);
        VERIFY_WORKED(counts);
        QCOMPARE(counts->retried + counts->dead, qint64(batch->rows.size()));
    }
    QCOMPARE(claimed, due ? 4 : 3);
    if (!due)
        return;
    // Dead, or due again within the hour: never out of reach.
    const QByteArray next = kind == LayoutKind::Event ? "\"scheduledAt\"" : "\"nextRetryAt\"";
    const QByteArray wait =
        single("SELECT CASE WHEN status IN ('FAILED', 'dead_letter') THEN 'dead' WHEN " + next
               + " > now() AT TIME ZONE 'UTC' AND " + next
               + " < now() AT TIME ZONE 'UTC' + interval '65 minutes' THEN 'soon' ELSE coalesce(" + next
               + "::text, 'never') END FROM " + layout.quotedTable() + " WHERE id NOT IN ('1', '3', '4')");
    QVERIFY2(wait == "dead" || wait == "soon", wait.constData());
}

void TestHostileRows::doNotStopADispatcher_data()
{
    QTest::addColumn<LayoutKind>("kind");
    QTest::newRow("event") << LayoutKind::Event;
    QTest::newRow("message") << LayoutKind::Message;
}

// All of them in one table: the good ones are handed over, the others settled or left alone.
void TestHostileRows::doNotStopADispatcher()
{
    QFETCH(const LayoutKind, kind);
    const bool event = kind == LayoutKind::Event;
    const Layout &layout = event ? *m_event : *m_message;
    const QByteArray table = event ? "event" : "message";
    fill(kind, "status = status");
    int bad = 0;
    for (const BadRow &row : badRows()) {
        if (row.kind != kind)
            continue;
        const QByteArray id = "bad" + QByteArray::number(++bad);
        VERIFY_WORKED(m_connection->executeScript(
            "INSERT INTO " + table + " SELECT (jsonb_populate_record(g, '{\"id\":\"" + id + "\"}')).* FROM " + table
            + " g WHERE id = '1';UPDATE " + table + " SET " + row.assignment + " WHERE id = '" + id + "'"));
    }
    dispatch::DispatcherConfig config;
    config.layout = layout;
    config.database = *sql::DatabaseUrl::parse(m_servers->databaseUrl());
    config.redis = *redis::Endpoint::parse(m_servers->redisUrl());
    config.router = dispatch::Router::builtIn(kind);
    config.queuePrefix = table;
    config.mode = dispatch::RunMode::Drain;
    dispatch::Dispatcher dispatcher;
    QSignalSpy finished(&dispatcher, &dispatch::Dispatcher::finished);
    dispatcher.start(config);
    QVERIFY(finished.wait(60'000));
    const auto failure = finished[0][0].value<std::optional<Error>>();
    QVERIFY2(!failure, failure ? qPrintable(failure->text()) : "");
    QCOMPARE(single("SELECT count(*) FROM " + table + " WHERE status = '" + layout.statusFor(Phase::HandedOver)
                    + "' AND id IN ('1', '2', '3', '4')"),
             "4");
    QCOMPARE(single("SELECT count(*) FROM " + table + " WHERE status = '" + layout.statusFor(Phase::Waiting)
                    + "' AND \"scheduledAt\" <= now() AT TIME ZONE 'UTC'"),
             "0");
}

QTEST_GUILESS_MAIN(TestHostileRows)
#include "tst_hostilerows.moc"
