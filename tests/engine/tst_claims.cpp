// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/outbox/claims.h>
#include <engine/outbox/discovery.h>
#include <engine/outbox/leases.h>
#include <engine/outbox/publisher.h>
#include <engine/outbox/settler.h>

#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QTest>

using namespace engine::outbox;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
namespace sql = engine::sql;
using engine::ErrorCode;

namespace {

NewEvent makeEvent(const QByteArray &payload = "{}", const QByteArray &type = "mail.a.sent")
{
    NewEvent event;
    event.eventType = type;
    event.tenantId = "t1";
    event.payload = payload;
    return event;
}

std::vector<QByteArray> idsOf(const ClaimBatch &batch)
{
    std::vector<QByteArray> ids;
    for (const ClaimedRow &row : batch.rows)
        ids.push_back(row.id);
    return ids;
}

} // namespace

// What claims and settles do beyond the plain case: renewed leases, rows the database refuses, big payloads, order.
class TestClaims final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void renewsALease_data() { variants(); }
    void renewsALease();
    void settlesUnderEitherTokenOfARenewal_data() { variants(); }
    void settlesUnderEitherTokenOfARenewal();
    void reportsWhatARenewalLost();

    void claimsAroundARowTheDatabaseRefuses_data() { variants(); }
    void claimsAroundARowTheDatabaseRefuses();
    void settlesAroundARowTheDatabaseRefuses_data() { variants(); }
    void settlesAroundARowTheDatabaseRefuses();

    void leavesBigPayloadsBehind_data() { variants(); }
    void leavesBigPayloadsBehind();

    void findsLateCommitsSoon();
    void findsABacklogBehindTheNewest();
    void completeMeansComplete();
    void looksWithoutClaiming_data() { variants(); }
    void looksWithoutClaiming();
    void claimsUnderSettings();

    void claimsOneOfAKey_data();
    void claimsOneOfAKey();
    void aFailedOneHoldsItsKey();
    void aDeadOneHoldsItsKeyOrNot_data();
    void aDeadOneHoldsItsKeyOrNot();
    void readsOrderRules_data();
    void readsOrderRules();
    void orderNeedsItsColumns();
    void recommendsAnIndexThatIsUsed();

private:
    static void variants();
    Layout makeTable(const test::TableVariant &variant);
    Layout eventTable() { return makeTable(test::tableVariants().front()); }
    Layout messageTable();
    std::vector<QByteArray> publish(const Layout &layout, const std::vector<NewEvent> &events);
    void run(const QByteArray &statement) { VERIFY_WORKED(m_connection->executeScript(statement)); }
    QByteArray single(const QByteArray &statement);
    // A trigger that refuses to let the row become the status.
    void refuse(const Layout &layout, const QByteArray &id, Phase phase);
    ClaimBatch claimAll(const Layout &layout, const OrderRule &order = {});

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
};

void TestClaims::initTestCase()
{
    auto servers = test::PrivateServers::start(
        {.tcp = false, .postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}}, .redis = {}, .withRedis = false});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

void TestClaims::init()
{
    run("DROP SCHEMA IF EXISTS shop CASCADE");
}

void TestClaims::variants()
{
    QTest::addColumn<int>("variant");
    for (int i = 0; i < test::tableVariants().size(); ++i)
        QTest::newRow(test::tableVariants()[i].name.constData()) << i;
}

Layout TestClaims::makeTable(const test::TableVariant &variant)
{
    const auto made = m_connection->executeScript(test::tableText(variant, "shop", "Outbox"));
    if (!made)
        qFatal("%s", test::why(made).constData());
    auto layout = discover(*m_connection, u"shop.\"Outbox\""_s);
    if (!layout)
        qFatal("%s", test::why(layout).constData());
    return *layout;
}

Layout TestClaims::messageTable()
{
    const auto &all = test::tableVariants();
    return makeTable(*std::ranges::find(all, LayoutKind::Message, &test::TableVariant::kind));
}

std::vector<QByteArray> TestClaims::publish(const Layout &layout, const std::vector<NewEvent> &events)
{
    std::vector<QByteArray> ids;
    for (const NewEvent &event : events) { // one transaction each, so that each has its time
        auto transaction = sql::Transaction::begin(*m_connection);
        if (!transaction)
            qFatal("%s", test::why(transaction).constData());
        auto published = Publisher(layout).publish(*transaction, event);
        if (!published)
            qFatal("%s", test::why(published).constData());
        ids.push_back(published->id);
        if (const auto committed = transaction->commit(); !committed)
            qFatal("%s", test::why(committed).constData());
    }
    return ids;
}

QByteArray TestClaims::single(const QByteArray &statement)
{
    auto rows = m_connection->execute(statement);
    if (!rows)
        qFatal("%s", test::why(rows).constData());
    return rows->count() > 0 ? rows->bytes(0, 0).toByteArray() : QByteArray();
}

void TestClaims::refuse(const Layout &layout, const QByteArray &id, Phase phase)
{
    run("CREATE OR REPLACE FUNCTION shop.refuse() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN IF NEW."
        + layout.id.quoted() + "::text = '" + id + "' AND NEW." + layout.status.quoted() + "::text = '"
        + layout.statusFor(phase) + "' THEN RAISE EXCEPTION 'not this one'; END IF; RETURN NEW; END$$;"
        + "CREATE TRIGGER refuse BEFORE UPDATE ON " + layout.quotedTable()
        + " FOR EACH ROW EXECUTE FUNCTION shop.refuse()");
}

ClaimBatch TestClaims::claimAll(const Layout &layout, const OrderRule &order)
{
    auto batch = Claims(*m_connection, Claims::memory(layout, {300s, order, false})).claimDue(100);
    if (!batch)
        qFatal("%s", test::why(batch).constData());
    return std::move(*batch);
}

void TestClaims::renewsALease()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    publish(layout, {makeEvent(), makeEvent()});
    Claims claims(*m_connection, layout, 1s);
    const auto batch = claims.claimDue(10);
    VERIFY_WORKED(batch);
    const qint64 renewedToken = batch->token + 60'000'000;
    const auto renewed = Leases(*m_connection, layout).renew({batch->token}, renewedToken, idsOf(*batch));
    VERIFY_WORKED(renewed);
    QCOMPARE(renewed->ids.size(), size_t(2));
    // The first lease is over, the renewed one is not.
    run("SELECT pg_sleep(1.1)");
    QCOMPARE(claims.claimExpired(10)->rows.size(), size_t(0));

    const std::vector<Outcome> outcomes{{batch->rows[0].id, Outcome::Kind::HandedOver, {}},
                                        {batch->rows[1].id, Outcome::Kind::HandedOver, {}}};
    const auto late = Settler(*m_connection, layout, 6).settle(batch->token, outcomes);
    VERIFY_WORKED(late);
    QCOMPARE(late->leaseLost, 2);
    const auto settled = Settler(*m_connection, layout, 6).settle(renewedToken, outcomes);
    VERIFY_WORKED(settled);
    QCOMPARE(settled->handedOver, 2);
}

void TestClaims::settlesUnderEitherTokenOfARenewal()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    for (const bool tookEffect : {false, true}) {
        publish(layout, {makeEvent()});
        const ClaimBatch batch = claimAll(layout);
        const qint64 renewedToken = batch.token + 2'000'000;
        if (tookEffect)
            VERIFY_WORKED(Leases(*m_connection, layout).renew({batch.token}, renewedToken, idsOf(batch)));
        const auto settled = Settler(*m_connection, layout, 6)
                                 .settle(std::vector<qint64>{batch.token, renewedToken},
                                         {{batch.rows[0].id, Outcome::Kind::HandedOver, {}}});
        VERIFY_WORKED(settled);
        QCOMPARE(settled->handedOver, 1);
    }
}

void TestClaims::reportsWhatARenewalLost()
{
    const Layout layout = eventTable();
    publish(layout, {makeEvent(), makeEvent()});
    const ClaimBatch batch = claimAll(layout);
    run("UPDATE " + layout.quotedTable() + " SET status = 'PENDING', \"lockedUntil\" = NULL WHERE id::text = '"
        + batch.rows[0].id + '\'');
    const auto renewed = Leases(*m_connection, layout).renew({batch.token}, batch.token + 1'000'000, idsOf(batch));
    VERIFY_WORKED(renewed);
    QCOMPARE(renewed->ids, std::vector<QByteArray>{batch.rows[1].id});
}

void TestClaims::claimsAroundARowTheDatabaseRefuses()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    for (const size_t poison : {0, 2, 4}) {
        run("TRUNCATE " + layout.quotedTable() + "; DROP TRIGGER IF EXISTS refuse ON " + layout.quotedTable());
        const auto ids = publish(layout, {makeEvent(), makeEvent(), makeEvent(), makeEvent(), makeEvent()});
        refuse(layout, ids[poison], Phase::InFlight);
        Claims claims(*m_connection, Claims::memory(layout, {300s, {}, true}));
        const auto batch = claims.claimDue(10);
        VERIFY_WORKED(batch);
        QCOMPARE(batch->rows.size(), size_t(4));
        QCOMPARE(batch->unclaimable.size(), size_t(1));
        QCOMPARE(batch->unclaimable[0].id, ids[poison]);
        QVERIFY(batch->unclaimable[0].error.text().contains(u"not this one"));
        // Told once; from then on it is in nobody's way, and not counted as due.
        publish(layout, {makeEvent()});
        const auto next = claims.claimNext(10, Claims::Thoroughness::Complete);
        VERIFY_WORKED(next);
        QCOMPARE(next->rows.size(), size_t(1));
        QVERIFY(next->unclaimable.empty());
        QVERIFY(!*claims.isAnythingDue());
        std::vector<Outcome> outcomes;
        for (const ClaimedRow &row : batch->rows)
            outcomes.push_back({row.id, Outcome::Kind::HandedOver, {}});
        QCOMPARE(Settler(*m_connection, layout, 6).settle(batch->token, outcomes)->handedOver, 4);
    }
}

void TestClaims::settlesAroundARowTheDatabaseRefuses()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    publish(layout, {makeEvent(), makeEvent(), makeEvent()});
    const ClaimBatch batch = claimAll(layout);
    refuse(layout, batch.rows[1].id, Phase::HandedOver);
    std::vector<Outcome> outcomes;
    for (const ClaimedRow &row : batch.rows)
        outcomes.push_back({row.id, Outcome::Kind::HandedOver, {}});
    const auto settled = Settler(*m_connection, layout, 6).settle(batch.token, outcomes);
    VERIFY_WORKED(settled);
    QCOMPARE(settled->handedOver, 2);
    QCOMPARE(settled->refused.size(), size_t(1));
    QCOMPARE(settled->refused[0].first, batch.rows[1].id);
}

void TestClaims::leavesBigPayloadsBehind()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    QByteArray noise; // does not compress
    for (quint32 i = 0, x = 1; i < 40'000; ++i) {
        x = x * 1664525 + 1013904223;
        noise += static_cast<char>('a' + (x >> 24) % 26);
    }
    const QByteArray big = "{\"text\": \"" + noise + "\"}";
    const auto ids = publish(layout, {makeEvent(R"({"n": 1})"), makeEvent(big)});
    Claims claims(*m_connection, layout, 300s);
    const auto batch = claims.claimDue(10);
    VERIFY_WORKED(batch);
    QCOMPARE(batch->rows.size(), size_t(2));
    const size_t bigAt = batch->rows[0].id == ids[1] ? 0 : 1;
    QCOMPARE(batch->rows[1 - bigAt].payload, R"({"n": 1})");
    QCOMPARE(batch->rows[1 - bigAt].payloadPending, 0);
    QVERIFY(batch->rows[bigAt].payload.isEmpty());
    QVERIFY(batch->rows[bigAt].payloadPending >= big.size());
    const auto payloads = claims.payloads({ids[1]});
    VERIFY_WORKED(payloads);
    QCOMPARE(payloads->size(), size_t(1));
    QCOMPARE((*payloads)[0].second, big);
}

void TestClaims::findsLateCommitsSoon()
{
    const Layout layout = eventTable();
    Claims claims(*m_connection, Claims::memory(layout, {300s, {}, true}));
    publish(layout, {makeEvent()});
    QCOMPARE(claims.claimNext(10, Claims::Thoroughness::Usual)->rows.size(), size_t(1));
    // Its transaction began an hour before the newest one and commits only now.
    const auto late = publish(layout, {makeEvent()});
    run("UPDATE " + layout.quotedTable()
        + " SET \"scheduledAt\" = \"scheduledAt\" - interval '1 hour' WHERE id::text = '" + late[0] + '\'');
    size_t found = 0;
    QTRY_VERIFY_WITH_TIMEOUT(found > 0 || (found = claims.claimNext(10, Claims::Thoroughness::Usual)->rows.size()) > 0,
                             5'000);
    QCOMPARE(found, size_t(1));
}

void TestClaims::findsABacklogBehindTheNewest()
{
    const Layout layout = eventTable();
    Claims claims(*m_connection, Claims::memory(layout, {300s, {}, true}));
    publish(layout, {makeEvent()});
    QCOMPARE(claims.claimNext(10, Claims::Thoroughness::Usual)->rows.size(), size_t(1));
    // Sixty old rows are released by somebody else: once the first ten are found, the others follow at once.
    for (int i = 0; i < 60; ++i)
        publish(layout, {makeEvent()});
    run("UPDATE " + layout.quotedTable()
        + " SET \"scheduledAt\" = \"scheduledAt\" - interval '1 hour' WHERE status = 'PENDING'");
    size_t first = 0;
    QTRY_VERIFY_WITH_TIMEOUT(first > 0 || (first = claims.claimNext(10, Claims::Thoroughness::Usual)->rows.size()) > 0,
                             5'000);
    for (int claim = 1; claim < 6; ++claim)
        QCOMPARE(claims.claimNext(10, Claims::Thoroughness::Usual)->rows.size(), size_t(10));
}

void TestClaims::completeMeansComplete()
{
    const Layout layout = eventTable();
    Claims claims(*m_connection, Claims::memory(layout, {300s, {}, true}));
    publish(layout, {makeEvent(), makeEvent(), makeEvent()});
    QCOMPARE(claims.claimNext(10, Claims::Thoroughness::Complete)->rows.size(), size_t(3));
    QCOMPARE(claims.claimNext(10, Claims::Thoroughness::Complete)->rows.size(), size_t(0));
    // One goes back by an hour, one loses its dispatcher: both are found at once, whatever was looked at just now.
    run("UPDATE " + layout.quotedTable()
        + " SET status = 'PENDING', \"lockedUntil\" = NULL, \"scheduledAt\" = \"scheduledAt\" - interval '1 hour' "
          "WHERE "
          "ctid = (SELECT min(ctid) FROM "
        + layout.quotedTable() + ')');
    QCOMPARE(claims.claimNext(10, Claims::Thoroughness::Complete)->rows.size(), size_t(1));
    run("UPDATE " + layout.quotedTable()
        + " SET \"lockedUntil\" = now() AT TIME ZONE 'UTC' - interval '1 second' WHERE ctid = (SELECT min(ctid) FROM "
        + layout.quotedTable() + ')');
    QCOMPARE(claims.claimNext(10, Claims::Thoroughness::Complete)->rows.size(), size_t(1));
}

void TestClaims::looksWithoutClaiming()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    Claims claims(*m_connection, layout, 1s);
    QVERIFY(!*claims.isAnythingDue());
    publish(layout, {makeEvent()});
    QVERIFY(*claims.isAnythingDue());
    QVERIFY(*claims.isAnythingDue()); // it claimed nothing
    const auto batch = claims.claimNext(10, Claims::Thoroughness::Usual);
    VERIFY_WORKED(batch);
    QVERIFY(!*claims.isAnythingDue());
    VERIFY_WORKED(Settler(*m_connection, layout, 6)
                      .settle(batch->token, {{batch->rows[0].id, Outcome::Kind::FailedAttempt, "later"}}));
    QVERIFY(!*claims.isAnythingDue());
    if (layout.kind == LayoutKind::Message) {
        run("UPDATE " + layout.quotedTable() + " SET " + layout.nextRetryAt.quoted() + " = now() - interval '1 day'");
        QVERIFY(*claims.isAnythingDue());
    }
}

void TestClaims::claimsUnderSettings()
{
    const Layout layout = eventTable();
    sql::ConnectOptions options = m_connection->options();
    options.settings = claimSettings();
    auto connection = sql::Connection::open(options);
    VERIFY_WORKED(connection);
    QVERIFY((*connection)->hasSettings());
    QCOMPARE((*connection)->execute("SHOW enable_seqscan")->text(0, 0), u"off"_s);
    QCOMPARE((*connection)->execute("SHOW synchronous_commit")->text(0, 0), u"off"_s);
    QVERIFY(*(*connection)->isDirect());
    publish(layout, {makeEvent()});
    QCOMPARE(Claims(**connection, layout, 300s).claimDue(10)->rows.size(), size_t(1));
}

void TestClaims::claimsOneOfAKey_data()
{
    QTest::addColumn<bool>("message");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<int>("expected");
    // Events: tenants a, a, b; orders 1, 2, 1; the last without an order, of tenant c.
    QTest::newRow("none") << false << u"none"_s << 4;
    QTest::newRow("tenant") << false << u"tenant"_s << 3;
    QTest::newRow("payload") << false << u"payload:order"_s << 3;
    QTest::newRow("nested payload") << false << u"payload:in.order"_s << 3;
    QTest::newRow("aggregate") << true << u"aggregate"_s << 4;
    QTest::newRow("message tenant") << true << u"tenant"_s << 3;
}

void TestClaims::claimsOneOfAKey()
{
    QFETCH(bool, message);
    QFETCH(QString, rule);
    QFETCH(int, expected);
    const Layout layout = message ? messageTable() : eventTable();
    std::vector<NewEvent> events{makeEvent(R"({"order": 1, "in": {"order": "x"}})"),
                                 makeEvent(R"({"order": 2, "in": {"order": "y"}})"),
                                 makeEvent(R"({"order": 1, "in": {"order": "x"}})"), makeEvent("{}")};
    const std::array<QByteArray, 4> tenants{"a", "a", "b", "c"};
    for (size_t i = 0; i < events.size(); ++i)
        events[i].tenantId = tenants[i];
    const auto ids = publish(layout, events);
    const auto order = OrderRule::parse(rule, {});
    VERIFY_WORKED(order);
    VERIFY_WORKED(order->checkAgainst(layout));
    const ClaimBatch batch = claimAll(layout, *order);
    QCOMPARE(int(batch.rows.size()), expected);
    QCOMPARE(batch.rows.front().id, ids.front());
    if (expected == 4)
        return;
    // The one that was held back follows once its predecessor is through, and not before.
    QVERIFY(claimAll(layout, *order).rows.empty());
    std::vector<Outcome> outcomes;
    for (const ClaimedRow &row : batch.rows)
        outcomes.push_back({row.id, Outcome::Kind::HandedOver, {}});
    VERIFY_WORKED(Settler(*m_connection, layout, 6).settle(batch.token, outcomes));
    QCOMPARE(claimAll(layout, *order).rows.size(), size_t(1));
}

void TestClaims::aFailedOneHoldsItsKey()
{
    const Layout layout = eventTable();
    const auto ids = publish(layout,
                             {makeEvent(R"({"order": 1})"), makeEvent(R"({"order": 1})"), makeEvent(R"({"order": 2})"),
                              makeEvent(R"({"order": 2})")});
    const OrderRule order = *OrderRule::parse(u"payload:order"_s, {});
    const ClaimBatch first = claimAll(layout, order);
    QCOMPARE(idsOf(first), (std::vector<QByteArray>{ids[0], ids[2]}));
    VERIFY_WORKED(
        Settler(*m_connection, layout, 6)
            .settle(first.token,
                    {{ids[0], Outcome::Kind::FailedAttempt, "busy"}, {ids[2], Outcome::Kind::HandedOver, {}}}));
    const ClaimBatch second = claimAll(layout, order);
    QCOMPARE(idsOf(second), std::vector<QByteArray>{ids[3]});
    run("UPDATE " + layout.quotedTable() + " SET \"scheduledAt\" = \"createdAt\" WHERE id::text = '" + ids[0] + '\'');
    QCOMPARE(idsOf(claimAll(layout, order)), std::vector<QByteArray>{ids[0]});
}

void TestClaims::aDeadOneHoldsItsKeyOrNot_data()
{
    QTest::addColumn<QString>("dead");
    QTest::addColumn<int>("expected");
    QTest::newRow("by default") << QString() << 0;
    QTest::newRow("hold") << u"hold"_s << 0;
    QTest::newRow("skip") << u"skip"_s << 1;
}

void TestClaims::aDeadOneHoldsItsKeyOrNot()
{
    QFETCH(QString, dead);
    QFETCH(int, expected);
    const Layout layout = eventTable();
    const auto ids = publish(layout, {makeEvent(R"({"order": 1})"), makeEvent(R"({"order": 1})")});
    const OrderRule order = *OrderRule::parse(u"payload:order"_s, dead);
    const ClaimBatch first = claimAll(layout, order);
    VERIFY_WORKED(
        Settler(*m_connection, layout, 6).settle(first.token, {{ids[0], Outcome::Kind::Undeliverable, "no"}}));
    QCOMPARE(int(claimAll(layout, order).rows.size()), expected);
    if (expected == 1)
        return;
    // The way past it: cancel (or requeue) the dead one.
    run("UPDATE " + layout.quotedTable() + " SET status = 'CANCELLED' WHERE id::text = '" + ids[0] + '\'');
    QCOMPARE(idsOf(claimAll(layout, order)), std::vector<QByteArray>{ids[1]});
}

void TestClaims::readsOrderRules_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("dead");
    QTest::addColumn<bool>("good");
    QTest::newRow("nothing") << QString() << QString() << true;
    QTest::newRow("none") << u"none"_s << u"hold"_s << true;
    QTest::newRow("aggregate") << u"aggregate"_s << u"skip"_s << true;
    QTest::newRow("path") << u"payload:a.b.c"_s << QString() << true;
    QTest::newRow("odd name") << u"payload:o'clock \"x\""_s << QString() << true;
    QTest::newRow("no name") << u"payload:"_s << QString() << false;
    QTest::newRow("hole in the path") << u"payload:a..b"_s << QString() << false;
    QTest::newRow("unknown") << u"customer"_s << QString() << false;
    QTest::newRow("unknown dead") << u"none"_s << u"ignore"_s << false;
}

void TestClaims::readsOrderRules()
{
    QFETCH(QString, key);
    QFETCH(QString, dead);
    QFETCH(bool, good);
    const auto rule = OrderRule::parse(key, dead);
    QCOMPARE(rule.has_value(), good);
    if (!good) {
        QCOMPARE(rule.error().code, ErrorCode::BadInput);
        QVERIFY(!rule.error().hint.isEmpty());
        return;
    }
    const Layout layout = eventTable();
    if (rule->key != OrderRule::Key::Aggregate)
        claimAll(layout, *rule); // the SQL is sound
}

void TestClaims::orderNeedsItsColumns()
{
    QVERIFY(!OrderRule::parse(u"aggregate"_s, {})->checkAgainst(eventTable()));
    const auto &all = test::tableVariants();
    const auto textPayload =
        std::ranges::find_if(all, [](const test::TableVariant &variant) { return variant.payloadType == "text"; });
    QVERIFY(textPayload != all.end());
    QVERIFY(!OrderRule::parse(u"payload:a"_s, {})->checkAgainst(makeTable(*textPayload)));
}

void TestClaims::recommendsAnIndexThatIsUsed()
{
    const Layout layout = eventTable();
    const OrderRule order = *OrderRule::parse(u"payload:order"_s, {});
    run(order.recommendedIndex(layout).replace("CONCURRENTLY ", ""));
    for (const Layout &message : {messageTable()}) {
        for (const QString &rule : {u"aggregate"_s, u"tenant"_s})
            run(OrderRule::parse(rule, {})->recommendedIndex(message).replace("CONCURRENTLY ", ""));
    }
    QCOMPARE(single("SELECT count(*) FROM pg_indexes WHERE schemaname = 'shop' AND indexdef LIKE '%createdAt%' OR "
                    "indexdef LIKE '%created_at%'")
                     .toInt()
                 >= 2,
             true);
}

QTEST_GUILESS_MAIN(TestClaims)
#include "tst_claims.moc"
