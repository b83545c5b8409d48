// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sandbox.h"

#include "folderlock.h"
#include "leftovers.h"
#include "postgresserver.h"
#include "redisserver.h"
#include "sampledata.h"
#include "sandboxfolder.h"

#include <engine/base/logging.h>
#include <engine/transport/redis/client.h>

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStorageInfo>

#include <csignal>
#include <optional>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace engine::sandbox {

namespace {

constexpr auto startTime = 60s; // for servers that recover after a crash
constexpr auto joinTime = 180s; // for another console that creates the sandbox on a slow disk
constexpr qint64 neededBytes = 200LL * 1024 * 1024;

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sandbox::Sandbox)
};

int majorOfCluster(const QString &dataFolder)
{
    QFile file(dataFolder + u"/PG_VERSION"_s);
    return file.open(QIODevice::ReadOnly) ? file.readAll().trimmed().toInt() : 0;
}

Result<std::unique_ptr<sql::Connection>> connectTo(const QString &databaseUrl)
{
    auto url = sql::DatabaseUrl::parse(databaseUrl);
    if (!url)
        return fail(url.error());
    sql::ConnectOptions options;
    options.url = *url;
    options.access = sql::Access::ReadWrite;
    options.connectTimeout = 5s;
    return sql::Connection::open(options);
}

bool answers(const QString &redisUrl)
{
    auto endpoint = redis::Endpoint::parse(redisUrl);
    return endpoint && redis::Client(*endpoint).exchange({"PING"}, 5s).has_value();
}

} // namespace

struct Sandbox::Private
{
    Private(const QString &wantedFolder, ServerPrograms serverPrograms)
        : wanted(QDir::cleanPath(
            QDir::current().absoluteFilePath(wantedFolder.isEmpty() ? defaultSandboxFolder() : wantedFolder)))
        , programs(std::move(serverPrograms))
    { }

    Result<SandboxAddress> start();
    Result<SandboxAddress> join();
    Result<SandboxAddress> run();
    Result<void> endLeftovers();
    Result<PostgresPrograms> prepareCluster();
    Result<void> createCluster(const PostgresPrograms &chosen);
    Result<void> moveAside(const QString &reason);
    Result<void> announce(const SandboxAddress &address);
    PostgresOptions postgresOptions(const PostgresPrograms &chosen, const QString &dataFolder) const;
    void stop();

    void say(const QString &text) const
    {
        qCInfo(lcSandbox).noquote() << text;
        if (progress)
            progress(text);
    }

    const QString wanted;
    const ServerPrograms programs;
    ProgressCallback progress;
    Account account;
    SandboxFolder folder;
    FolderLock lock;
    std::optional<PostgresServer> postgres;
    std::optional<RedisServer> redis;
};

Result<SandboxAddress> Sandbox::Private::start()
{
    auto chosenAccount = serverAccount();
    if (!chosenAccount)
        return fail(chosenAccount.error());
    account = *chosenAccount;

    const QString path = reachableFolder(wanted, account);
    if (path != wanted)
        say(Text::tr("The user %1, who runs the sandbox's servers, cannot enter %2; using %3.")
                .arg(account.name, wanted, path));
    auto prepared = prepareFolder(path, account);
    if (!prepared)
        return fail(prepared.error());
    folder = *prepared;

    const QDeadlineTimer deadline(joinTime);
    FolderWatch watch(folder.path);
    for (bool isFirstTry = true; !deadline.hasExpired(); isFirstTry = false) {
        const auto taken = lock.tryTake(folder.lockFile());
        if (!taken)
            return fail(taken.error());
        if (*taken)
            return run();
        if (auto joined = join())
            return joined;
        if (isFirstTry)
            say(Text::tr("Waiting for another console that starts or stops the sandbox ..."));
        watch.wait(500ms);
    }
    return fail(ErrorCode::Timeout,
                Text::tr("Another console (process %1) holds the sandbox in %2 and does not become ready.")
                    .arg(FolderLock::holder(folder.lockFile()))
                    .arg(folder.path),
                Text::tr("End that process, then start again."));
}

Result<SandboxAddress> Sandbox::Private::join()
{
    QFile file(folder.readyFile());
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::Unavailable, Text::tr("The sandbox is not ready."));
    const QJsonObject ready = QJsonDocument::fromJson(file.readAll()).object();
    SandboxAddress address;
    address.databaseUrl = ready.value(u"databaseUrl"_s).toString();
    address.redisUrl = ready.value(u"redisUrl"_s).toString();
    address.folder = folder.path;
    if (auto connection = connectTo(address.databaseUrl); !connection)
        return fail(connection.error());
    if (!answers(address.redisUrl))
        return fail(ErrorCode::Unavailable, Text::tr("The sandbox is not ready."));
    return address;
}

Result<SandboxAddress> Sandbox::Private::run()
{
    QFile::remove(folder.readyFile());
    if (auto ended = endLeftovers(); !ended)
        return fail(ended.error());
    auto redisProgram = programs.redis();
    if (!redisProgram)
        return fail(redisProgram.error());
    auto postgresPrograms = prepareCluster();
    if (!postgresPrograms)
        return fail(postgresPrograms.error());
    for (const QString &path : {folder.redisData(), folder.sockets}) {
        if (auto made = ensurePrivateFolder(path, account); !made)
            return fail(made.error());
    }

    say(Text::tr("Starting PostgreSQL and Redis ..."));
    const QDeadlineTimer deadline(startTime);
    postgres.emplace(postgresOptions(*postgresPrograms, folder.postgresData()));
    redis.emplace(RedisOptions{
        *redisProgram, account, folder.redisData(), folder.redisSocket(), folder.redisLog(), 0, {}, true, {}});
    // Both at once, then wait for each.
    const auto launched = postgres->launch()
                              .and_then([this] { return redis->launch(); })
                              .and_then([&] { return postgres->waitUntilReady(deadline); })
                              .and_then([this] { return postgres->ensureDatabase("outbox"); })
                              .and_then([&] { return redis->waitUntilReady(deadline); });
    if (!launched)
        return fail(launched.error());

    SandboxAddress address{postgres->socketUrl(u"outbox"_s), redis->socketUrl(), folder.path, true, false};
    auto connection = connectTo(address.databaseUrl);
    if (!connection)
        return fail(connection.error());
    auto endpoint = redis::Endpoint::parse(address.redisUrl);
    if (!endpoint)
        return fail(endpoint.error());
    redis::Client client(*endpoint);
    auto fresh = ensureSampleData(**connection, client);
    if (!fresh)
        return fail(fresh.error());
    address.fresh = *fresh;
    if (auto announced = announce(address); !announced)
        return fail(announced.error());
    return address;
}

Result<void> Sandbox::Private::endLeftovers()
{
    // We hold the lock, so whatever still runs on these folders lost its console.
    const auto endAll = [this](const char *name, const QString &dataFolder, int signal) -> Result<void> {
        for (const pid_t pid : findProcesses(name, QFile::encodeName(dataFolder))) {
            say(Text::tr("Ending a server that a killed console left behind (process %1) ...").arg(pid));
            if (!endProcess(pid, signal))
                return fail(ErrorCode::Failed,
                            Text::tr("The process %1 still runs on %2 and cannot be ended.")
                                .arg(QString::number(pid), dataFolder),
                            Text::tr("End it, then start again."));
        }
        return {};
    };
    if (auto ended = endAll("postgres", folder.postgresData(), SIGINT); !ended)
        return ended;
    if (auto ended = endAll("redis-server", folder.redisData(), SIGTERM); !ended)
        return ended;
    // Nothing runs here now, so these are stale; PostgreSQL would believe a process number given away since then.
    QFile::remove(folder.postgresData() + u"/postmaster.pid"_s);
    for (const QString &name :
         QDir(folder.sockets).entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot))
        QFile::remove(folder.sockets + u'/' + name);
    return {};
}

Result<PostgresPrograms> Sandbox::Private::prepareCluster()
{
    if (QFile::exists(folder.postgresData())) {
        const int major = majorOfCluster(folder.postgresData());
        if (const auto matching = programs.postgresOfMajor(major))
            return *matching;
        auto newest = programs.postgres();
        if (!newest)
            return newest;
        const QString reason = major > 0
            ? Text::tr("The sandbox's data are of PostgreSQL %1, which is not installed (PostgreSQL %2 is).")
                  .arg(QString::number(major), QString::number(newest->major))
            : Text::tr("The sandbox's database is damaged.");
        if (auto moved = moveAside(reason); !moved)
            return fail(moved.error());
    }
    auto newest = programs.postgres();
    if (!newest)
        return newest;
    if (auto created = createCluster(*newest); !created)
        return fail(created.error());
    return newest;
}

Result<void> Sandbox::Private::createCluster(const PostgresPrograms &chosen)
{
    const QStorageInfo disk(folder.path);
    if (disk.isValid() && disk.bytesAvailable() < neededBytes)
        return fail(ErrorCode::Failed,
                    Text::tr("There are only %1 MB free for the sandbox in %2; it needs %3 MB.")
                        .arg(QString::number(disk.bytesAvailable() / 1024 / 1024), folder.path,
                             QString::number(neededBytes / 1024 / 1024)),
                    Text::tr("Free some space, or choose another place by setting XDG_DATA_HOME."));
    say(Text::tr("Creating a private PostgreSQL %1 in %2 ...").arg(QString::number(chosen.major), folder.path));
    // What is there is half-made: a finished cluster has been renamed.
    const QString unfinished = folder.postgresUnfinished();
    QDir(unfinished).removeRecursively();
    if (auto made = ensurePrivateFolder(unfinished, account); !made)
        return made;
    if (auto created = PostgresServer(postgresOptions(chosen, unfinished)).create(); !created)
        return created;
    if (!QDir().rename(unfinished, folder.postgresData()))
        return fail(ErrorCode::Failed, Text::tr("%1 cannot be renamed.").arg(unfinished),
                    Text::tr("Check the rights on its folder and the space on its disk."));
    return {};
}

Result<void> Sandbox::Private::moveAside(const QString &reason)
{
    const int major = majorOfCluster(folder.postgresData());
    const QString kept = u"%1-%2-%3"_s.arg(folder.postgresData(), major > 0 ? QString::number(major) : u"damaged"_s,
                                           QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-hhmmss-zzz"_s));
    if (!QDir().rename(folder.postgresData(), kept))
        return fail(ErrorCode::Failed, reason, Text::tr("Move %1 away, then start again.").arg(folder.postgresData()));
    say(reason + u' ' + Text::tr("They are kept in %1; a new database is made.").arg(kept));
    return {};
}

PostgresOptions Sandbox::Private::postgresOptions(const PostgresPrograms &chosen, const QString &dataFolder) const
{
    PostgresOptions options;
    options.programs = chosen;
    options.account = account;
    options.dataFolder = dataFolder;
    options.socketFolder = folder.sockets;
    options.logFile = folder.postgresLog();
    return options;
}

Result<void> Sandbox::Private::announce(const SandboxAddress &address)
{
    QSaveFile file(folder.readyFile());
    const QJsonObject ready{{u"databaseUrl"_s, address.databaseUrl}, {u"redisUrl"_s, address.redisUrl}};
    if (file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(ready).toJson()) > 0 && file.commit())
        return {};
    return fail(ErrorCode::Failed, Text::tr("%1 cannot be written: %2.").arg(folder.readyFile(), file.errorString()),
                Text::tr("Check the rights on its folder and the space on its disk."));
}

void Sandbox::Private::stop()
{
    if (postgres || redis) {
        QFile::remove(folder.readyFile());
        if (postgres)
            postgres->ask();
        if (redis)
            redis->stop();
        if (postgres)
            postgres->stop();
        if (!folder.sockets.startsWith(folder.path))
            QDir().rmdir(folder.sockets);
    }
    redis.reset();
    postgres.reset();
    lock.release();
}

Sandbox::Sandbox(const QString &folder, ServerPrograms programs)
    : d(std::make_unique<Private>(folder, std::move(programs)))
{ }

Sandbox::~Sandbox()
{
    stop();
}

Result<SandboxAddress> Sandbox::start(const ProgressCallback &progress)
{
    d->progress = progress;
    auto address = d->start();
    d->progress = {};
    if (!address)
        d->stop();
    return address;
}

void Sandbox::stop()
{
    d->stop();
}

} // namespace engine::sandbox
