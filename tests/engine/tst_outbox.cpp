// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/outbox/claims.h>
#include <engine/outbox/discovery.h>
#include <engine/outbox/publisher.h>
#include <engine/outbox/reader.h>
#include <engine/outbox/schema.h>
#include <engine/outbox/settler.h>

#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QTest>

#include <set>

using namespace engine::outbox;
using namespace Qt::StringLiterals;
namespace sql = engine::sql;
using engine::ErrorCode;

namespace {

NewEvent makeEvent(const QByteArray &type, const QByteArray &payload = "{}", const std::optional<QByteArray> &key = {})
{
    NewEvent event;
    event.eventType = type;
    event.tenantId = "t1";
    event.payload = payload;
    event.dispatchKey = key;
    return event;
}

} // namespace

// Discovery, publishing, claims, settles and reads against a real PostgreSQL whose time zone is far from UTC.
class TestOutbox final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void discoversEveryVariant_data() { variants(); }
    void discoversEveryVariant();
    void explainsWhatItDoesNotFind();
    void choosesByNameAndSchema();
    void appliesTheSchemaOnce();

    void publishes_data() { variants(); }
    void publishes();
    void refusesBadEvents_data();
    void refusesBadEvents();
    void rollsBackWithTheBusiness();
    void keepsTheFirstOfAKey_data() { variants(); }
    void keepsTheFirstOfAKey();
    void keepsPayloadBytes_data();
    void keepsPayloadBytes();

    void claimsAndSettles_data() { variants(); }
    void claimsAndSettles();
    void claimsOnlyWhatIsDue_data() { variants(); }
    void claimsOnlyWhatIsDue();
    void takesOverExpiredClaims_data() { variants(); }
    void takesOverExpiredClaims();
    void fencesLateSettles_data() { variants(); }
    void fencesLateSettles();
    void retriesEventsByMinutes();
    void retriesMessagesBySeconds();
    void storesAnyErrorText();

    void pagesVisitEveryRowOnce();
    void filtersRows();
    void showsOneRow_data() { variants(); }
    void showsOneRow();
    void countsHonestly();
    void survivesBadTimes();

private:
    static void variants();
    Layout makeTable(const test::TableVariant &variant);
    std::vector<Published> publish(const Layout &layout, const std::vector<NewEvent> &events);
    sql::Rows query(const QByteArray &statement);
    QByteArray single(const QByteArray &statement) { return query(statement).bytes(0, 0).toByteArray(); }

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
};

void TestOutbox::initTestCase()
{
    qputenv("TZ", "Asia/Kolkata");
    auto servers = test::PrivateServers::start(
        {.tcp = false, .postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}}, .redis = {}, .withRedis = false});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

void TestOutbox::init()
{
    VERIFY_WORKED(m_connection->executeScript("DROP SCHEMA IF EXISTS \"Shop Data\" CASCADE;DROP SCHEMA public CASCADE;"
                                              "CREATE SCHEMA public"));
}

void TestOutbox::variants()
{
    QTest::addColumn<int>("variant");
    for (int i = 0; i < test::tableVariants().size(); ++i)
        QTest::newRow(test::tableVariants()[i].name.constData()) << i;
}

Layout TestOutbox::makeTable(const test::TableVariant &variant)
{
    const auto made = m_connection->executeScript(test::tableText(variant, "Shop Data", "Outbox"));
    if (!made)
        qFatal("%s", test::why(made).constData());
    auto layout = discover(*m_connection, u"\"Shop Data\".\"Outbox\""_s);
    if (!layout)
        qFatal("%s", test::why(layout).constData());
    return *layout;
}

sql::Rows TestOutbox::query(const QByteArray &statement)
{
    auto rows = m_connection->execute(statement);
    if (!rows)
        qFatal("%s", test::why(rows).constData());
    return std::move(*rows);
}

std::vector<Published> TestOutbox::publish(const Layout &layout, const std::vector<NewEvent> &events)
{
    auto transaction = sql::Transaction::begin(*m_connection);
    auto published = Publisher(layout).publishBatch(*transaction, events);
    if (!published)
        qFatal("%s", test::why(published).constData());
    const auto committed = transaction->commit();
    if (!committed)
        qFatal("%s", test::why(committed).constData());
    return *published;
}

void TestOutbox::discoversEveryVariant()
{
    QFETCH(int, variant);
    const test::TableVariant &wanted = test::tableVariants()[variant];
    VERIFY_WORKED(m_connection->executeScript(test::tableText(wanted, "Shop Data", "Outbox")));
    // A decoy of the same name, with the wrong columns.
    VERIFY_WORKED(m_connection->executeScript("CREATE TABLE public.\"Outbox\" (id int, status text)"));
    auto layout = discover(*m_connection, {});
    VERIFY_WORKED(layout);
    QCOMPARE(layout->kind, wanted.kind);
    QCOMPARE(layout->displayName(), u"\"Shop Data\".\"Outbox\""_s);
    QCOMPARE(layout->statuses.size(), size_t(5));
    QVERIFY(layout->hasDueIndex);
    QCOMPARE(layout->dispatchKeyIsUnique, wanted.kind == LayoutKind::Event);
    QCOMPARE(layout->scheduledAt.isZoned(), wanted.timeType == "timestamptz");
    QCOMPARE(layout->id.hasDefault, wanted.idType == "bigint");
}

void TestOutbox::explainsWhatItDoesNotFind()
{
    auto none = discover(*m_connection, {});
    QCOMPARE(none.error().code, ErrorCode::NotFound);
    QVERIFY(none.error().hint.contains(u"schema apply"_s));

    VERIFY_WORKED(m_connection->executeScript(test::tableText(test::tableVariants()[0], "public", "Events")));
    VERIFY_WORKED(m_connection->executeScript("ALTER TABLE \"Events\" DROP COLUMN \"lockedUntil\""));
    auto near = discover(*m_connection, {});
    QCOMPARE(near.error().code, ErrorCode::NotFound);
    QVERIFY2(near.error().message.contains(u"lockedUntil"_s), qPrintable(near.error().message));

    auto named = discover(*m_connection, u"Events"_s);
    QCOMPARE(named.error().code, ErrorCode::NotFound);
    QVERIFY2(named.error().message.contains(u"lockedUntil"_s), qPrintable(named.error().message));
    QCOMPARE(discover(*m_connection, u"nosuch.table"_s).error().code, ErrorCode::NotFound);
    QCOMPARE(discover(*m_connection, u"a.b.c"_s).error().code, ErrorCode::BadInput);
}

void TestOutbox::choosesByNameAndSchema()
{
    VERIFY_WORKED(m_connection->executeScript(test::tableText(test::tableVariants()[0], "public", "OutboxEvent")));
    VERIFY_WORKED(
        m_connection->executeScript(test::tableText(test::tableVariants()[4], "Shop Data", "message_outbox")));
    auto both = discover(*m_connection, {});
    QCOMPARE(both.error().code, ErrorCode::Ambiguous);
    QVERIFY(both.error().message.contains(u"OutboxEvent"_s) && both.error().message.contains(u"message_outbox"_s));
    QVERIFY(both.error().hint.contains(u"--table"_s));
    QCOMPARE(discover(*m_connection, {}, u"Shop Data"_s)->kind, LayoutKind::Message);
    QCOMPARE(discover(*m_connection, u"public.\"OutboxEvent\""_s)->kind, LayoutKind::Event);
    // Names from a shell have often lost quotes or capitals.
    QCOMPARE(discover(*m_connection, u"public.OutboxEvent"_s)->kind, LayoutKind::Event);
    QCOMPARE(discover(*m_connection, u"outboxevent"_s)->kind, LayoutKind::Event);
    QCOMPARE(discoverAll(*m_connection)->size(), size_t(2));
}

void TestOutbox::appliesTheSchemaOnce()
{
    for (const SchemaKind kind : {SchemaKind::Event, SchemaKind::Message, SchemaKind::Workflow}) {
        const bool hasWakeUp = kind != SchemaKind::Workflow;
        auto first = applySchema(*m_connection, kind, true);
        VERIFY_WORKED(first);
        QCOMPARE(first->created.size(), 2);
        QVERIFY(first->existing.isEmpty());
        auto second = applySchema(*m_connection, kind, hasWakeUp);
        VERIFY_WORKED(second);
        QVERIFY(second->created.isEmpty());
        QCOMPARE(second->existing, first->created);
    }
    QCOMPARE(discoverAll(*m_connection)->size(), size_t(2));
    // The trigger must not be in the producer's way.
    const Layout layout = *discover(*m_connection, u"OutboxEvent"_s);
    QCOMPARE(publish(layout, {makeEvent("mail.a.sent")}).size(), size_t(1));
}

void TestOutbox::publishes()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    NewEvent later = makeEvent("mail.reminder.due");
    later.delay = std::chrono::minutes(5);
    const auto published = publish(layout, {makeEvent("mail.welcome.sent"), later});
    QCOMPARE(published.size(), size_t(2));
    QVERIFY(!published[0].duplicate && !published[0].id.isEmpty());

    // The times are right whatever the session's zone is.
    const auto age = [&](const Column &column) {
        return single("SELECT abs(extract(epoch FROM now()) - extract(epoch FROM " + column.quoted()
                      + (column.isZoned() ? ")" : " AT TIME ZONE 'UTC')") + ") < 5 FROM " + layout.quotedTable()
                      + " WHERE id::text = '" + published[0].id + "'");
    };
    QCOMPARE(age(layout.createdAt), "t");
    QCOMPARE(age(layout.scheduledAt), "t");
    auto detail = Reader(*m_connection, layout).detail(published[1].id);
    VERIFY_WORKED(detail);
    QVERIFY(std::abs(*detail->row.scheduledAt - *detail->row.createdAt - 300'000'000) < 5'000'000);
    QCOMPARE(detail->row.phase, Phase::Waiting);

    auto transaction = sql::Transaction::begin(*m_connection);
    auto scheduled = Publisher(layout).schedule(*transaction, makeEvent("mail.report.due"), 1'900'000'000'000'000);
    VERIFY_WORKED(scheduled);
    VERIFY_WORKED(transaction->commit());
    QCOMPARE(*Reader(*m_connection, layout).detail(scheduled->id)->row.scheduledAt, 1'900'000'000'000'000);
}

void TestOutbox::refusesBadEvents_data()
{
    QTest::addColumn<QByteArray>("type");
    QTest::addColumn<QByteArray>("payload");
    QTest::addColumn<QString>("said");
    QTest::newRow("one word") << QByteArray("mail") << QByteArray("{}") << u"mail"_s;
    QTest::newRow("capitals") << QByteArray("Mail.Sent") << QByteArray("{}") << u"Mail.Sent"_s;
    QTest::newRow("empty part") << QByteArray("mail..sent") << QByteArray("{}") << u"mail..sent"_s;
    QTest::newRow("line end") << QByteArray("mail.sent\n") << QByteArray("{}") << u"mail.sent"_s;
    QTest::newRow("no JSON") << QByteArray("mail.sent") << QByteArray("{\n \"a\": }") << u"line 2, column 7"_s;
    QTest::newRow("no payload") << QByteArray("mail.sent") << QByteArray("") << u"empty"_s;
    QTest::newRow("NUL") << QByteArray("mail.sent") << QByteArray("\"a\0b\"", 5) << u"control"_s;
}

void TestOutbox::refusesBadEvents()
{
    QFETCH(QByteArray, type);
    QFETCH(QByteArray, payload);
    QFETCH(QString, said);
    const Layout layout = makeTable(test::tableVariants()[0]);
    auto transaction = sql::Transaction::begin(*m_connection);
    auto published = Publisher(layout).publish(*transaction, makeEvent(type, payload));
    QVERIFY(!published);
    QCOMPARE(published.error().code, ErrorCode::BadInput);
    QVERIFY2(published.error().text().contains(said), qPrintable(published.error().text()));
}

void TestOutbox::rollsBackWithTheBusiness()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    {
        auto transaction = sql::Transaction::begin(*m_connection);
        VERIFY_WORKED(Publisher(layout).publish(*transaction, makeEvent("mail.welcome.sent")));
    }
    QCOMPARE(single("SELECT count(*) FROM " + layout.quotedTable()), "0");
}

void TestOutbox::keepsTheFirstOfAKey()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    if (layout.kind == LayoutKind::Message) {
        auto transaction = sql::Transaction::begin(*m_connection);
        QCOMPARE(Publisher(layout).publish(*transaction, makeEvent("mail.a.sent", "{}", "k")).error().code,
                 ErrorCode::BadInput);
        return;
    }
    const auto first = publish(layout, {makeEvent("mail.a.sent", "{}", "k1")});
    // Of a batch: a key that is taken, one that repeats within, and events without key around them.
    const auto batch =
        publish(layout,
                {makeEvent("mail.b.sent"), makeEvent("mail.c.sent", "{}", "k1"), makeEvent("mail.d.sent", "{}", "k2"),
                 makeEvent("mail.e.sent", "{}", "k2"), makeEvent("mail.f.sent")});
    QCOMPARE(batch[1].id, first[0].id);
    QCOMPARE(batch[3].id, batch[2].id);
    const QList<bool> duplicates{batch[0].duplicate, batch[1].duplicate, batch[2].duplicate, batch[3].duplicate,
                                 batch[4].duplicate};
    QCOMPARE(duplicates, (QList<bool>{false, true, false, true, false}));
    QCOMPARE(single("SELECT count(*) FROM " + layout.quotedTable()), "4");
    for (const Published &published : batch)
        VERIFY_WORKED(Reader(*m_connection, layout).detail(published.id));
    QCOMPARE(Reader(*m_connection, layout).detail(batch[4].id)->row.eventType, "mail.f.sent");

    // The surrounding transaction stays usable after a duplicate.
    auto transaction = sql::Transaction::begin(*m_connection);
    QVERIFY(Publisher(layout).publish(*transaction, makeEvent("mail.a.sent", "{}", "k1"))->duplicate);
    VERIFY_WORKED(Publisher(layout).publish(*transaction, makeEvent("mail.g.sent")));
    VERIFY_WORKED(transaction->commit());
    QCOMPARE(single("SELECT count(*) FROM " + layout.quotedTable()), "5");
}

void TestOutbox::keepsPayloadBytes_data()
{
    QTest::addColumn<QByteArray>("payload");
    QTest::newRow("big integer") << QByteArray(R"({"n":9007199254740993})");
    QTest::newRow("decimal") << QByteArray(R"({"n":0.2345678901234568})");
    QTest::newRow("huge exponent") << QByteArray(R"([1e400])");
    QTest::newRow("duplicate keys") << QByteArray(R"({"b":1,"a":2,"b":3})");
    QTest::newRow("unicode") << QByteArray("{\"text\":\"żółć 漢字 🎉\"}");
    QTest::newRow("lone surrogate") << QByteArray(R"({"text":"\ud83c"})");
    QTest::newRow("spaces") << QByteArray("{ \"a\" :\t1 }");
    QTest::newRow("quotes and braces") << QByteArray(R"(["\"{},\\",""])");
}

void TestOutbox::keepsPayloadBytes()
{
    QFETCH(QByteArray, payload);
    for (const int variant : {1, 2}) { // json and text: stored as given
        const Layout layout = makeTable(test::tableVariants()[variant]);
        publish(layout, {makeEvent("mail.a.sent", payload)});
        auto batch = Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(10);
        VERIFY_WORKED(batch);
        QCOMPARE(batch->rows.size(), size_t(1));
        QCOMPARE(batch->rows[0].payload, payload);
    }
}

void TestOutbox::claimsAndSettles()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    const auto published = publish(
        layout,
        {makeEvent("mail.a.sent"), makeEvent("mail.b.sent"), makeEvent("mail.c.sent"), makeEvent("mail.d.sent")});
    auto batch = Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(10);
    VERIFY_WORKED(batch);
    QCOMPARE(batch->rows.size(), size_t(4));
    QVERIFY(batch->token > 0);
    QCOMPARE(Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(10)->rows.size(), size_t(0));

    auto settled = Settler(*m_connection, layout, 6)
                       .settle(batch->token,
                               {{published[0].id, Outcome::Kind::HandedOver, {}},
                                {published[1].id, Outcome::Kind::FailedAttempt, "busy"},
                                {published[2].id, Outcome::Kind::Undeliverable, "no route"},
                                {published[3].id, Outcome::Kind::Release, {}}});
    VERIFY_WORKED(settled);
    QCOMPARE(settled->handedOver, 1);
    QCOMPARE(settled->retried, 1);
    QCOMPARE(settled->dead, 1);
    QCOMPARE(settled->released, 1);
    QCOMPARE(settled->leaseLost, 0);

    Reader reader(*m_connection, layout);
    const bool event = layout.kind == LayoutKind::Event;
    const RowSummary done = reader.detail(published[0].id)->row;
    QCOMPARE(done.phase, Phase::HandedOver);
    QVERIFY(done.processedAt.has_value() && !done.lockedUntil);
    const RowSummary retried = reader.detail(published[1].id)->row;
    QCOMPARE(retried.phase, event ? Phase::Waiting : Phase::Retrying);
    QCOMPARE(retried.retries, 1);
    QCOMPARE(retried.lastError, u"busy"_s);
    const RowSummary dead = reader.detail(published[2].id)->row;
    QCOMPARE(dead.phase, Phase::Dead);
    QCOMPARE(dead.retries, 0);
    QCOMPARE(dead.lastError, u"no route"_s);
    const RowSummary released = reader.detail(published[3].id)->row;
    QCOMPARE(released.phase, Phase::Waiting);
    QCOMPARE(released.retries, 0);
    QVERIFY(!released.lockedUntil);
    QCOMPARE(Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(10)->rows.size(), size_t(1));
}

void TestOutbox::claimsOnlyWhatIsDue()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    NewEvent later = makeEvent("mail.b.sent");
    later.delay = std::chrono::seconds(60);
    const auto published = publish(layout, {later, makeEvent("mail.a.sent")});
    auto batch = Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(10);
    VERIFY_WORKED(batch);
    QCOMPARE(batch->rows.size(), size_t(1));
    QCOMPARE(batch->rows[0].id, published[1].id);
    QCOMPARE(batch->rows[0].tenantId, "t1");
    QCOMPARE(Claims(*m_connection, layout, std::chrono::minutes(5)).claimExpired(10)->rows.size(), size_t(0));
}

void TestOutbox::takesOverExpiredClaims()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    publish(layout, {makeEvent("mail.a.sent")});
    auto first = Claims(*m_connection, layout, std::chrono::seconds(1)).claimDue(10);
    VERIFY_WORKED(first);
    Claims others(*m_connection, layout, std::chrono::seconds(1));
    size_t taken = 0;
    QTRY_VERIFY_WITH_TIMEOUT(taken > 0 || (taken = others.claimExpired(10)->rows.size()) > 0, 5000);
    QCOMPARE(taken, size_t(1));
    // Taken over once: the lease is the new claim's.
    QCOMPARE(others.claimExpired(10)->rows.size(), size_t(0));
}

void TestOutbox::fencesLateSettles()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    const auto published = publish(layout, {makeEvent("mail.a.sent")});
    Claims claims(*m_connection, layout, std::chrono::seconds(1));
    const auto first = claims.claimDue(10);
    VERIFY_WORKED(first);
    qint64 secondToken = 0;
    QTRY_VERIFY_WITH_TIMEOUT(secondToken != 0 || (secondToken = claims.claimExpired(10)->token) != 0, 5000);
    QVERIFY(secondToken != first->token);

    Settler settler(*m_connection, layout, 6);
    for (const auto kind : {Outcome::Kind::HandedOver, Outcome::Kind::FailedAttempt, Outcome::Kind::Undeliverable,
                            Outcome::Kind::Release}) {
        auto late = settler.settle(first->token, {{published[0].id, kind, "late"}});
        VERIFY_WORKED(late);
        QCOMPARE(late->leaseLost, 1);
        QCOMPARE(late->handedOver + late->retried + late->dead + late->released, 0);
    }
    QCOMPARE(Reader(*m_connection, layout).detail(published[0].id)->row.phase, Phase::InFlight);
    QCOMPARE(settler.settle(secondToken, {{published[0].id, Outcome::Kind::HandedOver, {}}})->handedOver, 1);
    QCOMPARE(settler.settle(secondToken, {{published[0].id, Outcome::Kind::HandedOver, {}}})->leaseLost, 1);
}

void TestOutbox::retriesEventsByMinutes()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    const QByteArray id = publish(layout, {makeEvent("mail.a.sent")})[0].id;
    Claims claims(*m_connection, layout, std::chrono::minutes(5));
    Settler settler(*m_connection, layout, 6);
    Reader reader(*m_connection, layout);
    for (int attempt = 1; attempt <= 7; ++attempt) {
        const auto batch = claims.claimDue(1);
        QCOMPARE(batch->rows.size(), size_t(1));
        VERIFY_WORKED(settler.settle(batch->token, {{id, Outcome::Kind::FailedAttempt, "no"}}));
        const RowSummary row = reader.detail(id)->row;
        QCOMPARE(row.retries, attempt);
        if (attempt == 7) {
            QCOMPARE(row.status, "FAILED");
            break;
        }
        QCOMPARE(row.status, "PENDING");
        const qint64 wait = *row.scheduledAt - *row.updatedAt;
        QVERIFY2(std::abs(wait - (60'000'000LL << (attempt - 1))) < 1'000'000, qPrintable(QString::number(wait)));
        query("UPDATE " + layout.quotedTable()
              + " SET \"scheduledAt\" = now() AT TIME ZONE 'UTC' - interval '1 second'");
    }
}

void TestOutbox::retriesMessagesBySeconds()
{
    const Layout layout = makeTable(test::tableVariants()[4]);
    const QByteArray id = publish(layout, {makeEvent("email.a.sent")})[0].id;
    Claims claims(*m_connection, layout, std::chrono::minutes(5));
    Settler settler(*m_connection, layout, 6);
    Reader reader(*m_connection, layout);
    for (int attempt = 1; attempt <= 3; ++attempt) {
        auto batch = claims.claimDue(1);
        QCOMPARE(batch->rows.size(), size_t(1));
        QCOMPARE(batch->rows[0].eventVersion, "1");
        VERIFY_WORKED(settler.settle(batch->token, {{id, Outcome::Kind::FailedAttempt, "no"}}));
        const RowSummary row = reader.detail(id)->row;
        QCOMPARE(row.retries, attempt);
        if (attempt == 3) {
            QCOMPARE(row.status, "dead_letter");
            QVERIFY(row.processedAt.has_value());
            break;
        }
        QCOMPARE(row.status, "failed");
        const qint64 wait = *row.scheduledAt - *row.updatedAt; // of a failed message: its next attempt
        const qint64 least = 1'000'000LL << attempt;
        QVERIFY2(wait >= least - 10'000 && wait <= least + 1'010'000, qPrintable(QString::number(wait)));
        QCOMPARE(claims.claimDue(1)->rows.size(), size_t(0));
        query("UPDATE " + layout.quotedTable()
              + " SET \"nextRetryAt\" = now() AT TIME ZONE 'UTC' - interval '1 second'");
    }
}

void TestOutbox::storesAnyErrorText()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    const QByteArray id = publish(layout, {makeEvent("mail.a.sent")})[0].id;
    const auto batch = Claims(*m_connection, layout, std::chrono::minutes(5)).claimDue(1);
    static constexpr char hostile[] = "nul \0 broken \xff\xfe quote \" ' \\ {}, ";
    const QByteArray error = QByteArray(hostile, sizeof hostile - 1) + QByteArray(100'000, 'x');
    VERIFY_WORKED(Settler(*m_connection, layout, 6).settle(batch->token, {{id, Outcome::Kind::FailedAttempt, error}}));
    const QString stored = Reader(*m_connection, layout).detail(id)->lastError;
    QVERIFY(stored.startsWith(u"nul \\0 broken"_s));
    QVERIFY(stored.size() < 10'000);
}

void TestOutbox::pagesVisitEveryRowOnce()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    // Many rows share a time, and statuses are mixed: the tie-break and the merge have to hold.
    query("INSERT INTO " + layout.quotedTable()
          + " (id, \"tenantId\", \"eventType\", payload, status, \"scheduledAt\", \"updatedAt\") SELECT 'r' || n, 't', "
            "'mail.a.sent', '{}', (ARRAY['PENDING','DONE','FAILED'])[1 + n % 3]::\"Shop Data\".\"OutboxStatus\", "
            "timestamp '2026-01-01' + (n / 50) * interval '1 second', now() FROM generate_series(1, 1000) n");
    Reader reader(*m_connection, layout);
    std::vector<QByteArray> seen;
    PageRequest request;
    request.limit = 37;
    while (true) {
        auto page = reader.page(request);
        VERIFY_WORKED(page);
        QCOMPARE(page->hasNewer, request.from.has_value());
        for (const RowSummary &row : page->rows)
            seen.push_back(row.id);
        if (!page->hasOlder)
            break;
        request.from = PageKey{page->rows.back().scheduledAt, page->rows.back().id};
    }
    QCOMPARE(seen.size(), size_t(1000));
    QCOMPARE(std::set<QByteArray>(seen.begin(), seen.end()).size(), size_t(1000));

    // And back again from the middle.
    const RowSummary middle = reader.detail(seen[500])->row;
    request.from = PageKey{middle.scheduledAt, middle.id};
    request.direction = PageDirection::Newer;
    auto newer = reader.page(request);
    VERIFY_WORKED(newer);
    QCOMPARE(newer->rows.size(), size_t(37));
    QCOMPARE(newer->rows.back().id, seen[499]);
    QCOMPARE(newer->rows.front().id, seen[463]);
    QVERIFY(newer->hasNewer && newer->hasOlder);
}

void TestOutbox::filtersRows()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    publish(layout, {makeEvent("mail.a.sent"), makeEvent("mail_x.a.sent"), makeEvent("audit.b.done")});
    query("UPDATE " + layout.quotedTable()
          + " SET status = 'FAILED', \"lastError\" = 'connect ECONNREFUSED 10.0.0.1' WHERE \"eventType\" = "
            "'audit.b.done'");
    Reader reader(*m_connection, layout);
    const auto count = [&](const RowFilter &filter) {
        PageRequest request;
        request.filter = filter;
        return reader.page(request)->rows.size();
    };
    QCOMPARE(count({}), size_t(3));
    QCOMPARE(count({.statuses = {"FAILED"}}), size_t(1));
    QCOMPARE(count({.statuses = {"PENDING", "DONE"}}), size_t(2));
    QCOMPARE(count({.typePrefix = u"mail"_s}), size_t(2));
    QCOMPARE(count({.typePrefix = u"mail_"_s}), size_t(1)); // no wildcard
    QCOMPARE(count({.typePrefix = u"%"_s}), size_t(0));
    QCOMPARE(count({.tenant = u"t1"_s}), size_t(3));
    QCOMPARE(count({.tenant = u"t'2"_s}), size_t(0));
    QCOMPARE(count({.errorText = u"econnrefused"_s}), size_t(1));
}

void TestOutbox::showsOneRow()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    const auto published = publish(layout, {makeEvent("mail.a.sent", R"({"n": 1})")});
    Reader reader(*m_connection, layout);
    auto detail = reader.detail(published[0].id);
    VERIFY_WORKED(detail);
    QCOMPARE(detail->row.id, published[0].id);
    QCOMPARE(detail->payload, QByteArray(R"({"n": 1})"));
    QCOMPARE(detail->payloadBytes, 8);
    QCOMPARE(detail->payloadType, test::tableVariants()[variant].payloadType);
    QCOMPARE(reader.detail("no such row").error().code, ErrorCode::NotFound);
    QCOMPARE(reader.detail("123456789").error().code, ErrorCode::NotFound);
}

void TestOutbox::countsHonestly()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    Reader reader(*m_connection, layout);
    for (const CountMode mode : {CountMode::Exact, CountMode::Bounded}) {
        auto empty = reader.stats(mode);
        VERIFY_WORKED(empty);
        QCOMPARE(empty->due.value, 0);
        QVERIFY(!empty->oldestDueAgeMs);
        QCOMPARE(empty->counts.size(), size_t(5));
    }
    NewEvent later = makeEvent("mail.b.sent");
    later.delay = std::chrono::hours(1);
    publish(layout, {makeEvent("mail.a.sent"), makeEvent("mail.c.sent"), later});
    query("INSERT INTO " + layout.quotedTable()
          + " (id, \"tenantId\", \"eventType\", payload, status, \"updatedAt\") SELECT 'd' || n, 't', 'mail.a.sent', "
            "'{}', "
            "'DONE', now() FROM generate_series(1, 100001) n");
    auto exact = reader.stats(CountMode::Exact);
    auto bounded = reader.stats(CountMode::Bounded);
    VERIFY_WORKED(exact);
    VERIFY_WORKED(bounded);
    const auto of = [](const Stats &stats, const QByteArray &status) {
        return std::ranges::find(stats.counts, status, &std::pair<QByteArray, Count>::first)->second;
    };
    QCOMPARE(of(*exact, "DONE"), (Count{100'001, Count::Kind::Exact}));
    QCOMPARE(of(*bounded, "DONE"), (Count{50'000, Count::Kind::AtLeast}));
    QCOMPARE(of(*bounded, "PENDING"), (Count{3, Count::Kind::Exact}));
    QCOMPARE(of(*bounded, "CANCELLED"), (Count{0, Count::Kind::Exact}));
    QCOMPARE(exact->due.value, 2);
    QCOMPARE(bounded->due.value, 2);
    QVERIFY(exact->oldestDueAgeMs && *exact->oldestDueAgeMs >= 0 && *exact->oldestDueAgeMs < 60'000);
}

void TestOutbox::survivesBadTimes()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    query("INSERT INTO " + layout.quotedTable()
          + " (id, \"tenantId\", \"eventType\", payload, \"scheduledAt\", \"createdAt\", \"updatedAt\") VALUES "
            "('a', 't', 'mail.a.sent', '{}', 'infinity', '-infinity', now()), "
            "('b', 't', 'mail.a.sent', '{}', '40000-01-01', '0044-03-15 BC', now())");
    Reader reader(*m_connection, layout);
    auto page = reader.page({});
    VERIFY_WORKED(page);
    QCOMPARE(page->rows.size(), size_t(2));
    QVERIFY(!page->rows[0].scheduledAt);
    VERIFY_WORKED(reader.detail("b"));
    VERIFY_WORKED(reader.stats(CountMode::Bounded));
}

QTEST_GUILESS_MAIN(TestOutbox)
#include "tst_outbox.moc"
