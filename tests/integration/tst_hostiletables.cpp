// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Tables that are legal and unusual. Each either works like any other, or is refused with words that name the reason.

#include <engine/outbox/discovery.h>

#include <tests/support/outboxjourney.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QTest>

using namespace engine;
using namespace engine::outbox;
using namespace Qt::StringLiterals;
using test::TableVariant;

namespace {

const QString table = u"\"odd \"\"schema\"\"\".\"it's {a}, \"\"table\"\"\""_s;
constexpr char schemaName[] = "odd \"schema\"";
constexpr char tableName[] = "it's {a}, \"table\"";

// The variant that a change of the table does not disturb.
TableVariant plain(LayoutKind kind)
{
    return {"plain", kind, false, "text", "text", "timestamp(3)", "jsonb"};
}

} // namespace

class TestHostileTables final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void work_data();
    void work();
    void areRefused_data();
    void areRefused();
    void rowSecurityHidesRows();
    void textIsNeverCut();
    void shortIdsComeFromTheTable();
    void triggersThatTouchTheToken_data();
    void triggersThatTouchTheToken();
    void aRowThatNobodyMayUpdate();
    void errorsFitTheirColumn();

private:
    Layout makeTable(const TableVariant &variant, const QByteArray &change);
    std::unique_ptr<sql::Connection> open(const QString &url);
    QByteArray single(const QByteArray &statement);
    static QByteArray changed(QByteArray text); // %t: the table, %s: its schema

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    std::unique_ptr<redis::Client> m_redis;
    int m_runs = 0;
};

std::unique_ptr<sql::Connection> TestHostileTables::open(const QString &url)
{
    auto connection = test::connect(url);
    if (!connection)
        qFatal("%s", test::why(connection).constData());
    return std::move(*connection);
}

void TestHostileTables::initTestCase()
{
    auto servers = test::PrivateServers::start({.postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}}, .redis = {}});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    m_connection = open(m_servers->databaseUrl());
    m_redis = std::make_unique<redis::Client>(*redis::Endpoint::parse(m_servers->redisUrl()));
    VERIFY_WORKED(m_redis->exchange({"PING"}, std::chrono::seconds(10)));
    VERIFY_WORKED(m_connection->executeScript("CREATE ROLE app LOGIN"));
}

void TestHostileTables::init()
{
    VERIFY_WORKED(m_connection->executeScript("DROP SCHEMA IF EXISTS " + sql::quotedIdentifier(schemaName)
                                              + " CASCADE;DROP SCHEMA public CASCADE;CREATE SCHEMA public"));
}

QByteArray TestHostileTables::single(const QByteArray &statement)
{
    const auto rows = m_connection->execute(changed(statement));
    if (!rows)
        return "failed: " + test::why(rows) + " in " + statement;
    return rows->count() > 0 ? rows->bytes(0, 0).toByteArray() : QByteArray();
}

QByteArray TestHostileTables::changed(QByteArray text)
{
    return text.replace("%t", table.toUtf8()).replace("%s", sql::quotedIdentifier(schemaName));
}

Layout TestHostileTables::makeTable(const TableVariant &variant, const QByteArray &change)
{
    const auto made = m_connection->executeScript(test::tableText(variant, schemaName, tableName) + changed(change));
    if (!made)
        QTest::qFail(test::why(made).constData(), __FILE__, __LINE__);
    auto layout = discover(*m_connection, table);
    if (!layout)
        QTest::qFail(test::why(layout).constData(), __FILE__, __LINE__);
    return layout.value_or(Layout{});
}

void TestHostileTables::work_data()
{
    QTest::addColumn<TableVariant>("variant");
    QTest::addColumn<QByteArray>("change");
    const auto both = [](const QByteArray &name, const QByteArray &change) {
        for (const LayoutKind kind : {LayoutKind::Event, LayoutKind::Message}) {
            const QByteArray layout = kind == LayoutKind::Event ? "event, " : "message, ";
            QTest::newRow((layout + name).constData()) << plain(kind) << change;
        }
    };
    both("a name to be quoted", "");
    both("more columns", R"(ALTER TABLE %t ADD "a b" text NOT NULL DEFAULT 'x', ADD "day" date GENERATED ALWAYS AS
        ("createdAt"::date) STORED, ADD "select" int NOT NULL DEFAULT 1)");
    both("dropped columns", R"(ALTER TABLE %t ADD gone int; ALTER TABLE %t DROP gone; ALTER TABLE %t DROP "lastError";
        ALTER TABLE %t ADD "lastError" text)");
    both("row security",
         "ALTER TABLE %t ENABLE ROW LEVEL SECURITY; ALTER TABLE %t FORCE ROW LEVEL SECURITY;"
         "CREATE POLICY everything ON %t USING (true)");
    both("a view over it", R"(CREATE VIEW public.waiting AS SELECT * FROM %t)");
    both("a composite primary key and a unique id",
         R"(ALTER TABLE %t DROP CONSTRAINT "it's {a}, ""table""_pkey"; ALTER TABLE %t ADD PRIMARY KEY ("tenantId", id);
         ALTER TABLE %t ADD UNIQUE (id))");
    both("an audit trigger",
         R"(CREATE TABLE public.audit (at timestamptz, what text);
         CREATE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS
         $$BEGIN INSERT INTO public.audit VALUES (now(), OLD.id); RETURN NULL; END$$;
         CREATE TRIGGER note AFTER UPDATE ON %t FOR EACH ROW EXECUTE FUNCTION public.note())");
    both("domains of domains", R"(CREATE DOMAIN public."row id" AS text; CREATE DOMAIN public.id2 AS public."row id";
        CREATE DOMAIN public.word AS varchar(20) CHECK (VALUE <> '');
        ALTER TABLE %t ALTER id TYPE public.id2, ALTER status DROP DEFAULT, ALTER status TYPE public.word,
        ALTER "tenantId" TYPE public.id2)");
    both("fixed and limited text", R"(ALTER TABLE %t ALTER id TYPE char(40), ALTER "tenantId" TYPE varchar(12),
        ALTER status TYPE char(12))");
    for (const LayoutKind kind : {LayoutKind::Event, LayoutKind::Message}) {
        const QByteArray name = kind == LayoutKind::Event ? "event" : "message";
        QTest::newRow((name + ", an enum of event types").constData())
            << plain(kind)
            << "CREATE TYPE public.\"Types\" AS ENUM ('mail.welcome.sent', 'other');ALTER TABLE %t ALTER \"" + name
                + "Type\" TYPE public.\"Types\" USING NULL";
    }

    TableVariant zoned = plain(LayoutKind::Event);
    zoned.timeType = "timestamptz";
    const QByteArray times = R"(ALTER TABLE %t ALTER "scheduledAt" TYPE public.instant, ALTER "lockedUntil" TYPE
        public.instant, ALTER "createdAt" TYPE public.instant)";
    QTest::newRow("event, a domain over times with zone")
        << zoned << "CREATE DOMAIN public.instant AS timestamptz;" + times;
    QTest::newRow("event, a domain over times without zone")
        << plain(LayoutKind::Event) << "CREATE DOMAIN public.instant AS timestamp(3);" + times;
    TableVariant numbered = plain(LayoutKind::Message);
    numbered.idType = "bigint";
    QTest::newRow("message, other numbers")
        << numbered << QByteArray(R"(ALTER TABLE %t ALTER "retryCount" TYPE smallint, ALTER "maxRetries" TYPE numeric,
            ALTER "eventVersion" TYPE bigint)");
    for (const LayoutKind kind : {LayoutKind::Event, LayoutKind::Message})
        QTest::newRow(kind == LayoutKind::Event ? "event, partitioned" : "message, partitioned")
            << plain(kind) << QByteArray(R"(ALTER TABLE %t RENAME TO template;
            CREATE TABLE %t (LIKE %s.template INCLUDING DEFAULTS, PRIMARY KEY (id, "createdAt"))
            PARTITION BY RANGE ("createdAt"); CREATE TABLE %s.old PARTITION OF %t FOR VALUES FROM (MINVALUE) TO
            ('2020-01-01'); CREATE TABLE %s.rest PARTITION OF %t DEFAULT; DROP TABLE %s.template;
            CREATE INDEX ON %t (status, "scheduledAt"))");
    QTest::newRow("event, partitioned by hash of the id")
        << plain(LayoutKind::Event) << QByteArray(R"(ALTER TABLE %t RENAME TO template;
            CREATE TABLE %t (LIKE %s.template INCLUDING DEFAULTS, PRIMARY KEY (id)) PARTITION BY HASH (id);
            CREATE TABLE %s.zero PARTITION OF %t FOR VALUES WITH (MODULUS 2, REMAINDER 0);
            CREATE TABLE %s.one PARTITION OF %t FOR VALUES WITH (MODULUS 2, REMAINDER 1); DROP TABLE %s.template)");
    QTest::newRow("event, an enum with more words")
        << TableVariant{"enum", LayoutKind::Event, false, "uuid", "enum", "timestamptz", "json"}
        << QByteArray(R"(ALTER TYPE %s."it's {a}, ""table""Status" ADD VALUE 'Archived' BEFORE 'DONE')");
    QTest::newRow("event, shuffled columns")
        << plain(LayoutKind::Event)
        << QByteArray(
               R"(DROP TABLE %t; CREATE TABLE %t ("updatedAt" timestamp(3) NOT NULL, "lastError" text, status text,
            payload jsonb, "lockedUntil" timestamp(3), retries int DEFAULT 0, "createdAt" timestamp(3), "dispatchKey" text,
            "scheduledAt" timestamp(3), "processedAt" timestamp(3), "eventType" text, "tenantId" text, id text PRIMARY KEY))");
}

void TestHostileTables::work()
{
    QFETCH(const TableVariant, variant);
    QFETCH(const QByteArray, change);
    const Layout layout = makeTable(variant, change);
    if (QTest::currentTestFailed())
        return;
    QCOMPARE(layout.kind, variant.kind);
    QCOMPARE(layout.scheduledAt.isZoned(), variant.timeType == "timestamptz");
    test::OutboxJourney(*m_connection, *m_redis, variant, layout, "t" + QByteArray::number(++m_runs)).run();
}

void TestHostileTables::areRefused_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("named"); // what to discover; empty: the table
    QTest::newRow("a view") << QByteArray("CREATE VIEW public.waiting AS SELECT * FROM %t") << u"view"_s
                            << u"public.waiting"_s;
    QTest::newRow("a partition") << QByteArray(R"(CREATE TABLE public.parent (LIKE %t) PARTITION BY LIST (id);
        CREATE TABLE public.part PARTITION OF public.parent DEFAULT)")
                                 << u"partition"_s << u"part"_s;
    QTest::newRow("ids that several tenants share")
        << QByteArray(R"(ALTER TABLE %t DROP CONSTRAINT "it's {a}, ""table""_pkey"; ALTER TABLE %t ADD PRIMARY KEY
        ("tenantId", id))")
        << u"id is not a key of its own"_s << QString();
    QTest::newRow("ids that may be null") << QByteArray(
        R"(ALTER TABLE %t DROP CONSTRAINT "it's {a}, ""table""_pkey"; ALTER TABLE %t ALTER id DROP NOT NULL,
        ADD UNIQUE (id))") << u"id is not a key of its own"_s
                                          << QString();
    QTest::newRow("ids unique only among some")
        << QByteArray(R"(ALTER TABLE %t DROP CONSTRAINT "it's {a}, ""table""_pkey";
        CREATE UNIQUE INDEX ON %t (id) WHERE status = 'PENDING')")
        << u"id is not a key of its own"_s << QString();
    QTest::newRow("times as text") << QByteArray(
        R"(ALTER TABLE %t ALTER "scheduledAt" DROP DEFAULT, ALTER "scheduledAt" TYPE text)")
                                   << u"scheduledAt is of type text"_s << QString();
    QTest::newRow("times as numbers") << QByteArray(
        R"(ALTER TABLE %t DROP "lockedUntil"; ALTER TABLE %t ADD "lockedUntil" bigint)")
                                      << u"lockedUntil is of type bigint"_s << QString();
    QTest::newRow("dates without a time")
        << QByteArray(R"(ALTER TABLE %t DROP "processedAt"; ALTER TABLE %t ADD "processedAt" date)")
        << u"processedAt is of type date"_s << QString();
    QTest::newRow("binary payload") << QByteArray("ALTER TABLE %t DROP payload; ALTER TABLE %t ADD payload bytea")
                                    << u"payload is of type bytea"_s << QString();
    QTest::newRow("an array of errors") << QByteArray(
        R"(ALTER TABLE %t DROP "lastError"; ALTER TABLE %t ADD "lastError" text[])")
                                        << u"lastError is of type text[]"_s << QString();
    QTest::newRow("status as a number") << QByteArray("ALTER TABLE %t DROP status; ALTER TABLE %t ADD status int")
                                        << u"status is of type integer"_s << QString();
    QTest::newRow("a generated status") << QByteArray(
        "ALTER TABLE %t DROP status; ALTER TABLE %t ADD status text GENERATED ALWAYS AS ('PENDING') STORED")
                                        << u"status is generated"_s << QString();
    QTest::newRow("an enum that lacks a word")
        << QByteArray(R"(CREATE TYPE public.few AS ENUM ('PENDING', 'DONE', 'FAILED'); ALTER TABLE %t DROP status;
        ALTER TABLE %t ADD status public.few)")
        << u"PROCESSING"_s << QString();
    QTest::newRow("a missing column") << QByteArray(R"(ALTER TABLE %t DROP "lockedUntil")")
                                      << u"event layout lacks: lockedUntil"_s << QString();
    QTest::newRow("a name in other letters") << QByteArray(R"(ALTER TABLE %t RENAME "lockedUntil" TO "lockeduntil")")
                                             << u"event layout lacks: lockedUntil"_s << QString();
}

void TestHostileTables::areRefused()
{
    QFETCH(const QByteArray, change);
    QFETCH(const QString, said);
    QFETCH(const QString, named);
    VERIFY_WORKED(m_connection->executeScript(test::tableText(plain(LayoutKind::Event), schemaName, tableName)
                                              + changed(change)));
    const auto layout = discover(*m_connection, named.isEmpty() ? table : named);
    QVERIFY(!layout);
    QCOMPARE(layout.error().code, ErrorCode::NotFound);
    QVERIFY2(layout.error().message.contains(said), qPrintable(layout.error().message));
    QVERIFY(!layout.error().hint.isEmpty());
    if (named.isEmpty()) {
        // Without a name it is the nearest one, and the reason is the same.
        const auto any = discover(*m_connection, {});
        QVERIFY(!any);
        QVERIFY2(any.error().message.contains(said), qPrintable(any.error().message));
    }
}

void TestHostileTables::rowSecurityHidesRows()
{
    const Layout layout = makeTable(plain(LayoutKind::Event), R"(ALTER TABLE %t ENABLE ROW LEVEL SECURITY;
        CREATE POLICY own ON %t USING ("tenantId" = 'mine'); GRANT USAGE ON SCHEMA %s TO app;
        GRANT SELECT, INSERT, UPDATE, DELETE ON %t TO app;
        INSERT INTO %t (id, "tenantId", "eventType", payload, "scheduledAt", "updatedAt") SELECT n, CASE WHEN n % 2 = 0 THEN
        'mine' ELSE 'theirs' END, 'mail.a.sent', '{}', now() - interval '1 day', now() FROM generate_series(1, 10) n)");
    if (QTest::currentTestFailed())
        return;
    QString url = m_servers->databaseUrl();
    const auto app = open(url.replace(u"user=outbox"_s, u"user=app"_s));
    const auto asApp = discover(*app, table);
    VERIFY_WORKED(asApp);
    const auto batch = Claims(*app, *asApp, std::chrono::minutes(5)).claimDue(100);
    VERIFY_WORKED(batch);
    QCOMPARE(batch->rows.size(), size_t(5));
    std::vector<Outcome> outcomes;
    for (const ClaimedRow &row : batch->rows) {
        QCOMPARE(row.tenantId, "mine");
        outcomes.push_back({row.id, Outcome::Kind::HandedOver, {}});
    }
    const auto settled = Settler(*app, *asApp, 6).settle(batch->token, outcomes);
    VERIFY_WORKED(settled);
    QCOMPARE(settled->handedOver, 5);
    const auto stats = Reader(*app, *asApp).stats(CountMode::Exact);
    VERIFY_WORKED(stats);
    QCOMPARE(stats->due.value, 0);
    QCOMPARE(single("SELECT count(*) FROM %t WHERE status = 'PENDING'"), "5");
}

// A tenant or an id that does not fit is refused, not shortened to somebody else's.
void TestHostileTables::textIsNeverCut()
{
    const Layout layout = makeTable(plain(LayoutKind::Event), R"(ALTER TABLE %t ALTER "tenantId" TYPE varchar(8),
        ALTER payload TYPE varchar(20))");
    if (QTest::currentTestFailed())
        return;
    NewEvent event;
    event.eventType = "mail.a.sent";
    event.tenantId = "tenant-12";
    event.payload = "{}";
    for (const bool tenantFits : {false, true}) {
        if (tenantFits) {
            event.tenantId = "tenant-1";
            event.payload = R"({"text": "longer than 20"})";
        }
        auto transaction = sql::Transaction::begin(*m_connection);
        VERIFY_WORKED(transaction);
        const auto published = Publisher(layout).publish(*transaction, event);
        QVERIFY(!published);
        QCOMPARE(published.error().code, ErrorCode::BadInput);
    }
    QCOMPARE(single("SELECT count(*) FROM %t"), "0");
}

void TestHostileTables::shortIdsComeFromTheTable()
{
    const Layout layout = makeTable(plain(LayoutKind::Event), R"(CREATE SEQUENCE %s.ids;
        ALTER TABLE %t ALTER id TYPE char(10), ALTER id SET DEFAULT 'ev' || lpad(nextval('%s.ids')::text, 8, '0'))");
    if (QTest::currentTestFailed())
        return;
    std::vector<NewEvent> events(5);
    for (size_t i = 0; i < events.size(); ++i) {
        events[i].eventType = "mail.a.sent";
        events[i].tenantId = "t";
        events[i].payload = QByteArray::number(qulonglong(i));
        events[i].dispatchKey = i == 3 ? "key 1" : "key " + QByteArray::number(qulonglong(i));
    }
    auto transaction = sql::Transaction::begin(*m_connection);
    VERIFY_WORKED(transaction);
    const auto published = Publisher(layout).publishBatch(*transaction, events);
    VERIFY_WORKED(published);
    VERIFY_WORKED(transaction->commit());
    for (size_t i = 0; i < events.size(); ++i) {
        QCOMPARE((*published)[i].duplicate, i == 3);
        QVERIFY((*published)[i].id.startsWith("ev0"));
        QCOMPARE(single("SELECT payload::text FROM %t WHERE id = '" + (*published)[i].id + "'"),
                 i == 3 ? "1" : events[i].payload);
    }
}

void TestHostileTables::triggersThatTouchTheToken_data()
{
    QTest::addColumn<QByteArray>("clock");
    QTest::newRow("of the transaction") << QByteArray("now()");
    QTest::newRow("of each row") << QByteArray("clock_timestamp()");
}

// A trigger that keeps updatedAt, the token of the message layout, may give each row of a batch another one.
void TestHostileTables::triggersThatTouchTheToken()
{
    QFETCH(const QByteArray, clock);
    const Layout layout = makeTable(plain(LayoutKind::Message),
                                    QByteArray(R"(CREATE FUNCTION public.touch() RETURNS trigger LANGUAGE
        plpgsql AS $$BEGIN NEW."updatedAt" = %clock AT TIME ZONE 'UTC'; PERFORM pg_sleep(0.002); RETURN NEW; END$$;
        CREATE TRIGGER touch BEFORE UPDATE ON %t FOR EACH ROW EXECUTE FUNCTION public.touch();
        INSERT INTO %t (id, "tenantId", "messageType", "aggregateId", "aggregateType", "eventData", "scheduledAt", "updatedAt")
        SELECT n, 't', 'email.a.sent', 'a', 'b', '{}', now() - interval '1 day', now() FROM generate_series(1, 5) n)")
                                        .replace("%clock", clock));
    qint64 handedOver = 0;
    for (int round = 0; round < 10; ++round) {
        const auto batch = Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(100);
        VERIFY_WORKED(batch);
        if (batch->rows.empty())
            break;
        std::vector<Outcome> outcomes;
        for (const ClaimedRow &row : batch->rows)
            outcomes.push_back({row.id, Outcome::Kind::HandedOver, {}});
        std::vector<qint64> tokens = batch->otherTokens;
        tokens.push_back(batch->token);
        const auto settled = Settler(*m_connection, layout, 6).settle(tokens, outcomes);
        VERIFY_WORKED(settled);
        handedOver += settled->handedOver;
    }
    QCOMPARE(handedOver, 5);
}

// A check that was added NOT VALID refuses every update of an older row that breaks it. The others are claimed.
void TestHostileTables::aRowThatNobodyMayUpdate()
{
    const Layout layout = makeTable(plain(LayoutKind::Event), R"(
        INSERT INTO %t (id, "tenantId", "eventType", payload, "scheduledAt", "updatedAt") SELECT n, 't', 'mail.a.sent',
        to_jsonb(n), now() - interval '1 day', now() FROM generate_series(1, 5) n;
        ALTER TABLE %t ADD CONSTRAINT small CHECK (payload <> '3') NOT VALID)");
    if (QTest::currentTestFailed())
        return;
    qint64 claimed = 0;
    for (int round = 0; round < 10; ++round) {
        const auto batch = Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(2);
        VERIFY_WORKED(batch);
        claimed += qint64(batch->rows.size());
    }
    QCOMPARE(claimed, 4);
}

void TestHostileTables::errorsFitTheirColumn()
{
    const Layout layout = makeTable(plain(LayoutKind::Event), R"(ALTER TABLE %t ALTER "lastError" TYPE varchar(50);
        INSERT INTO %t (id, "tenantId", "eventType", payload, "scheduledAt", "updatedAt") VALUES ('1', 't', 'mail.a.sent',
        '{}', now() - interval '1 day', now()))");
    const auto batch = Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(2);
    VERIFY_WORKED(batch);
    const auto settled = Settler(*m_connection, layout, 6)
                             .settle(batch->token, {{"1", Outcome::Kind::FailedAttempt, QByteArray(300, 'e')}});
    VERIFY_WORKED(settled);
    QCOMPARE(settled->retried, 1);
    QCOMPARE(single("SELECT \"lastError\" FROM %t"), QByteArray(50, 'e'));
}

QTEST_GUILESS_MAIN(TestHostileTables)
#include "tst_hostiletables.moc"
