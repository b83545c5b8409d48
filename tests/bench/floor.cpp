// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The floor of the benchmark: what PostgreSQL and Redis of this machine allow when nothing else is in the way.
// It claims, enqueues and marks as done on bare libpq and hiredis, and does nothing else a dispatcher has to do:
// no retries, no fencing, no checks, no recovery.
//
//   bench_floor pg     claim and done only, drains "OutboxEvent"
//   bench_floor redis  enqueue only, rows from outbox_seed
//   bench_floor e2e    all of it
//
// Servers: PG_URL, REDIS_HOST, REDIS_PORT. Prints one line of JSON. Options:
//   -b ROWS      batch size (100)
//   -c N         workers, each with its own connections (1); not with -m overlap
//   -m MODE      seq: claim, enqueue, done in turn; overlap: one thread for each, up to four batches between them
//   -n ROWS      rows to enqueue (redis only)
//   -s SCRIPT    how jobs are added: bullmq (BullMQ's own script), min (the least script that adds one job),
//                batch (one script call per queue and batch), raw (plain commands)
//   -f FILE      the Lua text of that script
//   -v VARIANT   how rows are claimed, see `claimStatement`; "+async" behind it: the claim does not wait for the disk,
//                "+asyncall": neither does the settlement

#include <hiredis/hiredis.h>
#include <libpq-fe.h>

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <mutex>
#include <queue>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

struct Options
{
    std::string what;
    std::string variant = "split";
    std::string script = "bullmq";
    std::string scriptFile;
    int batch = 100;
    int workers = 1;
    long rows = 100'000;
    bool overlap = false;
    bool asyncClaim = false;
    bool asyncDone = false;
} options;

[[noreturn]] void die(const std::string &message)
{
    std::fprintf(stderr, "bench_floor: %s\n", message.c_str());
    std::exit(1);
}

std::string environment(const char *name, const char *fallback)
{
    const char *value = std::getenv(name);
    return value && *value ? value : fallback;
}

double seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string epochMilliseconds()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

// ---- PostgreSQL ----

struct CloseConnection
{
    void operator()(PGconn *connection) const { PQfinish(connection); }
};
struct ClearResult
{
    void operator()(PGresult *result) const { PQclear(result); }
};
using Connection = std::unique_ptr<PGconn, CloseConnection>;
using Rows = std::unique_ptr<PGresult, ClearResult>;

#define NOW "(now() AT TIME ZONE 'UTC')"
#define PENDING "status = 'PENDING' AND \"scheduledAt\" <= " NOW
#define EXPIRED "status = 'PROCESSING' AND \"lockedUntil\" < " NOW
#define MARK_PROCESSING                                                                                                \
    "UPDATE \"OutboxEvent\" SET status = 'PROCESSING', \"lockedUntil\" = " NOW                                         \
    " + interval '60 s', \"updatedAt\" = " NOW " WHERE "
#define COLUMNS "id, \"tenantId\", \"eventType\", payload, retries"
#define FIRST_ROWS " ORDER BY \"scheduledAt\" LIMIT $1 FOR UPDATE SKIP LOCKED"

// All of them plain SQL on the user's table, without a change to it.
std::string claimStatement(const std::string &variant)
{
    if (variant == "or") // one statement for both branches
        return MARK_PROCESSING "id IN (SELECT id FROM \"OutboxEvent\" WHERE (" PENDING ") OR (" EXPIRED ")" FIRST_ROWS
                               ") RETURNING " COLUMNS;
    if (variant == "union") // one statement, each branch from its own index range
        return MARK_PROCESSING "id = ANY(ARRAY(SELECT id FROM (SELECT id FROM \"OutboxEvent\" WHERE " PENDING FIRST_ROWS
                               ") pending UNION ALL SELECT id FROM (SELECT id FROM \"OutboxEvent\" WHERE " EXPIRED
                               " LIMIT $1 FOR UPDATE SKIP LOCKED) expired)) RETURNING " COLUMNS;
    if (variant == "ctid") // as split, by the row's place instead of its id
        return MARK_PROCESSING "ctid = ANY(ARRAY(SELECT ctid FROM \"OutboxEvent\" WHERE " PENDING FIRST_ROWS
                               ")) RETURNING " COLUMNS;
    if (variant == "mark") // as split, from the newest schedule that was claimed already
        return MARK_PROCESSING "id IN (SELECT id FROM \"OutboxEvent\" WHERE " PENDING
                               " AND \"scheduledAt\" >= $2::timestamp" FIRST_ROWS ") RETURNING " COLUMNS
                               ", \"scheduledAt\"";
    if (variant == "hold") // row locks until the end instead of a status
        return "SELECT " COLUMNS " FROM \"OutboxEvent\" WHERE " PENDING FIRST_ROWS;
    if (variant == "delete") // takes the row away
        return "DELETE FROM \"OutboxEvent\" WHERE id IN (SELECT id FROM \"OutboxEvent\" WHERE " PENDING FIRST_ROWS
               ") RETURNING " COLUMNS;
    if (variant == "split") // waiting rows; expired ones by a statement of their own, now and then
        return MARK_PROCESSING "id IN (SELECT id FROM \"OutboxEvent\" WHERE " PENDING FIRST_ROWS ") RETURNING " COLUMNS;
    die("no such variant: " + variant);
}

constexpr auto expiredStatement =
    MARK_PROCESSING "id IN (SELECT id FROM \"OutboxEvent\" WHERE " EXPIRED FIRST_ROWS ") RETURNING " COLUMNS;
constexpr auto doneStatement = "UPDATE \"OutboxEvent\" SET status = 'DONE', \"processedAt\" = " NOW
                               ", \"lockedUntil\" = NULL, \"updatedAt\" = " NOW " WHERE id = ANY($1::text[])";
constexpr int expiredEvery = 50; // batches

bool inOneTransaction()
{
    return options.variant == "hold" || options.variant == "delete";
}

bool looksForExpired()
{
    return options.variant == "split" || options.variant == "ctid" || options.variant == "mark";
}

Rows checked(PGconn *connection, PGresult *result)
{
    Rows rows(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        die(PQerrorMessage(connection));
    return rows;
}

void run(const Connection &connection, const char *statement)
{
    checked(connection.get(), PQexec(connection.get(), statement));
}

Connection connectDatabase(bool synchronous)
{
    Connection connection(PQconnectdb(environment("PG_URL", "").c_str()));
    if (PQstatus(connection.get()) != CONNECTION_OK)
        die(PQerrorMessage(connection.get()));
    if (!synchronous)
        run(connection, "SET synchronous_commit = off");
    const std::string claim = claimStatement(options.variant);
    checked(connection.get(), PQprepare(connection.get(), "claim", claim.c_str(), 0, nullptr));
    checked(connection.get(), PQprepare(connection.get(), "expired", expiredStatement, 0, nullptr));
    checked(connection.get(), PQprepare(connection.get(), "done", doneStatement, 0, nullptr));
    return connection;
}

// Claims batch after batch over one connection.
class Claimer
{
public:
    explicit Claimer(const Connection &connection)
        : m_connection(connection.get())
    { }

    Rows next()
    {
        ++m_batches;
        if (looksForExpired() && m_batches % expiredEvery == 0)
            claim("expired");
        if (options.variant != "mark")
            return claim("claim");
        if (m_batches % expiredEvery == 0)
            m_mark = fromTheStart;
        Rows rows = claim("claim");
        if (PQntuples(rows.get()) == 0 && m_mark != fromTheStart) { // before giving up, from the start
            m_mark = fromTheStart;
            rows = claim("claim");
        }
        for (int row = 0; row < PQntuples(rows.get()); ++row) {
            const char *scheduledAt = PQgetvalue(rows.get(), row, 5);
            if (m_mark == fromTheStart || scheduledAt > m_mark)
                m_mark = scheduledAt;
        }
        return rows;
    }

    [[nodiscard]] long batches() const { return m_batches; }

private:
    Rows claim(const char *statement)
    {
        const std::string limit = std::to_string(options.batch);
        const std::array values{limit.c_str(), m_mark.c_str()};
        const bool marked = options.variant == "mark" && std::string_view(statement) == "claim";
        return checked(m_connection,
                       PQexecPrepared(m_connection, statement, marked ? 2 : 1, values.data(), nullptr, nullptr, 0));
    }

    static constexpr auto fromTheStart = "-infinity";
    PGconn *m_connection;
    std::string m_mark = fromTheStart;
    long m_batches = 0;
};

void markDone(const Connection &connection, const PGresult *rows)
{
    std::string ids = "{";
    for (int row = 0; row < PQntuples(rows); ++row) {
        ids += row ? ",\"" : "\"";
        ids += PQgetvalue(rows, row, 0);
        ids += '"';
    }
    ids += '}';
    const char *values[]{ids.c_str()};
    checked(connection.get(), PQexecPrepared(connection.get(), "done", 1, values, nullptr, nullptr, 0));
}

// ---- Redis ----

constexpr std::array queueNames{"email", "invoice", "webhook", "user", "default"};

size_t queueOf(std::string_view eventType)
{
    const std::string_view first = eventType.substr(0, eventType.find('.'));
    for (size_t queue = 0; queue + 1 < queueNames.size(); ++queue) {
        if (first == queueNames[queue])
            return queue;
    }
    return queueNames.size() - 1;
}

std::string key(size_t queue, std::string_view name)
{
    std::string result = "bull:";
    result += queueNames[queue];
    result += ':';
    result += name;
    return result;
}

// MessagePack, as far as the arguments of BullMQ's script need it.
void packText(std::string &target, std::string_view text)
{
    if (text.size() < 32) {
        target += static_cast<char>(0xa0 | text.size());
    } else {
        target += static_cast<char>(0xd9);
        target += static_cast<char>(text.size());
    }
    target += text;
}

void packInteger(std::string &target, uint64_t value)
{
    target += static_cast<char>(0xcf);
    for (int shift = 56; shift >= 0; shift -= 8)
        target += static_cast<char>((value >> shift) & 0xff);
}

constexpr auto packedNil = static_cast<char>(0xc0);

class Redis
{
public:
    Redis()
        : m_context(redisConnect(environment("REDIS_HOST", "127.0.0.1").c_str(),
                                 std::atoi(environment("REDIS_PORT", "6379").c_str())),
                    &redisFree)
    {
        if (!m_context || m_context->err)
            die("cannot connect to Redis");
        if (options.script == "raw")
            return;
        std::ifstream file(options.scriptFile);
        std::stringstream text;
        text << file.rdbuf();
        if (!file)
            die("cannot read the script " + options.scriptFile);
        append({"SCRIPT", "LOAD", text.str()});
        m_sha = takeReply();
    }

    void enqueue(const PGresult *rows)
    {
        int replies = 0;
        if (options.script == "batch") {
            for (size_t queue = 0; queue < queueNames.size(); ++queue)
                replies += appendBatch(queue, rows);
        } else {
            for (int row = 0; row < PQntuples(rows); ++row)
                replies += appendJob(rows, row);
        }
        while (replies-- > 0)
            takeReply();
    }

private:
    static std::string jobId(const PGresult *rows, int row)
    {
        return std::string("outbox-") + PQgetvalue(rows, row, 0);
    }

    static std::string jobData(const PGresult *rows, int row)
    {
        std::string data = "{\"outboxId\":\"";
        data += PQgetvalue(rows, row, 0);
        data += "\",\"tenantId\":\"";
        data += PQgetvalue(rows, row, 1);
        data += "\",\"eventType\":\"";
        data += PQgetvalue(rows, row, 2);
        data += "\",\"payload\":";
        data += PQgetvalue(rows, row, 3);
        data += '}';
        return data;
    }

    // Each append returns how many replies it will have.
    int appendJob(const PGresult *rows, int row)
    {
        const std::string type = PQgetvalue(rows, row, 2);
        const size_t queue = queueOf(type);
        const std::string id = jobId(rows, row);
        const std::string data = jobData(rows, row);
        const std::string now = epochMilliseconds();
        if (options.script == "bullmq") {
            append({"EVALSHA", m_sha, "9", key(queue, "wait"), key(queue, "paused"), key(queue, "meta"),
                    key(queue, "id"), key(queue, "completed"), key(queue, "delayed"), key(queue, "active"),
                    key(queue, "events"), key(queue, "marker"), bullmqArguments(queue, id, type, now), data,
                    bullmqOptions(id)});
            return 1;
        }
        const std::string jobOptions =
            "{\"jobId\":\"" + id + R"(","backoff":{"delay":1000,"type":"exponential"},"attempts":5})";
        if (options.script == "min") {
            append({"EVALSHA", m_sha, "4", key(queue, "wait"), key(queue, "events"), key(queue, "marker"),
                    key(queue, id), id, type, now, data, jobOptions});
            return 1;
        }
        append({"HSET", key(queue, id), "name", type, "data", data, "opts", jobOptions, "timestamp", now, "delay", "0",
                "priority", "0"});
        append({"LPUSH", key(queue, "wait"), id});
        append({"ZADD", key(queue, "marker"), "0", "0"});
        append({"XADD", key(queue, "events"), "MAXLEN", "~", "10000", "*", "event", "waiting", "jobId", id});
        return 4;
    }

    int appendBatch(size_t queue, const PGresult *rows)
    {
        std::vector<std::string> command{"EVALSHA",
                                         m_sha,
                                         "3",
                                         key(queue, "wait"),
                                         key(queue, "events"),
                                         key(queue, "marker"),
                                         key(queue, ""),
                                         epochMilliseconds(),
                                         R"({"backoff":{"delay":1000,"type":"exponential"},"attempts":5})"};
        const size_t withoutJobs = command.size();
        for (int row = 0; row < PQntuples(rows); ++row) {
            if (queueOf(PQgetvalue(rows, row, 2)) != queue)
                continue;
            command.push_back(jobId(rows, row));
            command.emplace_back(PQgetvalue(rows, row, 2));
            command.push_back(jobData(rows, row));
        }
        if (command.size() == withoutJobs)
            return 0;
        append(command);
        return 1;
    }

    static std::string bullmqArguments(size_t queue, const std::string &id, const std::string &type,
                                       const std::string &now)
    {
        std::string packed(1, static_cast<char>(0x99)); // an array of nine
        packText(packed, key(queue, ""));
        packText(packed, id);
        packText(packed, type);
        packInteger(packed, std::stoull(now));
        packed.append(5, packedNil);
        return packed;
    }

    static std::string bullmqOptions(const std::string &id)
    {
        std::string packed(1, static_cast<char>(0x83)); // a map of three
        packText(packed, "attempts");
        packed += 5;
        packText(packed, "jobId");
        packText(packed, id);
        packText(packed, "backoff");
        packed += static_cast<char>(0x82);
        packText(packed, "type");
        packText(packed, "exponential");
        packText(packed, "delay");
        packInteger(packed, 1000);
        return packed;
    }

    void append(const std::vector<std::string> &command)
    {
        std::vector<const char *> words;
        std::vector<size_t> lengths;
        for (const std::string &word : command) {
            words.push_back(word.data());
            lengths.push_back(word.size());
        }
        redisAppendCommandArgv(m_context.get(), static_cast<int>(words.size()), words.data(), lengths.data());
    }

    std::string takeReply()
    {
        void *raw = nullptr;
        if (redisGetReply(m_context.get(), &raw) != REDIS_OK)
            die(m_context->errstr);
        const std::unique_ptr<void, decltype(&freeReplyObject)> owner(raw, &freeReplyObject);
        const auto *reply = static_cast<redisReply *>(raw);
        std::string text = reply->str ? reply->str : "";
        if (reply->type == REDIS_REPLY_ERROR)
            die(text);
        return text;
    }

    std::unique_ptr<redisContext, decltype(&redisFree)> m_context;
    std::string m_sha;
};

// ---- the drivers ----

struct Totals
{
    long rows = 0;
    long batches = 0;
    double claim = 0, enqueue = 0, done = 0; // seconds
};

template <typename Function>
void timed(double &sum, Function function)
{
    const double from = seconds();
    function();
    sum += seconds() - from;
}

Totals drainInTurn(bool withRedis)
{
    Totals totals;
    std::mutex mutex;
    std::vector<std::thread> workers;
    for (int i = 0; i < options.workers; ++i) {
        workers.emplace_back([&] {
            const Connection claims = connectDatabase(!options.asyncClaim);
            const bool two = !inOneTransaction() && options.asyncClaim != options.asyncDone;
            const Connection settles = two ? connectDatabase(!options.asyncDone) : nullptr;
            const Connection &settle = two ? settles : claims;
            const std::unique_ptr<Redis> redis = withRedis ? std::make_unique<Redis>() : nullptr;
            Claimer claimer(claims);
            Totals mine;
            while (true) {
                if (inOneTransaction())
                    run(claims, "BEGIN");
                Rows rows;
                timed(mine.claim, [&] { rows = claimer.next(); });
                if (PQntuples(rows.get()) > 0 && redis)
                    timed(mine.enqueue, [&] { redis->enqueue(rows.get()); });
                timed(mine.done, [&] {
                    if (PQntuples(rows.get()) > 0 && options.variant != "delete")
                        markDone(settle, rows.get());
                    if (inOneTransaction())
                        run(claims, "COMMIT");
                });
                if (PQntuples(rows.get()) == 0)
                    break;
                mine.rows += PQntuples(rows.get());
            }
            const std::lock_guard lock(mutex);
            totals.rows += mine.rows;
            totals.batches += claimer.batches();
            totals.claim += mine.claim;
            totals.enqueue += mine.enqueue;
            totals.done += mine.done;
        });
    }
    for (std::thread &worker : workers)
        worker.join();
    return totals;
}

// Hands batches from one thread to the next; null ends it.
class Channel
{
public:
    void put(Rows rows)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_rows.size() < capacity; });
        m_rows.push(std::move(rows));
        m_changed.notify_all();
    }

    Rows take()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return !m_rows.empty(); });
        Rows rows = std::move(m_rows.front());
        m_rows.pop();
        m_changed.notify_all();
        return rows;
    }

private:
    static constexpr size_t capacity = 4;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::queue<Rows> m_rows; // guarded by m_mutex
};

Totals drainOverlapped()
{
    Totals totals; // each member is written by one thread only
    Channel claimed, enqueued;
    std::thread enqueuer([&] {
        Redis redis;
        while (Rows rows = claimed.take()) {
            timed(totals.enqueue, [&] { redis.enqueue(rows.get()); });
            enqueued.put(std::move(rows));
        }
        enqueued.put(nullptr);
    });
    std::thread settler([&] {
        const Connection connection = connectDatabase(!options.asyncDone);
        while (const Rows rows = enqueued.take()) {
            timed(totals.done, [&] { markDone(connection, rows.get()); });
            totals.rows += PQntuples(rows.get());
        }
    });
    const Connection connection = connectDatabase(!options.asyncClaim);
    Claimer claimer(connection);
    while (true) {
        Rows rows;
        timed(totals.claim, [&] { rows = claimer.next(); });
        if (PQntuples(rows.get()) == 0)
            break;
        claimed.put(std::move(rows));
    }
    claimed.put(nullptr);
    enqueuer.join();
    settler.join();
    totals.batches = claimer.batches();
    return totals;
}

// The time of reading the rows does not count.
Totals enqueueOnly()
{
    std::vector<Rows> batches;
    const Connection connection(PQconnectdb(environment("PG_URL", "").c_str()));
    if (PQstatus(connection.get()) != CONNECTION_OK)
        die(PQerrorMessage(connection.get()));
    for (long from = 0; from < options.rows; from += options.batch) {
        const std::string statement = "SELECT id, \"tenantId\", \"eventType\", payload FROM outbox_seed WHERE n > "
            + std::to_string(from) + " AND n <= " + std::to_string(std::min(from + options.batch, options.rows));
        batches.push_back(checked(connection.get(), PQexec(connection.get(), statement.c_str())));
    }
    Redis redis;
    Totals totals;
    timed(totals.enqueue, [&] {
        for (const Rows &rows : batches) {
            redis.enqueue(rows.get());
            totals.rows += PQntuples(rows.get());
        }
    });
    totals.batches = static_cast<long>(batches.size());
    return totals;
}

void readOptions(int argc, char **argv)
{
    if (argc < 2)
        die("say pg, redis or e2e; the options are in the head of floor.cpp");
    options.what = argv[1];
    optind = 2;
    for (int option = 0; (option = getopt(argc, argv, "b:c:m:n:s:f:v:")) != -1;) {
        switch (option) {
        case 'b':
            options.batch = std::atoi(optarg);
            break;
        case 'c':
            options.workers = std::atoi(optarg);
            break;
        case 'm':
            options.overlap = std::string_view(optarg) == "overlap";
            break;
        case 'n':
            options.rows = std::atol(optarg);
            break;
        case 's':
            options.script = optarg;
            break;
        case 'f':
            options.scriptFile = optarg;
            break;
        case 'v':
            options.variant = optarg;
            break;
        default:
            std::exit(2);
        }
    }
    if (const size_t plus = options.variant.find('+'); plus != std::string::npos) {
        options.asyncClaim = true;
        options.asyncDone = options.variant.substr(plus) == "+asyncall";
        options.variant.resize(plus);
    }
}

} // namespace

int main(int argc, char **argv)
{
    readOptions(argc, argv);
    const double from = seconds();
    Totals totals;
    double took = 0;
    if (options.what == "redis") {
        totals = enqueueOnly();
        took = totals.enqueue;
    } else {
        totals = options.what == "e2e" && options.overlap ? drainOverlapped() : drainInTurn(options.what == "e2e");
        took = seconds() - from;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto cpu = [](const timeval &time) { return double(time.tv_sec) + double(time.tv_usec) / 1e6; };
    std::printf("{\"rows\":%ld,\"seconds\":%.3f,\"rowsPerSecond\":%.0f,\"batches\":%ld,\"claimSeconds\":%.3f,"
                "\"enqueueSeconds\":%.3f,\"doneSeconds\":%.3f,\"cpuSeconds\":%.2f}\n",
                totals.rows, took, double(totals.rows) / took, totals.batches, totals.claim, totals.enqueue,
                totals.done, cpu(usage.ru_utime) + cpu(usage.ru_stime));
    return 0;
}
