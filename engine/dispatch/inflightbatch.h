// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "router.h"

#include <engine/outbox/claims.h>
#include <engine/outbox/leases.h>
#include <engine/outbox/settler.h>

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QSet>

#include <optional>
#include <span>
#include <vector>

namespace engine::dispatch {

// One claimed batch on its way: which rows still have to be delivered, which are, how each ended, and how long the
// claim lasts. Rows are grouped by queue, each queue's rows in the order of their schedule, so that one call carries
// many. Belongs to the loop's thread.
class InFlightBatch final
{
public:
    // `requested` was started before the claim was sent: the lease begins no earlier than that.
    InFlightBatch(outbox::ClaimBatch claim, const Router &router, outbox::LayoutKind kind,
                  const QElapsedTimer &requested, std::chrono::milliseconds lease);

    [[nodiscard]] size_t size() const { return m_rows.size(); }
    [[nodiscard]] size_t undelivered() const { return m_order.size() - m_next; }
    [[nodiscard]] bool isComplete() const { return m_outcomes.size() == m_rows.size(); }
    [[nodiscard]] const std::vector<outbox::Outcome> &outcomes() const { return m_outcomes; }
    [[nodiscard]] std::vector<QByteArray> ids() const;
    // Event types of this batch that no route takes.
    [[nodiscard]] const std::vector<QByteArray> &unroutedTypes() const { return m_unroutedTypes; }

    struct Slice
    {
        QByteArray queue;
        std::vector<const outbox::ClaimedRow *> rows; // valid until they are recorded
        qint64 bytes = 0; // of their payloads
        qint64 fetchedBytes = 0; // of these, those that were fetched apart
        size_t first = 0;
    };
    // The next rows for one queue: at most `limit`, and few enough that the call stays near a megabyte. Empty if the
    // next row's payload has not arrived.
    [[nodiscard]] Slice takeSlice(size_t limit);
    void record(const Slice &slice, std::span<const outbox::Outcome> outcomes); // frees the payloads
    // Gives every row that is not delivered yet the outcome Release.
    void releaseUndelivered();

    // Payloads that did not come with the claim.
    struct Pending
    {
        std::vector<QByteArray> ids;
        qint64 bytes = 0;
    };
    [[nodiscard]] bool waitsForPayload() const;
    // The next such rows, together at most `bytes` but at least one. None while others are on their way.
    [[nodiscard]] Pending takePending(qint64 bytes);
    // Rows that did not come back are gone from the table and get the outcome Release. Answers the bytes that are
    // waiting for their delivery now.
    qint64 payloadsArrived(std::vector<outbox::Payload> payloads);
    void payloadsFailed() { m_fetching = false; }

    // The lease. More than one token while it is unknown whether a renewal took effect.
    [[nodiscard]] const std::vector<qint64> &tokens() const { return m_tokens; }
    [[nodiscard]] std::chrono::milliseconds leaseAge() const;
    // False when too little is left of the lease for a delivery to be settled in time.
    [[nodiscard]] bool isHeld() const { return m_heldUntil.remainingTime() > m_lease.count() / 10; }
    // The token of a renewal now; from here on the rows may carry it. None within the first second, and none once the
    // lease is over: then another claim of the rows may have been made, and have got the same value.
    [[nodiscard]] std::optional<qint64> proposeToken();
    [[nodiscard]] bool isOver() const { return leaseAge() >= m_lease; }
    // The renewal took effect for these ids. Answers how many rows turned out to be somebody else's.
    int renewed(qint64 token, const outbox::Leases::Renewed &renewal);

    void setSettling(bool settling) { m_settling = settling; }
    [[nodiscard]] bool isSettling() const { return m_settling; }

private:
    struct Addressed
    {
        size_t row;
        QByteArray queue;
    };
    void release(size_t position);
    void releaseOf(const QSet<QByteArray> &ids); // those that are not delivered yet

    const sql::Rows m_source; // holds the payloads of m_rows
    std::vector<outbox::ClaimedRow> m_rows;
    std::vector<Addressed> m_order; // deliverable rows, grouped by queue
    size_t m_next = 0;
    bool m_fetching = false;
    QSet<QByteArray> m_fetchedIds;
    std::vector<outbox::Outcome> m_outcomes;
    std::vector<QByteArray> m_unroutedTypes;

    const qint64 m_firstToken;
    qint64 m_confirmedToken; // of the claim or of the last renewal that was answered
    std::vector<qint64> m_tokens; // every one that a row may carry
    QElapsedTimer m_requested;
    QDeadlineTimer m_heldUntil;
    const std::chrono::milliseconds m_lease;
    QSet<QByteArray> m_lost;
    bool m_settling = false;
};

} // namespace engine::dispatch
