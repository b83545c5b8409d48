// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "loadwriter.h"

#include "outboxtables.h"
#include "testservers.h"

#include <chrono>

namespace test {

using engine::outbox::Layout;
using engine::outbox::Phase;

LoadWriter::LoadWriter(const QString &databaseUrl, const Layout &layout, int changesPerSecond)
    : m_thread([=, this] { work(databaseUrl, layout, changesPerSecond); })
{ }

LoadWriter::~LoadWriter()
{
    m_stopped = true;
    m_thread.join();
}

void LoadWriter::work(const QString &databaseUrl, const Layout &layout, int changesPerSecond)
{
    constexpr int batchesPerSecond = 50;
    auto connection = connect(databaseUrl);
    if (!connection) {
        m_failed = true;
        return;
    }
    const QByteArray clock =
        layout.scheduledAt.isZoned() ? "clock_timestamp()" : "clock_timestamp() AT TIME ZONE 'UTC'";
    const QByteArray run = QByteArray::number(std::chrono::steady_clock::now().time_since_epoch().count(), 36);
    const qint64 rows = std::max(1, changesPerSecond / batchesPerSecond / 2);
    auto next = std::chrono::steady_clock::now();
    for (qint64 first = 1; !m_stopped; first += rows) {
        const auto id = [&](const QByteArray &n) { return "'load-" + run + "-' || " + n; };
        // What was written a second ago is handed over now.
        const qint64 old = std::max<qint64>(1, first - rows * batchesPerSecond);
        const bool worked =
            (*connection)
                ->execute(insertRows(
                    layout, first, first + rows - 1,
                    {.status = '\'' + layout.statusFor(Phase::Waiting) + '\'', .scheduledAt = clock, .id = id("n")}))
                .has_value()
            && (*connection)
                   ->execute("UPDATE " + layout.quotedTable() + " SET " + layout.status.quoted() + " = '"
                             + layout.statusFor(Phase::HandedOver) + "', " + layout.processedAt.quoted() + " = " + clock
                             + " WHERE " + layout.id.quoted() + " IN (SELECT " + id("n") + " FROM generate_series("
                             + QByteArray::number(old) + ", " + QByteArray::number(old + rows - 1) + ") AS n)")
                   .has_value();
        if (!worked) {
            m_failed = true;
            return;
        }
        m_changes += 2 * rows;
        next += std::chrono::milliseconds(1000 / batchesPerSecond);
        std::this_thread::sleep_until(next);
    }
}

} // namespace test
