// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inflightbatch.h"

#include <QCoreApplication>

#include <algorithm>

namespace engine::dispatch {

namespace {

constexpr qsizetype sliceBytes = 1024 * 1024;

} // namespace

InFlightBatch::InFlightBatch(outbox::ClaimBatch claim, const Router &router, outbox::LayoutKind kind)
    : m_token(claim.token)
    , m_rows(std::move(claim.rows))
{
    m_outcomes.reserve(m_rows.size());
    for (size_t row = 0; row < m_rows.size(); ++row) {
        const QByteArray &type = m_rows[row].eventType;
        if (const auto queue = router.queueFor(type)) {
            m_order.push_back({row, *queue});
            continue;
        }
        // The event layout sees a type without route as beyond repair, the message layout as one failed attempt.
        const QString error =
            QCoreApplication::translate("engine::dispatch::Dispatcher", "No route takes the event type %1.")
                .arg(QString::fromUtf8(type));
        m_outcomes.push_back({m_rows[row].id,
                              kind == outbox::LayoutKind::Event ? outbox::Outcome::Kind::Undeliverable
                                                                : outbox::Outcome::Kind::FailedAttempt,
                              error.toUtf8()});
        if (std::ranges::find(m_unroutedTypes, type) == m_unroutedTypes.end())
            m_unroutedTypes.push_back(type);
    }
    std::ranges::stable_sort(m_order, {}, &Addressed::queue);
}

InFlightBatch::Slice InFlightBatch::takeSlice(size_t limit)
{
    Slice slice;
    qsizetype bytes = 0;
    while (m_next < m_order.size() && slice.rows.size() < limit) {
        const Addressed &addressed = m_order[m_next];
        const outbox::ClaimedRow &row = m_rows[addressed.row];
        if (!slice.rows.empty() && (addressed.queue != slice.queue || bytes + row.payload.size() > sliceBytes))
            break;
        slice.queue = addressed.queue;
        slice.rows.push_back(&row);
        bytes += row.payload.size();
        ++m_next;
    }
    return slice;
}

void InFlightBatch::record(std::span<const outbox::Outcome> outcomes)
{
    m_outcomes.insert(m_outcomes.end(), outcomes.begin(), outcomes.end());
}

void InFlightBatch::releaseUndelivered()
{
    for (; m_next < m_order.size(); ++m_next)
        m_outcomes.push_back({m_rows[m_order[m_next].row].id, outbox::Outcome::Kind::Release, {}});
}

} // namespace engine::dispatch
