// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/layout.h>
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <QHash>
#include <QStringList>

#include <chrono>

namespace test {

// What becomes of a produced row when everything goes as promised.
enum class Fate {
    HandedOver, // done, and one job
    Dead, // its type has no route
    Waiting, // its job's key is taken by something that is no job: charged an attempt, and waits for the next
};

// What is left after a run, as PostgreSQL and Redis show it to anybody.
struct Account
{
    qint64 inserted = 0; // committed by producers
    qint64 handedOver = 0, dead = 0, waiting = 0, unfinished = 0; // rows by status
    qint64 jobs = 0;
    qint64 repeats = 0; // handovers that found their job there already
    qint64 duplicates = 0; // second jobs of a row
    qint64 lost = 0; // rows without their fate: not finished, done without a job, gone
    qint64 strangers = 0; // rows or jobs that no producer committed
    qint64 wrongBytes = 0; // jobs whose data are not the row's
    qint64 attemptsWrong = 0; // rows with another count of attempts than they had
    qint64 illegalWrites = 0; // changes of a row that nobody may make: see Ledger
    qint64 unexplained = 0; // handovers beyond one per claim
    QStringList faults; // the first of them in words

    // Nothing lost, invented, doubled, changed or charged. Repeats are allowed: they are what crashes cost. So are, if
    // asked for, as many second jobs, and handovers of claims that a crash of the database has undone.
    [[nodiscard]] bool holds(qint64 duplicatesAllowed = 0, qint64 claimsUndone = 0) const;
    [[nodiscard]] QByteArray text() const;
};

// The account that producers keep of one outbox table, and the checker that holds table and queues against it.
//
// Producers note every row in a table of their own, in the same transaction, together with its fate. A trigger notes
// every change of an outbox row: who made it, from which status to which, and whether the claim before had run out.
// From these the checker proves what the dispatchers themselves have no say in: each change is one of those that the
// protocol allows (no claim is taken while its lease runs, nothing leaves a final status, attempts grow by one with
// a failed settle and never otherwise), and there is at most one handover per claim.
//
// Queues are read page by page. Everything is blocking; a ledger belongs to one thread.
class Ledger final
{
public:
    struct Options
    {
        QString databaseUrl;
        QString redisUrl;
        engine::outbox::LayoutKind kind = engine::outbox::LayoutKind::Event;
        QByteArray table = "Outbox"; // in schema public
        QByteArray prefix = "bull"; // of the queues
        std::chrono::seconds lease{5}; // of every dispatcher on the table
        bool watchWrites = true; // install the trigger
    };
    explicit Ledger(Options options);

    // Makes the table anew, as Prisma makes it, with the ledger's own tables beside it. Queues keep all their events.
    [[nodiscard]] engine::Result<void> create();

    struct Production
    {
        int rows = 1;
        Fate fate = Fate::HandedOver;
        QByteArray dueIn = "0 seconds"; // an interval, may be negative
        qint64 fillBytes = 0; // makes payloads larger
    };
    // One statement for a producer's transaction: rows of the outbox and their note. `connection` may be anybody's.
    // For the fate Waiting the keys of the jobs have to be taken before the commit: the ids come back.
    [[nodiscard]] engine::Result<QList<QByteArray>> produce(engine::sql::Connection &connection,
                                                            const Production &production) const;
    // In a transaction of its own.
    [[nodiscard]] engine::Result<void> produce(const Production &production);
    // Takes the keys of these rows' jobs.
    [[nodiscard]] engine::Result<void> takeKeys(const QList<QByteArray> &ids);

    // Rows in these states; -1 if it cannot be asked.
    [[nodiscard]] qint64 count(const QByteArray &condition);
    [[nodiscard]] qint64 done();
    // Neither final nor waiting for a later time.
    [[nodiscard]] qint64 unfinished();
    [[nodiscard]] engine::Result<Account> check();

    [[nodiscard]] engine::Result<engine::sql::Rows> query(const QByteArray &statement);
    [[nodiscard]] engine::Result<engine::redis::Reply> ask(const engine::redis::Command &command);
    [[nodiscard]] const Options &options() const { return m_options; }
    [[nodiscard]] QByteArray tableName() const { return "\"" + m_options.table + "\""; }

private:
    struct Job
    {
        QByteArray queue;
        QByteArray name;
        QByteArray data;
        bool isTaken = false; // the key holds no job
        int places = 0; // lists and sets of the queue it stands in
    };
    engine::Result<engine::sql::Connection *> connection();
    [[nodiscard]] QByteArray triggerText() const;
    engine::Result<void> readJobs();
    engine::Result<void> readPlaces(const QByteArray &queue, Account &account);
    engine::Result<void> readEvents(const QByteArray &queue);
    engine::Result<void> compareRows(Account &account);
    engine::Result<void> compareHistory(Account &account);

    const Options m_options;
    std::unique_ptr<engine::sql::Connection> m_connection;
    engine::redis::Client m_redis;
    QHash<QByteArray, Job> m_jobs; // by row id
    QHash<QByteArray, int> m_handovers; // by row id
};

} // namespace test
