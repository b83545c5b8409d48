// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "router.h"

#include <engine/outbox/claims.h>
#include <engine/outbox/settler.h>

#include <deque>
#include <span>
#include <vector>

namespace engine::dispatch {

// One claimed batch on its way: which rows still have to be delivered, which are, and how each ended. Rows are
// grouped by queue, each queue's rows in the order of their schedule, so that one call carries many.
class InFlightBatch final
{
public:
    InFlightBatch(outbox::ClaimBatch claim, const Router &router, outbox::LayoutKind kind);

    [[nodiscard]] qint64 token() const { return m_token; }
    [[nodiscard]] size_t size() const { return m_rows.size(); }
    [[nodiscard]] size_t undelivered() const { return m_order.size() - m_next; }
    [[nodiscard]] bool isComplete() const { return m_outcomes.size() == m_rows.size(); }
    [[nodiscard]] const std::vector<outbox::Outcome> &outcomes() const { return m_outcomes; }
    // Event types of this batch that no route takes.
    [[nodiscard]] const std::vector<QByteArray> &unroutedTypes() const { return m_unroutedTypes; }

    struct Slice
    {
        QByteArray queue;
        std::vector<const outbox::ClaimedRow *> rows; // valid until they are recorded
    };
    // The next rows for one queue: at most `limit`, and few enough that the call stays near a megabyte.
    [[nodiscard]] Slice takeSlice(size_t limit);
    void record(std::span<const outbox::Outcome> outcomes);
    // Gives every row that is not delivered yet the outcome Release.
    void releaseUndelivered();

private:
    struct Addressed
    {
        size_t row;
        QByteArray queue;
    };
    const qint64 m_token;
    std::vector<outbox::ClaimedRow> m_rows;
    std::vector<Addressed> m_order; // deliverable rows, grouped by queue
    size_t m_next = 0;
    std::vector<outbox::Outcome> m_outcomes;
    std::vector<QByteArray> m_unroutedTypes;
};

} // namespace engine::dispatch
