// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "outboxtables.h"

#include <engine/outbox/claims.h>
#include <engine/outbox/publisher.h>
#include <engine/outbox/reader.h>
#include <engine/outbox/settler.h>
#include <engine/transport/redis/client.h>

namespace test {

// Payloads that a careless hand changes on the way, as far as the column type takes them.
[[nodiscard]] QList<QByteArray> delicatePayloads(const QByteArray &payloadType);

// One table's events through everything that can happen to them: published, claimed, handed over to a real Redis,
// failed, retried, buried, released, requeued, taken over, shown. Uses the engine's parts one by one, so that the whole
// way costs a few dozen statements. Fails the running test by itself: look at QTest::currentTestFailed() afterwards.
class OutboxJourney final
{
public:
    // Both outlive this. `queue` is a BullMQ queue that nobody else uses.
    OutboxJourney(engine::sql::Connection &connection, engine::redis::Client &redis, const TableVariant &variant,
                  engine::outbox::Layout layout, QByteArray queue);

    void run(); // all of the below

private:
    void publish();
    void show();
    void handOver();
    void settle();
    void retryAndBury();
    void requeue();
    void takeOver();

    [[nodiscard]] QByteArray column(const QByteArray &camelCase) const { return columnName(m_variant, camelCase); }
    [[nodiscard]] QByteArray single(const QByteArray &statement);
    [[nodiscard]] QByteArray statusOf(const QByteArray &id);
    [[nodiscard]] engine::outbox::ClaimBatch claim(bool expired = false);
    [[nodiscard]] engine::outbox::SettleCounts settle(qint64 token, const QByteArray &id,
                                                      engine::outbox::Outcome::Kind kind);
    [[nodiscard]] QByteArray where(const QByteArray &id) const;

    engine::sql::Connection &m_connection;
    engine::redis::Client &m_redis;
    const TableVariant m_variant;
    const engine::outbox::Layout m_layout;
    const QByteArray m_queue;
    const QList<QByteArray> m_payloads;
    std::vector<engine::outbox::Published> m_published; // of m_payloads, then one that is due much later
    engine::outbox::ClaimBatch m_batch;
};

} // namespace test
