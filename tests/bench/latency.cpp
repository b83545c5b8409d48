// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// How long an event takes from its producer to its queue. One thread inserts events one transaction each, at random
// moments of a set rate; the other waits on the queue's event stream and notes when each job's "waiting" event is
// there. It knows nothing of the dispatcher between them.
//
//   bench_latency -r RATE -d SECONDS -s SEED
//
// Servers: PG_URL, REDIS_HOST, REDIS_PORT. Prints one line of JSON, times in ms: `commit` counts from the return of the
// INSERT, `publish` from the moment before it was sent; `observer` is what noticing a stream entry takes by itself,
// measured before and contained in both.

#include <hiredis/hiredis.h>
#include <libpq-fe.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <time.h>
#include <vector>

namespace {

[[noreturn]] void die(const std::string &message)
{
    std::fprintf(stderr, "bench_latency: %s\n", message.c_str());
    std::exit(1);
}

std::string environment(const char *name, const char *fallback)
{
    const char *value = std::getenv(name);
    return value && *value ? value : fallback;
}

double milliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

void sleepUntil(double moment)
{
    timespec until{};
    until.tv_sec = static_cast<time_t>(moment / 1e3);
    until.tv_nsec = static_cast<long>(std::fmod(moment, 1e3) * 1e6);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == EINTR) { }
}

// ---- Redis ----

using Reply = std::unique_ptr<redisReply, void (*)(void *)>;

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
    }

    Reply call(const std::vector<std::string> &command)
    {
        std::vector<const char *> words;
        std::vector<size_t> lengths;
        for (const std::string &word : command) {
            words.push_back(word.data());
            lengths.push_back(word.size());
        }
        Reply reply(static_cast<redisReply *>(redisCommandArgv(m_context.get(), static_cast<int>(words.size()),
                                                               words.data(), lengths.data())),
                    &freeReplyObject);
        if (!reply || reply->type == REDIS_REPLY_ERROR)
            die(reply ? std::string(reply->str, reply->len) : m_context->errstr);
        return reply;
    }

private:
    std::unique_ptr<redisContext, decltype(&redisFree)> m_context;
};

std::string_view text(const redisReply *reply)
{
    return {reply->str, reply->len};
}

// Calls `onEntry(fields)` for each entry behind the last one seen; waits up to 200 ms for the first.
class Stream
{
public:
    explicit Stream(std::string key)
        : m_key(std::move(key))
    {
        const Reply newest = m_redis.call({"XREVRANGE", m_key, "+", "-", "COUNT", "1"});
        if (newest->elements > 0)
            m_last = text(newest->element[0]->element[0]);
    }

    template <typename OnEntry>
    void read(OnEntry onEntry)
    {
        const Reply reply = m_redis.call({"XREAD", "COUNT", "1000", "BLOCK", "200", "STREAMS", m_key, m_last});
        if (reply->type != REDIS_REPLY_ARRAY)
            return; // nothing came
        const redisReply *entries = reply->element[0]->element[1];
        for (size_t i = 0; i < entries->elements; ++i) {
            m_last = text(entries->element[i]->element[0]);
            onEntry(entries->element[i]->element[1]);
        }
    }

private:
    Redis m_redis;
    std::string m_key;
    std::string m_last = "0-0";
};

std::string_view field(const redisReply *fields, std::string_view name)
{
    for (size_t i = 0; i + 1 < fields->elements; i += 2) {
        if (text(fields->element[i]) == name)
            return text(fields->element[i + 1]);
    }
    return {};
}

// What it takes to notice an entry: from before XADD is sent to its arrival at the reader.
double observerTime()
{
    constexpr int samples = 200;
    const std::string key = "bench-latency";
    std::array<std::atomic<double>, samples> added{};
    std::vector<double> took;
    Redis redis;
    redis.call({"DEL", key});
    Stream stream(key);
    std::thread writer([&] {
        for (int i = 0; i < samples; ++i) {
            sleepUntil(milliseconds() + 2);
            added[static_cast<size_t>(i)] = milliseconds();
            redis.call({"XADD", key, "*", "n", std::to_string(i)});
        }
    });
    while (took.size() < samples) {
        stream.read([&](const redisReply *fields) {
            const auto n = static_cast<size_t>(std::stoi(std::string(field(fields, "n"))));
            took.push_back(milliseconds() - added[n]);
        });
    }
    writer.join();
    redis.call({"DEL", key});
    std::ranges::sort(took);
    return took[took.size() / 2];
}

// ---- PostgreSQL ----

class Producer
{
public:
    Producer()
        : m_connection(PQconnectdb(environment("PG_URL", "").c_str()), &PQfinish)
    {
        constexpr auto insert =
            R"(INSERT INTO "OutboxEvent"(id, "tenantId", "eventType", payload, "scheduledAt", "createdAt", "updatedAt")
               SELECT $1, 'tenant_1', 'email.welcome', $2::jsonb, now, now, now
               FROM (SELECT now() AT TIME ZONE 'UTC' AS now) clock)";
        if (PQstatus(m_connection.get()) != CONNECTION_OK)
            die(PQerrorMessage(m_connection.get()));
        check(PQprepare(m_connection.get(), "insert", insert, 0, nullptr));
    }

    void publish(const std::string &id)
    {
        const std::array values{id.c_str(), m_payload.c_str()};
        check(PQexecPrepared(m_connection.get(), "insert", 2, values.data(), nullptr, nullptr, 0));
    }

private:
    void check(PGresult *result)
    {
        const bool good = PQresultStatus(result) == PGRES_COMMAND_OK;
        PQclear(result);
        if (!good)
            die(PQerrorMessage(m_connection.get()));
    }

    std::unique_ptr<PGconn, decltype(&PQfinish)> m_connection;
    const std::string m_payload = "{\"note\":\"" + std::string(450, 'x') + "\"}";
};

// ---- figures ----

std::string summary(std::vector<double> values)
{
    std::ranges::sort(values);
    const auto at = [&](double share) {
        const auto rank = static_cast<size_t>(std::ceil(share * double(values.size())));
        return values.empty() ? 0 : values[std::max<size_t>(rank, 1) - 1];
    };
    std::array<char, 128> line{};
    std::snprintf(line.data(), line.size(), R"({"p50":%.2f,"p95":%.2f,"p99":%.2f,"max":%.2f})", at(0.5), at(0.95),
                  at(0.99), at(1));
    return line.data();
}

} // namespace

int main(int argc, char **argv)
{
    double rate = 20;
    double seconds = 10;
    unsigned seed = 1;
    for (int option = 0; (option = getopt(argc, argv, "r:d:s:")) != -1;) {
        switch (option) {
        case 'r':
            rate = std::atof(optarg);
            break;
        case 'd':
            seconds = std::atof(optarg);
            break;
        case 's':
            seed = static_cast<unsigned>(std::atoi(optarg));
            break;
        default:
            return 2;
        }
    }

    struct Event
    {
        double due = 0; // when to publish it
        double sent = 0;
        double committed = 0;
        double seen = 0; // 0: not yet
    };
    std::mt19937 generator(seed);
    std::exponential_distribution<> pause(rate / 1e3);
    std::vector<Event> events;
    for (double at = pause(generator); at < seconds * 1e3; at += pause(generator))
        events.push_back({at, 0, 0, 0});

    const double observer = observerTime();
    const std::string prefix = "latency-" + std::to_string(getpid()) + '-';
    std::atomic<double> patience = milliseconds() + seconds * 1e3 + 60'000;
    // `sent` and `committed` belong to the producer, `seen` to the observer, until both have ended.
    Stream stream("bull:email:events");
    std::thread watcher([&] {
        for (size_t left = events.size(); left > 0 && milliseconds() < patience;) {
            stream.read([&](const redisReply *fields) {
                const double now = milliseconds();
                const std::string_view job = field(fields, "jobId");
                const size_t at = job.find(prefix);
                if (field(fields, "event") != "waiting" || at == std::string_view::npos)
                    return;
                Event &event = events[std::stoul(std::string(job.substr(at + prefix.size())))];
                if (event.seen == 0) {
                    event.seen = now;
                    --left;
                }
            });
        }
    });
    Producer producer;
    const double from = milliseconds();
    for (size_t i = 0; i < events.size(); ++i) {
        sleepUntil(from + events[i].due);
        events[i].sent = milliseconds();
        producer.publish(prefix + std::to_string(i));
        events[i].committed = milliseconds();
    }
    const double took = milliseconds() - from;
    patience = milliseconds() + 15'000;
    watcher.join();

    std::vector<double> publish, commit, insert;
    for (const Event &event : events) {
        insert.push_back(event.committed - event.sent);
        if (event.seen == 0)
            continue;
        publish.push_back(event.seen - event.sent);
        commit.push_back(event.seen - event.committed);
    }
    std::printf(R"({"events":%zu,"lost":%zu,"rate":%.1f,"observer":%.3f,"insert":%s,"commit":%s,"publish":%s})"
                "\n",
                events.size(), events.size() - publish.size(), double(events.size()) / took * 1e3, observer,
                summary(insert).c_str(), summary(commit).c_str(), summary(publish).c_str());
    return 0;
}
