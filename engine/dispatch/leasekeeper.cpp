// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "leasekeeper.h"

#include <engine/outbox/leases.h>

#include <algorithm>

namespace engine::dispatch {

LeaseKeeper::LeaseKeeper(const sql::ConnectOptions &options, const outbox::Layout &layout, std::chrono::seconds lease,
                         const std::deque<BatchPointer> &batches, QObject *parent)
    : QObject(parent)
    , m_layout(layout)
    , m_lease(lease)
    , m_batches(batches)
    , m_timer(this)
    , m_thread(options, QStringLiteral("outbox renew"))
{
    m_timer.setInterval(std::clamp(m_lease / 12, std::chrono::milliseconds(50), std::chrono::milliseconds(5'000)));
    connect(&m_timer, &QTimer::timeout, this, &LeaseKeeper::lookAtBatches);
}

void LeaseKeeper::interrupt()
{
    m_timer.stop();
    m_thread.interrupt();
}

void LeaseKeeper::lookAtBatches()
{
    if (m_pending)
        return;
    const auto due = std::ranges::find_if(m_batches, [this](const BatchPointer &batch) {
        return !batch->isSettling() && batch->leaseAge() > m_lease / 3;
    });
    if (due != m_batches.end())
        renew(*due);
}

void LeaseKeeper::renew(const BatchPointer &batch)
{
    const qint64 newToken = batch->proposeToken();
    if (newToken == batch->tokens().front())
        return; // less than a second old
    m_pending = true;
    const QDeadlineTimer renewedUntil(m_lease);
    m_thread
        .run([layout = m_layout, tokens = batch->tokens(), newToken, ids = batch->ids()](sql::Connection &connection) {
            return outbox::Leases(connection, layout).renew(tokens, newToken, ids);
        })
        .then(this, [this, batch, newToken, renewedUntil](const Result<std::vector<QByteArray>> &renewed) {
            m_pending = false;
            if (!renewed) {
                // Whether it took effect is unknown: the batch keeps both tokens.
                if (!std::exchange(m_failing, true))
                    emit failed(renewed.error());
                return;
            }
            m_failing = false;
            const int lost = batch->renewed(newToken, renewedUntil, *renewed);
            if (lost > 0)
                emit rowsLost(lost);
            lookAtBatches();
        });
}

} // namespace engine::dispatch
