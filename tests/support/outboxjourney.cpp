// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxjourney.h"

#include "verify.h"

#include <engine/dispatch/queuedestination.h>

using namespace engine;
using namespace engine::outbox;

namespace test {

namespace {

constexpr std::chrono::minutes lease{5};

} // namespace

QList<QByteArray> delicatePayloads(const QByteArray &payloadType)
{
    // Spelled the way jsonb prints them, so that the same text is expected of all three types.
    QList<QByteArray> payloads{
        R"({"big": 9007199254740993, "huge": -123456789012345678901234567890, "decimal": 0.2345678901234568})",
        R"({"tail": 1.10, "text": "żółć 漢字 🎉 \" \\ / \n"})",
        R"([1.0, 100000000000000000000000, null, true, "'; DROP TABLE x; --"])",
        R"("a lone string")",
    };
    if (payloadType != "jsonb") {
        payloads << R"({ "b":1e400,"a":  -0.0,"c":1E-7 })" // exponents, order and white space
                 << R"({"a":1,"a":2,"":3})" // a key twice
                 << R"({"nul":"\u0000","half":"\ud800","pair":"\ud83c\udf89","slash":"\/"})"; // escapes as written
    } else {
        payloads << '1' + QByteArray(400, '0'); // what it makes of 1e400
    }
    return payloads;
}

OutboxJourney::OutboxJourney(sql::Connection &connection, redis::Client &redis, const TableVariant &variant,
                             Layout layout, QByteArray queue)
    : m_connection(connection)
    , m_redis(redis)
    , m_variant(variant)
    , m_layout(std::move(layout))
    , m_queue(std::move(queue))
    , m_payloads(delicatePayloads(variant.payloadType))
{ }

void OutboxJourney::run()
{
    using Step = void (OutboxJourney::*)();
    for (const Step step : {&OutboxJourney::publish, &OutboxJourney::show, &OutboxJourney::handOver,
                            static_cast<Step>(&OutboxJourney::settle), &OutboxJourney::retryAndBury,
                            &OutboxJourney::requeue, &OutboxJourney::takeOver}) {
        (this->*step)();
        if (QTest::currentTestFailed())
            return;
    }
}

QByteArray OutboxJourney::where(const QByteArray &id) const
{
    return " WHERE id::text = '" + id + "'";
}

QByteArray OutboxJourney::single(const QByteArray &statement)
{
    const auto rows = m_connection.execute(statement);
    if (!rows)
        return "failed: " + why(rows) + " in " + statement;
    return rows->count() > 0 ? rows->bytes(0, 0).toByteArray() : QByteArray();
}

QByteArray OutboxJourney::statusOf(const QByteArray &id)
{
    return single("SELECT status::text FROM " + m_layout.quotedTable() + where(id));
}

ClaimBatch OutboxJourney::claim(bool expired)
{
    Claims claims(m_connection, m_layout, lease);
    auto batch = expired ? claims.claimExpired(100) : claims.claimDue(100);
    if (!batch)
        QTest::qFail(why(batch).constData(), __FILE__, __LINE__);
    return batch ? std::move(*batch) : ClaimBatch{};
}

SettleCounts OutboxJourney::settle(qint64 token, const QByteArray &id, Outcome::Kind kind)
{
    auto counts = Settler(m_connection, m_layout, 1).settle(token, {{id, kind, "no \"luck\" {at, all}\\"}});
    if (!counts)
        QTest::qFail(why(counts).constData(), __FILE__, __LINE__);
    return counts.value_or(SettleCounts{});
}

void OutboxJourney::publish()
{
    std::vector<NewEvent> events;
    for (const QByteArray &payload : m_payloads) {
        NewEvent event;
        event.eventType = "mail.welcome.sent";
        event.tenantId = "tenant \"1\"";
        event.payload = payload;
        events.push_back(event);
    }
    events.push_back(events.back());
    events.back().delay = std::chrono::hours(1);
    auto transaction = sql::Transaction::begin(m_connection);
    VERIFY_WORKED(transaction);
    auto published = Publisher(m_layout).publishBatch(*transaction, events);
    VERIFY_WORKED(published);
    VERIFY_WORKED(transaction->commit());
    m_published = *published;
    QCOMPARE(m_published.size(), events.size());
}

void OutboxJourney::show()
{
    Reader reader(m_connection, m_layout);
    const auto stats = reader.stats(CountMode::Exact);
    VERIFY_WORKED(stats);
    QCOMPARE(stats->due.value, m_payloads.size());
    QVERIFY(stats->oldestDueAgeMs && *stats->oldestDueAgeMs >= 0 && *stats->oldestDueAgeMs < 60'000);
    QCOMPARE(stats->counts.front().second.value, m_payloads.size() + 1);
    const auto page = reader.page({});
    VERIFY_WORKED(page);
    QCOMPARE(qsizetype(page->rows.size()), m_payloads.size() + 1);
    QCOMPARE(page->rows.front().id, m_published.back().id);
    QVERIFY(std::abs(*page->rows.front().scheduledAt - stats->databaseTime - 3'600'000'000) < 60'000'000);
    for (const RowSummary &row : page->rows)
        QVERIFY(std::abs(*row.createdAt - stats->databaseTime) < 60'000'000);
    const auto detail = reader.detail(m_published[1].id);
    VERIFY_WORKED(detail);
    QCOMPARE(detail->payload, m_payloads[1]);
}

void OutboxJourney::handOver()
{
    m_batch = claim();
    QCOMPARE(qsizetype(m_batch.rows.size()), m_payloads.size());
    QVERIFY(claim().rows.empty());
    QVERIFY(claim(true).rows.empty());

    bullmq::Enqueuer enqueuer(m_redis, "bull");
    dispatch::QueueDestination destination(enqueuer, m_layout, "outbox:{id}");
    std::vector<const ClaimedRow *> rows;
    for (const ClaimedRow &row : m_batch.rows)
        rows.push_back(&row);
    std::optional<dispatch::QueueDestination::Delivery> delivery;
    destination.deliver(m_queue, rows, [&](const auto &done) { delivery = done; });
    QVERIFY(QTest::qWaitFor([&] { return delivery.has_value(); }));
    QVERIFY(!delivery->trouble);
    for (const Outcome &outcome : delivery->outcomes)
        QVERIFY2(outcome.kind == Outcome::Kind::HandedOver, outcome.error.constData());

    // Bytes in are bytes out: of the table, and of the job.
    for (qsizetype i = 0; i < m_payloads.size(); ++i) {
        const QByteArray id = m_published[size_t(i)].id;
        const QByteArray stored =
            single("SELECT " + m_layout.payload.quoted() + "::text FROM " + m_layout.quotedTable() + where(id));
        QCOMPARE(stored, m_payloads[i]);
        QByteArray expected = "{\"outboxEventId\":\"" + id
            + R"(","tenantId":"tenant \"1\"","eventType":"mail.welcome.sent","payload":)" + stored;
        if (m_layout.kind == LayoutKind::Message)
            expected += R"(,"aggregateType":"mail","aggregateId":")"
                + single("SELECT " + column("aggregateId") + "::text FROM " + m_layout.quotedTable() + where(id))
                + R"(","eventVersion":1,"metadata":{})";
        const auto data =
            m_redis.exchange({"HGET", "bull:" + m_queue + ":outbox:" + id, "data"}, std::chrono::seconds(10));
        VERIFY_WORKED(data);
        QCOMPARE(data->text, expected + '}');
    }
}

void OutboxJourney::settle()
{
    std::vector<Outcome> outcomes;
    for (const ClaimedRow &row : m_batch.rows) {
        const auto kind = row.id == m_published[0].id ? Outcome::Kind::FailedAttempt
            : row.id == m_published[1].id             ? Outcome::Kind::Undeliverable
            : row.id == m_published[2].id             ? Outcome::Kind::Release
                                                      : Outcome::Kind::HandedOver;
        outcomes.push_back({row.id, kind, "why"});
    }
    Settler settler(m_connection, m_layout, 1);
    const auto counts = settler.settle(m_batch.token, outcomes);
    VERIFY_WORKED(counts);
    QCOMPARE(counts->handedOver, m_payloads.size() - 3);
    QCOMPARE(counts->retried, 1);
    QCOMPARE(counts->dead, 1);
    QCOMPARE(counts->released, 1);
    QCOMPARE(counts->leaseLost, 0);
    const auto again = settler.settle(m_batch.token, outcomes);
    VERIFY_WORKED(again);
    QCOMPARE(again->leaseLost, m_payloads.size());

    const bool event = m_layout.kind == LayoutKind::Event;
    QCOMPARE(statusOf(m_published[0].id), event ? QByteArray("PENDING") : QByteArray("failed"));
    QCOMPARE(statusOf(m_published[1].id), m_layout.statusFor(Phase::Dead));
    QCOMPARE(statusOf(m_published[2].id), m_layout.statusFor(Phase::Waiting));
    QCOMPARE(statusOf(m_published[3].id), m_layout.statusFor(Phase::HandedOver));
    const auto done = Reader(m_connection, m_layout).detail(m_published[3].id);
    VERIFY_WORKED(done);
    QVERIFY(done->row.processedAt && std::abs(*done->row.processedAt - *done->row.createdAt) < 60'000'000);

    // Only what was released is due again.
    const ClaimBatch released = claim();
    QCOMPARE(released.rows.size(), size_t(1));
    QCOMPARE(released.rows.front().id, m_published[2].id);
    QCOMPARE(released.rows.front().retries, 0);
    QCOMPARE(settle(released.token, m_published[2].id, Outcome::Kind::HandedOver).handedOver, 1);
}

void OutboxJourney::retryAndBury()
{
    const QByteArray id = m_published[0].id;
    const QByteArray due = m_layout.kind == LayoutKind::Event ? column("scheduledAt") : column("nextRetryAt");
    const QByteArray table = m_layout.quotedTable();
    QCOMPARE(single("UPDATE " + table + " SET " + due + " = " + due + " - interval '2 minutes'" + where(id)
                    + " RETURNING 1"),
             "1");
    if (m_layout.kind == LayoutKind::Message)
        QCOMPARE(single("UPDATE " + table + " SET " + column("maxRetries") + " = 2" + where(id) + " RETURNING 1"), "1");
    const ClaimBatch retry = claim();
    QCOMPARE(retry.rows.size(), size_t(1));
    QCOMPARE(retry.rows.front().id, id);
    QCOMPARE(retry.rows.front().retries, 1);
    QCOMPARE(settle(retry.token, id, Outcome::Kind::FailedAttempt).dead, 1);
    const auto detail = Reader(m_connection, m_layout).detail(id);
    VERIFY_WORKED(detail);
    QCOMPARE(detail->row.phase, Phase::Dead);
    QCOMPARE(detail->row.retries, 2);
    QCOMPARE(detail->lastError, QStringLiteral("no \"luck\" {at, all}\\"));
    QVERIFY(claim().rows.empty());
}

void OutboxJourney::requeue()
{
    // As an operator would write it by hand, without any care for zones: the past is due everywhere.
    const QByteArray id = m_published[1].id;
    const QByteArray waiting = m_layout.statusFor(Phase::Waiting);
    QCOMPARE(single("UPDATE " + m_layout.quotedTable() + " SET status = '" + waiting + "', " + column("scheduledAt")
                    + " = now() - interval '1 day'" + where(id) + " RETURNING 1"),
             "1");
    const ClaimBatch batch = claim();
    QCOMPARE(batch.rows.size(), size_t(1));
    QCOMPARE(batch.rows.front().id, id);
    QCOMPARE(settle(batch.token, id, Outcome::Kind::HandedOver).handedOver, 1);
}

void OutboxJourney::takeOver()
{
    const QByteArray id = m_published[3].id;
    const QByteArray table = m_layout.quotedTable();
    const QByteArray token = m_layout.kind == LayoutKind::Event ? column("lockedUntil") : column("updatedAt");
    const QByteArray now = m_layout.lockedUntil.isZoned() || m_layout.updatedAt.isZoned()
        ? QByteArray("now()")
        : QByteArray("(now() AT TIME ZONE 'UTC')");
    const auto holdUntil = [&](const QByteArray &left) {
        const QByteArray from =
            m_layout.kind == LayoutKind::Event ? QByteArray() : QByteArray(" - interval '5 minutes'");
        return single("UPDATE " + table + " SET status = '" + m_layout.statusFor(Phase::InFlight) + "', " + token
                      + " = " + now + from + " + interval '" + left + "'" + where(id) + " RETURNING 1");
    };
    QCOMPARE(holdUntil("20 seconds"), "1");
    QVERIFY(claim(true).rows.empty());
    QCOMPARE(holdUntil("-1 second"), "1");
    const ClaimBatch batch = claim(true);
    QCOMPARE(batch.rows.size(), size_t(1));
    QCOMPARE(batch.rows.front().id, id);
    QCOMPARE(settle(batch.token - 1, id, Outcome::Kind::HandedOver).leaseLost, 1);
    QCOMPARE(settle(batch.token, id, Outcome::Kind::Release).released, 1);
}

} // namespace test
