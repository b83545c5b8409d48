// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/outbox/claims.h>
#include <engine/outbox/discovery.h>
#include <engine/outbox/duelook.h>
#include <engine/outbox/retention.h>
#include <engine/outbox/settler.h>
#include <engine/transport/sql/transaction.h>

#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QTest>

#include <atomic>
#include <thread>

using namespace engine;
using namespace engine::outbox;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// Old handed-over rows and nothing else, a bounded number at a time, whoever else works on the table.
class TestRetention final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void removesOnlyOldHandedOverRows_data() { variants(); }
    void removesOnlyOldHandedOverRows();
    void findsRowsHandedOverBeforeTheirSchedule();
    void takesTheOldestFirstAndNoMoreThanABatch();
    void goesOnWhereItEnded_data() { variants(); }
    void goesOnWhereItEnded();
    void startsOverAtTheAgeLimit();
    void skipsRowsThatOthersHold();
    void waitsForNoLockForLong();
    void leavesTheTableToARunnerThatIsAlone();
    void keepsNoSettingInTheSession();
    void previewsWhatItCannotSeeWhole();
    void eightRunnersBesideDispatchers();
    void looksAtDueRows_data() { variants(); }
    void looksAtDueRows();

private:
    static void variants();
    Layout makeTable(const test::TableVariant &variant);
    std::unique_ptr<sql::Connection> connect() const;
    sql::Rows query(const QByteArray &statement) const;
    QByteArray single(const QByteArray &statement) const { return query(statement).bytes(0, 0).toByteArray(); }
    // `count` rows, one a second, the first scheduled and handed over `age` ago.
    void addDone(const Layout &layout, int count, const QByteArray &age, const QByteArray &processedAt = {}) const;
    qint64 countOf(const Layout &layout) const
    {
        return query("SELECT count(*) FROM " + layout.quotedTable()).integer(0, 0);
    }

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
};

namespace {

const test::TableVariant &plainEvent()
{
    return test::tableVariants()[0];
}

// now() for a column of that layout, whatever its type and the session's zone.
QByteArray nowOf(const Column &column)
{
    return column.isZoned() ? "now()" : "(now() AT TIME ZONE 'UTC')";
}

} // namespace

void TestRetention::initTestCase()
{
    qputenv("TZ", "Asia/Kolkata");
    auto servers = test::PrivateServers::start({.tcp = false,
                                                .postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s},
                                                             {u"datestyle"_s, u"German, DMY"_s},
                                                             {u"deadlock_timeout"_s, u"200ms"_s}},
                                                .redis = {},
                                                .withRedis = false});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    m_connection = connect();
    QVERIFY(m_connection);
}

std::unique_ptr<sql::Connection> TestRetention::connect() const
{
    sql::ConnectOptions options;
    options.url = *sql::DatabaseUrl::parse(m_servers->databaseUrl());
    options.access = sql::Access::ReadWrite;
    auto connection = sql::Connection::open(options);
    if (!connection)
        qFatal("%s", test::why(connection).constData());
    return std::move(*connection);
}

void TestRetention::variants()
{
    QTest::addColumn<int>("variant");
    for (int i = 0; i < test::tableVariants().size(); ++i)
        QTest::newRow(test::tableVariants()[i].name.constData()) << i;
}

Layout TestRetention::makeTable(const test::TableVariant &variant)
{
    const auto made =
        m_connection->executeScript("DROP SCHEMA IF EXISTS \"Shop Data\" CASCADE;DROP SCHEMA public CASCADE;"
                                    "CREATE SCHEMA public;"
                                    + test::tableText(variant, "Shop Data", "Outbox"));
    if (!made)
        qFatal("%s", test::why(made).constData());
    auto layout = discover(*m_connection, u"\"Shop Data\".\"Outbox\""_s);
    if (!layout)
        qFatal("%s", test::why(layout).constData());
    return *layout;
}

sql::Rows TestRetention::query(const QByteArray &statement) const
{
    auto rows = m_connection->execute(statement);
    if (!rows)
        qFatal("%s\n%s", test::why(rows).constData(), statement.constData());
    return std::move(*rows);
}

// The columns every row needs, and then what the test is about.
static void insertRows(sql::Connection &connection, const Layout &layout, const QByteArray &status,
                       const QByteArray &count, const QByteArray &scheduledAt, const QByteArray &processedAt)
{
    const QByteArray id = layout.id.type == "uuid" ? "gen_random_uuid()"
        : layout.id.type == "bigint"               ? "(random() * 1e15)::bigint"
                                                   : "'id-' || gen_random_uuid()";
    QByteArray columns = layout.id.quoted() + ", " + layout.tenantId.quoted() + ", " + layout.eventType.quoted() + ", "
        + layout.payload.quoted() + ", " + layout.status.quoted() + ", " + layout.scheduledAt.quoted() + ", "
        + layout.processedAt.quoted() + ", " + layout.updatedAt.quoted();
    QByteArray values = id + ", 't', 'mail.welcome.sent', '{}', '" + status + "'::" + layout.status.type + ", "
        + scheduledAt + ", " + processedAt + ", " + nowOf(layout.updatedAt);
    if (layout.kind == LayoutKind::Message) {
        columns += ", " + layout.aggregateId.quoted() + ", " + layout.aggregateType.quoted();
        values += ", 'a', 'b'";
    }
    auto rows = connection.execute("INSERT INTO " + layout.quotedTable() + " (" + columns + ") SELECT " + values
                                   + " FROM generate_series(1, " + count + ") AS n");
    if (!rows)
        qFatal("%s", test::why(rows).constData());
}

void TestRetention::addDone(const Layout &layout, int count, const QByteArray &age, const QByteArray &processedAt) const
{
    const QByteArray done = layout.statusFor(Phase::HandedOver);
    const auto at = [&](const Column &column) {
        return nowOf(column) + " - interval '" + age + "' + n * interval '1 second'";
    };
    insertRows(*m_connection, layout, done, QByteArray::number(count), at(layout.scheduledAt),
               processedAt.isEmpty() ? at(layout.processedAt) : processedAt);
}

void TestRetention::removesOnlyOldHandedOverRows()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    const auto ago = [&](const Column &column, const QByteArray &age) {
        return nowOf(column) + " - interval '" + age + "'";
    };
    // Every status, and every age around the limit of 720 hours; only the first of the handed-over ones may go.
    for (const QByteArray &status : layout.statuses) {
        const QByteArray due = ago(layout.scheduledAt, "100 days");
        for (const QByteArray &processedAt :
             {ago(layout.processedAt, "720 hours 1 minute"), ago(layout.processedAt, "719 hours 59 minutes"),
              ago(layout.processedAt, "1 second"), QByteArray("NULL"), QByteArray("'infinity'"),
              QByteArray("'-infinity'"), QByteArray(nowOf(layout.processedAt) + " + interval '1 year'")})
            insertRows(*m_connection, layout, status, "1", due, processedAt);
    }
    const qint64 before = countOf(layout);
    QCOMPARE(before, qint64(layout.statuses.size()) * 7);

    Retention retention(*m_connection, layout);
    for (const CountMode mode : {CountMode::Exact, CountMode::Bounded}) {
        const auto preview = retention.preview(720h, mode);
        VERIFY_WORKED(preview);
        QCOMPARE(preview->removable, (Count{1, Count::Kind::Exact}));
        QVERIFY(preview->oldest);
        const qint64 age = preview->databaseTime - *preview->oldest;
        QVERIFY2(qAbs(age / 1'000'000 - (720 * 3600 + 60)) <= 60, QByteArray::number(age).constData());
    }
    const auto run = retention.run({720h, 1000}, {}, RetentionCompany::Shared);
    VERIFY_WORKED(run);
    QCOMPARE(run->removed, 1);
    QCOMPARE(run->locked, 0);
    QVERIFY(run->isComplete);
    QCOMPARE(countOf(layout), before - 1);
    QCOMPARE(query("SELECT count(*) FROM " + layout.quotedTable() + " WHERE " + layout.status.quoted() + "::text = '"
                   + layout.statusFor(Phase::HandedOver) + "'")
                 .integer(0, 0),
             6);

    const auto again = retention.run({720h, 1000}, run->next, RetentionCompany::Shared);
    VERIFY_WORKED(again);
    QCOMPARE(again->removed, 0);
    const auto nothing = retention.preview(720h, CountMode::Bounded);
    VERIFY_WORKED(nothing);
    QCOMPARE(nothing->removable, (Count{0, Count::Kind::Exact}));
    QVERIFY(!nothing->oldest);
}

void TestRetention::findsRowsHandedOverBeforeTheirSchedule()
{
    const Layout layout = makeTable(plainEvent());
    insertRows(*m_connection, layout, "DONE", "5", "now() AT TIME ZONE 'UTC' + interval '1 day'",
               "now() AT TIME ZONE 'UTC' - interval '40 days'");
    insertRows(*m_connection, layout, "DONE", "5", "'infinity'", "now() AT TIME ZONE 'UTC' - interval '40 days'");
    insertRows(*m_connection, layout, "DONE", "5", "'-infinity'", "now() AT TIME ZONE 'UTC' - interval '40 days'");
    Retention retention(*m_connection, layout);
    const auto preview = retention.preview(720h, CountMode::Bounded);
    VERIFY_WORKED(preview);
    QCOMPARE(preview->removable.value, 15);
    const auto run = retention.run({720h, 12}, {}, RetentionCompany::Shared);
    VERIFY_WORKED(run);
    QCOMPARE(run->removed, 12);
    const auto rest = retention.run({720h, 12}, run->next, RetentionCompany::Shared);
    VERIFY_WORKED(rest);
    QCOMPARE(rest->removed, 3);
    QVERIFY(rest->isComplete);
}

void TestRetention::takesTheOldestFirstAndNoMoreThanABatch()
{
    const Layout layout = makeTable(plainEvent());
    addDone(layout, 2500, "60 days");
    Retention retention(*m_connection, layout);
    RetentionPosition position;
    for (const qint64 expected : {1000, 1000, 500}) {
        const auto run = retention.run({720h, 1000}, position, RetentionCompany::Shared);
        VERIFY_WORKED(run);
        QCOMPARE(run->removed, expected);
        QCOMPARE(run->isComplete, expected == 500);
        position = run->next;
        if (expected == 1000) {
            // What is left is younger than what went: 2,500 rows, one a second.
            const QByteArray left = single("SELECT min(extract(epoch FROM \"processedAt\" - (now() AT TIME ZONE 'UTC' "
                                           "- interval '60 days')))::bigint FROM "
                                           + layout.quotedTable());
            QVERIFY2(left.toInt() >= 2500 - countOf(layout) - 30, left.constData());
        }
    }
    // Clamped like the setting.
    addDone(layout, 3, "60 days");
    const auto clamped = retention.run({720h, 0}, {}, RetentionCompany::Shared);
    VERIFY_WORKED(clamped);
    QCOMPARE(clamped->removed, 1);
}

void TestRetention::goesOnWhereItEnded()
{
    // The head of the range is full of rows that stay: due long ago, handed over yesterday. Half of them at the same
    // instant, half on days whose order the session's way to print dates does not show.
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    const QByteArray done = layout.statusFor(Phase::HandedOver);
    const QByteArray yesterday = nowOf(layout.processedAt) + " - interval '1 day'";
    insertRows(*m_connection, layout, done, "125", "timestamp '2020-01-01 00:00:00'", yesterday);
    insertRows(*m_connection, layout, done, "125", "timestamp '2020-01-02 00:00:00' + n * interval '1 day'", yesterday);
    addDone(layout, 30, "60 days");
    Retention retention(*m_connection, layout);
    retention.setLookLimit(50);
    RetentionPosition position;
    QList<qint64> removed;
    for (int i = 0; i < 6; ++i) {
        const auto run = retention.run({720h, 20}, position, RetentionCompany::Shared);
        VERIFY_WORKED(run);
        removed << run->removed;
        QVERIFY(run->next.ordinary != position.ordinary);
        position = run->next;
    }
    QCOMPARE(removed, (QList<qint64>{0, 0, 0, 0, 0, 20})); // five times 50 looked at, each row once
    const auto last = retention.run({720h, 20}, position, RetentionCompany::Shared);
    VERIFY_WORKED(last);
    QCOMPARE(last->removed, 10);
    QVERIFY(last->isComplete);
    QCOMPARE(countOf(layout), 250);
}

void TestRetention::startsOverAtTheAgeLimit()
{
    const Layout layout = makeTable(plainEvent());
    addDone(layout, 10, "60 days");
    addDone(layout, 300, "2 days"); // scheduled after the limit: more than a run may look at
    Retention retention(*m_connection, layout);
    retention.setLookLimit(100);
    auto run = retention.run({720h, 1000}, {}, RetentionCompany::Shared);
    VERIFY_WORKED(run);
    QCOMPARE(run->removed, 10);
    QVERIFY(!run->isComplete); // 90 of the 300 were looked at
    QVERIFY(run->next.ordinary == RetentionPosition::Mark{});
    QVERIFY(!run->next.odd.scheduledAt.isEmpty());
    // Rows that became old behind it are found by the next run, however far the other walk has come.
    addDone(layout, 10, "70 days");
    run = retention.run({720h, 1000}, run->next, RetentionCompany::Shared);
    VERIFY_WORKED(run);
    QCOMPARE(run->removed, 10);
    int runs = 2;
    for (; !run->isComplete && runs < 10; ++runs) {
        run = retention.run({720h, 1000}, run->next, RetentionCompany::Shared);
        VERIFY_WORKED(run);
    }
    QCOMPARE(runs, 4); // 90 + 90 + 100 + the rest
    QVERIFY(run->next == RetentionPosition{});
}

void TestRetention::skipsRowsThatOthersHold()
{
    const Layout layout = makeTable(plainEvent());
    addDone(layout, 10, "60 days");
    const auto other = connect();
    auto transaction = sql::Transaction::begin(*other);
    VERIFY_WORKED(transaction);
    VERIFY_WORKED(
        other->execute("SELECT 1 FROM " + layout.quotedTable() + " ORDER BY \"scheduledAt\" LIMIT 4 FOR UPDATE"));
    Retention retention(*m_connection, layout);
    QElapsedTimer timer;
    timer.start();
    const auto run = retention.run({720h, 1000}, {}, RetentionCompany::Shared);
    VERIFY_WORKED(run);
    QCOMPARE(run->removed, 6);
    QCOMPARE(run->locked, 4);
    QVERIFY2(timer.elapsed() < 1500, QByteArray::number(timer.elapsed()).constData()); // skipped, not waited for
    VERIFY_WORKED(transaction->commit());
    const auto rest = retention.run({720h, 1000}, run->next, RetentionCompany::Shared);
    VERIFY_WORKED(rest);
    QCOMPARE(rest->removed, 4);
}

void TestRetention::waitsForNoLockForLong()
{
    const Layout layout = makeTable(plainEvent());
    addDone(layout, 10, "60 days");
    const auto other = connect();
    auto transaction = sql::Transaction::begin(*other);
    VERIFY_WORKED(transaction);
    VERIFY_WORKED(other->execute("LOCK TABLE " + layout.quotedTable() + " IN ACCESS EXCLUSIVE MODE"));
    QElapsedTimer timer;
    timer.start();
    const auto run = Retention(*m_connection, layout).run({720h, 1000}, {}, RetentionCompany::Shared);
    QVERIFY(!run);
    QCOMPARE(run.error().code, ErrorCode::Conflict);
    QVERIFY(run.error().retryable);
    QVERIFY2(timer.elapsed() >= 1900 && timer.elapsed() < 8000, QByteArray::number(timer.elapsed()).constData());
    VERIFY_WORKED(transaction->commit());
    // The connection is as good as before.
    const auto again = Retention(*m_connection, layout).run({720h, 1000}, {}, RetentionCompany::Shared);
    VERIFY_WORKED(again);
    QCOMPARE(again->removed, 10);
}

void TestRetention::leavesTheTableToARunnerThatIsAlone()
{
    const Layout layout = makeTable(plainEvent());
    addDone(layout, 10, "60 days");
    const auto other = connect();
    auto transaction = sql::Transaction::begin(*other);
    VERIFY_WORKED(transaction);
    VERIFY_WORKED(other->execute("SELECT pg_advisory_xact_lock(hashtext('outbox retention'), hashtext('"
                                 + layout.quotedTable() + "'))"));
    const RetentionPosition position{{"x", "y"}, {}};
    auto run = Retention(*m_connection, layout).run({720h, 1000}, position, RetentionCompany::Alone);
    VERIFY_WORKED(run);
    QVERIFY(run->isBusy);
    QCOMPARE(run->removed, 0);
    QVERIFY(run->next == position);
    VERIFY_WORKED(transaction->commit());
    run = Retention(*m_connection, layout).run({720h, 1000}, {}, RetentionCompany::Alone);
    VERIFY_WORKED(run);
    QVERIFY(!run->isBusy);
    QCOMPARE(run->removed, 10);
    // The lock went with the transaction.
    QCOMPARE(single("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), "0");
}

void TestRetention::keepsNoSettingInTheSession()
{
    const Layout layout = makeTable(plainEvent());
    const QByteArray settings = "SELECT current_setting('lock_timeout') || current_setting('statement_timeout') || "
                                "current_setting('enable_seqscan') || current_setting('jit')";
    const QByteArray before = single(settings);
    VERIFY_WORKED(Retention(*m_connection, layout).run({720h, 10}, {}, RetentionCompany::Alone));
    VERIFY_WORKED(Retention(*m_connection, layout).preview(720h, CountMode::Bounded));
    QCOMPARE(single(settings), before);
}

void TestRetention::previewsWhatItCannotSeeWhole()
{
    const Layout layout = makeTable(plainEvent());
    addDone(layout, 100'001, "60 days", "now() AT TIME ZONE 'UTC' - interval '45 days'");
    Retention retention(*m_connection, layout);
    auto preview = retention.preview(720h, CountMode::Bounded);
    VERIFY_WORKED(preview);
    QCOMPARE(preview->removable, (Count{100'000, Count::Kind::AtLeast}));
    preview = retention.preview(720h, CountMode::Exact);
    VERIFY_WORKED(preview);
    QCOMPARE(preview->removable, (Count{100'001, Count::Kind::Exact}));
}

void TestRetention::eightRunnersBesideDispatchers()
{
    constexpr int old = 6000;
    constexpr int waiting = 4000;
    const Layout layout = makeTable(plainEvent());
    addDone(layout, old, "60 days");
    addDone(layout, 500, "1 day");
    insertRows(*m_connection, layout, "FAILED", "500", "now() AT TIME ZONE 'UTC' - interval '90 days'",
               "now() AT TIME ZONE 'UTC' - interval '90 days'");
    insertRows(*m_connection, layout, "PENDING", QByteArray::number(waiting),
               "now() AT TIME ZONE 'UTC' - interval '60 days' + n * interval '1 second'", "NULL");

    std::atomic<qint64> removed = 0;
    std::atomic<qint64> handedOver = 0;
    std::atomic<int> faults = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            const auto connection = connect();
            Retention retention(*connection, layout);
            RetentionPosition position;
            for (int runs = 0, quiet = 0; runs < 2000 && quiet < 3; ++runs) {
                const auto run = retention.run({720h, 100}, position, RetentionCompany::Shared);
                if (!run) {
                    qWarning("%s", test::why(run).constData());
                    ++faults;
                    return;
                }
                if (run->removed > 100)
                    ++faults;
                removed += run->removed;
                position = run->next;
                quiet = run->isComplete && run->removed == 0 ? quiet + 1 : 0;
            }
        });
    }
    for (int i = 0; i < 2; ++i) {
        threads.emplace_back([&] {
            const auto connection = connect();
            Claims claims(*connection, layout, 300s);
            Settler settler(*connection, layout, 6);
            while (true) {
                const auto batch = claims.claimDue(100);
                if (!batch) {
                    qWarning("%s", test::why(batch).constData());
                    ++faults;
                    return;
                }
                if (batch->rows.empty())
                    return;
                std::vector<Outcome> outcomes;
                for (const ClaimedRow &row : batch->rows)
                    outcomes.push_back({row.id, Outcome::Kind::HandedOver, {}});
                const auto settled = settler.settle(batch->token, outcomes);
                if (!settled || settled->leaseLost > 0) {
                    ++faults;
                    return;
                }
                handedOver += settled->handedOver;
            }
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    QCOMPARE(faults.load(), 0); // no deadlock, no serialisation failure, no time-out
    QCOMPARE(removed.load(), old); // each row once
    QCOMPARE(handedOver.load(), waiting);
    QCOMPARE(countOf(layout), 500 + 500 + waiting);
    QCOMPARE(single("SELECT count(*) FROM " + layout.quotedTable() + " WHERE status = 'FAILED'"), "500");
}

void TestRetention::looksAtDueRows()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    auto look = lookAtDue(*m_connection, layout, 300s);
    VERIFY_WORKED(look);
    QCOMPARE(*look, (DueLook{{0, Count::Kind::Exact}, {}, {}}));

    const auto ago = [&](const QByteArray &age) { return nowOf(layout.scheduledAt) + " - interval '" + age + "'"; };
    insertRows(*m_connection, layout, layout.statusFor(Phase::Waiting), "2", ago("90 seconds"), "NULL");
    insertRows(*m_connection, layout, layout.statusFor(Phase::Waiting), "2",
               nowOf(layout.scheduledAt) + " + interval '1 hour'", "NULL");
    insertRows(*m_connection, layout, layout.statusFor(Phase::Dead), "2", ago("90 days"), "NULL");
    look = lookAtDue(*m_connection, layout, 300s);
    VERIFY_WORKED(look);
    QCOMPARE(look->due, (Count{2, Count::Kind::Exact}));
    QVERIFY(*look->oldestAgeMs >= 90'000 && *look->oldestAgeMs < 150'000);
    QCOMPARE(look->longestWaitMs, look->oldestAgeMs);

    if (layout.kind == LayoutKind::Message) {
        // A retry is claimable since its next attempt, not since its schedule.
        insertRows(*m_connection, layout, "failed", "1", ago("10 hours"), "NULL");
        query("UPDATE " + layout.quotedTable() + " SET " + layout.nextRetryAt.quoted() + " = "
              + nowOf(layout.nextRetryAt) + " - interval '5 seconds' WHERE " + layout.status.quoted()
              + "::text = 'failed'");
        look = lookAtDue(*m_connection, layout, 300s);
        VERIFY_WORKED(look);
        QCOMPARE(look->due.value, 3);
        QVERIFY(*look->oldestAgeMs >= 36'000'000);
        QVERIFY(*look->longestWaitMs < 150'000);
    }
}

QTEST_GUILESS_MAIN(TestRetention)
#include "tst_retention.moc"
