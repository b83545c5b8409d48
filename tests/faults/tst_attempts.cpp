// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Attempts are counted exactly, and the waits between them are sane: random sequences of everything that can happen to
// a few rows, run by the real SQL and by a model of a page. The seed is printed; RC_PARAMS="seed=..." runs it again,
// OUTBOX_ATTEMPTS_SEQUENCES=100000 is the long run.

#include <engine/outbox/claims.h>
#include <engine/outbox/discovery.h>
#include <engine/outbox/leases.h>
#include <engine/outbox/settler.h>

#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QTest>

#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <ostream>

using namespace engine;
using namespace engine::outbox;
using namespace Qt::StringLiterals;

namespace {

constexpr int rowCount = 3;
constexpr int maxRetries = 2; // of the event layout, and of each row in the other
constexpr std::chrono::seconds lease{300};

struct Event
{
    enum Kind { ClaimDue, ClaimExpired, Renew, Succeed, Fail, Undeliverable, Release, Wait, Requeue, Cancel };
    Kind kind;
    int choice; // of the claim, row or time
};

std::ostream &operator<<(std::ostream &out, const Event &event)
{
    static constexpr std::array names{"claim due",     "claim expired", "renew", "succeed", "fail",
                                      "undeliverable", "release",       "wait",  "requeue", "cancel"};
    return out << names[event.kind] << ' ' << event.choice;
}

rc::Gen<Event> anyEvent()
{
    using namespace rc;
    const auto kind = gen::weightedElement<Event::Kind>({{4, Event::ClaimDue},
                                                         {2, Event::ClaimExpired},
                                                         {3, Event::Renew},
                                                         {2, Event::Succeed},
                                                         {4, Event::Fail},
                                                         {1, Event::Undeliverable},
                                                         {2, Event::Release},
                                                         {4, Event::Wait},
                                                         {1, Event::Requeue},
                                                         {1, Event::Cancel}});
    return gen::map(gen::pair(kind, gen::inRange(0, 60)), [](const std::pair<Event::Kind, int> &pair) {
        return Event{pair.first, pair.second};
    });
}

// What a row has to look like. Times are seconds of the model's own clock.
struct ModelRow
{
    Phase phase = Phase::Waiting;
    int retries = 0;
    double due = -1; // a timestamp(3) may be rounded up, into the future
    double leaseEnd = 0;
    int claim = -1; // the one that holds it
};

struct HeldRow
{
    int claim;
    int row;
    double claimedAt;
    qint64 firstToken;
    std::vector<qint64> tokens; // the certain one, and those of renewals whose reply got lost
};

} // namespace

class TestAttempts final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void attemptsAreExact_data();
    void attemptsAreExact();
    void waitsGrowToACap_data();
    void waitsGrowToACap();
    void messagesDoNotComeBackInStep();

private:
    void makeTable(LayoutKind kind);
    void runSequence(const std::vector<Event> &events);
    void shift(int seconds);
    void write(const QByteArray &statement);
    void compare(const std::array<ModelRow, rowCount> &rows, double now);
    [[nodiscard]] QByteArray insertText(const QByteArray &from) const;
    [[nodiscard]] bool isEvent() const { return m_layout.kind == LayoutKind::Event; }
    [[nodiscard]] QByteArray statusIs(Phase phase) const { return "status = '" + m_layout.statusFor(phase) + '\''; }

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    Layout m_layout;
    int m_sequences = 0;
};

void TestAttempts::initTestCase()
{
    if (qEnvironmentVariableIsEmpty("RC_PARAMS")) {
        const int sequences = qEnvironmentVariableIntValue("OUTBOX_ATTEMPTS_SEQUENCES");
        qputenv("RC_PARAMS", "max_success=" + QByteArray::number(sequences > 0 ? sequences / 2 : 1200));
    }
    test::PrivateServersOptions options;
    options.withRedis = false;
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

void TestAttempts::makeTable(LayoutKind kind)
{
    const int variant = kind == LayoutKind::Event ? 0 : 4; // as Prisma makes them
    VERIFY_WORKED(m_connection->executeScript(test::tableText(test::tableVariants()[variant], "public", "Outbox")));
    auto layout = discover(*m_connection, {});
    VERIFY_WORKED(layout);
    m_layout = *layout;
}

void TestAttempts::write(const QByteArray &statement)
{
    const auto written = m_connection->execute(statement);
    if (!written)
        RC_FAIL(test::why(written).toStdString());
}

// `from` yields n.
QByteArray TestAttempts::insertText(const QByteArray &from) const
{
    return isEvent()
        ? "INSERT INTO \"Outbox\" (id, \"tenantId\", \"eventType\", payload, \"scheduledAt\", \"updatedAt\") SELECT n, "
          "'t', 'mail.a.sent', '{}', now() AT TIME ZONE 'UTC' - interval '1 second', now() AT TIME ZONE 'UTC' FROM "
            + from
        : "INSERT INTO \"Outbox\" (id, \"tenantId\", \"messageType\", \"aggregateId\", \"aggregateType\", "
          "\"eventData\", \"scheduledAt\", \"updatedAt\", \"maxRetries\") SELECT n, 't', 'email.a.sent', 'a', 'b', "
          "'{}', now() AT TIME ZONE 'UTC' - interval '1 second', now() AT TIME ZONE 'UTC', "
            + QByteArray::number(maxRetries) + " FROM " + from;
}

// Time goes by for the rows: the same as if everything in them were older.
void TestAttempts::shift(int seconds)
{
    QByteArray assignments;
    for (const Column *column : {&m_layout.scheduledAt, &m_layout.processedAt, &m_layout.updatedAt,
                                 &m_layout.lockedUntil, &m_layout.nextRetryAt}) {
        if (column->exists())
            assignments += (assignments.isEmpty() ? "" : ", ") + column->quoted() + " = " + column->quoted()
                + " - interval '" + QByteArray::number(seconds) + " seconds'";
    }
    write("UPDATE \"Outbox\" SET " + assignments);
}

void TestAttempts::compare(const std::array<ModelRow, rowCount> &rows, double now)
{
    const QByteArray retryAt = isEvent() ? "\"scheduledAt\"" : "coalesce(\"nextRetryAt\", \"scheduledAt\")";
    const auto found =
        m_connection->execute("SELECT status, " + m_layout.retries.quoted() + ", extract(epoch FROM " + retryAt
                              + " - (now() AT TIME ZONE 'UTC')), \"processedAt\" IS NOT NULL, "
                              + (isEvent() ? QByteArray("\"lockedUntil\" IS NOT NULL") : QByteArray("false"))
                              + " FROM \"Outbox\" ORDER BY id");
    RC_ASSERT(bool(found));
    for (int r = 0; r < rowCount; ++r) {
        const ModelRow &row = rows[static_cast<size_t>(r)];
        RC_ASSERT(m_layout.phaseOf(found->bytes(r, 0)) == row.phase);
        RC_ASSERT(found->integer(r, 1) == row.retries);
        const double dueIn = found->bytes(r, 2).toDouble();
        if (row.phase == Phase::Waiting || row.phase == Phase::Retrying)
            RC_ASSERT(std::abs(dueIn - (row.due - now)) < 1.5); // a second of jitter, and the time this takes
        RC_ASSERT(found->boolean(r, 3) == (row.phase == Phase::HandedOver || (row.phase == Phase::Dead && !isEvent())));
        if (isEvent() && row.phase != Phase::Cancelled)
            RC_ASSERT(found->boolean(r, 4) == (row.phase == Phase::InFlight));
    }
}

void TestAttempts::runSequence(const std::vector<Event> &events)
{
    if (++m_sequences % 100 == 0)
        write("VACUUM \"Outbox\"");
    write("DELETE FROM \"Outbox\""); // TRUNCATE takes longer than a whole sequence
    write(insertText("generate_series(1, " + QByteArray::number(rowCount) + ") n"));
    std::array<ModelRow, rowCount> rows;
    std::vector<HeldRow> held; // every claim of a row that has not written its outcome, also those that are late
    double now = 0;
    int claims = 0;
    Claims claimer(*m_connection, m_layout, lease);
    Settler settler(*m_connection, m_layout, maxRetries);

    for (const Event &event : events) {
        switch (event.kind) {
        case Event::ClaimDue:
        case Event::ClaimExpired: {
            const bool expired = event.kind == Event::ClaimExpired;
            const auto batch = expired ? claimer.claimExpired(10) : claimer.claimDue(10);
            RC_ASSERT(bool(batch));
            const auto mayBeTaken = [&](const ModelRow &row) {
                return expired ? row.phase == Phase::InFlight && row.leaseEnd < now
                               : (row.phase == Phase::Waiting || row.phase == Phase::Retrying) && row.due <= now;
            };
            RC_ASSERT(batch->rows.empty() == std::ranges::none_of(rows, mayBeTaken));
            for (const ClaimedRow &claimed : batch->rows) {
                const int r = claimed.id.toInt() - 1;
                ModelRow &row = rows[static_cast<size_t>(r)];
                RC_ASSERT(mayBeTaken(row));
                RC_ASSERT(claimed.retries == row.retries);
                row.phase = Phase::InFlight;
                row.leaseEnd = now + static_cast<double>(lease.count());
                row.claim = claims;
                held.push_back({claims, r, now, batch->token, {batch->token}});
            }
            ++claims;
            break;
        }
        case Event::Renew: {
            if (held.empty())
                break;
            // As the dispatcher does: the old lease and the time that has passed, in whole seconds, and only while the
            // lease runs.
            HeldRow &mine = held[static_cast<size_t>(event.choice) % held.size()];
            const qint64 token = mine.firstToken + static_cast<qint64>(now - mine.claimedAt) * 1'000'000;
            const double age = now - mine.claimedAt - double(mine.tokens.front() - mine.firstToken) / 1e6;
            if (age >= double(lease.count()) || token == mine.tokens.front())
                break;
            if (std::ranges::find(mine.tokens, token) == mine.tokens.end())
                mine.tokens.push_back(token);
            const auto renewed =
                Leases(*m_connection, m_layout).renew(mine.tokens, token, {QByteArray::number(mine.row + 1)});
            RC_ASSERT(bool(renewed));
            ModelRow &row = rows[static_cast<size_t>(mine.row)];
            const bool isMine = row.phase == Phase::InFlight && row.claim == mine.claim;
            RC_ASSERT(renewed->ids.size() == (isMine ? 1u : 0u));
            if (isMine)
                row.leaseEnd = now + static_cast<double>(lease.count());
            if (event.choice % 3 != 0) // else the reply got lost
                mine.tokens = {token};
            break;
        }
        case Event::Succeed:
        case Event::Fail:
        case Event::Undeliverable:
        case Event::Release: {
            if (held.empty())
                break;
            const auto at = held.begin() + event.choice % static_cast<int>(held.size());
            const HeldRow mine = *at;
            if (event.choice % 4 != 0) // else the reply got lost, and the same is written once more some time
                held.erase(at);
            const auto kind = event.kind == Event::Succeed ? Outcome::Kind::HandedOver
                : event.kind == Event::Fail                ? Outcome::Kind::FailedAttempt
                : event.kind == Event::Release             ? Outcome::Kind::Release
                                                           : Outcome::Kind::Undeliverable;
            const auto settled =
                settler.settle(mine.tokens, {{QByteArray::number(mine.row + 1), kind, QByteArray("why\0\xff", 5)}});
            RC_ASSERT(bool(settled));
            ModelRow &row = rows[static_cast<size_t>(mine.row)];
            const bool isMine = row.phase == Phase::InFlight && row.claim == mine.claim;
            RC_ASSERT(settled->leaseLost == (isMine ? 0 : 1));
            if (!isMine)
                break;
            row.claim = -1;
            if (kind == Outcome::Kind::HandedOver) {
                row.phase = Phase::HandedOver;
            } else if (kind == Outcome::Kind::Undeliverable) {
                row.phase = Phase::Dead;
            } else if (kind == Outcome::Kind::Release) {
                row.phase = Phase::Waiting; // due as it was
                row.due = std::min(row.due, now);
            } else {
                ++row.retries;
                const bool dead = isEvent() ? row.retries > maxRetries : row.retries >= maxRetries;
                row.phase = dead ? Phase::Dead : isEvent() ? Phase::Waiting : Phase::Retrying;
                row.due = now + (isEvent() ? 60 * std::pow(2, row.retries - 1) : std::pow(2, row.retries) + 0.5);
            }
            break;
        }
        case Event::Wait: {
            // No sum of these is near a lease or a backoff, so that the milliseconds a test takes decide nothing.
            const int seconds = std::array{7, 67, 311, 4001}[static_cast<size_t>(event.choice % 4)];
            shift(seconds);
            for (HeldRow &row : held) {
                row.firstToken -= seconds * 1'000'000LL;
                for (qint64 &token : row.tokens)
                    token -= seconds * 1'000'000LL;
            }
            now += seconds;
            break;
        }
        case Event::Requeue: {
            ModelRow &row = rows[static_cast<size_t>(event.choice % rowCount)];
            if (row.phase != Phase::HandedOver && row.phase != Phase::Dead && row.phase != Phase::Cancelled)
                break;
            write("UPDATE \"Outbox\" SET " + statusIs(Phase::Waiting) + ", " + m_layout.retries.quoted()
                  + " = 0, \"processedAt\" = NULL, \"lastError\" = NULL, \"scheduledAt\" = now() AT TIME ZONE 'UTC' - "
                    "interval '1 second', "
                    "\"updatedAt\" = now() AT TIME ZONE 'UTC', "
                  + (isEvent() ? "\"lockedUntil\"" : "\"nextRetryAt\"") + " = NULL WHERE id = '"
                  + QByteArray::number(event.choice % rowCount + 1) + '\'');
            row = ModelRow{.due = now - 1};
            break;
        }
        case Event::Cancel: {
            ModelRow &row = rows[static_cast<size_t>(event.choice % rowCount)];
            if (!isEvent() || (row.phase != Phase::Waiting && row.phase != Phase::InFlight))
                break;
            // Somebody's plain SQL, which leaves the lease as it stands.
            write("UPDATE \"Outbox\" SET status = 'CANCELLED' WHERE id = '"
                  + QByteArray::number(event.choice % rowCount + 1) + '\'');
            row.phase = Phase::Cancelled;
            break;
        }
        }
        compare(rows, now);
    }
}

void TestAttempts::attemptsAreExact_data()
{
    QTest::addColumn<LayoutKind>("kind");
    QTest::newRow("event") << LayoutKind::Event;
    QTest::newRow("message") << LayoutKind::Message;
}

void TestAttempts::attemptsAreExact()
{
    QFETCH(const LayoutKind, kind);
    makeTable(kind);
    if (QTest::currentTestFailed())
        return;
    QVERIFY(rc::check("the table and the model agree", [this] {
        runSequence(*rc::gen::resize(18, rc::gen::container<std::vector<Event>>(anyEvent())));
    }));
}

void TestAttempts::waitsGrowToACap_data()
{
    attemptsAreExact_data();
}

// Rows that failed 0 to 1000 times before, and one at the end of the column's range, fail once more together.
void TestAttempts::waitsGrowToACap()
{
    QFETCH(const LayoutKind, kind);
    makeTable(kind);
    if (QTest::currentTestFailed())
        return;
    constexpr int most = 1000;
    VERIFY_WORKED(m_connection->execute(insertText("generate_series(0, 1000) n")));
    VERIFY_WORKED(m_connection->execute("UPDATE \"Outbox\" SET " + m_layout.retries.quoted() + " = id::integer"));
    if (kind == LayoutKind::Message)
        VERIFY_WORKED(m_connection->execute("UPDATE \"Outbox\" SET \"maxRetries\" = 100000"));
    const auto batch = Claims(*m_connection, m_layout, lease).claimDue(2 * most);
    VERIFY_WORKED(batch);
    QCOMPARE(batch->rows.size(), size_t(most + 1));
    std::vector<Outcome> outcomes;
    for (const ClaimedRow &row : batch->rows)
        outcomes.push_back({row.id, Outcome::Kind::FailedAttempt, "no"});
    const auto settled = Settler(*m_connection, m_layout, 100'000).settle(batch->token, outcomes);
    VERIFY_WORKED(settled);
    QCOMPARE(settled->retried, most + 1);

    const QByteArray column = kind == LayoutKind::Event ? "\"scheduledAt\"" : "\"nextRetryAt\"";
    const auto waits = m_connection->execute("SELECT extract(epoch FROM " + column + " - \"updatedAt\"), "
                                             + m_layout.retries.quoted() + " FROM \"Outbox\" ORDER BY id::integer");
    VERIFY_WORKED(waits);
    double last = 0;
    for (int row = 0; row < waits->count(); ++row) {
        const double wait = waits->bytes(row, 0).toDouble();
        QCOMPARE(waits->integer(row, 1), row + 1);
        // Jitter is at most a second: it may bring two waits at the cap out of order, never two below it.
        QVERIFY2(wait > 0 && wait >= last - 1, qPrintable(u"%1: %2 after %3"_s.arg(row).arg(wait).arg(last)));
        QVERIFY2(wait < 10.0 * 366 * 86400, qPrintable(QString::number(wait)));
        last = wait;
    }
}

void TestAttempts::messagesDoNotComeBackInStep()
{
    makeTable(LayoutKind::Message);
    if (QTest::currentTestFailed())
        return;
    VERIFY_WORKED(m_connection->execute(insertText("generate_series(1, 5000) n")));
    const auto batch = Claims(*m_connection, m_layout, lease).claimDue(5000);
    VERIFY_WORKED(batch);
    std::vector<Outcome> outcomes;
    for (const ClaimedRow &row : batch->rows)
        outcomes.push_back({row.id, Outcome::Kind::FailedAttempt, "no"});
    VERIFY_WORKED(Settler(*m_connection, m_layout, 6).settle(batch->token, outcomes));
    // Of ten parts of the second, none has less than half or more than double its share.
    const auto parts = m_connection->execute(
        "SELECT min(n), max(n), count(*) FROM (SELECT count(*) AS n FROM \"Outbox\" GROUP BY floor(least(9, 10 * "
        "(extract(epoch FROM \"nextRetryAt\" - \"updatedAt\") - 2)))) AS part");
    VERIFY_WORKED(parts);
    QCOMPARE(parts->integer(0, 2), 10);
    QVERIFY(parts->integer(0, 0) > 250 && parts->integer(0, 1) < 1000);
}

QTEST_GUILESS_MAIN(TestAttempts)
#include "tst_attempts.moc"
