// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "inflightbatch.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>

namespace engine::dispatch {

using std::chrono::milliseconds;

namespace {

constexpr qsizetype sliceBytes = 1024 * 1024;

QDeadlineTimer leaseEnd(const QElapsedTimer &requested, milliseconds lease)
{
    return QDeadlineTimer(lease - milliseconds(requested.elapsed()));
}

} // namespace

InFlightBatch::InFlightBatch(outbox::ClaimBatch claim, const Router &router, outbox::LayoutKind kind,
                             const QElapsedTimer &requested, milliseconds lease)
    : m_source(std::move(claim.source))
    , m_rows(std::move(claim.rows))
    , m_firstToken(claim.token)
    , m_confirmedToken(claim.token)
    , m_tokens(std::move(claim.otherTokens))
    , m_requested(requested)
    , m_heldUntil(leaseEnd(requested, lease))
    , m_lease(lease)
{
    m_tokens.push_back(m_firstToken);
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

std::vector<QByteArray> InFlightBatch::ids() const
{
    std::vector<QByteArray> all;
    all.reserve(m_rows.size());
    for (const outbox::ClaimedRow &row : m_rows)
        all.push_back(row.id);
    return all;
}

InFlightBatch::Slice InFlightBatch::takeSlice(size_t limit)
{
    Slice slice;
    slice.first = m_next;
    while (m_next < m_order.size() && slice.rows.size() < limit) {
        const Addressed &addressed = m_order[m_next];
        const outbox::ClaimedRow &row = m_rows[addressed.row];
        const bool isFull =
            !slice.rows.empty() && (addressed.queue != slice.queue || slice.bytes + row.payload.size() > sliceBytes);
        if (isFull || row.payloadPending > 0)
            break;
        slice.queue = addressed.queue;
        slice.rows.push_back(&row);
        slice.bytes += row.payload.size();
        if (row.payloadPending < 0)
            slice.fetchedBytes += row.payload.size();
        ++m_next;
    }
    return slice;
}

void InFlightBatch::record(const Slice &slice, std::span<const outbox::Outcome> outcomes)
{
    m_outcomes.insert(m_outcomes.end(), outcomes.begin(), outcomes.end());
    for (size_t i = 0; i < slice.rows.size(); ++i)
        m_rows[m_order[slice.first + i].row].payload = {};
}

void InFlightBatch::release(size_t position)
{
    m_outcomes.push_back({m_rows[m_order[position].row].id, outbox::Outcome::Kind::Release, {}});
}

void InFlightBatch::releaseUndelivered()
{
    for (; m_next < m_order.size(); ++m_next)
        release(m_next);
}

bool InFlightBatch::waitsForPayload() const
{
    return !m_fetching && m_next < m_order.size() && m_rows[m_order[m_next].row].payloadPending > 0;
}

InFlightBatch::Pending InFlightBatch::takePending(qint64 bytes)
{
    Pending pending;
    for (size_t position = m_next; waitsForPayload() && position < m_order.size(); ++position) {
        const outbox::ClaimedRow &row = m_rows[m_order[position].row];
        if (row.payloadPending <= 0 || (!pending.ids.empty() && pending.bytes + row.payloadPending > bytes))
            break;
        pending.ids.push_back(row.id);
        pending.bytes += row.payloadPending;
    }
    m_fetching = !pending.ids.empty();
    m_fetchedIds = QSet<QByteArray>(pending.ids.begin(), pending.ids.end());
    return pending;
}

qint64 InFlightBatch::payloadsArrived(std::vector<outbox::Payload> payloads)
{
    m_fetching = false;
    QHash<QByteArray, QByteArray> byId;
    for (auto &[id, payload] : payloads)
        byId.insert(id, std::move(payload));
    qint64 waiting = 0;
    for (size_t position = m_next; position < m_order.size(); ++position) {
        outbox::ClaimedRow &row = m_rows[m_order[position].row];
        const auto found = byId.find(row.id);
        if (found == byId.end())
            continue;
        row.payload = std::move(*found);
        row.payloadPending = -1; // arrived
        waiting += row.payload.size();
        m_fetchedIds.remove(row.id);
    }
    releaseOf(m_fetchedIds);
    return waiting;
}

milliseconds InFlightBatch::leaseAge() const
{
    return milliseconds(m_requested.elapsed() - (m_confirmedToken - m_firstToken) / 1000);
}

std::optional<qint64> InFlightBatch::proposeToken()
{
    // One reading of the clock decides: the process may be frozen between two.
    const qint64 elapsed = m_requested.elapsed();
    if (milliseconds(elapsed - (m_confirmedToken - m_firstToken) / 1000) >= m_lease)
        return {};
    // Whole seconds, so that a column of any precision stores the token exactly.
    const qint64 token = m_firstToken + elapsed / 1000 * 1'000'000;
    if (token == m_confirmedToken)
        return {};
    if (std::ranges::find(m_tokens, token) == m_tokens.end())
        m_tokens.push_back(token);
    return token;
}

int InFlightBatch::renewed(qint64 token, const outbox::Leases::Renewed &renewal)
{
    const std::vector<QByteArray> &ids = renewal.ids;
    m_confirmedToken = token;
    m_tokens = renewal.tokens;
    m_heldUntil = QDeadlineTimer(m_lease - leaseAge()); // the token counts whole seconds: up to one less than a lease
    if (ids.size() == m_rows.size())
        return 0;
    const QSet<QByteArray> ours(ids.begin(), ids.end());
    int lost = 0;
    for (const outbox::ClaimedRow &row : m_rows) {
        if (!ours.contains(row.id) && !m_lost.contains(row.id)) {
            m_lost.insert(row.id);
            ++lost;
        }
    }
    releaseOf(m_lost); // settling them finds the fence and counts it
    return lost;
}

void InFlightBatch::releaseOf(const QSet<QByteArray> &ids)
{
    std::vector<Addressed> kept(m_order.begin(), m_order.begin() + static_cast<std::ptrdiff_t>(m_next));
    for (size_t position = m_next; position < m_order.size(); ++position) {
        if (ids.contains(m_rows[m_order[position].row].id))
            release(position);
        else
            kept.push_back(m_order[position]);
    }
    m_order = std::move(kept);
}

} // namespace engine::dispatch
