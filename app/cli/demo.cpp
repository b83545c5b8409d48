// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "target.h"
#include <app/process/unixsignals.h>

#include <engine/bullmq/inspector.h>
#include <engine/dispatch/dispatcher.h>
#include <engine/outbox/publisher.h>
#include <engine/outbox/reader.h>

#include <QCoreApplication>
#include <QProcessEnvironment>

namespace cli {

using namespace Qt::StringLiterals;
using engine::Error;
using engine::Result;
using engine::dispatch::Dispatcher;
using engine::outbox::Published;

namespace {

struct DemoEvent
{
    QByteArray type;
    QByteArray payload;
};

const std::vector<DemoEvent> &demoEvents()
{
    static const std::vector<DemoEvent> events{
        {"mail.welcome.sent", R"({"to":"ada@example.test","locale":"en"})"},
        {"billing.invoice.paid", R"({"invoiceId":"inv_771","amountMinor":9007199254740993})"},
        {"webhook.order.created", R"({"orderId":"o-1001","total":0.2345678901234568})"},
        {"search.index.updated", R"({"document":"żółć 漢字"})"},
        {"workflow.trigger.event", R"({"event":"form.submitted","form":"contact"})"},
        {"audit.user.login", R"({"user":"u_17","address":"203.0.113.9"})"},
    };
    return events;
}

// The demo's steps, each saying what it does and what came of it.
class Demo
{
public:
    explicit Demo(const Target &target)
        : m_target(target)
    { }

    Result<void> run()
    {
        auto table = m_target.openTable(engine::sql::Access::ReadWrite);
        if (!table)
            return engine::fail(table.error());
        m_connection = std::move(table->connection);
        m_layout = std::move(table->layout);

        printLine(u"Table %1, %2 layout:"_s.arg(m_layout.displayName(), m_layout.kindName()));
        if (auto shown = showCounts(); !shown)
            return shown;
        printLine(u"\n1. Publish %1 events in one transaction"_s.arg(demoEvents().size()));
        if (auto published = publish(); !published)
            return published;
        if (auto shown = showCounts(); !shown)
            return shown;
        printLine(u"\n2. Dispatch everything that is due"_s);
        if (auto dispatched = dispatch(); !dispatched)
            return dispatched;
        if (auto shown = showCounts(); !shown)
            return shown;
        printLine(u"\n3. Where every event went"_s);
        return showDestinations();
    }

private:
    Result<void> showCounts()
    {
        auto stats = engine::outbox::Reader(*m_connection, m_layout).stats(engine::outbox::CountMode::Exact);
        if (!stats)
            return engine::fail(stats.error());
        QStringList parts;
        for (const auto &[status, count] : stats->counts)
            parts << u"%1 %2"_s.arg(QString::fromUtf8(status)).arg(count.value);
        printLine(u"   %1, due now %2"_s.arg(parts.join(u", "_s)).arg(stats->due.value));
        return {};
    }

    Result<void> publish()
    {
        auto transaction = engine::sql::Transaction::begin(*m_connection);
        if (!transaction)
            return engine::fail(transaction.error());
        std::vector<engine::outbox::NewEvent> events;
        for (const DemoEvent &demo : demoEvents()) {
            engine::outbox::NewEvent event;
            event.eventType = demo.type;
            event.tenantId = "demo";
            event.payload = demo.payload;
            events.push_back(std::move(event));
        }
        auto published = engine::outbox::Publisher(m_layout).publishBatch(*transaction, events);
        if (!published)
            return engine::fail(published.error());
        if (auto committed = transaction->commit(); !committed)
            return engine::fail(committed.error());
        m_published = std::move(*published);
        for (size_t i = 0; i < m_published.size(); ++i)
            printLine(u"   %1  %2"_s.arg(QString::fromUtf8(m_published[i].id), QString::fromUtf8(events[i].eventType)));
        return {};
    }

    Result<void> dispatch()
    {
        engine::dispatch::DispatcherConfig config;
        auto settings = engine::config::DispatcherSettings::fromEnvironment(QProcessEnvironment::systemEnvironment());
        if (!settings)
            return engine::fail(settings.error());
        auto redis = engine::redis::Endpoint::parse(m_target.profile().redisUrl);
        if (!redis)
            return engine::fail(redis.error());
        config.settings = *settings;
        config.redis = *redis;
        config.database = m_connection->options().url;
        config.layout = m_layout;
        config.router = engine::dispatch::Router::builtIn(m_layout.kind);
        config.queuePrefix = m_target.profile().queuePrefix.toUtf8();
        config.mode = engine::dispatch::RunMode::Drain;

        Dispatcher dispatcher;
        app::UnixSignals unixSignals;
        std::optional<Error> failure;
        QObject::connect(&unixSignals, &app::UnixSignals::stopRequested, &dispatcher, &Dispatcher::stop);
        QObject::connect(&dispatcher, &Dispatcher::finished, &dispatcher,
                         [&failure](const std::optional<Error> &error) {
                             failure = error;
                             QCoreApplication::quit();
                         });
        dispatcher.start(config);
        QCoreApplication::exec();
        if (failure)
            return engine::fail(*failure);
        const engine::dispatch::Progress &progress = dispatcher.progress();
        printLine(u"   claimed %1, handed over %2, retried %3, dead %4, in %5 s"_s.arg(progress.claimed)
                      .arg(progress.handedOver)
                      .arg(progress.retried)
                      .arg(progress.dead)
                      .arg(progress.seconds, 0, 'f', 2));
        return {};
    }

    Result<void> showDestinations()
    {
        auto client = m_target.openRedis();
        if (!client)
            return engine::fail(client.error());
        engine::bullmq::Inspector inspector(**client, m_target.profile().queuePrefix.toUtf8());
        engine::outbox::Reader reader(*m_connection, m_layout);
        const auto router = engine::dispatch::Router::builtIn(m_layout.kind);
        bool allThere = true;
        for (const Published &event : m_published) {
            auto row = reader.detail(event.id);
            if (!row)
                return engine::fail(row.error());
            const QByteArray queue = router.queueFor(row->row.eventType).value_or(QByteArray());
            auto there = inspector.hasJob(queue, "outbox:" + event.id);
            if (!there)
                return engine::fail(there.error());
            allThere = allThere && *there;
            printLine(u"   %1  %2  %3 -> %4, %5"_s.arg(QString::fromUtf8(event.id), QString::fromUtf8(row->row.status))
                          .arg(QString::fromUtf8(row->row.eventType), -24)
                          .arg(QString::fromUtf8(queue),
                               *there ? u"job outbox:%1"_s.arg(QString::fromUtf8(event.id)) : u"NO JOB"_s));
        }
        auto queues = inspector.queues();
        if (!queues)
            return engine::fail(queues.error());
        printLine(u"\n   Queues:"_s);
        for (const engine::bullmq::QueueState &queue : *queues)
            printLine(u"   %1 %2 waiting"_s.arg(QString::fromUtf8(queue.name), -34).arg(queue.waiting, 5));
        if (!allThere)
            return engine::fail(engine::ErrorCode::Failed, u"An event has no job."_s);
        return {};
    }

    const Target &m_target;
    std::unique_ptr<engine::sql::Connection> m_connection;
    engine::outbox::Layout m_layout;
    std::vector<Published> m_published;
};

} // namespace

int runDemo(const QStringList &arguments)
{
    CommandLine line(u"demo"_s, u"Publishes events into the sandbox, dispatches them and shows where each one went."_s,
                     CommandLine::Reach::Nothing);
    if (const auto exit = line.parse(arguments))
        return *exit;
    auto target = Target::sandbox();
    if (!target)
        return line.fail(target.error());
    if (auto shown = Demo(*target).run(); !shown)
        return line.fail(shown.error());
    printLine(
        u"\nNext: outbox-console opens the window where there is a display; outbox-console --help lists the commands."_s);
    return Done;
}

} // namespace cli
