// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "doctor.h"

#include <engine/bullmq/inspector.h>
#include <engine/bullmq/serverpolicy.h>
#include <engine/config/dispatchersettings.h>
#include <engine/dispatch/router.h>
#include <engine/outbox/discovery.h>
#include <engine/outbox/orderrule.h>
#include <engine/outbox/reader.h>

#include <QCoreApplication>
#include <QDateTime>

namespace engine::watch {

namespace {

using Verdict = Finding::Verdict;
constexpr std::chrono::seconds callLimit{10};

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::watch::Doctor)
};

Finding problem(const char *id, const QString &title, const Error &error)
{
    return {QString::fromLatin1(id), Verdict::Problem, title, error.message, error.hint};
}

class Examination
{
public:
    explicit Examination(const config::ConnectionProfile &profile)
        : m_profile(profile)
    { }

    QList<Finding> run()
    {
        settings();
        database();
        redis();
        return m_findings;
    }

private:
    void add(const char *id, Verdict verdict, const QString &title, const QString &detail, const QString &hint = {})
    {
        m_findings << Finding{QString::fromLatin1(id), verdict, title, detail, hint};
    }

    void settings()
    {
        const QString title = Text::tr("Dispatcher settings");
        const auto settings = config::DispatcherSettings::fromEnvironment(QProcessEnvironment::systemEnvironment());
        if (settings)
            add("settings", Verdict::Good, title,
                Text::tr("Batch %1, concurrency %2, interval %3 ms.")
                    .arg(settings->batchSize)
                    .arg(settings->concurrency)
                    .arg(settings->interval.count()));
        else
            m_findings << problem("settings", title, settings.error());
    }

    void database()
    {
        const QString title = Text::tr("PostgreSQL");
        auto url = sql::DatabaseUrl::parse(m_profile.databaseUrl);
        if (!url) {
            m_findings << problem("database.connect", title, url.error());
            return;
        }
        sql::ConnectOptions options;
        options.url = *url;
        options.applicationName = "outbox-console doctor";
        auto connection = sql::Connection::open(options);
        if (!connection) {
            m_findings << problem("database.connect", title, connection.error());
            return;
        }
        const int version = (*connection)->serverVersion();
        add("database.connect", version >= 120000 ? Verdict::Good : Verdict::Warning, title,
            Text::tr("Connected to %1, version %2.").arg(url->display).arg(version / 10000),
            version >= 120000 ? QString() : Text::tr("Versions before 12 are not tested."));
        session(**connection);
        table(**connection);
    }

    void session(sql::Connection &connection)
    {
        auto state =
            connection.read("SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on', "
                            "(extract(epoch FROM clock_timestamp()) * 1000)::bigint, current_setting('TimeZone')",
                            {}, callLimit);
        if (!state) {
            m_findings << problem("database.session", Text::tr("Database session"), state.error());
            return;
        }
        if (state->boolean(0, 0))
            add("database.writable", Verdict::Warning, Text::tr("Writing"),
                Text::tr("This server only reads; a dispatcher cannot work on it."),
                Text::tr("Connect to the primary to publish or dispatch."));
        else
            add("database.writable", Verdict::Good, Text::tr("Writing"), Text::tr("The server takes writes."));
        const qint64 skew = QDateTime::currentMSecsSinceEpoch() - state->integer(0, 1);
        add("database.clock", std::abs(skew) < 2000 ? Verdict::Good : Verdict::Warning, Text::tr("Clocks"),
            Text::tr("This machine is %1 ms from the database's clock; its time zone is %2.")
                .arg(skew)
                .arg(state->text(0, 2)),
            std::abs(skew) < 2000
                ? QString()
                : Text::tr("All decisions follow the database's clock; ages shown here are off by this much."));
    }

    void table(sql::Connection &connection)
    {
        const QString title = Text::tr("Outbox table");
        auto layout = outbox::discover(connection, m_profile.table, connection.options().url.schema);
        if (!layout) {
            m_findings << problem("outbox.table", title, layout.error());
            return;
        }
        add("outbox.table", Verdict::Good, title,
            Text::tr("%1 has the %2 layout.").arg(layout->displayName(), layout->kindName()));
        if (layout->hasDueIndex)
            add("outbox.index", Verdict::Good, Text::tr("Index for claims"),
                Text::tr("There is an index on status and schedule."));
        else
            add("outbox.index", Verdict::Problem, Text::tr("Index for claims"),
                Text::tr("No index begins with (%1, %2): every claim reads the whole table.")
                    .arg(QString::fromUtf8(layout->status.name), QString::fromUtf8(layout->scheduledAt.name)),
                Text::tr("Ask the table's owner for: CREATE INDEX CONCURRENTLY ON %1 (%2, %3);")
                    .arg(QString::fromUtf8(layout->quotedTable()), QString::fromUtf8(layout->status.quoted()),
                         QString::fromUtf8(layout->scheduledAt.quoted())));
        if (layout->kind == outbox::LayoutKind::Event && layout->dispatchKey.exists() && !layout->dispatchKeyIsUnique)
            add("outbox.dispatchKey", Verdict::Warning, Text::tr("Dispatch key"),
                Text::tr("The dispatch key has no unique index; a key would not keep a second event out."),
                Text::tr("Ask the table's owner for a unique index on %1.")
                    .arg(QString::fromUtf8(layout->dispatchKey.quoted())));

        wakeUp(connection, *layout);
        order(connection, *layout);

        auto stats = outbox::Reader(connection, *layout).stats(outbox::CountMode::Bounded);
        if (!stats) {
            m_findings << problem("outbox.read", Text::tr("Outbox rows"), stats.error());
            return;
        }
        const qint64 age = stats->oldestDueAgeMs.value_or(0);
        add("outbox.due", age < 300'000 ? Verdict::Good : Verdict::Warning, Text::tr("Due rows"),
            stats->due.value == 0 ? Text::tr("Nothing is due.")
                                  : Text::tr("%1 due, the oldest for %2 s.").arg(stats->due.value).arg(age / 1000),
            age < 300'000 ? QString()
                          : Text::tr("Nothing seems to drain this table: start a dispatcher, or look why it stands."));
    }

    void wakeUp(sql::Connection &connection, const outbox::Layout &layout)
    {
        const QString title = Text::tr("Wake-up");
        const auto direct = connection.isDirect();
        if (direct && !*direct) {
            add("outbox.wakeup", Verdict::Good, title,
                Text::tr("A pooler stands before the database and keeps notifications to itself; new rows are found by "
                         "looking."));
            return;
        }
        sql::Params params;
        params.text(layout.quotedTable());
        const auto installed = connection.read(
            "SELECT EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass($1) AND tgname = 'outbox_wakeup')",
            params, callLimit);
        if (!installed)
            return;
        add("outbox.wakeup", Verdict::Good, title,
            installed->boolean(0, 0)
                ? Text::tr("New rows wake a sleeping dispatcher.")
                : Text::tr("No trigger wakes dispatchers; new rows are found by looking, often under traffic."));
    }

    void order(sql::Connection &connection, const outbox::Layout &layout)
    {
        const auto settings = config::DispatcherSettings::fromEnvironment(QProcessEnvironment::systemEnvironment());
        if (!settings)
            return; // told already
        const QString title = Text::tr("Order of events");
        const auto rule = outbox::OrderRule::parse(settings->orderBy, settings->orderDead);
        const Result<void> fits = rule ? rule->checkAgainst(layout) : fail(rule.error());
        if (!fits) {
            m_findings << problem("outbox.order", title, fits.error());
            return;
        }
        if (rule->key == outbox::OrderRule::Key::None)
            return;
        // Expressions are printed in the server's own spelling, so this looks for what such an index has for certain.
        sql::Params params;
        params.text(layout.quotedTable()).text(layout.createdAt.name);
        const auto indexed = connection.read(
            "SELECT EXISTS (SELECT 1 FROM pg_index WHERE indrelid = to_regclass($1) AND indisvalid AND indexprs IS NOT "
            "NULL AND position($2 in pg_get_indexdef(indexrelid)) > 0)",
            params, callLimit);
        if (!indexed)
            return;
        if (indexed->boolean(0, 0))
            add("outbox.order", Verdict::Good, title, Text::tr("By %1, with an index.").arg(settings->orderBy));
        else
            add("outbox.order", Verdict::Warning, title,
                Text::tr("By %1, without an index: every claim looks at all open events.").arg(settings->orderBy),
                Text::tr("Ask the table's owner for: %1").arg(QString::fromUtf8(rule->recommendedIndex(layout))));
    }

    void redis()
    {
        const QString title = Text::tr("Redis");
        if (m_profile.redisUrl.isEmpty()) {
            add("redis.connect", Verdict::Problem, title, Text::tr("No Redis URL is given."),
                Text::tr("Give one with --redis or OUTBOX_REDIS_URL."));
            return;
        }
        auto endpoint = redis::Endpoint::parse(m_profile.redisUrl);
        if (!endpoint) {
            m_findings << problem("redis.connect", title, endpoint.error());
            return;
        }
        redis::Client client(*endpoint);
        auto server = client.exchange(redis::Command{"INFO", "server"}, callLimit);
        if (!server) {
            m_findings << problem("redis.connect", title, server.error());
            return;
        }
        const QByteArray field = "redis_version:";
        const qsizetype at = server->text.indexOf(field);
        const QByteArray version = at < 0 ? "?" : server->text.mid(at + field.size()).split('\r').constFirst();
        add("redis.connect", Verdict::Good, title,
            Text::tr("Connected to %1, version %2.").arg(endpoint->display, QString::fromUtf8(version)));

        auto memory = client.exchange(redis::Command{"INFO", "memory"}, callLimit);
        const QString eviction = Text::tr("Eviction");
        if (!memory) {
            m_findings << problem("redis.eviction", eviction, memory.error());
            return;
        }
        if (auto policy = bullmq::judgeEvictionPolicy(memory->text, endpoint->display); !policy)
            m_findings << problem("redis.eviction", eviction, policy.error());
        else
            add("redis.eviction", Verdict::Good, eviction, Text::tr("Redis keeps every job (noeviction)."));
        queues(client);
    }

    void queues(redis::Client &client)
    {
        const QString title = Text::tr("Queues");
        auto queues = bullmq::Inspector(client, m_profile.queuePrefix.toUtf8()).queues();
        if (!queues) {
            m_findings << problem("redis.queues", title, queues.error());
            return;
        }
        QStringList unserved;
        for (const bullmq::QueueState &queue : *queues) {
            if (queue.waiting + queue.prioritized > 0 && queue.workers == 0)
                unserved << QString::fromUtf8(queue.name);
        }
        if (unserved.isEmpty())
            add("redis.queues", Verdict::Good, title,
                Text::tr("%1 queues below the prefix %2.").arg(queues->size()).arg(m_profile.queuePrefix));
        else
            add("redis.queues", Verdict::Warning, title,
                Text::tr("Jobs wait and no worker serves: %1.").arg(unserved.join(u", ")),
                Text::tr("Start the workers of these queues."));
    }

    const config::ConnectionProfile &m_profile;
    QList<Finding> m_findings;
};

} // namespace

QList<Finding> examine(const config::ConnectionProfile &profile)
{
    return Examination(profile).run();
}

} // namespace engine::watch
