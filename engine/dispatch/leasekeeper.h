// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "inflightbatch.h"

#include <engine/outbox/layout.h>
#include <engine/transport/sql/connectionthread.h>

#include <QObject>
#include <QTimer>

#include <deque>
#include <memory>

namespace engine::dispatch {

// Renews the leases of batches that take long, on a connection and a thread of its own: neither a slow destination nor
// a stalled claim or settle keeps it from its work. The connection is opened when the first batch needs it.
class LeaseKeeper final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(LeaseKeeper)

public:
    using BatchPointer = std::shared_ptr<InFlightBatch>;

    // `batches` outlives this and is looked at in this object's thread only.
    LeaseKeeper(const sql::ConnectOptions &options, const outbox::Layout &layout, std::chrono::seconds lease,
                const std::deque<BatchPointer> &batches, QObject *parent);

    void start() { m_timer.start(); }
    void interrupt();

signals:
    void rowsLost(int rows); // no longer ours; their delivery is given up where it has not begun
    void failed(const engine::Error &error); // once per run of failures

private:
    void lookAtBatches();
    void renew(const BatchPointer &batch);

    const outbox::Layout m_layout;
    const std::chrono::milliseconds m_lease;
    const std::deque<BatchPointer> &m_batches;
    QTimer m_timer;
    bool m_pending = false;
    bool m_failing = false;
    sql::ConnectionThread m_thread; // last, so that it ends first
};

} // namespace engine::dispatch
