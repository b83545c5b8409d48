// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "retention.h"

#include "expressions.h"

#include <engine/base/crashpoint.h>
#include <engine/transport/sql/transaction.h>

#include <algorithm>

namespace engine::outbox {

using namespace expressions;

namespace {

constexpr qint64 previewCountLimit = 100'000;
constexpr qint64 previewLookLimit = 1'000'000;
constexpr std::chrono::seconds previewLimit{10};
constexpr std::chrono::seconds exactPreviewLimit{120};

QByteArray ago(const Column &column, const QByteArray &seconds)
{
    return "(" + now(column) + " - " + seconds + " * interval '1 second')";
}

// The same number for every runner on this table, whatever program it runs in.
QByteArray lockStatement(const Layout &layout)
{
    return "SELECT pg_try_advisory_xact_lock(hashtext('outbox retention'), hashtext(" + literal(layout.quotedTable())
        + "))";
}

} // namespace

Retention::Retention(sql::Connection &connection, const Layout &layout)
    : m_connection(connection)
    , m_layout(layout)
{ }

// The handed-over rows whose schedule lies before the age limit, or after it, as a range of the index.
QByteArray Retention::rangeOf(Part part, const QByteArray &seconds) const
{
    return m_layout.status.quoted() + " = " + literal(m_layout.statusFor(Phase::HandedOver)) + " AND "
        + m_layout.scheduledAt.quoted() + (part == Part::Ordinary ? " < " : " >= ")
        + ago(m_layout.scheduledAt, seconds);
}

QByteArray Retention::isOld(const QByteArray &row, const QByteArray &seconds) const
{
    const QByteArray processedAt = row + m_layout.processedAt.quoted();
    return "(isfinite(" + processedAt + ") AND " + processedAt + " < " + ago(m_layout.processedAt, seconds) + ")";
}

Result<RetentionRun> Retention::run(const RetentionRule &rule, const RetentionPosition &from, RetentionCompany company)
{
    auto transaction = sql::Transaction::begin(m_connection);
    if (!transaction)
        return fail(transaction.error());
    // JIT and plans that read the whole table cost more than they save here; all of this ends with the transaction.
    auto bounded = m_connection.executeScript(
        "SET LOCAL lock_timeout = '" + QByteArray::number(qlonglong(lockLimit.count()))
        + "s'; SET LOCAL statement_timeout = '" + QByteArray::number(qlonglong(statementLimit.count()))
        + "s'; SET LOCAL jit = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; "
          "SET LOCAL enable_mergejoin = off");
    if (!bounded)
        return fail(bounded.error());
    RetentionRun run;
    run.next = from;
    if (company == RetentionCompany::Alone) {
        auto held = m_connection.execute(lockStatement(m_layout));
        if (!held)
            return fail(held.error());
        if (!held->boolean(0, 0)) {
            run.isBusy = true;
            return run;
        }
    }

    const qint64 most = std::clamp(rule.batchSize, 1, 10'000);
    auto ordinary = step(Part::Ordinary, rule, from.ordinary, most, m_lookLimit);
    if (!ordinary)
        return fail(ordinary.error());
    run.removed = ordinary->removed;
    run.locked = ordinary->locked;
    run.next.ordinary = ordinary->next;
    if (ordinary->atEnd) {
        run.next.ordinary = {};
        const qint64 room = m_lookLimit - ordinary->looked;
        if (run.removed < most && room > 0) {
            auto odd = step(Part::Odd, rule, from.odd, most - run.removed, room);
            if (!odd)
                return fail(odd.error());
            run.removed += odd->removed;
            run.locked += odd->locked;
            run.isComplete = odd->atEnd;
            run.next.odd = odd->atEnd ? RetentionPosition::Mark{} : odd->next;
        }
    }
    crashPoint("in_retention");
    if (auto committed = transaction->commit(); !committed)
        return fail(committed.error());
    return run;
}

Result<Retention::Step> Retention::step(Part part, const RetentionRule &rule, const RetentionPosition::Mark &from,
                                        qint64 mostRemoved, qint64 mostLooked)
{
    const QByteArray id = m_layout.id.quoted();
    const QByteArray scheduledAt = m_layout.scheduledAt.quoted();
    const QByteArray table = m_layout.quotedTable();
    const QByteArray seconds = "$1::bigint";
    sql::Params params;
    params.integer(rule.olderThan.count()).integer(mostRemoved).integer(mostLooked);
    QByteArray beyond;
    if (!from.scheduledAt.isEmpty()) {
        params.text(from.scheduledAt).text(from.id);
        const QByteArray time = "$4::text::" + m_layout.scheduledAt.type;
        beyond = " AND " + scheduledAt + " >= " + time + " AND (" + scheduledAt + " > " + time + " OR " + id
            + " > $5::text::" + m_layout.id.type + ")";
    }
    // The order names its table, since a bare `at` would be the text of the first column.
    // `looked` is read row by row and only as far as `taken` needs it; the last SELECT reads the rest of it when
    // the batch did not fill. `taken` asks the locked row again: it may have changed since it was looked at.
    const QByteArray statement = "WITH looked AS MATERIALIZED (SELECT " + id + " AS id, " + scheduledAt + " AS at, "
        + isOld({}, seconds) + " AS old FROM " + table + " WHERE " + rangeOf(part, seconds) + beyond + " ORDER BY "
        + scheduledAt + ", " + id
        + " LIMIT $3::bigint), taken AS MATERIALIZED (SELECT looked.id, looked.at FROM looked JOIN " + table
        + " AS row ON row." + id + " = looked.id WHERE looked.old AND row." + m_layout.status.quoted() + " = "
        + literal(m_layout.statusFor(Phase::HandedOver)) + " AND " + isOld("row.", seconds)
        + " LIMIT $2::bigint FOR UPDATE OF row SKIP LOCKED), removed AS (DELETE FROM " + table + " WHERE " + id
        + " = ANY(ARRAY(SELECT id FROM taken)) RETURNING 1), result AS MATERIALIZED (SELECT count(*) AS removed FROM "
          "removed) "
          "SELECT removed, taken_count, "
          "CASE WHEN taken_count < $2::bigint THEN (SELECT count(*) FROM looked) END, "
          "CASE WHEN taken_count < $2::bigint THEN (SELECT count(*) FROM looked WHERE old) END, "
          "CASE WHEN taken_count < $2::bigint THEN (SELECT at::text FROM looked ORDER BY looked.at DESC, looked.id "
          "DESC LIMIT 1) "
          "ELSE (SELECT at::text FROM taken ORDER BY taken.at DESC, taken.id DESC LIMIT 1) END, "
          "CASE WHEN taken_count < $2::bigint THEN (SELECT id::text FROM looked ORDER BY looked.at DESC, looked.id "
          "DESC LIMIT 1) "
          "ELSE (SELECT id::text FROM taken ORDER BY taken.at DESC, taken.id DESC LIMIT 1) END "
          "FROM result, (SELECT count(*) AS taken_count FROM taken) AS counted";
    auto rows = m_connection.execute(statement, params);
    if (!rows)
        return fail(rows.error());
    Step step;
    step.removed = rows->integer(0, 0);
    const std::optional<qint64> looked = rows->optionalInteger(0, 2);
    step.looked = looked.value_or(mostLooked);
    step.atEnd = looked && *looked < mostLooked;
    if (looked)
        step.locked = std::max<qint64>(0, rows->integer(0, 3) - rows->integer(0, 1));
    step.next = rows->isNull(0, 4)
        ? from
        : RetentionPosition::Mark{rows->bytes(0, 4).toByteArray(), rows->bytes(0, 5).toByteArray()};
    return step;
}

Result<RetentionPreview> Retention::preview(std::chrono::seconds olderThan, CountMode mode)
{
    const QByteArray seconds = "$1::bigint";
    const QByteArray oldest = "(extract(epoch FROM min(processed)) * 1000000)::bigint";
    const QByteArray time = "(extract(epoch FROM now()) * 1000000)::bigint";
    const QByteArray processedAt = m_layout.processedAt.quoted();
    sql::Params params;
    params.integer(olderThan.count());
    RetentionPreview preview;
    if (mode == CountMode::Exact) {
        auto rows = m_connection.read(
            "SELECT count(*), " + oldest + ", " + time + " FROM (SELECT " + processedAt + " AS processed FROM "
                + m_layout.quotedTable() + " WHERE " + m_layout.status.quoted() + " = "
                + literal(m_layout.statusFor(Phase::HandedOver)) + " AND " + m_layout.scheduledAt.quoted()
                + " IS NOT NULL AND " + isOld({}, seconds) + ") AS old",
            params, exactPreviewLimit);
        if (!rows)
            return fail(rows.error());
        preview.removable = {rows->integer(0, 0), Count::Kind::Exact};
        preview.oldest = rows->optionalInteger(0, 1);
        preview.databaseTime = rows->integer(0, 2);
        return preview;
    }

    params.integer(previewLookLimit).integer(previewCountLimit + 1);
    const auto part = [&](Part which, const QByteArray &name) {
        const QByteArray range = rangeOf(which, seconds);
        return name + " AS MATERIALIZED (SELECT " + processedAt + " AS processed, " + isOld({}, seconds)
            + " AS old FROM " + m_layout.quotedTable() + " WHERE " + range + " ORDER BY "
            + m_layout.scheduledAt.quoted() + " LIMIT $2::bigint), " + name
            + "_old AS MATERIALIZED (SELECT processed FROM " + name + " WHERE old LIMIT $3::bigint)";
    };
    // The count of all rows looked at is asked only where the count of old ones did not stop first.
    const auto counted = [](const QByteArray &name) {
        return "(SELECT count(*) FROM " + name + "_old), CASE WHEN (SELECT count(*) FROM " + name
            + "_old) < $3::bigint THEN (SELECT count(*) FROM " + name + ") < $2::bigint ELSE false END";
    };
    auto rows = m_connection.read("WITH " + part(Part::Ordinary, "ordinary") + ", " + part(Part::Odd, "odd")
                                      + " SELECT " + counted("ordinary") + ", " + counted("odd") + ", (SELECT " + oldest
                                      + " FROM (SELECT processed FROM ordinary_old UNION ALL SELECT processed FROM "
                                        "odd_old) AS old), "
                                      + time,
                                  params, previewLimit);
    if (!rows)
        return fail(rows.error());
    const qint64 count = rows->integer(0, 0) + rows->integer(0, 2);
    const bool isWhole = rows->boolean(0, 1) && rows->boolean(0, 3) && count <= previewCountLimit;
    preview.removable = {std::min(count, previewCountLimit), isWhole ? Count::Kind::Exact : Count::Kind::AtLeast};
    preview.oldest = rows->optionalInteger(0, 4);
    preview.databaseTime = rows->integer(0, 5);
    return preview;
}

} // namespace engine::outbox
