// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/bullmq/discovery.h>
#include <engine/bullmq/inspector.h>
#include <engine/bullmq/jobfields.h>
#include <engine/bullmq/jobreader.h>
#include <engine/bullmq/jobsearch.h>
#include <engine/bullmq/workergroups.h>

#include <tests/support/queuefixtures.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <numeric>

using namespace engine::bullmq;
using namespace Qt::StringLiterals;
using engine::ErrorCode;
using engine::redis::Client;
using engine::redis::Command;
using engine::redis::Endpoint;
using engine::redis::Reply;

// Queues, jobs and workers read from a real Redis: against what BullMQ itself said about its own fixtures, and against
// the oddities no library would make. That live workers of every version agree is the business of tests/interop.
class TestJobs final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();

    void agreesWithTheLibrary_data();
    void agreesWithTheLibrary();
    void readsNothingButReads_data();
    void readsNothingButReads();

    void findsQueuesByAnyTrace();
    void findsQueuesInSteps();
    void keepsPrefixesApart();
    void namesTheBrokenKey();
    void tellsStalledFromSuspected();
    void looksAtEveryReadyJobsAge();
    void describesWorkers();
    void judgesWorkerGroups();

    void pagesBothWays_data();
    void pagesBothWays();
    void pagesAcrossPausedAndWaiting();
    void pagesAroundMarkers();
    void showsGoneJobs();
    void refusesImpossiblePages();
    void tellsEverythingOfAJob();
    void findsAWaitingJobsPlace();
    void survivesMalformedJobs();
    void reservedKeysAreNoJobs();
    void readsTimes_data();
    void readsTimes();
    void searchesInPieces();
    void searchesEscapedText();
    void searchesLargeDocuments();

private:
    Reply ask(const Command &command);
    std::vector<Reply> askAll(const std::vector<Command> &commands);
    QueueState state(const QByteArray &queue);
    QByteArrayList idsOf(const JobPageRequest &request);
    std::vector<JobSummary> search(const JobSearchRequest &request, qint64 *looked = nullptr);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<Client> m_client;
};

namespace {

QJsonValue parsed(const QByteArray &json)
{
    return QJsonDocument::fromJson('[' + json + ']').array().at(0);
}

// Commands of the server's own statistics that are no reads but write nothing either.
const QByteArrayList harmless{"ping",  "info", "config|resetstat", "auth", "select", "time", "client|list",
                              "multi", "exec"};
const QByteArrayList reads{"get",   "hget",   "hmget", "hgetall", "hexists", "hstrlen",   "hlen",   "hscan",
                           "llen",  "lrange", "lpos",  "zcard",   "zrange",  "zrevrange", "zscore", "zrank",
                           "scard", "sscan",  "scan",  "type",    "exists",  "pttl",      "strlen"};

} // namespace

void TestJobs::initTestCase()
{
    auto servers = test::PrivateServers::start(
        {.tcp = false, .postgres = {}, .redis = {}, .withPostgres = false, .withRedis = true});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    m_client = std::make_unique<Client>(*Endpoint::parse(m_servers->redisUrl()));
}

void TestJobs::init()
{
    ask({"FLUSHALL"});
}

Reply TestJobs::ask(const Command &command)
{
    return askAll({command}).front();
}

std::vector<Reply> TestJobs::askAll(const std::vector<Command> &commands)
{
    auto replies = m_client->exchange(commands, std::chrono::seconds(20));
    if (!replies)
        qFatal("%s", test::why(replies).constData());
    for (const Reply &reply : *replies) {
        if (reply.isError())
            qFatal("%s", reply.text.constData());
    }
    return *replies;
}

QueueState TestJobs::state(const QByteArray &queue)
{
    auto states = Inspector(*m_client, "bull").states({queue});
    if (!states)
        qFatal("%s", test::why(states).constData());
    return states->front();
}

QByteArrayList TestJobs::idsOf(const JobPageRequest &request)
{
    auto page = JobReader(*m_client, "bull").page(request);
    if (!page)
        qFatal("%s", test::why(page).constData());
    QByteArrayList ids;
    for (const JobSummary &job : page->jobs)
        ids << job.id;
    return ids;
}

std::vector<JobSummary> TestJobs::search(const JobSearchRequest &request, qint64 *looked)
{
    std::vector<JobSummary> found;
    JobSearch search(*m_client, "bull");
    JobSearchCursor cursor;
    for (;;) {
        auto step = search.step(request, cursor, std::chrono::milliseconds(0));
        if (!step)
            qFatal("%s", test::why(step).constData());
        found.insert(found.end(), step->found.begin(), step->found.end());
        cursor = step->next;
        if (looked)
            *looked += step->looked;
        if (step->done)
            return found;
    }
}

void TestJobs::agreesWithTheLibrary_data()
{
    QTest::addColumn<QString>("fixture");
    const QStringList names = test::queueFixtures();
    QVERIFY(names.size() >= 3);
    for (const QString &name : names)
        QTest::newRow(qPrintable(name)) << name;
}

void TestJobs::agreesWithTheLibrary()
{
    QFETCH(const QString, fixture);
    const auto restored = test::restoreQueues(*m_client, fixture);
    VERIFY_WORKED(restored);
    std::vector<std::unique_ptr<Client>> workers; // connections with the names that the fixture's workers had
    for (const QString &name : restored->clientNames) {
        workers.push_back(std::make_unique<Client>(*Endpoint::parse(m_servers->redisUrl())));
        VERIFY_WORKED(workers.back()->exchange(Command{"CLIENT", "SETNAME", name.toUtf8()}, std::chrono::seconds(5)));
    }

    const int major = restored->version.section(u'.', 0, 0).toInt();
    const QJsonObject &expected = restored->expected;
    qsizetype queuesBelowBull = 0;
    int jobsCompared = 0;
    for (auto queue = expected.begin(); queue != expected.end(); ++queue) {
        const bool tagged = queue.key().contains(u'|');
        const QByteArray prefix = tagged ? queue.key().section(u'|', 0, 0).toUtf8() : QByteArray("bull");
        const QByteArray name = queue.key().section(u'|', -1).toUtf8();
        queuesBelowBull += tagged ? 0 : 1;
        const auto states = Inspector(*m_client, prefix).states({name});
        VERIFY_WORKED(states);
        const QueueState &state = states->front();
        QVERIFY2(state.problem.isEmpty(), qPrintable(state.problem));
        const QJsonObject counts = queue.value()["counts"_L1].toObject();
        const auto count = [&](const char *which) { return counts[QLatin1StringView(which)].toInteger(); };
        QCOMPARE(state.waiting, count("waiting") + count("paused"));
        QCOMPARE(state.active, count("active"));
        QCOMPARE(state.delayed, count("delayed"));
        QCOMPARE(state.prioritized, count("prioritized"));
        QCOMPARE(state.failed, count("failed"));
        QCOMPARE(state.completed, count("completed"));
        QCOMPARE(state.waitingChildren, count("waiting-children"));
        QCOMPARE(state.paused, queue.value()["isPaused"_L1].toBool());
        QCOMPARE(state.workers, std::optional<int>(queue.value()["workers"_L1].toArray().size()));
        QCOMPARE(state.stalled, name == "fx-stalled-marked" ? 1 : 0);

        const QJsonObject jobs = queue.value()["jobs"_L1].toObject();
        QHash<QByteArray, QByteArrayList> listed; // state -> ids
        for (const JobState which : jobStates()) {
            JobPageRequest request;
            request.queue = name;
            request.state = which;
            auto page = JobReader(*m_client, prefix).page(request);
            VERIFY_WORKED(page);
            for (const JobSummary &job : page->jobs) {
                QVERIFY(!job.gone);
                listed[jobStateName(which).toByteArray()] << job.id;
            }
        }
        for (auto job = jobs.begin(); job != jobs.end(); ++job) {
            const QByteArray id = job.key().toUtf8();
            const auto detail = JobReader(*m_client, prefix).detail(name, id);
            VERIFY_WORKED(detail);
            const QJsonObject want = job.value().toObject();
            const QByteArray where = (fixture + u' ' + queue.key() + u' ' + job.key()).toUtf8();
            QVERIFY2(jobStateName(detail->job.state) == want["state"_L1].toString().toUtf8(), where.constData());
            QVERIFY(!detail->stateIsGuess);
            for (const QJsonValue &in : want["listedAs"_L1].toArray()) {
                const QByteArray list = in.toString() == u"paused" ? QByteArray("waiting") : in.toString().toUtf8();
                QVERIFY2(listed[list].contains(id), where.constData());
            }
            QCOMPARE(QString::fromUtf8(detail->job.name), want["name"_L1].toString());
            QCOMPARE(parsed(detail->job.data), want["data"_L1]);
            QVERIFY2(detail->job.attemptsMade == want["attemptsMade"_L1].toInt(), where.constData());
            if (major >= 5)
                QVERIFY2(detail->job.attemptsStarted.value_or(0) == want["attemptsStarted"_L1].toInt(),
                         where.constData());
            if (major >= 5)
                QVERIFY2(detail->job.stalls == want["stalledCounter"_L1].toInt(), where.constData());
            if (major >= 4)
                QCOMPARE(detail->job.priority, want["priority"_L1].toInt());
            QCOMPARE(detail->delayMs, want["delay"_L1].toInteger());
            QCOMPARE(detail->job.failedReason, want["failedReason"_L1].toString());
            const auto time = [&](const char *field) -> std::optional<qint64> {
                const QJsonValue value = want[QLatin1StringView(field)];
                return value.isDouble() ? std::optional(value.toInteger() * 1000) : std::nullopt;
            };
            QCOMPARE(detail->job.addedAt, time("timestamp"));
            QCOMPARE(detail->job.startedAt, time("processedOn"));
            QCOMPARE(detail->job.finishedAt, time("finishedOn"));
            const QJsonArray traces = want["stacktrace"_L1].toArray();
            QCOMPARE(qsizetype(detail->stackTraces.size()), traces.size());
            for (qsizetype i = 0; i < traces.size(); ++i)
                QCOMPARE(detail->stackTraces[size_t(i)], traces[traces.size() - 1 - i].toString());
            if (want["state"_L1].toString() == u"completed" && !detail->returnValue.isEmpty())
                QCOMPARE(parsed(detail->returnValue), want["returnvalue"_L1]);
            if (!detail->progress.isEmpty())
                QCOMPARE(parsed(detail->progress), want["progress"_L1]);
            const QJsonArray logs = want["logs"_L1].toArray();
            QCOMPARE(detail->logCount, logs.size());
            for (qsizetype i = 0; i < logs.size(); ++i)
                QCOMPARE(detail->logs[size_t(i)], logs[i].toString());
            QCOMPARE(QString::fromUtf8(detail->job.worker), want["processedBy"_L1].toString());
            QCOMPARE(QString::fromUtf8(detail->parentKey), want["parentKey"_L1].toString());
            QCOMPARE(QString::fromUtf8(detail->deduplicationId), want["deduplicationId"_L1].toString());
            QCOMPARE(QString::fromUtf8(detail->repeatKey), want["repeatJobKey"_L1].toString());
            QCOMPARE(QString::fromUtf8(detail->deferredFailure), want["deferredFailure"_L1].toString());
            ++jobsCompared;
        }
    }
    QVERIFY(jobsCompared > 40);
    const auto found = Inspector(*m_client, "bull").discover();
    VERIFY_WORKED(found);
    QCOMPARE(qsizetype(found->size()), queuesBelowBull);
    const auto schedulers = Inspector(*m_client, "bull").states({"fx-sched"});
    QVERIFY(schedulers->front().schedulers > 0);
}

void TestJobs::readsNothingButReads_data()
{
    agreesWithTheLibrary_data();
}

// The server's own statistics over everything that this room can ask.
void TestJobs::readsNothingButReads()
{
    QFETCH(const QString, fixture);
    VERIFY_WORKED(test::restoreQueues(*m_client, fixture));
    const qint64 dirty = [&] {
        const QByteArray info = ask({"INFO", "persistence"}).text;
        return info.mid(info.indexOf("rdb_changes_since_last_save:") + 28, 12).split('\r').front().toLongLong();
    }();
    QVERIFY(dirty > 0);
    ask({"CONFIG", "RESETSTAT"});
    Client console(*Endpoint::parse(m_servers->redisUrl()));
    const auto queues = Inspector(console, "bull").queues();
    VERIFY_WORKED(queues);
    for (const QueueState &queue : *queues) {
        VERIFY_WORKED(Inspector(console, "bull").hasJob(queue.name, "x"));
        for (const JobState which : jobStates()) {
            for (const bool oldestFirst : {true, false}) {
                JobPageRequest request;
                request.queue = queue.name;
                request.state = which;
                request.oldestFirst = oldestFirst;
                request.withData = true;
                const auto page = JobReader(console, "bull").page(request);
                VERIFY_WORKED(page);
                for (const JobSummary &job : page->jobs)
                    VERIFY_WORKED(JobReader(console, "bull").detail(queue.name, job.id));
            }
        }
        VERIFY_WORKED(JobSearch(console, "bull")
                          .step({queue.name, jobStates(), u"a"_s, false, true}, {}, std::chrono::seconds(1)));
    }
    QByteArrayList used;
    for (const QByteArray &line : ask({"INFO", "commandstats"}).text.split('\n')) {
        if (line.startsWith("cmdstat_"))
            used << line.mid(8, line.indexOf(':') - 8);
    }
    QVERIFY(used.contains("hgetall") && used.contains("lpos") && used.contains("scan"));
    for (const QByteArray &command : std::as_const(used))
        QVERIFY2(reads.contains(command) || harmless.contains(command), command.constData());
    const QByteArray info = ask({"INFO", "persistence"}).text;
    QCOMPARE(info.mid(info.indexOf("rdb_changes_since_last_save:") + 28, 12).split('\r').front().toLongLong(), dirty);
}

void TestJobs::findsQueuesByAnyTrace()
{
    askAll({{"SET", "bull:by-id:id", "7"},
            {"SET", "bull:by-check:stalled-check", "1"},
            {"XADD", "bull:by-events:events", "*", "event", "added"},
            {"LPUSH", "bull:by-wait:wait", "a"},
            {"LPUSH", "bull:by-paused:paused", "a"},
            {"LPUSH", "bull:by-active:active", "a"},
            {"ZADD", "bull:by-completed:completed", "1", "a"},
            {"ZADD", "bull:by-failed:failed", "1", "a"},
            {"ZADD", "bull:by-delayed:delayed", "1", "a"},
            {"ZADD", "bull:by-prioritized:prioritized", "1", "a"},
            {"HSET", "bull:by-meta:meta", "paused", "1"},
            // No queues: jobs whose ids end like keys, a flow's results, a deduplication id, a queue without a name.
            {"HSET", "bull:by-id:x:wait", "name", "n"},
            {"HSET", "bull:by-id:x:failed", "bull:c:1", "boom"},
            {"HSET", "bull:by-id:x:meta", "name", "n", "data", "{}"},
            {"SET", "bull:by-id:de:customer:id", "job-1"},
            {"HSET", "bull::meta", "version", "bullmq:6.0.0"}});
    const auto found = Inspector(*m_client, "bull").discover();
    VERIFY_WORKED(found);
    QByteArrayList names(found->begin(), found->end());
    const QByteArrayList expected{"by-active", "by-check", "by-completed", "by-delayed",     "by-events", "by-failed",
                                  "by-id",     "by-meta",  "by-paused",    "by-prioritized", "by-wait"};
    QCOMPARE(names, expected);
}

void TestJobs::findsQueuesInSteps()
{
    std::vector<Command> commands;
    for (int i = 0; i < 20'000; ++i)
        commands.push_back({"SET", "bull:q:job-" + QByteArray::number(i), "x"});
    for (int i = 0; i < 50; ++i)
        commands.push_back({"SET", "bull:queue-" + QByteArray::number(i) + ":id", "1"});
    askAll(commands);
    Discovery discovery(*m_client, "bull");
    VERIFY_WORKED(discovery.tryFirst({"queue-7", "there is none"}));
    QCOMPARE(discovery.names(), std::vector<QByteArray>{"queue-7"});
    int steps = 0;
    while (!discovery.isComplete()) {
        VERIFY_WORKED(discovery.step(std::chrono::milliseconds(0)));
        ++steps;
    }
    QVERIFY(steps > 5);
    QCOMPARE(discovery.names().size(), size_t(50));
}

void TestJobs::keepsPrefixesApart()
{
    askAll({{"HSET", "bull:mail:meta", "version", "bullmq:5.0.0"},
            {"LPUSH", "bull:mail:wait", "a"},
            {"HSET", "bull:eu:mail:meta", "version", "bullmq:3.0.0"},
            {"HSET", "{bull}:mail:meta", "version", "bullmq:5.0.0"},
            {"LPUSH", "{bull}:mail:wait", "a", "b"},
            {"HSET", "b*ll:mail:meta", "version", "bullmq:5.0.0"},
            {"LPUSH", "b*ll:mail:wait", "a", "b", "c"}});
    for (const auto &[prefix, waiting] : {std::pair<QByteArray, int>{"bull", 1}, {"{bull}", 2}, {"b*ll", 3}}) {
        const auto queues = Inspector(*m_client, prefix).queues();
        VERIFY_WORKED(queues);
        const auto mail = std::ranges::find(*queues, QByteArray("mail"), &QueueState::name);
        QVERIFY(mail != queues->end());
        QCOMPARE(mail->waiting, waiting);
        QCOMPARE(queues->size(), prefix == "bull" ? size_t(2) : size_t(1));
    }
}

void TestJobs::namesTheBrokenKey()
{
    askAll({{"HSET", "bull:bad:meta", "version", "bullmq:5.0.0"},
            {"SET", "bull:bad:failed", "no set"},
            {"HSET", "bull:good:meta", "version", "bullmq:5.0.0"},
            {"LPUSH", "bull:good:wait", "a"}});
    const auto queues = Inspector(*m_client, "bull").queues();
    VERIFY_WORKED(queues);
    QCOMPARE(queues->size(), size_t(2));
    QVERIFY2(queues->at(0).problem.contains(u"bull:bad:failed"_s), qPrintable(queues->at(0).problem));
    QCOMPARE(queues->at(1).waiting, 1);
    JobPageRequest request;
    request.queue = "bad";
    const auto page = JobReader(*m_client, "bull").page(request);
    QVERIFY(!page);
    QVERIFY2(page.error().message.contains(u"bull:bad:failed"_s), qPrintable(page.error().message));
    request.state = JobState::Waiting; // the other lists of a broken queue can still be read
    VERIFY_WORKED(JobReader(*m_client, "bull").page(request));
}

void TestJobs::tellsStalledFromSuspected()
{
    // Three active: one with a lock, one without; one marked by the last check whose lock lives.
    askAll({{"LPUSH", "bull:q:active", "held", "lost", "marked"},
            {"SET", "bull:q:held:lock", "w:1"},
            {"SET", "bull:q:marked:lock", "w:2"},
            {"SADD", "bull:q:stalled", "marked", "held"}});
    const QueueState q = state("q");
    QCOMPARE(q.active, 3);
    QCOMPARE(q.stalled, 1);
    QCOMPARE(q.suspected, 2);
    QVERIFY(!q.stalledAtLeast);
    for (int i = 0; i < 1200; ++i)
        ask({"LPUSH", "bull:q:active", "more-" + QByteArray::number(i)});
    QVERIFY(state("q").stalledAtLeast);
    QVERIFY(state("q").stalled >= 999);
}

void TestJobs::looksAtEveryReadyJobsAge()
{
    const qint64 now = ask({"TIME"}).items[0].text.toLongLong() * 1000;
    const auto age = [now](qint64 seconds) { return QByteArray::number(now - seconds * 1000); };
    // A lifo job stands before an older one; a prioritized one is older still.
    askAll({{"RPUSH", "bull:q:wait", "old", "lifo"},
            {"HSET", "bull:q:old", "timestamp", age(100)},
            {"HSET", "bull:q:lifo", "timestamp", age(1)}});
    QVERIFY(std::abs(*state("q").oldestWaitingMs - 100'000) < 5'000);
    askAll({{"ZADD", "bull:q:prioritized", "1", "urgent"}, {"HSET", "bull:q:urgent", "timestamp", age(300)}});
    QVERIFY(std::abs(*state("q").oldestWaitingMs - 300'000) < 5'000);
    // Clocks differ; a job from the future has no negative age.
    ask({"FLUSHALL"});
    askAll({{"RPUSH", "bull:q:wait", "new"}, {"HSET", "bull:q:new", "timestamp", age(-500)}});
    QCOMPARE(state("q").oldestWaitingMs, std::optional<qint64>(0));
    askAll({{"HSET", "bull:q:new", "timestamp", "NaN"}});
    QCOMPARE(state("q").oldestWaitingMs, std::nullopt);
}

void TestJobs::describesWorkers()
{
    std::vector<std::unique_ptr<Client>> clients;
    const auto connectAs = [&](const QByteArray &name) {
        clients.push_back(std::make_unique<Client>(*Endpoint::parse(m_servers->redisUrl())));
        QVERIFY(clients.back()->exchange(Command{"CLIENT", "SETNAME", name}, std::chrono::seconds(5)));
    };
    const QByteArray mail = "bull:" + QByteArray("mail").toBase64();
    connectAs(mail + ":w:first");
    connectAs(mail + ":w:twin");
    connectAs(mail + ":w:twin");
    connectAs(mail); // versions 3 and 4
    connectAs(mail + ":qe");
    connectAs("bull:" + QByteArray("e#f? \xf0\x9f\x98\x80").toBase64() + ":w:x:y");
    connectAs("bull:not-base64!");
    connectAs("{bull}:" + QByteArray("mail").toBase64());
    askAll({{"LPUSH", "bull:mail:active", "a", "b"},
            {"HSET", "bull:mail:a", "pb", "first"},
            {"HSET", "bull:mail:b", "pb", "twin"},
            {"SET", "bull:mail:a:lock", "t"}});
    const auto overview = Inspector(*m_client, "bull").overview({"mail"});
    VERIFY_WORKED(overview);
    QVERIFY(overview->workers);
    QCOMPARE(overview->workers->size(), size_t(5));
    QCOMPARE(overview->queues.front().workers, std::optional<int>(4));
    const std::vector<WorkerState> &workers = *overview->workers;
    QCOMPARE(workers[0].name, "first");
    QCOMPARE(workers[0].jobs, std::optional<int>(1));
    QCOMPARE(workers[1].jobs, std::nullopt); // two of one name
    QCOMPARE(workers[3].name, "");
    QCOMPARE(workers[3].jobs, std::nullopt);
    QCOMPARE(workers[4].queue, QByteArray("e#f? \xf0\x9f\x98\x80"));
    QCOMPARE(workers[4].name, "x:y");
    for (const WorkerState &worker : workers) {
        QVERIFY(!worker.address.isEmpty());
        QVERIFY(!worker.waits);
    }
    // Blocked on an empty queue: it has room.
    clients[0]->send({"BRPOPLPUSH", "bull:mail:wait", "bull:mail:active", "0"}, [](const auto &) {});
    const bool blocked = QTest::qWaitFor([&] {
        const auto seen = Inspector(*m_client, "bull").overview({"mail"});
        return seen && seen->workers && !seen->workers->empty() && seen->workers->front().waits;
    });
    QVERIFY(blocked);

    // A server that does not show its clients: unknown, not none.
    Client restricted(*Endpoint::parse(m_servers->redisUrl()));
    askAll({{"ACL", "SETUSER", "watcher", "on", ">secret", "~*", "+@read", "+time", "+ping", "-client"}});
    VERIFY_WORKED(restricted.exchange(Command{"AUTH", "watcher", "secret"}, std::chrono::seconds(5)));
    const auto blind = Inspector(restricted, "bull").overview({"mail"});
    VERIFY_WORKED(blind);
    QVERIFY(!blind->workers);
    QCOMPARE(blind->queues.front().workers, std::nullopt);
    QCOMPARE(blind->queues.front().active, 2);
    ask({"ACL", "DELUSER", "watcher"});
}

void TestJobs::judgesWorkerGroups()
{
    std::vector<QueueState> queues(4);
    queues[0].name = "outbox.mail";
    queues[0].waiting = 4;
    queues[0].workers = 0;
    queues[0].oldestWaitingMs = 9000;
    queues[1].name = "toolctrl.email";
    queues[1].workers = 2;
    queues[1].failed = 3;
    queues[2].name = "outbox.workflow";
    queues[2].workers = 1;
    queues[2].stalled = 1;
    queues[3].name = "anything";
    queues[3].problem = u"broken"_s;
    queues[3].workers = 0;
    const auto groups = workerGroups(queues);
    QCOMPARE(groups.size(), size_t(2));
    QCOMPARE(groups[0].queues.size(), size_t(2));
    QCOMPARE(groups[0].workers, std::optional<int>(1));
    QCOMPARE(groups[0].stalled, 1);
    QCOMPARE(groups[0].unreadable, 1);
    QVERIFY(groups[0].unserved.empty());
    QCOMPARE(groups[1].unserved, std::vector<QByteArray>{"outbox.mail"});
    QCOMPARE(groups[1].served, 1);
    QCOMPARE(groups[1].ready, 4);
    QCOMPARE(groups[1].oldestWaitingMs, std::optional<qint64>(9000));
    queues[0].workers.reset();
    QVERIFY(workerGroups({queues[0]})[1].unserved.empty()); // unknown is not none
    QCOMPARE(workerGroups({queues[0]})[1].workers, std::nullopt);
}

void TestJobs::pagesBothWays_data()
{
    QTest::addColumn<JobState>("which");
    for (const JobState which : jobStates())
        QTest::newRow(jobStateName(which).data()) << which;
}

void TestJobs::pagesBothWays()
{
    QFETCH(const JobState, which);
    QByteArrayList oldestFirst;
    std::vector<Command> commands;
    for (int i = 0; i < 250; ++i) {
        const QByteArray id = "job-" + QByteArray::number(i);
        oldestFirst << id;
        commands.push_back({"HSET", "bull:q:" + id, "name", "n", "timestamp", QByteArray::number(i)});
        if (which == JobState::Waiting)
            commands.push_back({"LPUSH", "bull:q:wait", id});
        else if (which == JobState::Active)
            commands.push_back({"LPUSH", "bull:q:active", id});
        else
            commands.push_back(
                {"ZADD", "bull:q:" + jobStateName(which).toByteArray(), QByteArray::number(i * 4096), id});
    }
    askAll(commands);
    for (const bool oldest : {true, false}) {
        QByteArrayList seen;
        for (int offset = 0; offset < 280; offset += 40) {
            const QByteArrayList page = idsOf({"q", which, offset, 40, oldest, false});
            QCOMPARE(page.size(), std::clamp(250 - offset, 0, 40));
            seen << page;
        }
        if (!oldest)
            std::ranges::reverse(seen);
        QCOMPARE(seen, oldestFirst);
    }
    QCOMPARE(JobReader(*m_client, "bull").page({"q", which, 0, 1, false, false})->total, 250);
}

void TestJobs::pagesAcrossPausedAndWaiting()
{
    // 6 writes to `wait` while an older `paused` list of 5 stands.
    askAll({{"LPUSH", "bull:q:paused", "1", "2", "3"}, {"LPUSH", "bull:q:wait", "4", "5"}});
    QCOMPARE(idsOf({"q", JobState::Waiting, 0, 10, true, false}), (QByteArrayList{"1", "2", "3", "4", "5"}));
    QCOMPARE(idsOf({"q", JobState::Waiting, 0, 10, false, false}), (QByteArrayList{"5", "4", "3", "2", "1"}));
    QCOMPARE(idsOf({"q", JobState::Waiting, 2, 2, true, false}), (QByteArrayList{"3", "4"}));
    QCOMPARE(idsOf({"q", JobState::Waiting, 1, 2, false, false}), (QByteArrayList{"4", "3"}));
}

void TestJobs::pagesAroundMarkers()
{
    askAll({{"LPUSH", "bull:q:wait", "0:1700000000000", "1", "2", "3"}});
    QCOMPARE(idsOf({"q", JobState::Waiting, 0, 2, true, false}), (QByteArrayList{"1", "2"}));
    QCOMPARE(idsOf({"q", JobState::Waiting, 2, 2, true, false}), (QByteArrayList{"3"}));
    QCOMPARE(idsOf({"q", JobState::Waiting, 1, 5, false, false}), (QByteArrayList{"2", "1"}));
    QCOMPARE(JobReader(*m_client, "bull").page({"q", JobState::Waiting, 0, 10, true, false})->total, 3);
    QCOMPARE(ask({"LLEN", "bull:q:wait"}).integer, 4);
}

void TestJobs::showsGoneJobs()
{
    askAll({{"ZADD", "bull:q:failed", "1", "there", "2", "gone"},
            {"HSET", "bull:q:there", "name", "n", "data", R"({"a":1})", "opts", R"({"attempts":3})"}});
    const auto page = JobReader(*m_client, "bull").page({"q", JobState::Failed, 0, 10, true, true});
    VERIFY_WORKED(page);
    QCOMPARE(page->jobs.size(), size_t(2));
    QVERIFY(!page->jobs[0].gone);
    QCOMPARE(page->jobs[0].data, R"({"a":1})");
    QCOMPARE(page->jobs[0].mostAttempts, std::optional<int>(3));
    QVERIFY(page->jobs[1].gone);
    const auto detail = JobReader(*m_client, "bull").detail("q", "gone");
    QVERIFY(!detail);
    QCOMPARE(detail.error().code, ErrorCode::NotFound);
    QVERIFY(detail.error().message.contains(u"gone"_s));
}

void TestJobs::refusesImpossiblePages()
{
    QVERIFY(!JobReader(*m_client, "bull").page({"q", JobState::Failed, -1, 10, true, false}));
    QVERIFY(!JobReader(*m_client, "bull").page({"q", JobState::Failed, 0, 0, true, false}));
    QVERIFY(!JobReader(*m_client, "bull").page({"q", JobState::Failed, 0, 1001, true, false}));
    QVERIFY(!JobReader(*m_client, "bull").page({"q", JobState::Unknown, 0, 10, true, false}));
    QVERIFY(JobReader(*m_client, "bull").page({"no such queue", JobState::Failed, 0, 10, true, false})->jobs.empty());
}

void TestJobs::tellsEverythingOfAJob()
{
    const QByteArray data = R"({"n":9007199254740993, "d":0.2345678901234568,"x":1e400,"a":1,"a":2,"":"żółć"})";
    askAll({{"HSET",         "bull:q:p",
             "name",         "parent",
             "data",         data,
             "opts",         R"({"attempts":4,"backoff":{"type":"exponential","delay":1000}})",
             "timestamp",    "1700000000000",
             "processedOn",  "1700000001000",
             "atm",          "1",
             "ats",          "2",
             "delay",        "0",
             "priority",     "0",
             "stacktrace",   R"(["first","second"])",
             "failedReason", "it broke",
             "progress",     "33",
             "deid",         "only-one",
             "parentKey",    "bull:other:grand"},
            {"LPUSH", "bull:q:active", "p"},
            {"SET", "bull:q:p:lock", "worker-uuid:7", "PX", "20000"},
            {"RPUSH", "bull:q:p:logs", "one", "two"},
            {"SADD", "bull:q:p:dependencies", "bull:kids:1", "bull:kids:2"},
            {"HSET", "bull:q:p:processed", "bull:kids:3", R"({"ok":true})"},
            {"HSET", "bull:q:p:failed", "bull:kids:4", "ignored"},
            {"ZADD", "bull:q:p:unsuccessful", "1", "bull:kids:5"},
            {"SET", "bull:q:de:only-one", "p", "PX", "60000"}});
    const auto detail = JobReader(*m_client, "bull").detail("q", "p");
    VERIFY_WORKED(detail);
    QCOMPARE(detail->job.data, data); // byte for byte
    QCOMPARE(detail->job.state, JobState::Active);
    QCOMPARE(detail->job.locked, std::optional(true));
    QCOMPARE(detail->lock->token, "worker-uuid:7");
    QVERIFY(*detail->lock->remainingMs > 1000 && *detail->lock->remainingMs <= 20'000);
    QCOMPARE(detail->stackTraces, (std::vector<QString>{u"second"_s, u"first"_s}));
    QCOMPARE(detail->logs, (std::vector<QString>{u"one"_s, u"two"_s}));
    QCOMPARE(detail->job.attemptsMade, 1);
    QCOMPARE(detail->job.attemptsStarted, std::optional(2));
    QCOMPARE(detail->job.mostAttempts, std::optional(4));
    QCOMPARE(detail->backoff, R"({"type":"exponential","delay":1000})");
    QCOMPARE(detail->children.total(), 5);
    QCOMPARE(detail->children.pendingKeys.size(), size_t(2));
    QCOMPARE(detail->children.processedValues.front().second, R"({"ok":true})");
    QCOMPARE(detail->children.ignoredErrors.front().second, "ignored");
    QCOMPARE(detail->children.unsuccessfulKeys.front(), "bull:kids:5");
    QCOMPARE(detail->parentKey, "bull:other:grand");
    QCOMPARE(detail->deduplicationOwner, "p");
    QVERIFY(*detail->deduplicationRemainingMs > 1000);
    QVERIFY(detail->returnValue.isEmpty());
    QByteArrayList sources;
    for (const JobDetail::Time &time : detail->times)
        sources << time.source;
    QCOMPARE(sources, (QByteArrayList{"timestamp", "processedOn", "lock"}));

    // The same job later: delayed for its next attempt.
    askAll({{"DEL", "bull:q:active", "bull:q:p:lock"}, {"ZADD", "bull:q:delayed", "6963200000004097", "p"}});
    const auto delayed = JobReader(*m_client, "bull").detail("q", "p");
    QCOMPARE(delayed->job.state, JobState::Delayed);
    QCOMPARE(delayed->job.dueAt, std::optional<qint64>(1'700'000'000'001'000));
    QCOMPARE(delayed->position, std::optional<qint64>(0));
    QVERIFY(!delayed->lock);
    QCOMPARE(delayed->times.back().source, "delayed");
}

void TestJobs::findsAWaitingJobsPlace()
{
    std::vector<Command> commands;
    for (int i = 0; i < 1000; ++i)
        commands.push_back({"LPUSH", "bull:q:wait", "job-" + QByteArray::number(i)});
    commands.push_back({"HSET", "bull:q:job-0", "name", "n"});
    commands.push_back({"HSET", "bull:q:job-400", "name", "n"});
    commands.push_back({"HSET", "bull:q:job-999", "name", "n"});
    commands.push_back({"HSET", "bull:q:orphan", "name", "n"});
    askAll(commands);
    for (const int place : {0, 400, 999}) {
        const auto detail = JobReader(*m_client, "bull").detail("q", "job-" + QByteArray::number(place));
        VERIFY_WORKED(detail);
        QCOMPARE(detail->job.state, JobState::Waiting);
        QCOMPARE(detail->position, std::optional<qint64>(place));
    }
    // In no list at all: it would never run, and that is said.
    const auto orphan = JobReader(*m_client, "bull").detail("q", "orphan");
    QCOMPARE(orphan->job.state, JobState::Unknown);
    QVERIFY(!orphan->stateIsGuess);
}

void TestJobs::survivesMalformedJobs()
{
    const QByteArray wild("\xff\xfe\x00\x01{", 5);
    askAll({{"HSET",    "bull:q:a",  "name",        "",           "data",       "{not json", "opts",
             "neither", "timestamp", "null",        "stacktrace", "no array",   "progress",  "x",
             "atm",     "many",      "processedOn", "-5",         "finishedOn", "1e30"},
            {"HSET", "bull:q:b", "data", wild, "opts", R"({"attempts":"7"})", "stacktrace", R"([1,{"a":2},null,"s"])"},
            {"SET", "bull:q:c", "a string"},
            {"SET", "bull:q:d:logs", "no list"},
            {"HSET", "bull:q:d", "name", "n", "timestamp", "64060588800000"},
            {"ZADD", "bull:q:failed", "1", "a", "2", "b", "3", "c", "4", "d"}});
    const auto page = JobReader(*m_client, "bull").page({"q", JobState::Failed, 0, 10, true, true});
    VERIFY_WORKED(page);
    QCOMPARE(page->jobs.size(), size_t(4));
    QCOMPARE(page->jobs[0].addedAt, std::nullopt);
    QCOMPARE(page->jobs[0].finishedAt, std::nullopt);
    QCOMPARE(page->jobs[0].startedAt, std::optional<qint64>(-5000));
    QCOMPARE(page->jobs[1].data, wild);
    QVERIFY(page->jobs[2].gone);
    const auto a = JobReader(*m_client, "bull").detail("q", "a");
    VERIFY_WORKED(a);
    QCOMPARE(a->stackTraces, std::vector<QString>{u"no array"_s});
    QCOMPARE(a->times.at(0).at, std::nullopt);
    QCOMPARE(a->times.at(0).text, "null");
    const auto b = JobReader(*m_client, "bull").detail("q", "b");
    VERIFY_WORKED(b);
    QCOMPARE(b->stackTraces.size(), size_t(4));
    QCOMPARE(b->stackTraces.front(), u"s"_s);
    QCOMPARE(b->job.mostAttempts, std::nullopt);
    QCOMPARE(JobReader(*m_client, "bull").detail("q", "c").error().code, ErrorCode::NotFound);
    const auto d = JobReader(*m_client, "bull").detail("q", "d");
    VERIFY_WORKED(d);
    QVERIFY(d->job.addedAt); // the year 4000 is a year
}

void TestJobs::reservedKeysAreNoJobs()
{
    VERIFY_WORKED(test::restoreQueues(*m_client, test::queueFixtures().at(1)));
    for (const QByteArray id : {"meta", "wait", "events", "par-ready:processed", "metrics:failed"}) {
        const auto detail = JobReader(*m_client, "bull").detail("fx-flow-parent", id);
        QVERIFY2(!detail, id.constData());
        QCOMPARE(detail.error().code, ErrorCode::NotFound);
    }
}

void TestJobs::readsTimes_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("micros"); // -1: none
    QTest::newRow("usual") << QByteArray("1700000000123") << qint64(1'700'000'000'123'000);
    QTest::newRow("fraction") << QByteArray("1700000000123.75") << qint64(1'700'000'000'123'000);
    QTest::newRow("zero") << QByteArray("0") << qint64(0);
    QTest::newRow("empty") << QByteArray() << qint64(-1);
    QTest::newRow("NaN") << QByteArray("NaN") << qint64(-1);
    QTest::newRow("infinite") << QByteArray("inf") << qint64(-1);
    QTest::newRow("beyond any calendar") << QByteArray("9e18") << qint64(-1);
    QTest::newRow("date as text") << QByteArray("2026-01-31T00:00:00Z") << qint64(-1);
}

void TestJobs::readsTimes()
{
    QFETCH(const QByteArray, text);
    QFETCH(const qint64, micros);
    QCOMPARE(timeOf(text).value_or(-1), micros);
}

void TestJobs::searchesInPieces()
{
    std::vector<Command> commands;
    for (int i = 0; i < 1000; ++i) {
        const QByteArray id = "job-" + QByteArray::number(i);
        commands.push_back({"ZADD", "bull:q:failed", QByteArray::number(i), id});
        commands.push_back({"HSET", "bull:q:" + id, "name", i % 100 == 0 ? "mail.Needle.sent" : "other", "data",
                            i == 555 ? R"({"customer":"NEEDLE-9"})" : R"({"customer":"x"})", "failedReason",
                            i == 777 ? "a needle in the error" : "boom"});
    }
    askAll(commands);
    qint64 looked = 0;
    const auto found = search({"q", {JobState::Failed}, u"needle"_s, true, false}, &looked);
    QCOMPARE(found.size(), size_t(12));
    QCOMPARE(looked, 1000);
    QCOMPARE(found.front().id, "job-0");
    QCOMPARE(search({"q", {JobState::Failed}, u"needle"_s, false, false}).front().id, "job-900");
    QCOMPARE(search({"q", jobStates(), u"JOB-123"_s, false, true}).front().data, R"({"customer":"x"})");
    QVERIFY(search({"q", jobStates(), u"nowhere"_s, false, false}).empty());
    QVERIFY(search({"no such queue", jobStates(), u"a"_s, false, false}).empty());

    // Stopped after a first piece and taken up again: the rest, and nothing twice.
    JobSearch pieces(*m_client, "bull");
    const JobSearchRequest request{"q", {JobState::Failed}, u"needle"_s, true, false};
    const auto first = pieces.step(request, {}, std::chrono::milliseconds(0));
    VERIFY_WORKED(first);
    QVERIFY(!first->done && first->looked < 1000 && first->total == 1000);
    const auto rest = pieces.step(request, first->next, std::chrono::minutes(1));
    VERIFY_WORKED(rest);
    QVERIFY(rest->done);
    QCOMPARE(first->looked + rest->looked, 1000);
    QCOMPARE(first->found.size() + rest->found.size(), size_t(12));
}

void TestJobs::searchesEscapedText()
{
    askAll({{"ZADD", "bull:q:failed", "1", "a", "2", "b"},
            {"HSET", "bull:q:a", "name", "n", "data", R"({"t":"say \"hello\" to ŻÓŁW"})"},
            {"HSET", "bull:q:b", "name", "n", "data", "\xff\xfe"}});
    for (const QString &text : {u"say \"hello\""_s, u"żółw"_s, u"\\\"hello"_s})
        QCOMPARE(search({"q", {JobState::Failed}, text, false, false}).size(), size_t(1));
}

void TestJobs::searchesLargeDocuments()
{
    const QByteArray large = "{\"a\":\"" + QByteArray(15 * 1024 * 1024, 'x') + "needle\"}";
    askAll({{"ZADD", "bull:q:failed", "1", "a", "2", "b", "3", "c"},
            {"HSET", "bull:q:a", "name", "n", "data", large},
            {"HSET", "bull:q:b", "name", "n", "data", R"({"a":"needle"})"},
            {"HSET", "bull:q:c", "name", "n", "data", large}});
    QCOMPARE(search({"q", {JobState::Failed}, u"needle"_s, false, false}).size(), size_t(3));
    const auto detail = JobReader(*m_client, "bull").detail("q", "a");
    VERIFY_WORKED(detail);
    QCOMPARE(detail->job.data.size(), large.size());
}

QTEST_GUILESS_MAIN(TestJobs)
#include "tst_jobs.moc"
