// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ledger.h"

#include "outboxtables.h"

#include <algorithm>

using namespace std::chrono_literals;

namespace test {

using engine::Result;
using engine::outbox::LayoutKind;
using engine::redis::Command;

namespace {

constexpr int page = 5000;
constexpr qsizetype faultsKept = 20;
constexpr auto patience = 60s;

const QList<QByteArray> queueLists{"wait", "paused", "active"};
const QList<QByteArray> queueSets{"delayed", "prioritized", "completed", "failed"};

void note(Account &account, qint64 &counter, const QByteArray &text)
{
    ++counter;
    if (account.faults.size() < faultsKept)
        account.faults << QString::fromUtf8(text);
}

} // namespace

bool Account::holds(qint64 duplicatesAllowed, qint64 claimsUndone) const
{
    return duplicates <= duplicatesAllowed && lost == 0 && strangers == 0 && wrongBytes == 0 && attemptsWrong == 0
        && illegalWrites == 0 && unexplained <= claimsUndone;
}

QByteArray Account::text() const
{
    QByteArray text;
    for (const auto &[name, number] :
         std::initializer_list<std::pair<QByteArrayView, qint64>>{{"inserted", inserted},
                                                                  {"handed over", handedOver},
                                                                  {"dead", dead},
                                                                  {"waiting", waiting},
                                                                  {"unfinished", unfinished},
                                                                  {"jobs", jobs},
                                                                  {"repeats", repeats},
                                                                  {"duplicates", duplicates},
                                                                  {"lost", lost},
                                                                  {"strangers", strangers},
                                                                  {"wrong bytes", wrongBytes},
                                                                  {"attempts wrong", attemptsWrong},
                                                                  {"illegal writes", illegalWrites},
                                                                  {"unexplained", unexplained}})
        text += name.toByteArray() + ": " + QByteArray::number(number) + "; ";
    return text + '\n' + faults.join(u'\n').toUtf8();
}

Ledger::Ledger(Options options)
    : m_options(std::move(options))
    , m_redis(*engine::redis::Endpoint::parse(m_options.redisUrl))
{ }

Result<engine::sql::Connection *> Ledger::connection()
{
    if (!m_connection || m_connection->isBroken()) {
        m_connection.reset();
        engine::sql::ConnectOptions options;
        options.url = *engine::sql::DatabaseUrl::parse(m_options.databaseUrl);
        options.applicationName = "ledger";
        options.access = engine::sql::Access::ReadWrite;
        auto opened = engine::sql::Connection::open(options);
        if (!opened)
            return engine::fail(opened.error());
        m_connection = std::move(*opened);
    }
    return m_connection.get();
}

Result<engine::sql::Rows> Ledger::query(const QByteArray &statement)
{
    auto open = connection();
    if (!open)
        return engine::fail(open.error());
    return (*open)->execute(statement);
}

Result<engine::redis::Reply> Ledger::ask(const Command &command)
{
    auto reply = m_redis.exchange(command, patience);
    if (!reply) // the server was restarted since: a fresh connection, once
        reply = m_redis.exchange(command, patience);
    if (reply && reply->isError())
        return engine::fail(engine::redis::replyError(*reply, m_redis.endpoint().display));
    return reply;
}

QByteArray Ledger::triggerText() const
{
    const bool event = m_options.kind == LayoutKind::Event;
    const QByteArray t = m_options.table;
    const QByteArray retries = event ? "retries" : "\"retryCount\"";
    const QByteArray lapsed = event ? QByteArray("OLD.\"lockedUntil\" < now() AT TIME ZONE 'UTC'")
                                    : "OLD.\"updatedAt\" < (now() AT TIME ZONE 'UTC') - interval '"
            + QByteArray::number(qlonglong(m_options.lease.count())) + " seconds'";
    return "DROP TABLE IF EXISTS \"" + t + "_history\"; CREATE TABLE \"" + t
        + "_history\" (step bigserial PRIMARY KEY, id text, by text, before text, after text, charged integer, "
          "lapsed boolean, at timestamptz DEFAULT clock_timestamp());"
          "CREATE OR REPLACE FUNCTION \""
        + t + "_note\"() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO \"" + t
        + "_history\" (id, by, before, after, charged, lapsed) VALUES (OLD.id::text, "
          "current_setting('application_name'), OLD.status::text, NEW.status::text, NEW."
        + retries + " - OLD." + retries + ", " + lapsed + "); RETURN NULL; END $$; CREATE TRIGGER \"" + t
        + "_note\" AFTER UPDATE ON \"" + t + "\" FOR EACH ROW EXECUTE FUNCTION \"" + t + "_note\"();";
}

Result<void> Ledger::create()
{
    auto open = connection();
    if (!open)
        return engine::fail(open.error());
    const QByteArray t = m_options.table;
    const int variant = m_options.kind == LayoutKind::Event ? 0 : 4; // as Prisma makes them
    QByteArray text = tableText(tableVariants()[variant], "public", t) + "DROP TABLE IF EXISTS \"" + t
        + "_ledger\"; DROP SEQUENCE IF EXISTS \"" + t + "_ids\"; CREATE SEQUENCE \"" + t + "_ids\"; CREATE TABLE \"" + t
        + "_ledger\" (id text PRIMARY KEY, fate integer NOT NULL);";
    if (m_options.watchWrites)
        text += triggerText();
    if (auto made = (*open)->executeScript(text); !made)
        return made;
    // Every handover leaves an event; none may be trimmed before it is read.
    for (const QByteArray &queue : {QByteArray("outbox.mail"), QByteArray("outbox.webhook")}) {
        const auto kept = ask({"HSET", m_options.prefix + ':' + queue + ":meta", "opts.maxLenEvents", "1000000000"});
        if (!kept)
            return engine::fail(kept.error());
    }
    return {};
}

Result<QList<QByteArray>> Ledger::produce(engine::sql::Connection &connection, const Production &production) const
{
    const bool event = m_options.kind == LayoutKind::Event;
    const QByteArray t = m_options.table;
    QByteArray type = event ? "mail.welcome.sent" : "email.welcome.sent";
    if (production.fate == Fate::Dead)
        type = "nobody.knows.this";
    const QByteArray payload = "jsonb_build_object('id', id, 'large', 9007199254740993, 'text', 'gr\xc3\xbc\xc3\x9f "
                               "\xf0\x9f\x93\xae \"quoted\" \\ back', 'fill', repeat('x', "
        + QByteArray::number(production.fillBytes) + "))";
    const QByteArray due = "(now() AT TIME ZONE 'UTC') + interval '" + production.dueIn + "'";
    QByteArray statement = "WITH noted AS (INSERT INTO \"" + t + "_ledger\" (id, fate) SELECT 'row-' || nextval('\"" + t
        + "_ids\"'), " + QByteArray::number(static_cast<int>(production.fate)) + " FROM generate_series(1, "
        + QByteArray::number(production.rows) + ") RETURNING id) INSERT INTO \"" + t + "\" (id, \"tenantId\", "
        + (event ? QByteArray("\"eventType\", payload")
                 : QByteArray("\"aggregateId\", \"aggregateType\", \"messageType\", \"eventData\""))
        + ", \"scheduledAt\", \"updatedAt\") SELECT id, 't1', " + (event ? QByteArray() : "id, 'order', ") + '\'' + type
        + "', " + payload + ", " + due + ", now() AT TIME ZONE 'UTC' FROM noted RETURNING id";
    auto rows = connection.execute(statement);
    if (!rows)
        return engine::fail(rows.error());
    QList<QByteArray> ids;
    ids.reserve(rows->count());
    for (int row = 0; row < rows->count(); ++row)
        ids << rows->bytes(row, 0).toByteArray();
    return ids;
}

Result<void> Ledger::produce(const Production &production)
{
    auto open = connection();
    if (!open)
        return engine::fail(open.error());
    if (production.fate != Fate::Waiting) {
        auto made = produce(**open, production);
        return made ? Result<void>() : engine::fail(made.error());
    }
    if (auto begun = (*open)->executeScript("BEGIN"); !begun)
        return begun;
    auto ids = produce(**open, production);
    if (!ids)
        return engine::fail(ids.error());
    if (auto taken = takeKeys(*ids); !taken)
        return taken;
    return (*open)->executeScript("COMMIT");
}

Result<void> Ledger::takeKeys(const QList<QByteArray> &ids)
{
    for (const QByteArray &id : ids) {
        if (auto taken = ask({"SET", m_options.prefix + ":outbox.mail:outbox:" + id, "no job"}); !taken)
            return engine::fail(taken.error());
    }
    return {};
}

qint64 Ledger::count(const QByteArray &condition)
{
    const auto rows = query("SELECT count(*) FROM " + tableName() + " WHERE " + condition);
    return rows ? rows->integer(0, 0) : -1;
}

qint64 Ledger::done()
{
    return count("status::text IN ('DONE', 'sent')");
}

qint64 Ledger::unfinished()
{
    const QByteArray due = m_options.kind == LayoutKind::Event
        ? "status::text = 'PENDING' AND \"scheduledAt\" <= now() AT TIME ZONE 'UTC' + interval '10 seconds'"
        : "status::text IN ('pending', 'failed')";
    return count("status::text IN ('PROCESSING', 'processing') OR (" + due + ")");
}

Result<void> Ledger::readJobs()
{
    m_jobs.clear();
    m_handovers.clear();
    const QByteArray middle = ":outbox:";
    QByteArray cursor = "0";
    do {
        auto scanned =
            ask({"SCAN", cursor, "MATCH", m_options.prefix + ":*" + middle + '*', "COUNT", QByteArray::number(page)});
        if (!scanned)
            return engine::fail(scanned.error());
        cursor = scanned->items.at(0).text;
        std::vector<Command> commands;
        for (const auto &key : scanned->items.at(1).items)
            commands.push_back({"HMGET", key.text, "name", "data"});
        auto replies = m_redis.exchange(commands, patience);
        if (!replies)
            return engine::fail(replies.error());
        for (size_t i = 0; i < replies->size(); ++i) {
            const QByteArray key = commands[i][1];
            const qsizetype cut = key.indexOf(middle);
            const qsizetype from = m_options.prefix.size() + 1;
            Job job;
            job.queue = key.mid(from, cut - from);
            job.isTaken = (*replies)[i].isError();
            if (!job.isTaken) {
                job.name = (*replies)[i].items.at(0).text;
                job.data = (*replies)[i].items.at(1).text;
            }
            m_jobs.insert(key.mid(cut + middle.size()), job); // SCAN may show a key twice
        }
    } while (cursor != "0");
    return {};
}

Result<void> Ledger::readPlaces(const QByteArray &queue, Account &account)
{
    const QByteArray base = m_options.prefix + ':' + queue + ':';
    const auto place = [&](const QByteArray &jobId) {
        const auto job = m_jobs.find(jobId.mid(qstrlen("outbox:")));
        if (job == m_jobs.end() || job->queue != queue)
            note(account, account.strangers, queue + " lists " + jobId + ", which is no job");
        else if (++job->places > 1)
            note(account, account.duplicates, jobId + " stands in " + queue + " a second time");
    };
    for (const QByteArray &list : queueLists + queueSets) {
        for (int from = 0;; from += page) {
            auto ids = ask({queueLists.contains(list) ? "LRANGE" : "ZRANGE", base + list, QByteArray::number(from),
                            QByteArray::number(from + page - 1)});
            if (!ids)
                return engine::fail(ids.error());
            for (const auto &id : ids->items)
                place(id.text);
            if (ids->items.size() < page)
                break;
        }
    }
    return {};
}

Result<void> Ledger::readEvents(const QByteArray &queue)
{
    const QByteArray key = m_options.prefix + ':' + queue + ":events";
    QByteArray from = "-";
    while (true) {
        auto entries = ask({"XRANGE", key, from, "+", "COUNT", QByteArray::number(page)});
        if (!entries)
            return engine::fail(entries.error());
        for (const auto &entry : entries->items) {
            const auto &fields = entry.items.at(1).items;
            QByteArray event, job;
            for (size_t i = 0; i + 1 < fields.size(); i += 2) {
                if (fields[i].text == "event")
                    event = fields[i + 1].text;
                else if (fields[i].text == "jobId")
                    job = fields[i + 1].text;
            }
            if (event == "added" || event == "duplicated")
                ++m_handovers[job.mid(qstrlen("outbox:"))];
        }
        if (entries->items.size() < page)
            return {};
        from = '(' + entries->items.back().items.at(0).text;
    }
}

Result<void> Ledger::compareRows(Account &account)
{
    const bool event = m_options.kind == LayoutKind::Event;
    const QByteArray t = m_options.table;
    const QByteArray columns = event ? QByteArray("r.retries, r.\"eventType\", r.payload::text")
                                     : QByteArray("r.\"retryCount\", r.\"messageType\", r.\"eventData\"::text");
    QByteArray last;
    while (true) {
        auto rows =
            query("SELECT l.id, l.fate, r.status::text, " + columns + " FROM \"" + t + "_ledger\" l LEFT JOIN \"" + t
                  + "\" r ON r.id = l.id WHERE l.id > '" + last + "' ORDER BY l.id LIMIT " + QByteArray::number(page));
        if (!rows)
            return engine::fail(rows.error());
        for (int row = 0; row < rows->count(); ++row) {
            const QByteArray id = rows->bytes(row, 0).toByteArray();
            last = id;
            ++account.inserted;
            const auto fate = static_cast<Fate>(rows->integer(row, 1));
            const QByteArray status = rows->bytes(row, 2).toByteArray();
            const qint64 retries = rows->integer(row, 3);
            const bool done = status == "DONE" || status == "sent";
            const bool dead = status == "FAILED" || status == "dead_letter";
            const bool waits = status == "PENDING" || status == "failed";
            ++(done ? account.handedOver : dead ? account.dead : waits ? account.waiting : account.unfinished);
            const auto job = m_jobs.find(id);
            const bool hasJob = job != m_jobs.end() && !job->isTaken;
            const QByteArray state = id + " is " + (status.isEmpty() ? "gone" : status) + " after "
                + QByteArray::number(retries) + " attempts";

            const bool asFated = fate == Fate::HandedOver ? done : fate == Fate::Dead ? dead : waits || dead;
            if (!asFated)
                note(account, account.lost, state);
            else if (done && (!hasJob || job->places == 0))
                note(account, account.lost, state + " and has no job" + (hasJob ? " that a worker would find" : ""));
            if (!done && hasJob)
                note(account, account.strangers, state + " and has a job");
            // A route that is missing is one failed attempt each time in the message layout, and final in the other.
            const qint64 expected = fate == Fate::Dead && !event ? 3 : 0;
            if (asFated && (fate == Fate::Waiting ? retries < 1 : retries != expected))
                note(account, account.attemptsWrong, state + ", not " + QByteArray::number(expected));
            if (done && hasJob
                && (job->name != rows->bytes(row, 4) || !job->data.startsWith("{\"outboxEventId\":\"" + id + "\",")
                    || !job->data.contains("\"payload\":" + rows->bytes(row, 5).toByteArray())))
                note(account, account.wrongBytes, id + " became " + job->name + ' ' + job->data.left(200));
        }
        if (rows->count() < page)
            break;
    }
    auto unknown =
        query("SELECT id FROM \"" + t + "\" r WHERE NOT EXISTS (SELECT FROM \"" + t + "_ledger\" l WHERE l.id = r.id)");
    if (!unknown)
        return engine::fail(unknown.error());
    for (int row = 0; row < unknown->count(); ++row)
        note(account, account.strangers, unknown->text(row, 0).toUtf8() + " is in the table, and nobody committed it");
    const auto jobs = std::ranges::count_if(m_jobs, [](const Job &job) { return !job.isTaken; });
    account.jobs = jobs;
    if (jobs > account.handedOver && account.strangers == 0)
        note(account, account.strangers, "there are more jobs than rows that were handed over");
    return {};
}

Result<void> Ledger::compareHistory(Account &account)
{
    const bool event = m_options.kind == LayoutKind::Event;
    const QByteArray history = '"' + m_options.table + "_history\"";
    const QByteArray flying = event ? "'PROCESSING'" : "'processing'";
    // What the protocol allows, everything else is a fault.
    const QByteArray legal = event
        ? "(before = 'PENDING' AND after = 'PROCESSING' AND charged = 0) OR "
          "(before = 'PROCESSING' AND after = 'PROCESSING' AND charged = 0 AND (lapsed OR by LIKE '%renew%')) OR "
          "(before = 'PROCESSING' AND after = 'DONE' AND charged = 0) OR "
          "(before = 'PROCESSING' AND after IN ('PENDING', 'FAILED') AND charged IN (0, 1))"
        : "(before IN ('pending', 'failed') AND after = 'processing' AND charged = 0) OR "
          "(before = 'processing' AND after = 'processing' AND charged = 0 AND (lapsed OR by LIKE '%renew%')) OR "
          "(before = 'processing' AND after IN ('sent', 'pending') AND charged = 0) OR "
          "(before = 'processing' AND after IN ('failed', 'dead_letter') AND charged IN (0, 1))";
    auto illegal = query("SELECT id, by, before, after, charged, lapsed FROM " + history
                         + " WHERE by LIKE "
                           "'outbox-console%' AND ("
                         + legal + ") IS NOT TRUE LIMIT 1000");
    if (!illegal)
        return engine::fail(illegal.error());
    for (int row = 0; row < illegal->count(); ++row)
        note(account, account.illegalWrites,
             illegal->bytes(row, 0).toByteArray() + " was changed by " + illegal->bytes(row, 1).toByteArray() + " from "
                 + illegal->bytes(row, 2).toByteArray() + " to " + illegal->bytes(row, 3).toByteArray() + ", charged "
                 + illegal->bytes(row, 4).toByteArray()
                 + (illegal->boolean(row, 5) ? ", lapsed" : ", within its lease"));

    auto claims = query("SELECT id, count(*) FROM " + history + " WHERE after = " + flying + " AND (before <> " + flying
                        + " OR by NOT LIKE '%renew%') GROUP BY id");
    if (!claims)
        return engine::fail(claims.error());
    QHash<QByteArray, int> claimed;
    for (int row = 0; row < claims->count(); ++row)
        claimed.insert(claims->bytes(row, 0).toByteArray(), static_cast<int>(claims->integer(row, 1)));
    for (const auto &[id, handovers] : m_handovers.asKeyValueRange()) {
        if (handovers > claimed.value(id))
            note(account, account.unexplained,
                 id + " was handed over " + QByteArray::number(handovers) + " times in "
                     + QByteArray::number(claimed.value(id)) + " claims");
    }
    return {};
}

Result<Account> Ledger::check()
{
    Account account;
    if (auto read = readJobs(); !read)
        return engine::fail(read.error());
    QList<QByteArray> queues;
    for (const Job &job : std::as_const(m_jobs)) {
        if (!queues.contains(job.queue))
            queues << job.queue;
    }
    for (const QByteArray &queue : queues) {
        if (auto read = readPlaces(queue, account); !read)
            return engine::fail(read.error());
        if (auto read = readEvents(queue); !read)
            return engine::fail(read.error());
    }
    if (auto compared = compareRows(account); !compared)
        return engine::fail(compared.error());
    for (const int handovers : std::as_const(m_handovers))
        account.repeats += handovers - 1;
    if (m_options.watchWrites) {
        if (auto compared = compareHistory(account); !compared)
            return engine::fail(compared.error());
    }
    return account;
}

} // namespace test
