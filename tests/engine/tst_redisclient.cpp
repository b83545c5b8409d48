// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/base/serialthread.h>
#include <engine/transport/redis/client.h>

#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QProcess>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSslCertificate>
#include <QSslConfiguration>
#include <QSslSocket>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>
#include <QUrl>

using namespace engine;
using namespace engine::redis;
using test::why;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

class TestRedisClient : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void opens_data();
    void opens();
    void refusesToOpen_data();
    void refusesToOpen();
    void givesUpOnASilentServer();
    void givesUpOnAnotherProtocol();
    void selectsTheDatabase();

    void readsEveryKindOfReply();
    void carriesAnyBytes();
    void keepsTheOrderOfAPipeline();
    void tellsErrorsApart_data();
    void tellsErrorsApart();

    void sendWithoutAConnectionFailsAtOnce();
    void closeAnswersEveryCallback();
    void killedServerAnswersEveryCallbackOnce();
    void opensAgainAfterARestart();
    void replyTimesOut();
    void anAnsweringServerDoesNotTimeOut();
    void mayBeDestroyedInACallback();
    void mayBeClosedInACallback();

    void exchanges_data();
    void exchanges();
    void exchangeRefuses();
    void exchangeIsPatient_data();
    void exchangeIsPatient();
    void exchangeTimesOut();
    void exchangeSeesTheServerDie();

    void refusesAnUnknownCertificate();
    void encryptsWithAKnownCertificate();

private:
    [[nodiscard]] QByteArray clientsBlocked() const; // as the server counts them
    [[nodiscard]] Endpoint endpoint(int database = 0) const { return *Endpoint::parse(m_servers->redisUrl(database)); }
    void startEncryptedServer();

    std::unique_ptr<test::PrivateServers> m_servers;
    QTemporaryDir m_tlsFolder;
    std::unique_ptr<QProcess> m_tlsServer;
    Endpoint m_tlsEndpoint;
};

namespace {

// One callback's answers: how often it came and with what.
struct Answer
{
    int count = 0;
    std::optional<Reply> reply;
    std::optional<Error> error;

    void operator()(const Result<Reply> &result)
    {
        ++count;
        if (result)
            reply = *result;
        else
            error = result.error();
    }
};

bool openAndWait(Client &client)
{
    const QSignalSpy ready(&client, &Client::ready);
    client.open();
    return QTest::qWaitFor([&] { return !ready.isEmpty(); }, 10'000);
}

std::optional<Error> failureOf(Client &client)
{
    QSignalSpy closed(&client, &Client::closed);
    client.open();
    if (!QTest::qWaitFor([&] { return !closed.isEmpty(); }, 10'000))
        return std::nullopt;
    return closed.first().first().value<Error>();
}

// Waits, with the event loop running, for the answer to one command.
Result<Reply> ask(Client &client, const Command &command)
{
    std::optional<Result<Reply>> answer;
    client.send(command, [&answer](const Result<Reply> &reply) { answer = reply; });
    if (!QTest::qWaitFor([&] { return answer.has_value(); }, 10'000))
        return fail(ErrorCode::Timeout, u"no answer in the test"_s);
    return *answer;
}

} // namespace

void TestRedisClient::initTestCase()
{
    test::PrivateServersOptions options;
    options.tcp = true;
    options.withPostgres = false;
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    Client client(endpoint());
    const auto made = client.exchange(Command{"ACL", "SETUSER", "shop", "on", ">geheim@:/", "~*", "+@all"}, 10s);
    QVERIFY2(made && !made->isError(), (made ? made->text : why(made)).constData());
    const auto narrow = client.exchange(Command{"ACL", "SETUSER", "narrow", "on", ">geheim", "~*", "+get"}, 10s);
    QVERIFY2(narrow && !narrow->isError(), (narrow ? narrow->text : why(narrow)).constData());
}

QByteArray TestRedisClient::clientsBlocked() const
{
    Client observer(endpoint());
    const auto info = observer.exchange(Command{"INFO", "clients"}, 10s);
    if (!info)
        return why(info);
    const qsizetype from = info->text.indexOf("blocked_clients:") + qsizetype(strlen("blocked_clients:"));
    return info->text.mid(from, info->text.indexOf('\r', from) - from);
}

void TestRedisClient::opens_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QByteArray>("user");
    QTest::newRow("TCP with password") << m_servers->redisUrl() << QByteArray("default");
    QTest::newRow("TCP with user and password")
        << u"redis://shop:geheim%40%3A%2F@127.0.0.1:%1/0"_s.arg(m_servers->redisPort()) << QByteArray("shop");
    QTest::newRow("unix socket") << m_servers->redisSocketUrl() << QByteArray("default");
    QTest::newRow("unix socket with database") << m_servers->redisSocketUrl(7) << QByteArray("default");
}

void TestRedisClient::opens()
{
    QFETCH(const QString, url);
    const auto where = Endpoint::parse(url);
    VERIFY_WORKED(where);
    Client client(*where);
    QVERIFY(!client.isReady());
    QVERIFY(openAndWait(client));
    QVERIFY(client.isReady());
    const auto user = ask(client, {"ACL", "WHOAMI"});
    VERIFY_WORKED(user);
    QTEST(user->text, "user");
}

void TestRedisClient::refusesToOpen_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("said");
    QTest::addColumn<bool>("retryable");
    const QString port = QString::number(m_servers->redisPort());
    QTest::newRow("wrong password") << u"redis://:falsch@127.0.0.1:%1"_s.arg(port) << ErrorCode::CannotConnect
                                    << u"refused user name or password"_s << false;
    QTest::newRow("wrong user") << u"redis://nobody:geheim@127.0.0.1:%1"_s.arg(port) << ErrorCode::CannotConnect
                                << u"refused user name or password"_s << false;
    QTest::newRow("no password") << u"redis://127.0.0.1:%1"_s.arg(port) << ErrorCode::CannotConnect
                                 << u"refused user name or password"_s << false;
    QTest::newRow("no right") << u"redis://narrow:geheim@127.0.0.1:%1"_s.arg(port) << ErrorCode::Refused
                              << u"does not permit this"_s << false;
    QTest::newRow("no such database") << m_servers->redisUrl(4711) << ErrorCode::Failed << u"DB index"_s << false;
    QTcpServer free;
    QVERIFY(free.listen(QHostAddress::LocalHost));
    QTest::newRow("nothing listens") << u"redis://127.0.0.1:%1"_s.arg(free.serverPort()) << ErrorCode::CannotConnect
                                     << u"Cannot connect"_s << true;
    QTest::newRow("no such socket") << u"redis+unix:///nowhere/redis.sock"_s << ErrorCode::CannotConnect
                                    << u"/nowhere/redis.sock"_s << true;
}

void TestRedisClient::refusesToOpen()
{
    QFETCH(const QString, url);
    QFETCH(const QString, said);
    const auto where = Endpoint::parse(url);
    VERIFY_WORKED(where);
    Client client(*where);
    const auto error = failureOf(client);
    QVERIFY(error);
    QTEST(error->code, "code");
    QVERIFY2(error->text().contains(said), why(*error).constData());
    QTEST(error->retryable, "retryable");
    QVERIFY(!why(*error).contains("geheim") && !why(*error).contains("falsch"));
    QVERIFY(!client.isReady());

    Client blocking(*where);
    const auto reply = blocking.exchange(Command{"PING"}, 10s);
    QVERIFY(!reply);
    QTEST(reply.error().code, "code");
}

void TestRedisClient::givesUpOnASilentServer()
{
    QTcpServer silent; // the system takes the connection, and nobody ever answers
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    Client client(*Endpoint::parse(u"redis://127.0.0.1:%1"_s.arg(silent.serverPort())));
    client.setTimeouts(200ms, 10s);
    QElapsedTimer timer;
    timer.start();
    const auto error = failureOf(client);
    QVERIFY(error);
    QCOMPARE(error->code, ErrorCode::CannotConnect);
    QVERIFY(error->retryable);
    QVERIFY(timer.elapsed() >= 150 && timer.elapsed() < 5000);
}

void TestRedisClient::givesUpOnAnotherProtocol()
{
    QTcpServer web;
    QVERIFY(web.listen(QHostAddress::LocalHost));
    connect(&web, &QTcpServer::newConnection, this,
            [&web] { web.nextPendingConnection()->write("HTTP/1.1 400 Bad Request\r\n\r\n"); });
    Client client(*Endpoint::parse(u"redis://127.0.0.1:%1"_s.arg(web.serverPort())));
    const auto error = failureOf(client);
    QVERIFY(error);
    QVERIFY2(error->text().contains(u"does not speak Redis"), why(*error).constData());
}

void TestRedisClient::selectsTheDatabase()
{
    Client third(endpoint(3));
    QVERIFY(openAndWait(third));
    QVERIFY(ask(third, {"SET", "key", "in three"}));
    Client zero(endpoint());
    QVERIFY(openAndWait(zero));
    QVERIFY(ask(zero, {"GET", "key"})->isNil());
    Client alsoThird(endpoint(3));
    QCOMPARE(alsoThird.exchange(Command{"GET", "key"}, 10s)->text, QByteArray("in three"));
}

void TestRedisClient::readsEveryKindOfReply()
{
    Client client(endpoint());
    QVERIFY(openAndWait(client));
    const auto status = ask(client, {"SET", "kind", ""});
    VERIFY_WORKED(status);
    QCOMPARE(status->kind, Reply::Kind::Status);
    QCOMPARE(status->text, QByteArray("OK"));
    const auto text = ask(client, {"GET", "kind"});
    QCOMPARE(text->kind, Reply::Kind::Text);
    QCOMPARE(text->text, QByteArray(""));
    QVERIFY(ask(client, {"GET", "missing"})->isNil());
    const auto integer = ask(client, {"EVAL", "return -9007199254740993", "0"});
    QCOMPARE(integer->kind, Reply::Kind::Integer);
    const auto error = ask(client, {"LPUSH", "kind", "x"});
    QVERIFY(error->isError());
    QVERIFY(error->text.startsWith("WRONGTYPE"));
    const auto array = ask(client, {"EVAL", "return {1, 'two', {3, {}, false}}", "0"});
    QCOMPARE(array->kind, Reply::Kind::Array);
    QCOMPARE(array->items.size(), size_t(3));
    QCOMPARE(array->items[0].integer, 1);
    QCOMPARE(array->items[1].text, QByteArray("two"));
    QCOMPARE(array->items[2].items.size(), size_t(3));
    QCOMPARE(array->items[2].items[1].kind, Reply::Kind::Array);
    QVERIFY(array->items[2].items[1].items.empty());
    QVERIFY(array->items[2].items[2].isNil());
}

void TestRedisClient::carriesAnyBytes()
{
    Client client(endpoint());
    QVERIFY(openAndWait(client));
    QByteArray every;
    for (int byte = 0; byte < 256; ++byte)
        every += static_cast<char>(byte);
    for (const QByteArray &value : {QByteArray(""), QByteArray("\r\n$3\r\n"), every, every.repeated(40'000)}) {
        const auto echo = ask(client, {"ECHO", value});
        VERIFY_WORKED(echo);
        QVERIFY(echo->text == value);
    }
}

void TestRedisClient::keepsTheOrderOfAPipeline()
{
    Client client(endpoint());
    QVERIFY(openAndWait(client));
    constexpr int commands = 10'000;
    std::vector<QByteArray> answers;
    for (int i = 0; i < commands; ++i) {
        client.send({"ECHO", QByteArray::number(i)}, [&answers](const Result<Reply> &reply) {
            answers.push_back(reply ? reply->text : QByteArray("error"));
        });
    }
    QTRY_COMPARE(answers.size(), size_t(commands));
    for (int i = 0; i < commands; ++i)
        QCOMPARE(answers[size_t(i)], QByteArray::number(i));
}

void TestRedisClient::tellsErrorsApart_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<bool>("retryable");
    const auto row = [](const QByteArray &text, ErrorCode code, bool retryable) {
        QTest::newRow(text.constData()) << text << code << retryable;
    };
    row("OOM command not allowed when used memory > 'maxmemory'.", ErrorCode::Unavailable, true);
    row("READONLY You can't write against a read only replica.", ErrorCode::Unavailable, true);
    row("LOADING Redis is loading the dataset in memory", ErrorCode::Unavailable, true);
    row("MASTERDOWN Link with MASTER is down", ErrorCode::Unavailable, true);
    row("BUSY Redis is busy running a script.", ErrorCode::Unavailable, true);
    row("MISCONF Redis is configured to save RDB snapshots", ErrorCode::Unavailable, true);
    row("NOREPLICAS Not enough good replicas to write.", ErrorCode::Unavailable, true);
    row("NOAUTH Authentication required.", ErrorCode::CannotConnect, false);
    row("WRONGPASS invalid username-password pair", ErrorCode::CannotConnect, false);
    row("NOPERM this user has no permissions to run the 'set' command", ErrorCode::Refused, false);
    row("WRONGTYPE Operation against a key", ErrorCode::Failed, false);
    row("NOSCRIPT No matching script.", ErrorCode::Failed, false);
    row("ERR unknown command 'NONSENSE'", ErrorCode::Failed, false);
    row("OOMPH is another word", ErrorCode::Failed, false);
}

void TestRedisClient::tellsErrorsApart()
{
    QFETCH(const QByteArray, text);
    Reply reply;
    reply.kind = Reply::Kind::Error;
    reply.text = text;
    const Error error = replyError(reply, u"cache.example:6379"_s);
    QTEST(error.code, "code");
    QTEST(error.retryable, "retryable");
    QVERIFY(error.message.contains(u"cache.example:6379"));
    QCOMPARE(error.detail, QString::fromUtf8(text));
}

void TestRedisClient::sendWithoutAConnectionFailsAtOnce()
{
    Client client(endpoint());
    Answer answer;
    client.send({"PING"}, std::ref(answer));
    QCOMPARE(answer.count, 1);
    QVERIFY(answer.error);
    QCOMPARE(answer.error->code, ErrorCode::Unavailable);
}

void TestRedisClient::closeAnswersEveryCallback()
{
    Client client(endpoint());
    QVERIFY(openAndWait(client));
    const QSignalSpy closed(&client, &Client::closed);
    std::vector<Answer> answers(100);
    for (Answer &answer : answers)
        client.send({"PING"}, std::ref(answer));
    client.close();
    for (const Answer &answer : answers) {
        QCOMPARE(answer.count, 1);
        QVERIFY(answer.error);
        QCOMPARE(answer.error->code, ErrorCode::Unavailable);
    }
    QVERIFY(!client.isReady());
    QCOMPARE(closed.count(), 0);
    QVERIFY(openAndWait(client));
    QVERIFY(ask(client, {"PING"}));
}

void TestRedisClient::killedServerAnswersEveryCallbackOnce()
{
    Client client(endpoint());
    QVERIFY(openAndWait(client));
    QSignalSpy closed(&client, &Client::closed);
    std::vector<Answer> before(5000);
    std::vector<Answer> after(5000);
    for (Answer &answer : before)
        client.send({"PING"}, std::ref(answer));
    QTRY_COMPARE(before.back().count, 1);
    // The first one blocks, so that the server certainly dies with all of them unanswered.
    client.send({"BLPOP", "nothing", "0"}, std::ref(after.front()));
    for (size_t i = 1; i < after.size(); ++i)
        client.send({"PING"}, std::ref(after[i]));
    QTRY_COMPARE(clientsBlocked(), QByteArray("1"));
    m_servers->redis().kill();
    QTRY_COMPARE(closed.count(), 1);
    QCOMPARE(closed.first().first().value<Error>().code, ErrorCode::Unavailable);
    for (const Answer &answer : before) {
        QCOMPARE(answer.count, 1);
        QVERIFY(answer.reply);
    }
    for (const Answer &answer : after) {
        QCOMPARE(answer.count, 1);
        QVERIFY(answer.error);
        QCOMPARE(answer.error->code, ErrorCode::Unavailable);
    }
    const auto again = m_servers->restartRedis();
    VERIFY_WORKED(again);
    QCOMPARE(closed.count(), 1);
}

void TestRedisClient::opensAgainAfterARestart()
{
    Client client(endpoint());
    QVERIFY(openAndWait(client));
    const QSignalSpy closed(&client, &Client::closed);
    m_servers->redis().stop();
    QTRY_COMPARE(closed.count(), 1);
    const auto again = m_servers->restartRedis();
    VERIFY_WORKED(again);
    QVERIFY(openAndWait(client));
    QCOMPARE(ask(client, {"PING"})->text, QByteArray("PONG"));
}

void TestRedisClient::replyTimesOut()
{
    Client client(endpoint());
    client.setTimeouts(10s, 200ms);
    QVERIFY(openAndWait(client));
    QSignalSpy closed(&client, &Client::closed);
    std::vector<Answer> answers(2);
    client.send({"BLPOP", "nothing", "0"}, std::ref(answers[0]));
    client.send({"PING"}, std::ref(answers[1]));
    QTRY_COMPARE(closed.count(), 1);
    QCOMPARE(closed.first().first().value<Error>().code, ErrorCode::Timeout);
    for (const Answer &answer : answers) {
        QCOMPARE(answer.count, 1);
        QVERIFY(answer.error);
        QCOMPARE(answer.error->code, ErrorCode::Timeout);
        QVERIFY(answer.error->retryable);
    }
}

void TestRedisClient::anAnsweringServerDoesNotTimeOut()
{
    // Each of the calls takes less than the limit, all of them together more.
    Client client(endpoint());
    client.setTimeouts(10s, 400ms);
    QVERIFY(openAndWait(client));
    const QSignalSpy closed(&client, &Client::closed);
    std::vector<Answer> answers(6);
    for (Answer &answer : answers)
        client.send({"BLPOP", "nothing", "0.15"}, std::ref(answer));
    QTRY_COMPARE(answers.back().count, 1);
    QVERIFY(answers.back().reply);
    QCOMPARE(closed.count(), 0);
    // And an idle connection has nothing to wait for.
    QVERIFY(!QTest::qWaitFor([&] { return !closed.isEmpty(); }, 600));
}

void TestRedisClient::mayBeDestroyedInACallback()
{
    auto client = std::make_unique<Client>(endpoint());
    QVERIFY(openAndWait(*client));
    bool called = false;
    int later = 0;
    client->send({"PING"}, [&](const Result<Reply> &) {
        called = true;
        client.reset();
    });
    for (int i = 0; i < 10; ++i)
        client->send({"PING"}, [&later](const Result<Reply> &) { ++later; });
    QTRY_VERIFY(called);
    QCOMPARE(later, 0);
}

void TestRedisClient::mayBeClosedInACallback()
{
    Client client(endpoint());
    QVERIFY(openAndWait(client));
    std::vector<Answer> answers(10);
    client.send({"PING"}, [&client](const Result<Reply> &) { client.close(); });
    for (Answer &answer : answers)
        client.send({"PING"}, std::ref(answer));
    QTRY_COMPARE(answers.back().count, 1);
    for (const Answer &answer : answers) {
        QCOMPARE(answer.count, 1);
        QVERIFY(answer.error);
    }
}

void TestRedisClient::exchanges_data()
{
    QTest::addColumn<QString>("url");
    QTest::newRow("TCP") << m_servers->redisUrl();
    QTest::newRow("unix socket") << m_servers->redisSocketUrl();
}

void TestRedisClient::exchanges()
{
    QFETCH(const QString, url);
    SerialThread thread(u"redis"_s);
    const auto answers = thread.run([url] {
        Client client(*Endpoint::parse(url));
        std::vector<Command> commands;
        for (int i = 0; i < 10'000; ++i)
            commands.push_back({"ECHO", QByteArray::number(i)});
        auto first = client.exchange(commands, 20s);
        auto second = client.exchange(Command{"NONSENSE"}, 20s); // over the same connection
        return std::pair(std::move(first), std::move(second));
    });
    const auto [first, second] = answers.result();
    VERIFY_WORKED(first);
    QCOMPARE(first->size(), size_t(10'000));
    for (int i = 0; i < 10'000; ++i)
        QCOMPARE((*first)[size_t(i)].text, QByteArray::number(i));
    VERIFY_WORKED(second);
    QVERIFY(second->isError());

    Client client(*Endpoint::parse(url));
    const auto none = client.exchange(std::span<const Command>(), 10s);
    VERIFY_WORKED(none);
    QVERIFY(none->empty());
}

void TestRedisClient::exchangeRefuses()
{
    Client client(*Endpoint::parse(u"redis://127.0.0.1:%1"_s.arg(m_servers->redisPort())));
    const auto reply = client.exchange(Command{"PING"}, 10s);
    QVERIFY(!reply);
    QCOMPARE(reply.error().code, ErrorCode::CannotConnect);
}

void TestRedisClient::exchangeIsPatient_data()
{
    exchanges_data();
}

void TestRedisClient::exchangeIsPatient()
{
    QFETCH(const QString, url);
    Client client(*Endpoint::parse(url));
    const auto reply = client.exchange(Command{"BLPOP", "nothing", "1.5"}, 20s);
    VERIFY_WORKED(reply);
    QVERIFY(reply->isNil());
}

void TestRedisClient::exchangeTimesOut()
{
    Client client(endpoint());
    QVERIFY(client.exchange(Command{"PING"}, 10s));
    QElapsedTimer timer;
    timer.start();
    const auto reply = client.exchange(Command{"BLPOP", "nothing", "0"}, 200ms);
    QVERIFY(!reply);
    QCOMPARE(reply.error().code, ErrorCode::Timeout);
    QVERIFY(timer.elapsed() < 5000);
    // The late answer went with its connection; the next exchange opens another one.
    const auto next = client.exchange(Command{"ECHO", "next"}, 10s);
    VERIFY_WORKED(next);
    QCOMPARE(next->text, QByteArray("next"));

    QTcpServer silent;
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    Client unanswered(*Endpoint::parse(u"redis://127.0.0.1:%1"_s.arg(silent.serverPort())));
    const auto nothing = unanswered.exchange(Command{"PING"}, 200ms);
    QVERIFY(!nothing);
    QCOMPARE(nothing.error().code, ErrorCode::CannotConnect);
}

void TestRedisClient::exchangeSeesTheServerDie()
{
    Client client(endpoint());
    QVERIFY(client.exchange(Command{"PING"}, 10s));
    SerialThread thread(u"redis"_s);
    const auto blocked = thread.run([where = endpoint()] {
        Client waiting(where);
        return waiting.exchange(Command{"BLPOP", "nothing", "0"}, 20s);
    });
    QTRY_COMPARE(clientsBlocked(), QByteArray("1"));
    m_servers->redis().kill();
    const auto reply = blocked.result();
    QVERIFY(!reply);
    QCOMPARE(reply.error().code, ErrorCode::Unavailable);
    const auto gone = client.exchange(Command{"PING"}, 10s);
    QVERIFY(!gone);
    const auto again = m_servers->restartRedis();
    VERIFY_WORKED(again);
    const auto next = client.exchange(Command{"PING"}, 10s);
    VERIFY_WORKED(next);
}

void TestRedisClient::startEncryptedServer()
{
    if (m_tlsServer)
        return;
    const QString key = m_tlsFolder.filePath(u"key.pem"_s);
    const QString certificate = m_tlsFolder.filePath(u"certificate.pem"_s);
    QProcess openssl;
    openssl.start(u"openssl"_s,
                  {u"req"_s, u"-x509"_s, u"-newkey"_s, u"rsa:2048"_s, u"-nodes"_s, u"-batch"_s, u"-days"_s, u"2"_s,
                   u"-keyout"_s, key, u"-out"_s, certificate, u"-subj"_s, u"/CN=redis test"_s, u"-addext"_s,
                   u"subjectAltName=IP:127.0.0.1"_s});
    QVERIFY(openssl.waitForFinished());
    QCOMPARE(openssl.exitCode(), 0);
    quint16 port = 0;
    {
        QTcpServer free;
        QVERIFY(free.listen(QHostAddress::LocalHost));
        port = free.serverPort();
    }
    m_tlsServer = std::make_unique<QProcess>();
    m_tlsServer->setWorkingDirectory(m_tlsFolder.path());
    m_tlsServer->start(u"redis-server"_s,
                       {u"--port"_s, u"0"_s, u"--tls-port"_s, QString::number(port), u"--bind"_s, u"127.0.0.1"_s,
                        u"--tls-cert-file"_s, certificate, u"--tls-key-file"_s, key, u"--tls-auth-clients"_s, u"no"_s,
                        u"--tls-ca-cert-file"_s, certificate, u"--save"_s, u""_s, u"--requirepass"_s, u"geheim"_s});
    QVERIFY(m_tlsServer->waitForStarted());
    const auto listens = [port] {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, port);
        return socket.waitForConnected(1000);
    };
    QTRY_VERIFY(listens());
    m_tlsEndpoint = *Endpoint::parse(u"rediss://:geheim@127.0.0.1:%1"_s.arg(port));
}

void TestRedisClient::refusesAnUnknownCertificate()
{
    startEncryptedServer();
    Client client(m_tlsEndpoint);
    const auto error = failureOf(client);
    QVERIFY(error);
    QCOMPARE(error->code, ErrorCode::CannotConnect);
    QVERIFY2(error->text().contains(u"certificate", Qt::CaseInsensitive), why(*error).constData());

    Client blocking(m_tlsEndpoint);
    const auto reply = blocking.exchange(Command{"PING"}, 10s);
    QVERIFY(!reply);
    QCOMPARE(reply.error().code, ErrorCode::CannotConnect);
}

void TestRedisClient::encryptsWithAKnownCertificate()
{
    startEncryptedServer();
    // The way in for a private authority is the system's list of authorities, which this stands for.
    const QSslConfiguration before = QSslConfiguration::defaultConfiguration();
    const auto restore = qScopeGuard([before] { QSslConfiguration::setDefaultConfiguration(before); });
    QSslConfiguration trusting = before;
    trusting.addCaCertificates(QSslCertificate::fromPath(m_tlsFolder.filePath(u"certificate.pem"_s)));
    QSslConfiguration::setDefaultConfiguration(trusting);

    Client client(m_tlsEndpoint);
    QVERIFY(openAndWait(client));
    QByteArray value(300'000, 'x');
    const auto echo = ask(client, {"ECHO", value});
    VERIFY_WORKED(echo);
    QVERIFY(echo->text == value);
    QVERIFY(m_tlsServer->state() == QProcess::Running);

    Client blocking(m_tlsEndpoint);
    const auto reply = blocking.exchange(Command{"ECHO", value}, 10s);
    VERIFY_WORKED(reply);
    QVERIFY(reply->text == value);
    m_tlsServer->terminate();
    QVERIFY(m_tlsServer->waitForFinished());
}

QTEST_GUILESS_MAIN(TestRedisClient)
#include "tst_redisclient.moc"
