// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "duration.h"
#include "target.h"
#include <app/process/unixsignals.h>

#include <engine/dispatch/dispatcher.h>
#include <engine/watch/healthmonitor.h>
#include <engine/watch/healthserver.h>

#include <QCoreApplication>
#include <QProcessEnvironment>

namespace cli {

using namespace Qt::StringLiterals;
using engine::Error;
using engine::Result;
using engine::dispatch::Dispatcher;
using engine::dispatch::DispatcherConfig;
using engine::dispatch::LogEntry;
using engine::dispatch::Progress;

namespace {

Result<void> override(const CommandLine &line, const QString &option, int most, int &setting)
{
    if (!line.isSet(option))
        return {};
    auto number = line.number(option, 1, most);
    if (!number)
        return engine::fail(number.error());
    setting = *number;
    return {};
}

Result<DispatcherConfig> configure(const CommandLine &line, const Target &target)
{
    DispatcherConfig config;
    auto settings = engine::config::DispatcherSettings::fromEnvironment(QProcessEnvironment::systemEnvironment());
    if (!settings)
        return engine::fail(settings.error());
    config.settings = *settings;
    int lease = static_cast<int>(config.lease.count());
    for (const auto &done : {override(line, u"batch"_s, 10'000, config.settings.batchSize),
                             override(line, u"concurrency"_s, 10'000, config.settings.concurrency),
                             override(line, u"lease"_s, 86'400, lease)}) {
        if (!done)
            return engine::fail(done.error());
    }
    config.lease = std::chrono::seconds(lease);
    if (line.isSet(u"order-by"_s))
        config.settings.orderBy = line.value(u"order-by"_s);
    auto order = engine::outbox::OrderRule::parse(config.settings.orderBy, config.settings.orderDead);
    if (!order)
        return engine::fail(order.error());
    config.order = *order;
    config.queuePrefix = target.profile().queuePrefix.toUtf8();
    config.jobIdTemplate = handoverFor(line).jobIdTemplate;
    config.mode = line.isSet(u"drain"_s) ? engine::dispatch::RunMode::Drain : engine::dispatch::RunMode::Continuous;
    config.allowEviction = line.isSet(u"allow-eviction"_s);

    if (target.profile().redisUrl.isEmpty())
        return engine::fail(engine::ErrorCode::BadInput, u"No Redis is named."_s,
                            u"Give --redis URL, set OUTBOX_REDIS_URL, or use --sandbox."_s);
    auto redis = engine::redis::Endpoint::parse(target.profile().redisUrl);
    if (!redis)
        return engine::fail(redis.error());
    config.redis = *redis;

    auto table = target.openTable(engine::sql::Access::ReadOnly);
    if (!table)
        return engine::fail(table.error());
    config.database = table->connection->options().url;
    config.layout = table->layout;
    auto router = routerFor(line, table->layout);
    if (!router)
        return engine::fail(router.error());
    config.router = std::move(*router);
    return config;
}

// Watches a dispatcher and answers for it over HTTP.
struct Health
{
    Health(Dispatcher &dispatcher, const DispatcherConfig &config, const engine::watch::HealthOptions &options)
        : monitor(dispatcher, config, options)
        , server(monitor)
    { }

    engine::watch::HealthMonitor monitor;
    engine::watch::HealthServer server;
};

// Where --health, else OUTBOX_HEALTH_LISTEN, says; nothing if neither is given.
Result<std::unique_ptr<Health>> serveHealth(const CommandLine &line, Dispatcher &dispatcher,
                                            const DispatcherConfig &config)
{
    const QString wanted = line.isSet(u"health"_s)
        ? line.value(u"health"_s)
        : QProcessEnvironment::systemEnvironment().value(u"OUTBOX_HEALTH_LISTEN"_s).trimmed();
    if (wanted.isEmpty() && !line.isSet(u"health"_s))
        return std::unique_ptr<Health>();
    auto address = engine::watch::HealthAddress::parse(wanted);
    if (!address)
        return engine::fail(address.error());
    auto limit = parseDuration(line.value(u"health-limit"_s));
    if (!limit)
        return engine::fail(limit.error());
    engine::watch::HealthOptions options;
    options.drainLimit = *limit;
    auto health = std::make_unique<Health>(dispatcher, config, options);
    auto listening = health->server.listenOn(*address);
    if (!listening)
        return engine::fail(listening.error());
    printNote(u"Health and metrics at http://%1: /healthz, /readyz, /metrics."_s.arg(listening->display()));
    return health;
}

void printResult(const CommandLine &line, const Progress &progress)
{
    const double rate = progress.seconds > 0 ? static_cast<double>(progress.handedOver) / progress.seconds : 0;
    if (line.wantsJson()) {
        JsonWriter json;
        json.beginObject()
            .member("claimed", progress.claimed)
            .member("handedOver", progress.handedOver)
            .member("duplicates", progress.duplicates)
            .member("retried", progress.retried)
            .member("dead", progress.dead)
            .member("leaseLost", progress.leaseLost)
            .member("released", progress.released)
            .member("unclaimable", progress.unclaimable)
            .member("seconds", progress.seconds)
            .member("rowsPerSecond", rate)
            .endObject();
        printJson(json);
        return;
    }
    printLine(
        u"Handed over %1 of %2 claimed rows in %3 s (%4 rows/s): %5 duplicates, %6 to be retried, %7 dead, %8 lost their lease."_s
            .arg(progress.handedOver)
            .arg(progress.claimed)
            .arg(progress.seconds, 0, 'f', 2)
            .arg(rate, 0, 'f', 0)
            .arg(progress.duplicates)
            .arg(progress.retried)
            .arg(progress.dead)
            .arg(progress.leaseLost));
}

} // namespace

int runDispatch(const QStringList &arguments)
{
    CommandLine line(u"dispatch"_s, u"Hands due events over to their queues until it is stopped (SIGTERM, Ctrl+C)."_s,
                     CommandLine::Reach::Both);
    line.addOption(u"drain"_s, u"End when nothing is due; leases of others are not waited for."_s);
    line.addOption(u"batch"_s, u"Most rows claimed at once; else OUTBOX_DISPATCH_BATCH_SIZE."_s, u"N"_s);
    line.addOption(u"concurrency"_s, u"Most events in flight at once; else OUTBOX_DISPATCH_CONCURRENCY."_s, u"N"_s);
    line.addOption(u"lease"_s, u"Seconds a claim is valid."_s, u"SECONDS"_s, u"300"_s);
    line.addOption(u"order-by"_s, u"Keep the order of events: none, aggregate, tenant, payload:NAME."_s, u"RULE"_s);
    line.addOption(u"routes"_s, u"Routes file instead of OUTBOX_ROUTES or the built-in routes."_s, u"FILE"_s);
    line.addOption(u"job-id"_s, u"Template of the job's id; else OUTBOX_JOB_ID or outbox:{id}."_s, u"TEMPLATE"_s);
    line.addOption(u"allow-eviction"_s, u"Run although Redis may evict keys, and so lose jobs."_s);
    line.addOption(u"health"_s,
                   u"Answer /healthz, /readyz and /metrics there; else OUTBOX_HEALTH_LISTEN. Without an address only "
                   "this machine can ask; port 0 takes a free one."_s,
                   u"[ADDRESS:]PORT"_s);
    line.addOption(u"health-limit"_s, u"Not ready when rows are due this long and nothing is handed over."_s,
                   u"DURATION"_s, u"60s"_s);
    line.addOption(u"write"_s, u"Write although the saved connection is read-only."_s);
    if (const auto exit = line.parse(arguments))
        return *exit;

    app::UnixSignals unixSignals; // from here on a SIGTERM ends it in good order, however early it comes
    auto target = Target::resolve(line);
    if (!target)
        return line.fail(target.error());
    if (auto allowed = target->allowWriting(line); !allowed)
        return line.fail(allowed.error());
    auto config = configure(line, *target);
    if (!config)
        return line.fail(config.error());

    Dispatcher dispatcher;
    std::optional<Error> failure;
    QObject::connect(&unixSignals, &app::UnixSignals::stopRequested, &dispatcher, &Dispatcher::stop);
    QObject::connect(&dispatcher, &Dispatcher::finished, &dispatcher, [&failure](const std::optional<Error> &error) {
        failure = error;
        QCoreApplication::quit();
    });
    auto health = serveHealth(line, dispatcher, *config);
    if (!health)
        return line.fail(health.error());
    dispatcher.start(*config);
    QCoreApplication::exec();
    if (failure)
        return line.fail(*failure);
    printResult(line, dispatcher.progress());
    return Done;
}

} // namespace cli
