// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"

#include "claimmemory.h"
#include "expressions.h"

#include <engine/transport/sql/sqlerror.h>
#include <engine/transport/sql/transaction.h>

#include <algorithm>
#include <tuple>

namespace engine::outbox {

namespace {

ClaimBatch toBatch(sql::Rows rows, LayoutKind kind)
{
    ClaimBatch batch;
    batch.rows.reserve(static_cast<size_t>(rows.count()));
    for (int row = 0; row < rows.count(); ++row) {
        ClaimedRow claimed;
        claimed.id = rows.bytes(row, 0).toByteArray();
        claimed.tenantId = rows.bytes(row, 1).toByteArray();
        claimed.eventType = rows.bytes(row, 2).toByteArray();
        const QByteArrayView payload = rows.bytes(row, 3);
        claimed.payload = QByteArray::fromRawData(payload.data(), payload.size());
        claimed.payloadPending = rows.integer(row, 4);
        claimed.retries = static_cast<int>(rows.integer(row, 5));
        claimed.scheduledAt = rows.integer(row, 6);
        const qint64 token = rows.integer(row, 7);
        if (row == 0)
            batch.token = token;
        else if (token != batch.token && std::ranges::find(batch.otherTokens, token) == batch.otherTokens.end())
            batch.otherTokens.push_back(token);
        if (kind == LayoutKind::Message) {
            claimed.aggregateType = rows.bytes(row, 8).toByteArray();
            claimed.aggregateId = rows.bytes(row, 9).toByteArray();
            claimed.eventVersion = rows.bytes(row, 10).toByteArray();
            claimed.metadata = rows.bytes(row, 11).toByteArray();
        }
        batch.rows.push_back(std::move(claimed));
    }
    batch.source = std::move(rows);
    // RETURNING has no order of its own, but usually the index's.
    const auto isEarlier = [](const ClaimedRow &a, const ClaimedRow &b) {
        return std::tie(a.scheduledAt, a.id) < std::tie(b.scheduledAt, b.id);
    };
    if (!std::ranges::is_sorted(batch.rows, isEarlier))
        std::ranges::sort(batch.rows, isEarlier);
    return batch;
}

bool isEmpty(const ClaimBatch &batch)
{
    return batch.rows.empty() && batch.unclaimable.empty();
}

std::chrono::milliseconds since(const QElapsedTimer &timer)
{
    return std::chrono::milliseconds(timer.elapsed());
}

} // namespace

std::vector<std::pair<QByteArray, QByteArray>> claimSettings()
{
    return {{"jit", "off"},
            {"enable_seqscan", "off"},
            {"enable_bitmapscan", "off"},
            {"enable_sort", "off"},
            {"synchronous_commit", "off"}};
}

std::shared_ptr<ClaimMemory> Claims::memory(const Layout &layout, const ClaimOptions &options)
{
    return std::make_shared<ClaimMemory>(layout, options);
}

Claims::Claims(sql::Connection &connection, const Layout &layout, std::chrono::seconds lease)
    : Claims(connection, memory(layout, {lease, {}, false}))
{ }

Claims::Claims(sql::Connection &connection, std::shared_ptr<ClaimMemory> memory)
    : m_connection(connection)
    , m_memory(std::move(memory))
{ }

Result<ClaimBatch> Claims::claimNext(int limit, Thoroughness thoroughness)
{
    const bool complete = thoroughness == Thoroughness::Complete;
    const bool lookAtExpired = std::exchange(m_memory->expiredNext, false) || m_memory->expiredPace.isDue();
    if (lookAtExpired) {
        auto batch = claimExpired(limit);
        if (!batch || !isEmpty(*batch))
            return batch;
    }
    auto batch = claimDue(limit);
    if (!batch || !isEmpty(*batch) || !complete)
        return batch;
    batch = claimWaiting(limit, Reach::Whole);
    if (!batch || !isEmpty(*batch) || lookAtExpired)
        return batch;
    return claimExpired(limit);
}

Result<ClaimBatch> Claims::claimDue(int limit)
{
    // One batch has one token, so the first kind that finds something decides.
    const bool retryingFirst = std::exchange(m_memory->retryingFirst, !m_memory->retryingFirst);
    for (const bool retrying : {retryingFirst, !retryingFirst}) {
        auto batch = retrying ? claimRetrying(limit) : claimWaiting(limit, Reach::Recent);
        if (!batch || !isEmpty(*batch))
            return batch;
    }
    return ClaimBatch{};
}

Result<ClaimBatch> Claims::claimWaiting(int limit, Reach reach)
{
    const std::optional<qint64> begin = reach == Reach::Whole ? std::nullopt : m_memory->begin();
    m_memory->wholeNext = false;
    QElapsedTimer timer;
    timer.start();
    auto batch = run(m_memory->waitingFrom(begin), m_memory->layout.scheduledAt.quoted(), limit);
    if (!begin)
        m_memory->wholePace.took(since(timer));
    if (batch)
        m_memory->claimedWaiting(*batch, limit, !begin);
    return batch;
}

Result<ClaimBatch> Claims::claimRetrying(int limit)
{
    if (m_memory->retrying.isEmpty())
        return ClaimBatch{};
    return run(m_memory->retrying, m_memory->layout.nextRetryAt.quoted(), limit);
}

Result<ClaimBatch> Claims::claimExpired(int limit)
{
    QElapsedTimer timer;
    timer.start();
    auto batch = run(m_memory->expired, m_memory->layout.scheduledAt.quoted(), limit);
    m_memory->expiredPace.took(since(timer));
    return batch;
}

Result<bool> Claims::isAnythingDue(const QByteArray &askToBeWoken)
{
    const QByteArray from = "EXISTS (SELECT 1 FROM " + m_memory->layout.quotedTable() + " AS row WHERE ";
    const std::optional<qint64> begin = m_memory->begin();
    const bool lookAtExpired = m_memory->expiredPace.isDue();
    QByteArray statement = "SELECT " + from + m_memory->withoutUnclaimable(m_memory->waitingFrom(begin)) + "), ";
    statement += lookAtExpired ? from + m_memory->withoutUnclaimable(m_memory->expired) + "), " : "false, ";
    statement += m_memory->retrying.isEmpty() ? QByteArray("false")
                                              : from + m_memory->withoutUnclaimable(m_memory->retrying) + ')';
    if (!askToBeWoken.isEmpty())
        statement += ", " + askToBeWoken;

    QElapsedTimer timer;
    timer.start();
    auto found = m_connection.execute(statement);
    if (!found)
        return fail(found.error());
    if (!begin)
        m_memory->wholePace.took(since(timer));
    if (lookAtExpired)
        m_memory->expiredPace.took(since(timer));
    m_memory->wholeNext = !begin && found->boolean(0, 0);
    m_memory->expiredNext = found->boolean(0, 1);
    return found->boolean(0, 0) || found->boolean(0, 1) || found->boolean(0, 2);
}

Result<std::vector<Payload>> Claims::payloads(const std::vector<QByteArray> &ids)
{
    const Layout &layout = m_memory->layout;
    sql::ArrayText idTexts;
    for (const QByteArray &id : ids)
        idTexts.append(QByteArrayView(id));
    sql::Params params;
    params.text(idTexts.take());
    auto rows = m_connection.execute("SELECT " + layout.id.quoted() + "::text, " + layout.payload.quoted()
                                         + "::text FROM " + layout.quotedTable() + " WHERE " + layout.id.quoted()
                                         + " = ANY($1::" + layout.id.type + "[])",
                                     params);
    if (!rows)
        return fail(rows.error());
    std::vector<Payload> found;
    for (int row = 0; row < rows->count(); ++row)
        found.emplace_back(rows->bytes(row, 0).toByteArray(), rows->bytes(row, 1).toByteArray());
    return found;
}

Result<ClaimBatch> Claims::run(const QByteArray &condition, const QByteArray &order, int limit)
{
    const Layout &layout = m_memory->layout;
    const QByteArray id = layout.id.quoted();
    // The sub-select picks and locks through the (status, time) index; ANY(ARRAY(...)) makes it run once, so that the
    // outer update goes straight to the rows by primary key.
    const QByteArray statement = "UPDATE " + layout.quotedTable() + " SET " + m_memory->assignments + " WHERE " + id
        + " = ANY(ARRAY(SELECT " + id + " FROM " + layout.quotedTable() + " AS row WHERE "
        + m_memory->withoutUnclaimable(condition) + " ORDER BY " + order
        + " LIMIT $1::bigint FOR UPDATE SKIP LOCKED)) RETURNING " + m_memory->columns;
    sql::Params params;
    params.integer(limit);
    auto rows = runGuarded(statement, params);
    if (rows)
        return toBatch(std::move(*rows), layout.kind);
    if (!sql::blamesTheRow(rows.error()) || m_connection.isBroken())
        return fail(rows.error());
    return runSingly(condition, order, limit);
}

Result<sql::Rows> Claims::runGuarded(const QByteArray &statement, const sql::Params &params)
{
    const auto &settings = m_connection.options().settings;
    if (settings.empty() || m_connection.hasSettings())
        return m_connection.execute(statement, params);
    // Behind a pooler that passes no settings on.
    QByteArray sets;
    for (const auto &[name, value] : settings)
        sets += "SET LOCAL " + name + " = " + value + ';';
    auto transaction = sql::Transaction::begin(m_connection);
    if (!transaction)
        return fail(transaction.error());
    if (auto set = m_connection.executeScript(sets); !set)
        return fail(set.error());
    auto rows = m_connection.execute(statement, params);
    if (!rows)
        return rows;
    if (auto committed = transaction->commit(); !committed)
        return fail(committed.error());
    return rows;
}

Result<ClaimBatch> Claims::runSingly(const QByteArray &condition, const QByteArray &order, int limit)
{
    const Layout &layout = m_memory->layout;
    const QByteArray id = layout.id.quoted();
    auto transaction = sql::Transaction::begin(m_connection); // one transaction, one now(), one token
    if (!transaction)
        return fail(transaction.error());
    sql::Params bound;
    bound.integer(limit);
    auto candidates = m_connection.execute("SELECT " + id + "::text FROM " + layout.quotedTable() + " AS row WHERE "
                                               + m_memory->withoutUnclaimable(condition) + " ORDER BY " + order
                                               + " LIMIT $1::bigint FOR UPDATE SKIP LOCKED",
                                           bound);
    if (!candidates)
        return fail(candidates.error());

    const QByteArray statement = "UPDATE " + layout.quotedTable() + " AS row SET " + m_memory->assignments + " WHERE "
        + id + " = $1::" + layout.id.type + " RETURNING " + m_memory->columns;
    ClaimBatch batch;
    for (int row = 0; row < candidates->count(); ++row) {
        const QByteArray candidate = candidates->bytes(row, 0).toByteArray();
        sql::Params params;
        params.text(candidate);
        if (auto saved = m_connection.executeScript("SAVEPOINT one"); !saved)
            return fail(saved.error());
        auto claimed = m_connection.execute(statement, params);
        if (claimed) {
            ClaimBatch one = toBatch(std::move(*claimed), layout.kind);
            for (ClaimedRow &only : one.rows)
                only.payload.detach(); // its source does not come along
            if (batch.rows.empty())
                batch.token = one.token;
            else if (one.token != batch.token)
                batch.otherTokens.push_back(one.token);
            std::ranges::move(one.rows, std::back_inserter(batch.rows));
            continue;
        }
        if (!sql::blamesTheRow(claimed.error()) || m_connection.isBroken())
            return fail(claimed.error());
        if (auto back = m_connection.executeScript("ROLLBACK TO SAVEPOINT one"); !back)
            return fail(back.error());
        m_memory->leaveAlone(candidate);
        batch.unclaimable.push_back({candidate, claimed.error()});
    }
    if (auto committed = transaction->commit(); !committed)
        return fail(committed.error());
    return batch;
}

} // namespace engine::outbox
