// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/sandbox/leftovers.h>
#include <engine/sandbox/postgresserver.h>
#include <engine/sandbox/sandbox.h>
#include <engine/sandbox/sandboxfolder.h>
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>
#include <tests/support/verify.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using namespace engine::sandbox;
using engine::ErrorCode;

namespace {

QString valueOf(const QString &databaseUrl, const QByteArray &statement)
{
    engine::sql::ConnectOptions options;
    options.url = engine::sql::DatabaseUrl::parse(databaseUrl).value();
    options.access = engine::sql::Access::ReadWrite;
    auto connection = engine::sql::Connection::open(options);
    if (!connection)
        return connection.error().detail;
    auto rows = (*connection)->execute(statement);
    if (!rows)
        return rows.error().detail;
    return rows->count() > 0 ? rows->text(0, 0) : QString();
}

engine::Result<engine::redis::Reply> ask(const QString &redisUrl, const engine::redis::Command &command)
{
    return engine::redis::Client(engine::redis::Endpoint::parse(redisUrl).value()).exchange(command, 5s);
}

QList<pid_t> serversOf(const QString &folder)
{
    return findProcesses("postgres", QFile::encodeName(folder + u"/postgres"_s))
        + findProcesses("redis-server", QFile::encodeName(folder + u"/redis"_s));
}

QByteArray fileText(const QString &name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool writeFile(const QString &name, const QByteArray &text)
{
    QFile file(name);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

// The inodes of this machine's listening TCP sockets.
QSet<QByteArray> listeningSockets()
{
    QSet<QByteArray> inodes;
    for (const char *name : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        for (const QByteArray &line : fileText(QString::fromLatin1(name)).split('\n')) {
            const QList<QByteArray> words = line.simplified().split(' ');
            if (words.size() > 9 && words.at(3) == "0A")
                inodes << words.at(9);
        }
    }
    return inodes;
}

// Another console process that runs the sandbox in `folder`.
class Owner
{
public:
    explicit Owner(const QString &folder)
    {
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start(QStringLiteral(SANDBOX_OWNER), {folder});
    }
    ~Owner() { end(); }

    // What it says when it is ready: "owned URL", "joined URL" or "failed WHY".
    QString words()
    {
        while (!m_process.canReadLine() && m_process.waitForReadyRead(160'000)) { }
        return QString::fromUtf8(m_process.readLine()).trimmed();
    }
    void end()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished(60'000);
    }
    void killNow()
    {
        m_process.kill();
        m_process.waitForFinished(60'000);
    }

private:
    QProcess m_process;
};

} // namespace

class TestSandbox final : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_base;

    // The path of a folder that does not exist yet, where the servers' user can get to.
    QString newFolder() { return m_base.filePath(QString::fromLatin1(QTest::currentTestFunction())); }

    // A sandbox that has been made, is complete and not running; making one costs seconds on a slow disk.
    QString finishedFolder()
    {
        const QString folder = m_base.filePath(u"finished"_s);
        if (!QFile::exists(folder))
            static_cast<void>(Sandbox(folder).start());
        return folder;
    }

private slots:
    void initTestCase()
    {
        QVERIFY(m_base.isValid());
        QCOMPARE(chmod(QFile::encodeName(m_base.path()).constData(), 0711), 0);
    }

    void firstStartSeedsOnceAndKeepsWhatIsWritten()
    {
        const QString folder = newFolder();
        {
            Sandbox sandbox(folder);
            QStringList told;
            const auto address = sandbox.start([&](const QString &text) { told << text; });
            VERIFY_WORKED(address);
            QVERIFY(address->owned);
            QVERIFY(address->fresh);
            QVERIFY(!told.isEmpty());
            QCOMPARE(address->folder, folder);

            const QString url = address->databaseUrl;
            QCOMPARE(valueOf(url, "SELECT count(*) FROM \"OutboxEvent\""), u"61"_s);
            QCOMPARE(valueOf(url,
                             "SELECT count(*) FROM \"OutboxEvent\" WHERE \"status\" = 'PENDING' "
                             "AND \"scheduledAt\" <= (now() AT TIME ZONE 'UTC')"),
                     u"24"_s);
            QCOMPARE(valueOf(url, "SELECT string_agg(DISTINCT \"status\"::text, ',') FROM \"OutboxEvent\""),
                     u"CANCELLED,DONE,FAILED,PENDING,PROCESSING"_s);
            QCOMPARE(valueOf(url, "SELECT payload->>'orderId' FROM \"OutboxEvent\" WHERE id = 'evt_0004'"),
                     u"9007199254740993"_s);
            QCOMPARE(valueOf(url, "SELECT string_agg(DISTINCT status, ',') FROM message_outbox"),
                     u"dead_letter,failed,pending,processing,sent"_s);
            QCOMPARE(valueOf(url, "SELECT count(DISTINCT status) FROM \"WorkflowExecution\""), u"6"_s);
            QCOMPARE(valueOf(url, "SELECT count(*) FROM pg_trigger WHERE tgname = 'outbox_wakeup'"), u"2"_s);
            QCOMPARE(valueOf(url, "SHOW timezone"), u"UTC"_s);
            QCOMPARE(valueOf(url, "SHOW fsync"), u"on"_s);
            QCOMPARE(valueOf(url, "SHOW server_encoding"), u"UTF8"_s);
            QCOMPARE(ask(address->redisUrl, {"CONFIG", "GET", "maxmemory-policy"}).value().items.at(1).text,
                     "noeviction");
            QCOMPARE(ask(address->redisUrl, {"CONFIG", "GET", "appendonly"}).value().items.at(1).text, "yes");

            valueOf(url, "DELETE FROM \"OutboxEvent\" WHERE id <> 'evt_0001'");
            QCOMPARE(ask(address->redisUrl, {"SET", "kept", "yes"}).value().text, "OK");
            sandbox.stop();
            QVERIFY(serversOf(folder).isEmpty());
        }
        QElapsedTimer clock;
        clock.start();
        Sandbox again(folder);
        const auto address = again.start();
        VERIFY_WORKED(address);
        QVERIFY2(clock.elapsed() < 3000, QByteArray::number(clock.elapsed()).constData());
        QVERIFY(address->owned);
        QVERIFY(!address->fresh);
        QCOMPARE(valueOf(address->databaseUrl, "SELECT count(*) FROM \"OutboxEvent\""), u"1"_s);
        QCOMPARE(ask(address->redisUrl, {"GET", "kept"}).value().text, "yes");
    }

    void serversArePrivate()
    {
        const QString folder = finishedFolder();
        Sandbox sandbox(folder);
        const auto address = sandbox.start();
        VERIFY_WORKED(address);

        struct stat status = {};
        QCOMPARE(stat(QFile::encodeName(folder).constData(), &status), 0);
        QCOMPARE(status.st_mode & 0007, 0U);
        for (const QString &inner : {u"/postgres"_s, u"/redis"_s, u"/sockets"_s}) {
            QCOMPARE(stat(QFile::encodeName(folder + inner).constData(), &status), 0);
            QCOMPARE(status.st_mode & 0777, 0700U);
        }

        QCOMPARE(valueOf(address->databaseUrl, "SHOW listen_addresses"), QString());
        QCOMPARE(ask(address->redisUrl, {"CONFIG", "GET", "port"}).value().items.at(1).text, "0");
        const QSet<QByteArray> listening = listeningSockets();
        const QList<pid_t> servers = serversOf(folder);
        QCOMPARE(servers.size(), 2);
        const uid_t expected = serverAccount().value().uid;
        QVERIFY(expected != 0);
        for (const pid_t pid : servers) {
            const QRegularExpression uids(u"Uid:\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)\\s+(\\d+)"_s);
            const auto match = uids.match(QString::fromLatin1(fileText(u"/proc/%1/status"_s.arg(pid))));
            QVERIFY(match.hasMatch());
            for (int i = 1; i <= 4; ++i)
                QCOMPARE(match.captured(i).toUInt(), expected);
            const QDir descriptors(u"/proc/%1/fd"_s.arg(pid));
            for (const QString &name : descriptors.entryList(QDir::System | QDir::Files | QDir::NoDotAndDotDot)) {
                std::array<char, 64> target{};
                if (readlink(QFile::encodeName(descriptors.filePath(name)).constData(), target.data(),
                             target.size() - 1)
                    > 0)
                    QVERIFY(!listening.contains(QByteArray(target.data()).mid(8).chopped(1))); // socket:[INODE]
            }
        }
    }

    void anotherConsoleJoins()
    {
        const QString folder = finishedFolder();
        Owner owner(folder);
        QVERIFY(owner.words().startsWith(u"owned "));
        {
            Sandbox second(folder);
            const auto address = second.start();
            VERIFY_WORKED(address);
            QVERIFY(!address->owned);
            QVERIFY(!address->fresh);
            QCOMPARE(valueOf(address->databaseUrl, "SELECT count(*) FROM \"OutboxEvent\""), u"61"_s);
        }
        QCOMPARE(serversOf(folder).size(), 2);
        owner.end();
        QVERIFY(serversOf(folder).isEmpty());
    }

    void twoAtOnceMakeOneSandbox()
    {
        const QString folder = newFolder();
        Owner first(folder);
        Owner second(folder);
        QStringList words{first.words(), second.words()};
        words.sort();
        QVERIFY2(words.first().startsWith(u"joined "), qPrintable(words.join(u'\n')));
        QVERIFY2(words.last().startsWith(u"owned "), qPrintable(words.join(u'\n')));
        QCOMPARE(serversOf(folder).size(), 2);
    }

    void serversEndWithAKilledConsole()
    {
        const QString folder = finishedFolder();
        Owner owner(folder);
        QVERIFY(owner.words().startsWith(u"owned "));
        QCOMPARE(serversOf(folder).size(), 2);
        owner.killNow();
        QTRY_VERIFY_WITH_TIMEOUT(serversOf(folder).isEmpty(), 60'000);

        Sandbox next(folder);
        const auto address = next.start();
        VERIFY_WORKED(address);
        QVERIFY(address->owned);
        QVERIFY(!address->fresh);
    }

    void nextStartNeedNotWaitAfterAKill()
    {
        const QString folder = finishedFolder();
        for (int i = 0; i < 3; ++i) {
            Owner owner(folder);
            const QString words = owner.words();
            QVERIFY2(words.startsWith(u"owned "), qPrintable(words));
            owner.killNow();
        }
    }

    void leftoverServersAreEnded()
    {
        const QString folder = finishedFolder();
        QTRY_VERIFY_WITH_TIMEOUT(serversOf(folder).isEmpty(), 60'000); // of the test before
        PostgresOptions options;
        options.programs = ServerPrograms().postgres().value();
        options.account = serverAccount().value();
        options.dataFolder = folder + u"/postgres"_s;
        options.socketFolder = folder + u"/sockets"_s;
        options.logFile = folder + u"/postgres.log"_s;
        PostgresServer leftover(options);
        const auto launched = leftover.launch();
        VERIFY_WORKED(launched);
        const auto ready = leftover.waitUntilReady(QDeadlineTimer(30s));
        VERIFY_WORKED(ready);
        const qint64 pid = leftover.pid();

        Sandbox sandbox(folder);
        const auto address = sandbox.start();
        VERIFY_WORKED(address);
        QVERIFY(!serversOf(folder).contains(pid));
        QCOMPARE(serversOf(folder).size(), 2);
    }

    void halfMadeFolderIsFinished()
    {
        const QString folder = newFolder();
        {
            const ServerPrograms noPrograms((QStringList()));
            Sandbox stopped(folder, noPrograms); // gets as far as the folder
            QVERIFY(!stopped.start());
        }
        QVERIFY(QDir(folder).mkpath(u"postgres.new/base"_s));
        QVERIFY(writeFile(folder + u"/postgres.new/PG_VERSION"_s, "15\n"));
        Sandbox sandbox(folder);
        const auto address = sandbox.start();
        VERIFY_WORKED(address);
        QVERIFY(address->fresh);
        QVERIFY(!QFile::exists(folder + u"/postgres.new"_s));
    }

    void staleFilesAreNoObstacle()
    {
        const QString folder = finishedFolder();
        // As after a power cut, with the process number meanwhile given to somebody else.
        QVERIFY(writeFile(folder + u"/postgres/postmaster.pid"_s, QByteArray::number(getppid()) + '\n'));
        QVERIFY(writeFile(folder + u"/sockets/.s.PGSQL.5432"_s, {}));
        QVERIFY(writeFile(folder + u"/sockets/.s.PGSQL.5432.lock"_s, QByteArray::number(getppid()) + '\n'));
        QVERIFY(writeFile(folder + u"/sockets/redis.sock"_s, {}));
        QVERIFY(writeFile(folder + u"/ready.json"_s, "{"));
        Sandbox sandbox(folder);
        const auto address = sandbox.start();
        VERIFY_WORKED(address);
        QVERIFY(address->owned);
        QVERIFY(!address->fresh);
    }

    void dataOfAnotherVersionAreMovedAside()
    {
        const QString folder = finishedFolder();
        QVERIFY(writeFile(folder + u"/postgres/PG_VERSION"_s, "8\n"));
        Sandbox sandbox(folder);
        QStringList told;
        const auto address = sandbox.start([&](const QString &text) { told << text; });
        VERIFY_WORKED(address);
        QVERIFY(address->fresh);
        const QStringList kept = QDir(folder).entryList({u"postgres-8-*"_s}, QDir::Dirs);
        QCOMPARE(kept.size(), 1);
        QVERIFY(QFile::exists(folder + u'/' + kept.first() + u"/global/pg_control"_s));
        QVERIFY(told.join(u'\n').contains(kept.first()));
    }

    void longPathsWork()
    {
        const QString folder = newFolder() + u'/' + QString(90, u'x') + u"/with space and ünïcode/sandbox"_s;
        QString sockets;
        {
            Sandbox sandbox(folder);
            const auto address = sandbox.start();
            VERIFY_WORKED(address);
            QCOMPARE(address->folder, folder);
            sockets = valueOf(address->databaseUrl, "SHOW unix_socket_directories").remove(u'"');
            QVERIFY2(QFile::exists(sockets), qPrintable(sockets));
        }
        QVERIFY(!QFile::exists(sockets));
    }

    void foreignFolderIsRefused()
    {
        const QString folder = newFolder();
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(writeFile(folder + u"/thesis.txt"_s, "mine"));
        const auto address = Sandbox(folder).start();
        QVERIFY(!address);
        QCOMPARE(address.error().code, ErrorCode::Refused);
        QVERIFY(address.error().message.contains(folder));
        QCOMPARE(QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                 QStringList(u"thesis.txt"_s));
    }

    void impossibleFolderIsAnError()
    {
        const QString file = newFolder();
        QVERIFY(writeFile(file, "x"));
        for (const QString &folder : {file, file + u"/below"_s}) {
            const auto address = Sandbox(folder).start();
            QVERIFY(!address);
            QCOMPARE(address.error().code, ErrorCode::Failed);
            QVERIFY(!address.error().hint.isEmpty());
        }
    }

    void missingProgramsNameTheirPackage()
    {
        const QDir programs(newFolder() + u"-programs"_s);
        QVERIFY(programs.mkpath(u"."_s));
        const auto withoutRedis = Sandbox(newFolder(), ServerPrograms({programs.path()})).start();
        QVERIFY(!withoutRedis);
        QCOMPARE(withoutRedis.error().code, ErrorCode::NotFound);
        QVERIFY(withoutRedis.error().hint.contains(u"apt-get install --no-install-recommends redis-server"));

        QVERIFY(QFile::link(ServerPrograms().redis().value(), programs.filePath(u"redis-server"_s)));
        const auto withoutPostgres = Sandbox(newFolder(), ServerPrograms({programs.path()})).start();
        QVERIFY(!withoutPostgres);
        QCOMPARE(withoutPostgres.error().code, ErrorCode::NotFound);
        QVERIFY(withoutPostgres.error().hint.contains(u"apt-get install --no-install-recommends postgresql"));
    }

    void unreachableFolderHasAStandIn()
    {
        const QTemporaryDir closed; // 0700
        const Account other{geteuid() + 4321, getegid() + 4321, u"other"_s, true};
        const QString wanted = closed.filePath(u"data/sandbox"_s);
        const QString used = reachableFolder(wanted, other);
        QVERIFY2(used.startsWith(u"/var/lib/outbox-console/sandbox-"), qPrintable(used));
        QCOMPARE(reachableFolder(wanted, other), used);
        QVERIFY(reachableFolder(wanted + u'2', other) != used);
        QCOMPARE(reachableFolder(m_base.filePath(u"data/sandbox"_s), other), m_base.filePath(u"data/sandbox"_s));
        const Account self{geteuid(), getegid(), u"self"_s, false};
        QCOMPARE(reachableFolder(wanted, self), wanted);
    }

    void aStandInWorks()
    {
        // As root with the home of root; for anybody else the folder itself serves.
        const QTemporaryDir closed;
        const QString wanted = closed.filePath(u"sandbox"_s);
        QString used;
        {
            Sandbox sandbox(wanted);
            const auto address = sandbox.start();
            VERIFY_WORKED(address);
            used = address->folder;
            QCOMPARE(used, reachableFolder(wanted, serverAccount().value()));
            QCOMPARE(valueOf(address->databaseUrl, "SELECT 1"), u"1"_s);
        }
        QVERIFY(QDir(used).removeRecursively());
    }
};

QTEST_GUILESS_MAIN(TestSandbox)
#include "tst_sandbox.moc"
