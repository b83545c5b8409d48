// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "target.h"

#include <app/profiles/profilestore.h>

#include <models/urlsecret.h>

#include <engine/dispatch/queuedestination.h>
#include <engine/outbox/discovery.h>
#include <engine/secrets/secretstore.h>

#include <QEventLoop>
#include <QProcessEnvironment>
#include <QSettings>

namespace cli {

using namespace Qt::StringLiterals;
using engine::ErrorCode;
using engine::Result;

namespace {

QString firstOf(const QStringList &variables)
{
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString &variable : variables) {
        if (const QString value = environment.value(variable); !value.isEmpty())
            return value;
    }
    return {};
}

// A password from the keyring, put back into its URL. Without a keyring, or a password in it, the URL stays as it is:
// the server's answer will say what is missing.
QString withPassword(engine::secrets::SecretStore &secrets, const QString &key, const QString &url)
{
    QEventLoop waiting; // the only one: a sub-command has no other running yet
    std::optional<QString> complete;
    secrets.read(key, &waiting, [&](const Result<QString> &password) {
        complete = password && !password->isEmpty() ? models::joinSecret(url, *password) : url;
        waiting.quit();
    });
    if (!complete)
        waiting.exec();
    return *complete;
}

Result<engine::config::ConnectionProfile> savedConnection(const QString &name)
{
    QSettings settings;
    const QList<engine::config::ConnectionProfile> saved = app::ProfileStore(settings).saved();
    const auto found =
        std::find_if(saved.cbegin(), saved.cend(), [&](const auto &profile) { return profile.name == name; });
    if (found == saved.cend()) {
        QStringList names;
        for (const auto &profile : saved)
            names << profile.name;
        return engine::fail(ErrorCode::BadInput, u"There is no saved connection \"%1\"."_s.arg(name),
                            names.isEmpty() ? u"Save one in the window's connection dialog."_s
                                            : u"There are: %1."_s.arg(names.join(u", ")));
    }
    engine::config::ConnectionProfile profile = *found;
    const auto secrets = engine::secrets::makeKeyringStore();
    profile.databaseUrl = withPassword(*secrets, name + u"/postgresql"_s, profile.databaseUrl);
    profile.redisUrl = withPassword(*secrets, name + u"/redis"_s, profile.redisUrl);
    return profile;
}

} // namespace

Result<Target> Target::resolve(const CommandLine &line)
{
    Target target;
    engine::config::ConnectionProfile &profile = target.m_profile;
    const int named = line.isSet(u"sandbox"_s) + line.isSet(u"connection"_s)
        + (line.isSet(u"database"_s) || (line.isSet(u"redis"_s) && !line.isSet(u"sandbox"_s)));
    if (named > 1)
        return engine::fail(ErrorCode::BadInput, u"--sandbox, --connection and --database exclude each other."_s);

    if (line.isSet(u"connection"_s)) {
        auto saved = savedConnection(line.value(u"connection"_s));
        if (!saved)
            return engine::fail(saved.error());
        profile = std::move(*saved);
    } else if (line.isSet(u"sandbox"_s)) {
        auto sandboxed = sandbox();
        if (!sandboxed)
            return sandboxed;
        target = std::move(*sandboxed);
    } else {
        profile.databaseUrl = line.value(u"database"_s);
        if (profile.databaseUrl.isEmpty())
            profile.databaseUrl = firstOf({u"OUTBOX_DATABASE_URL"_s, u"DATABASE_URL"_s});
        profile.redisUrl = line.value(u"redis"_s);
        if (profile.redisUrl.isEmpty())
            profile.redisUrl = firstOf({u"OUTBOX_REDIS_URL"_s, u"REDIS_URL"_s});
        profile.readOnly = false; // an address given by hand is its own consent
    }
    if (line.isSet(u"table"_s))
        profile.table = line.value(u"table"_s);
    if (line.isSet(u"prefix"_s))
        profile.queuePrefix = line.value(u"prefix"_s);
    return target;
}

Result<Target> Target::sandbox()
{
    Target target;
    target.m_sandbox = std::make_shared<engine::sandbox::Sandbox>();
    auto address = target.m_sandbox->start();
    if (!address)
        return engine::fail(address.error());
    engine::config::ConnectionProfile &profile = target.m_profile;
    profile.name = u"sandbox"_s;
    profile.databaseUrl = address->databaseUrl;
    profile.redisUrl = address->redisUrl;
    profile.table = u"public.\"OutboxEvent\""_s;
    profile.readOnly = false;
    profile.sandbox = true;
    return target;
}

Result<void> Target::allowWriting(const CommandLine &line) const
{
    if (!m_profile.readOnly || line.isSet(u"write"_s))
        return {};
    return engine::fail(ErrorCode::Refused, u"The connection %1 is read-only."_s.arg(m_profile.name),
                        u"Repeat with --write if you mean it."_s);
}

Result<std::unique_ptr<engine::sql::Connection>> Target::openDatabase(engine::sql::Access access) const
{
    if (m_profile.databaseUrl.isEmpty())
        return engine::fail(ErrorCode::BadInput, u"No database is named."_s,
                            u"Give --database URL, set OUTBOX_DATABASE_URL, or use --sandbox."_s);
    auto url = engine::sql::DatabaseUrl::parse(m_profile.databaseUrl);
    if (!url)
        return engine::fail(url.error());
    engine::sql::ConnectOptions options;
    options.url = *url;
    options.access = access;
    options.callTimeout = std::chrono::minutes(5); // a terminal may wait; Ctrl+C stops it
    return engine::sql::Connection::open(options);
}

Result<std::unique_ptr<engine::redis::Client>> Target::openRedis() const
{
    if (m_profile.redisUrl.isEmpty())
        return engine::fail(ErrorCode::BadInput, u"No Redis is named."_s,
                            u"Give --redis URL, set OUTBOX_REDIS_URL, or use --sandbox."_s);
    auto endpoint = engine::redis::Endpoint::parse(m_profile.redisUrl);
    if (!endpoint)
        return engine::fail(endpoint.error());
    auto client = std::make_unique<engine::redis::Client>(*endpoint);
    auto pong = client->exchange(engine::redis::Command{"PING"}, std::chrono::seconds(5));
    if (!pong)
        return engine::fail(pong.error());
    return client;
}

Result<OpenTable> Target::openTable(engine::sql::Access access) const
{
    auto connection = openDatabase(access);
    if (!connection)
        return engine::fail(connection.error());
    auto layout = engine::outbox::discover(**connection, m_profile.table, (*connection)->options().url.schema);
    if (!layout)
        return engine::fail(layout.error());
    return OpenTable{std::move(*connection), std::move(*layout)};
}

Result<std::unique_ptr<engine::trace::Stores>> Target::openStores(const CommandLine &line) const
{
    if (m_profile.databaseUrl.isEmpty() && m_profile.redisUrl.isEmpty())
        return engine::fail(
            ErrorCode::BadInput, u"Neither a database nor a Redis is named."_s,
            u"Give --database URL and --redis URL, set OUTBOX_DATABASE_URL and OUTBOX_REDIS_URL, or use "
            "--sandbox."_s);
    engine::trace::Stores::Options options;
    options.profile = m_profile;
    const auto handover = handoverFor(line);
    options.jobIdTemplate = handover.jobIdTemplate;
    if (auto legal = engine::dispatch::QueueDestination::checkTemplate(options.jobIdTemplate); !legal)
        return engine::fail(legal.error());
    options.executionsTable = handover.executionsTable;
    if (!handover.routesFile.isEmpty()) {
        auto router = engine::dispatch::Router::fromFile(handover.routesFile);
        if (!router)
            return engine::fail(router.error());
        options.router = std::move(*router);
    }
    auto stores = std::make_unique<engine::trace::Stores>(std::move(options));
    if (auto opened = stores->open(); !opened)
        return engine::fail(opened.error());
    if (!stores->database() && !stores->redis())
        return engine::fail(*stores->databaseFault());
    return stores;
}

engine::config::HandoverSettings handoverFor(const CommandLine &line)
{
    auto settings = engine::config::HandoverSettings::fromEnvironment(QProcessEnvironment::systemEnvironment());
    if (line.isSet(u"routes"_s))
        settings.routesFile = line.value(u"routes"_s);
    if (line.isSet(u"job-id"_s))
        settings.jobIdTemplate = line.value(u"job-id"_s).toUtf8();
    if (line.isSet(u"executions"_s))
        settings.executionsTable = line.value(u"executions"_s);
    return settings;
}

Result<engine::dispatch::Router> routerFor(const CommandLine &line, const engine::outbox::Layout &layout)
{
    const QString file = handoverFor(line).routesFile;
    return file.isEmpty() ? engine::dispatch::Router::builtIn(layout.kind) : engine::dispatch::Router::fromFile(file);
}

} // namespace cli
