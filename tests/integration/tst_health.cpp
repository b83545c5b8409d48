// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/outbox/discovery.h>
#include <engine/outbox/publisher.h>
#include <engine/transport/redis/client.h>
#include <engine/transport/sql/transaction.h>

#include <tests/support/outboxtables.h>
#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QJsonArray>
#include <QNetworkAccessManager>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>
#include <QUrl>

#include <algorithm>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

struct Answer
{
    int status = 0; // 0: none
    QByteArray body;
    QByteArray type;
    QByteArray length;
    QByteArray allow;

    [[nodiscard]] QJsonObject object() const { return QJsonDocument::fromJson(body).object(); }
    [[nodiscard]] QStringList codes() const
    {
        QStringList codes;
        const QJsonArray reasons = object().value(u"reasons"_s).toArray();
        for (const QJsonValue &reason : reasons)
            codes << reason[u"code"_s].toString();
        return codes;
    }
};

} // namespace

// Health and metrics of a real dispatcher process, asked over real HTTP.
class TestHealth final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup();

    void tellsWhatWasHandedOver();
    void answersNothingElse();
    void turnsRedWithoutRedis();
    void turnsRedWhenNothingDrains();
    void turnsRedWhenRedisMayEvict();
    void listensWhereTheEnvironmentSays();
    void refusesAPortThatIsTaken();
    void refusesWhatIsNoAddress_data();
    void refusesWhatIsNoAddress();

private:
    [[nodiscard]] QStringList arguments(const QStringList &more) const;
    bool startDispatcher(const QStringList &more = {u"--health"_s, u"0"_s}, const test::Environment &environment = {});
    Answer ask(const QByteArray &path, const QByteArray &method = "GET");
    void publish(int count, const QByteArray &age = "0 seconds");
    // The value of a sample of this dispatcher; absent if there is no such line.
    std::optional<double> metric(const QByteArray &name, const QByteArray &moreLabels = {});
    redis::Reply tell(const redis::Command &command);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    outbox::Layout m_layout;
    std::unique_ptr<QProcess> m_process;
    QByteArray m_log;
    QString m_base;
    QNetworkAccessManager m_network;
};

void TestHealth::initTestCase()
{
    test::PrivateServersOptions options;
    options.tcp = true; // with passwords, which must not show
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

void TestHealth::init()
{
    VERIFY_WORKED(m_connection->executeScript(test::tableText(test::tableVariants()[0], "public", "OutboxEvent")));
    auto layout = outbox::discover(*m_connection, {});
    VERIFY_WORKED(layout);
    m_layout = *layout;
    tell({"FLUSHALL"});
}

void TestHealth::cleanup()
{
    if (!m_process)
        return;
    m_process->terminate();
    if (!m_process->waitForFinished(20'000))
        m_process->kill();
    m_log += m_process->readAllStandardError();
    if (QTest::currentTestFailed())
        qWarning().noquote() << m_log;
    m_process.reset();
}

QStringList TestHealth::arguments(const QStringList &more) const
{
    return QStringList{u"dispatch"_s, u"--database"_s, m_servers->databaseUrl(), u"--redis"_s, m_servers->redisUrl()}
    + more;
}

bool TestHealth::startDispatcher(const QStringList &more, const test::Environment &environment)
{
    m_log.clear();
    m_base.clear();
    m_process = test::start(test::consoleProgram(), arguments(more), environment);
    static const QRegularExpression address(u"(http://\\S+:\\d+): /healthz"_s);
    return QTest::qWaitFor(
               [&] {
                   m_log += m_process->readAllStandardError();
                   m_base = address.match(QString::fromUtf8(m_log)).captured(1);
                   return !m_base.isEmpty() || m_process->state() == QProcess::NotRunning;
               },
               20'000)
        && !m_base.isEmpty();
}

Answer TestHealth::ask(const QByteArray &path, const QByteArray &method)
{
    QNetworkRequest request(QUrl(m_base + QString::fromLatin1(path)));
    request.setTransferTimeout(10'000);
    request.setHeader(QNetworkRequest::ContentTypeHeader, u"text/plain"_s);
    const std::unique_ptr<QNetworkReply> reply(
        m_network.sendCustomRequest(request, method, method == "POST" ? QByteArray("x") : QByteArray()));
    QSignalSpy finished(reply.get(), &QNetworkReply::finished);
    if (!reply->isFinished() && !finished.wait(15'000))
        return {};
    return {reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt(),
            reply->isOpen() ? reply->readAll() : QByteArray(), reply->rawHeader("Content-Type"),
            reply->rawHeader("Content-Length"), reply->rawHeader("Allow")};
}

void TestHealth::publish(int count, const QByteArray &age)
{
    outbox::NewEvent event;
    event.eventType = "mail.welcome.sent";
    event.tenantId = "t1";
    event.payload = "{}";
    auto transaction = sql::Transaction::begin(*m_connection);
    VERIFY_WORKED(transaction);
    VERIFY_WORKED(outbox::Publisher(m_layout).publishBatch(
        *transaction, std::vector<outbox::NewEvent>(static_cast<size_t>(count), event)));
    VERIFY_WORKED(m_connection->execute("UPDATE " + m_layout.quotedTable()
                                        + " SET \"scheduledAt\" = \"scheduledAt\" - interval '" + age
                                        + "' WHERE status = 'PENDING'"));
    VERIFY_WORKED(transaction->commit());
}

std::optional<double> TestHealth::metric(const QByteArray &name, const QByteArray &moreLabels)
{
    const QList<QByteArray> lines = ask("/metrics").body.split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith(name + '{') && line.contains(moreLabels))
            return line.mid(line.lastIndexOf(' ') + 1).toDouble();
    }
    return std::nullopt;
}

redis::Reply TestHealth::tell(const redis::Command &command)
{
    redis::Client client(*redis::Endpoint::parse(m_servers->redisUrl()));
    auto reply = client.exchange(command, 10s);
    if (!reply)
        qFatal("%s", test::why(reply).constData());
    return *reply;
}

void TestHealth::tellsWhatWasHandedOver()
{
    publish(250, "5 minutes");
    // Two of them are there already: duplicates.
    const auto ids = m_connection->execute("SELECT id FROM " + m_layout.quotedTable() + " LIMIT 2");
    VERIFY_WORKED(ids);
    for (int row = 0; row < 2; ++row)
        tell({"HSET", "bull:outbox.mail:outbox:" + ids->bytes(row, 0).toByteArray(), "name", "x", "data", "{}", "opts",
              "{}", "timestamp", "1"});
    QVERIFY2(startDispatcher(), m_log.constData());
    QVERIFY(m_base.startsWith(u"http://127.0.0.1:"_s)); // nobody else's business unless asked for
    QTRY_COMPARE_WITH_TIMEOUT(metric("outbox_handed_over_total").value_or(-1), 250, 20'000);
    QCOMPARE(metric("outbox_claimed_total"), 250);
    QCOMPARE(metric("outbox_duplicates_total"), 2);
    for (const QByteArray name : {"outbox_retried_total", "outbox_dead_total", "outbox_released_total",
                                  "outbox_lease_lost_total", "outbox_in_flight", "outbox_retention_removed_total"})
        QTRY_COMPARE(metric(name), 0);
    QCOMPARE(metric("outbox_dispatcher_state", "state=\"running\""), 1);
    QCOMPARE(metric("outbox_dispatcher_state", "state=\"recovering\""), 0);
    QVERIFY(!metric("outbox_retention_last_run_timestamp_seconds")); // there was none: unknown, not 0
    QTRY_VERIFY_WITH_TIMEOUT(metric("outbox_due_rows"), 20'000);

    const Answer metrics = ask("/metrics");
    QCOMPARE(metrics.status, 200);
    QCOMPARE(metrics.type, "text/plain; version=0.0.4; charset=utf-8");
    static const QRegularExpression sample(
        u"^[a-z_]+\\{layout=\"event\",table=\"public\\.\\\\\"OutboxEvent\\\\\"\"(,state=\"[a-z]+\")?\\} [0-9.e+-]+$"_s);
    QSet<QByteArray> described;
    const QList<QByteArray> lines = metrics.body.trimmed().split('\n');
    for (const QByteArray &line : lines) {
        if (line.startsWith("# ")) {
            described << line.split(' ').at(2);
            continue;
        }
        QVERIFY2(sample.match(QString::fromUtf8(line)).hasMatch(), line.constData());
        QVERIFY2(described.contains(line.left(line.indexOf('{'))), line.constData());
    }
    QTRY_COMPARE(ask("/readyz").status, 200);
    const Answer ready = ask("/readyz");
    QCOMPARE(ready.object().value(u"ready"_s), true);
    QCOMPARE(ready.object().value(u"table"_s), u"public.\"OutboxEvent\""_s);
    QCOMPARE(ready.codes(), QStringList());

    // What comes later is counted on top.
    publish(30);
    QTRY_COMPARE_WITH_TIMEOUT(metric("outbox_handed_over_total").value_or(-1), 280, 20'000);
}

void TestHealth::answersNothingElse()
{
    QVERIFY2(startDispatcher(), m_log.constData());
    QTRY_COMPARE(ask("/healthz").status, 200);
    const Answer get = ask("/healthz");
    const Answer head = ask("/healthz", "HEAD");
    QCOMPARE(head.status, 200);
    QCOMPARE(head.body, QByteArray());
    QCOMPARE(head.length, QByteArray::number(get.body.size()));
    QCOMPARE(get.object().value(u"alive"_s), true);
    // The connection is good for more after a HEAD: nothing of a body was left in it.
    QCOMPARE(ask("/healthz").status, 200);
    for (const QByteArray method : {"POST", "PUT", "DELETE"}) {
        const Answer refused = ask("/metrics", method);
        QCOMPARE(refused.status, 405);
        QCOMPARE(refused.allow, "GET, HEAD");
    }
    QCOMPARE(ask("/").status, 404);
    QCOMPARE(ask("/metrics/../etc").status, 404);

    const QByteArray databasePassword = QUrl(m_servers->databaseUrl()).password().toUtf8();
    const QByteArray redisPassword = QUrl(m_servers->redisUrl()).password().toUtf8();
    QVERIFY(!databasePassword.isEmpty() && !redisPassword.isEmpty());
    for (const QByteArray path : {"/metrics", "/healthz", "/readyz"}) {
        const QByteArray body = ask(path).body;
        QVERIFY(!body.contains(databasePassword) && !body.contains(redisPassword));
    }

    // Too many at once are turned away, and room is made again when they go.
    const QUrl url(m_base);
    std::vector<std::unique_ptr<QTcpSocket>> crowd;
    for (int i = 0; i < 48; ++i) {
        crowd.push_back(std::make_unique<QTcpSocket>());
        crowd.back()->connectToHost(url.host(), static_cast<quint16>(url.port()));
    }
    const auto standing = [&] {
        return std::ranges::count_if(
            crowd, [](const auto &socket) { return socket->state() == QAbstractSocket::ConnectedState; });
    };
    QTRY_VERIFY(std::ranges::none_of(crowd, [](const auto &socket) {
        return socket->state() == QAbstractSocket::HostLookupState
            || socket->state() == QAbstractSocket::ConnectingState;
    }));
    QTRY_VERIFY(standing() <= 32);
    QVERIFY(standing() >= 20);
    crowd.clear();
    QTRY_COMPARE(ask("/healthz").status, 200);

    // A request that never ends is cut off.
    QTcpSocket flood;
    flood.connectToHost(url.host(), static_cast<quint16>(url.port()));
    QVERIFY(flood.waitForConnected());
    flood.write("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\n");
    const QByteArray piece(64 * 1024, 'x');
    qint64 sent = 0;
    QVERIFY(QTest::qWaitFor(
        [&] {
            if (flood.state() == QAbstractSocket::ConnectedState && flood.bytesToWrite() < piece.size())
                sent += flood.write(piece);
            return flood.state() == QAbstractSocket::UnconnectedState;
        },
        20'000));
    QVERIFY2(sent < 64 * 1024 * 1024, QByteArray::number(sent).constData());
    QCOMPARE(ask("/healthz").status, 200);
}

void TestHealth::turnsRedWithoutRedis()
{
    QVERIFY2(startDispatcher(), m_log.constData());
    QTRY_COMPARE_WITH_TIMEOUT(ask("/readyz").status, 200, 20'000);
    m_servers->redis().stop();
    publish(20);
    QTRY_COMPARE_WITH_TIMEOUT(ask("/readyz").status, 503, 30'000);
    const Answer red = ask("/readyz");
    QVERIFY2(red.codes().contains(u"recovering"_s), red.body.constData());
    QCOMPARE(red.object().value(u"ready"_s), false);
    QVERIFY(!red.body.contains(QUrl(m_servers->redisUrl()).password().toUtf8()));
    QCOMPARE(ask("/healthz").status, 200); // it lives, it only cannot work
    QCOMPARE(metric("outbox_dispatcher_state", "state=\"recovering\""), 1);
    VERIFY_WORKED(m_servers->restartRedis());
    QTRY_COMPARE_WITH_TIMEOUT(ask("/readyz").status, 200, 40'000);
    QTRY_COMPARE_WITH_TIMEOUT(metric("outbox_handed_over_total"), 20, 20'000);
}

void TestHealth::turnsRedWhenNothingDrains()
{
    publish(20, "10 minutes");
    // Somebody holds the rows: they are due, the dispatcher runs well, and nothing moves.
    VERIFY_WORKED(m_connection->executeScript("BEGIN"));
    VERIFY_WORKED(m_connection->execute("SELECT 1 FROM " + m_layout.quotedTable() + " FOR UPDATE"));
    QVERIFY2(startDispatcher({u"--health"_s, u"0"_s, u"--health-limit"_s, u"3s"_s}), m_log.constData());
    QTRY_VERIFY_WITH_TIMEOUT(ask("/readyz").codes() == QStringList{u"nothing-drains"_s}, 40'000);
    const Answer red = ask("/readyz");
    QCOMPARE(red.status, 503);
    QCOMPARE(red.object().value(u"state"_s), u"running"_s);
    QVERIFY2(red.body.contains("20 rows are due"), red.body.constData());
    QCOMPARE(metric("outbox_due_rows"), 20);
    QVERIFY(*metric("outbox_oldest_due_age_seconds") >= 600);
    VERIFY_WORKED(m_connection->executeScript("COMMIT"));
    QTRY_COMPARE_WITH_TIMEOUT(ask("/readyz").status, 200, 20'000);
    QTRY_COMPARE_WITH_TIMEOUT(metric("outbox_handed_over_total"), 20, 20'000);
    // It stays so, with the next look at the table too.
    QTRY_COMPARE_WITH_TIMEOUT(metric("outbox_due_rows"), 0, 40'000);
    QVERIFY(!metric("outbox_oldest_due_age_seconds"));
    QCOMPARE(ask("/readyz").status, 200);
}

void TestHealth::turnsRedWhenRedisMayEvict()
{
    QVERIFY2(startDispatcher(), m_log.constData());
    QTRY_COMPARE_WITH_TIMEOUT(ask("/readyz").status, 200, 20'000);
    tell({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"});
    QTRY_COMPARE_WITH_TIMEOUT(ask("/readyz").codes(), QStringList{u"redis-may-evict"_s}, 40'000);
    tell({"CONFIG", "SET", "maxmemory-policy", "noeviction"});
    QTRY_COMPARE_WITH_TIMEOUT(ask("/readyz").status, 200, 40'000);
}

void TestHealth::listensWhereTheEnvironmentSays()
{
    QVERIFY2(startDispatcher({}, {{u"OUTBOX_HEALTH_LISTEN"_s, u"[::1]:0"_s}}), m_log.constData());
    QVERIFY2(m_base.startsWith(u"http://[::1]:"_s), qPrintable(m_base));
    QTRY_COMPARE_WITH_TIMEOUT(ask("/readyz").status, 200, 20'000);
}

void TestHealth::refusesAPortThatIsTaken()
{
    QTcpServer taken;
    QVERIFY(taken.listen(QHostAddress::LocalHost));
    const QString address = u"127.0.0.1:%1"_s.arg(taken.serverPort());
    const test::Outcome outcome = test::console(arguments({u"--json"_s, u"--health"_s, address}));
    VERIFY_EXIT(outcome, 1);
    QVERIFY2(outcome.errors.contains("Cannot listen on " + address.toUtf8()), outcome.text().constData());
    QVERIFY2(outcome.object().value(u"error"_s).isObject(), outcome.text().constData());
}

void TestHealth::refusesWhatIsNoAddress_data()
{
    QTest::addColumn<QString>("address");
    for (const char *address : {"", "port", "70000", "-1", "1.2.3:80", "::1:80", "[127.0.0.1]:80", "example.org:80"})
        QTest::newRow(*address ? address : "empty") << QString::fromLatin1(address);
}

void TestHealth::refusesWhatIsNoAddress()
{
    QFETCH(QString, address);
    const test::Outcome outcome = test::console(arguments({u"--health="_s + address}));
    VERIFY_EXIT(outcome, 2);
    QVERIFY2(outcome.errors.contains('"' + address.toUtf8() + "\" is no address to listen on"),
             outcome.text().constData());
}

QTEST_GUILESS_MAIN(TestHealth)
#include "tst_health.moc"
