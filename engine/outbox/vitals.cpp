// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "vitals.h"

#include "estimates.h"
#include "expressions.h"

#include <QHash>

#include <algorithm>
#include <cmath>

namespace engine::outbox {

using namespace expressions;

namespace {

constexpr std::chrono::seconds serverLimit{2};
constexpr std::chrono::minutes lease{5};
constexpr qint64 lookLimit = 1000; // rows fetched from the table itself
constexpr qint64 waitingLookLimit = 5000;
constexpr qint64 countLimit = 20'000; // index entries
constexpr qint64 largeStatusLook = 5000;
constexpr qint64 deadCountLimit = 50'000; // counted further: its growth is what a chart shows
constexpr qint64 minuteMicros = 60'000'000;

Count bounded(qint64 value, qint64 limit)
{
    return value > limit ? Count{limit, Count::Kind::AtLeast} : Count{value, Count::Kind::Exact};
}

QByteArray boundedCount(const QByteArray &rowsThatFit, qint64 limit)
{
    return "(SELECT count(*) FROM (SELECT 1" + rowsThatFit + " LIMIT " + QByteArray::number(limit + 1)
        + ") AS counted)";
}

QStringList lines(const QString &text)
{
    return text.split(u'\n', Qt::SkipEmptyParts);
}

class Look
{
public:
    Look(sql::Connection &connection, const Layout &layout, const VitalsRequest &request)
        : m_connection(connection)
        , m_layout(layout)
        , m_request(request)
        , m_from(" FROM " + layout.quotedTable() + " WHERE ")
    { }

    Result<Vitals> take()
    {
        for (const auto part :
             {&Look::due, &Look::whoIsDue, &Look::statuses, &Look::waiting, &Look::handedOver, &Look::dead}) {
            if (auto done = (this->*part)(); !done)
                return fail(done.error());
        }
        judgeAttempts();
        return std::move(m_vitals);
    }

private:
    Result<sql::Rows> read(const QByteArray &statement)
    {
        // Every part stops at a LIMIT in the order of the (status, schedule) index. With no or old statistics the
        // planner would rather collect all rows of a status and sort them.
        static const QByteArray byIndex = "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_seqscan = off";
        return m_connection.read(statement, {}, serverLimit, byIndex);
    }

    [[nodiscard]] QByteArray statusIs(Phase phase) const
    {
        return m_layout.status.quoted() + " = " + literal(m_layout.statusFor(phase));
    }

    // The table's own status column may be an enumeration that lacks the word.
    [[nodiscard]] bool tableHas(Phase phase) const
    {
        return std::ranges::find(m_layout.statuses, m_layout.statusFor(phase)) != m_layout.statuses.end();
    }

    Result<void> due()
    {
        const qint64 overLimit = std::max<qint64>(10'000, m_request.dueRank);
        const std::vector<QByteArray> now = dueConditions(m_layout, lease);
        const std::vector<QByteArray> aged = dueConditions(m_layout, lease, m_request.dueAge);
        const std::vector<DueTime> times = dueTimes(m_layout, lease);
        const QByteArray rank = QByteArray::number(std::max(1, m_request.dueRank));
        QByteArray all, over, ranked;
        for (size_t i = 0; i < now.size(); ++i) {
            all += (i == 0 ? "" : " + ") + boundedCount(m_from + now[i], countLimit);
            over += (i == 0 ? "" : " + ") + boundedCount(m_from + aged[i], overLimit);
            ranked += (i == 0 ? "" : " UNION ALL ")
                + ("(SELECT " + times[i].epochMicros + " AS due" + m_from + now[i] + " ORDER BY " + times[i].order
                   + " LIMIT " + rank + ")");
        }
        const QByteArray clock = "(extract(epoch FROM now()) * 1000000)::bigint";
        auto rows =
            read("WITH ranked AS MATERIALIZED (" + ranked + " ORDER BY 1 LIMIT " + rank + ") SELECT " + all + ", "
                 + over + ", (" + clock + " - (SELECT min(due) FROM ranked)) / 1000, "
                 + "(SELECT count(*) FROM ranked), (" + clock + " - (SELECT max(due) FROM ranked)) / 1000, " + clock);
        if (!rows)
            return fail(rows.error());
        m_vitals.due = bounded(rows->integer(0, 0), countLimit);
        m_vitals.dueOverAge = bounded(rows->integer(0, 1), overLimit);
        m_vitals.oldestDueAgeMs = rows->optionalInteger(0, 2);
        if (rows->integer(0, 3) >= m_request.dueRank)
            m_vitals.rankedDueAgeMs = rows->optionalInteger(0, 4);
        m_vitals.databaseTime = rows->integer(0, 5);
        return {};
    }

    Result<void> whoIsDue()
    {
        if (m_vitals.due.value == 0)
            return {};
        auto rows = read("SELECT count(DISTINCT tenant), string_agg(DISTINCT type, E'\\n') FROM (SELECT "
                         + m_layout.tenantId.quoted() + "::text AS tenant, " + m_layout.eventType.quoted()
                         + "::text AS type" + m_from + dueConditions(m_layout, lease).front() + " ORDER BY "
                         + m_layout.scheduledAt.quoted() + " LIMIT " + QByteArray::number(lookLimit) + ") AS look");
        if (!rows)
            return fail(rows.error());
        m_vitals.dueTenants = rows->integer(0, 0);
        m_vitals.dueTypes = lines(rows->text(0, 1));
        return {};
    }

    Result<void> statuses()
    {
        auto estimated = estimatedCounts(m_connection, m_layout);
        if (!estimated)
            return fail(estimated.error());
        // A status that ought to be far beyond its limit is not counted up to it again and again; but that it is still
        // large is looked at each time, since a backlog may be gone long before the statistics know.
        const auto limitOf = [&](const QByteArray &status) {
            const qint64 limit = m_layout.phaseOf(status) == Phase::Dead ? deadCountLimit : countLimit;
            return estimated->value(status) > 2 * limit ? largeStatusLook : limit;
        };
        QByteArray statement;
        for (const QByteArray &status : m_layout.statuses)
            statement += (statement.isEmpty() ? "" : " UNION ALL ") + ("SELECT " + literal(status) + ", ")
                + boundedCount(m_from + m_layout.status.quoted() + " = " + literal(status), limitOf(status));
        auto rows = read(statement);
        if (!rows)
            return fail(rows.error());
        QHash<QByteArray, Count> counted;
        for (int row = 0; row < rows->count(); ++row) {
            const QByteArray status = rows->bytes(row, 0).toByteArray();
            counted.insert(status, bounded(rows->integer(row, 1), limitOf(status)));
        }
        for (const QByteArray &status : m_layout.statuses) {
            Count count = counted.value(status, Count{0, Count::Kind::AtLeast});
            if (count.kind == Count::Kind::AtLeast && estimated->value(status) > count.value)
                count = {estimated->value(status), Count::Kind::Estimated};
            m_vitals.counts.emplace_back(status, count);
            const Phase phase = m_layout.phaseOf(status);
            if (phase == Phase::InFlight)
                m_vitals.inFlight = count;
            else if (phase == Phase::Dead)
                m_vitals.dead = count;
        }
        return {};
    }

    // Rows that wait for their next attempt: by retries, and how many of them failed within the last minute.
    Result<void> waiting()
    {
        const bool event = m_layout.kind == LayoutKind::Event;
        const Column &next = event ? m_layout.scheduledAt : m_layout.nextRetryAt;
        const QByteArray failedAt = m_layout.updatedAt.exists() ? m_layout.updatedAt.quoted() : QByteArray("NULL");
        m_vitals.retrying = {0, Count::Kind::Exact};
        m_vitals.retriesWaiting.assign(retryCountsSize, 0);
        if (!event && !tableHas(Phase::Retrying))
            return {};
        auto rows =
            read("WITH look AS MATERIALIZED (SELECT " + m_layout.retries.quoted() + " AS retries, " + next.quoted()
                 + " AS next, " + failedAt + " AS failed" + m_from + waitingCondition()
                 + (event ? " ORDER BY " + next.quoted() : QByteArray()) + " LIMIT "
                 + QByteArray::number(waitingLookLimit + 1) + ") SELECT least(retries, "
                 + QByteArray::number(retryCountsSize - 1)
                 + "), count(*), count(*) FILTER (WHERE failed >= " + now(m_layout.updatedAt)
                 + " - interval '1 minute'), (extract(epoch FROM min(next) FILTER "
                   "(WHERE isfinite(next)) - "
                 + now(next) + ") * 1000)::bigint, (SELECT count(*) FROM look) FROM look WHERE retries > 0 AND next > "
                 + now(next) + " GROUP BY 1");
        if (!rows)
            return fail(rows.error());
        qint64 total = 0;
        bool all = true;
        for (int row = 0; row < rows->count(); ++row) {
            const auto retries = static_cast<size_t>(std::clamp<qint64>(rows->integer(row, 0), 0, retryCountsSize - 1));
            m_vitals.retriesWaiting[retries] += rows->integer(row, 1);
            total += rows->integer(row, 1);
            m_failedNow += rows->integer(row, 2);
            if (const auto in = rows->optionalInteger(row, 3); in && *in < m_vitals.nextRetryInMs.value_or(*in + 1))
                m_vitals.nextRetryInMs = in;
            all = rows->integer(row, 4) <= waitingLookLimit;
        }
        m_vitals.retrying = {total, all ? Count::Kind::Exact : Count::Kind::AtLeast};
        return {};
    }

    [[nodiscard]] QByteArray waitingCondition() const
    {
        if (m_layout.kind == LayoutKind::Message)
            return statusIs(Phase::Retrying);
        return statusIs(Phase::Waiting) + " AND " + m_layout.scheduledAt.quoted() + " > " + now(m_layout.scheduledAt);
    }

    Result<void> handedOver()
    {
        m_vitals.retriesHandedOver.assign(retryCountsSize, 0);
        m_vitals.handedOverLastMinute = {0, Count::Kind::Exact};
        auto rows = read("SELECT " + epochMicros(m_layout.processedAt) + ", " + epochMicros(m_layout.createdAt) + ", "
                         + m_layout.retries.quoted() + m_from + statusIs(Phase::HandedOver) + " ORDER BY "
                         + m_layout.scheduledAt.quoted() + " DESC LIMIT " + QByteArray::number(lookLimit));
        if (!rows)
            return fail(rows.error());
        std::vector<qint64> processed, latencies;
        for (int row = 0; row < rows->count(); ++row) {
            const qint64 retries = std::clamp<qint64>(rows->integer(row, 2), 0, retryCountsSize - 1);
            ++m_vitals.retriesHandedOver[static_cast<size_t>(retries)];
            const auto at = rows->optionalInteger(row, 0);
            if (!at || *at < m_vitals.databaseTime - minuteMicros)
                continue;
            processed.push_back(*at);
            if (const auto created = rows->optionalInteger(row, 1); created && *created <= *at)
                latencies.push_back((*at - *created) / 1000);
        }
        const auto seen = static_cast<qint64>(processed.size());
        m_vitals.handedOverLastMinute = {seen, Count::Kind::Exact};
        if (seen == lookLimit) {
            // The look did not reach back a minute: tell the rate of the time it covers, without its oldest stragglers.
            std::ranges::sort(processed);
            const qint64 from = processed[static_cast<size_t>(seen / 20)];
            const double span = static_cast<double>(std::max<qint64>(1000, m_vitals.databaseTime - from));
            const double perMinute = static_cast<double>(seen - seen / 20) * minuteMicros / span;
            m_vitals.handedOverLastMinute = {std::llround(std::max<double>(perMinute, double(seen))),
                                             Count::Kind::Estimated};
        }
        std::ranges::sort(latencies);
        const auto percentile = [&](double share) -> std::optional<qint64> {
            if (latencies.empty())
                return std::nullopt;
            const double rank = std::ceil(share * static_cast<double>(latencies.size()));
            return latencies[static_cast<size_t>(std::max(1.0, rank)) - 1];
        };
        m_vitals.latencyP50Ms = percentile(0.50);
        m_vitals.latencyP95Ms = percentile(0.95);
        return {};
    }

    Result<void> dead()
    {
        m_vitals.deadLastDay = {0, Count::Kind::Exact};
        if (!tableHas(Phase::Dead)) {
            m_vitals.dead = {0, Count::Kind::Exact};
            return {};
        }
        const Column &changed = m_layout.updatedAt.exists() ? m_layout.updatedAt : m_layout.processedAt;
        const auto since = [&](const char *span) { return "at >= " + now(changed) + " - interval '" + span + "'"; };
        const QByteArray day = " FILTER (WHERE " + since("1 day") + ")";
        Column at; // the look's own name for it
        at.name = "at";
        at.type = changed.type;
        auto rows =
            read("SELECT count(*), count(*)" + day + ", count(*) FILTER (WHERE " + since("1 minute")
                 + "), count(DISTINCT tenant)" + day + ", mode() WITHIN GROUP (ORDER BY error)" + day
                 + ", string_agg(DISTINCT type, E'\\n')" + day + ", min(" + epochMicros(at) + ")" + day
                 + " FROM (SELECT " + changed.quoted() + " AS at, " + m_layout.tenantId.quoted()
                 + "::text AS tenant, left(" + m_layout.lastError.quoted() + ", 160) AS error, "
                 + m_layout.eventType.quoted() + "::text AS type" + m_from + statusIs(Phase::Dead) + " ORDER BY "
                 + m_layout.scheduledAt.quoted() + " DESC LIMIT " + QByteArray::number(lookLimit) + ") AS look");
        if (!rows)
            return fail(rows.error());
        const bool all = rows->integer(0, 0) < lookLimit || rows->integer(0, 1) < lookLimit;
        m_vitals.deadLastDay = {rows->integer(0, 1), all ? Count::Kind::Exact : Count::Kind::AtLeast};
        m_failedNow += rows->integer(0, 2);
        m_vitals.deadTenants = rows->integer(0, 3);
        m_vitals.commonError = rows->text(0, 4);
        m_vitals.deadTypes = lines(rows->text(0, 5));
        m_vitals.firstDeadAt = rows->optionalInteger(0, 6);
        return {};
    }

    void judgeAttempts()
    {
        m_vitals.failedLastMinute = {m_failedNow, m_vitals.retrying.kind};
        const qint64 attempts = m_failedNow + m_vitals.handedOverLastMinute.value;
        if (attempts > 0)
            m_vitals.failureRate = static_cast<double>(m_failedNow) / static_cast<double>(attempts);
    }

    sql::Connection &m_connection;
    const Layout &m_layout;
    const VitalsRequest &m_request;
    const QByteArray m_from;
    Vitals m_vitals;
    qint64 m_failedNow = 0;
};

} // namespace

Result<Vitals> readVitals(sql::Connection &connection, const Layout &layout, const VitalsRequest &request)
{
    return Look(connection, layout, request).take();
}

} // namespace engine::outbox
