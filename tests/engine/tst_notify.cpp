// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/notify/notifier.h>
#include <engine/notify/sentry.h>

#include <tests/support/verify.h>

#include <QHttpServer>
#include <QHttpServerResponse>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

using namespace engine::notify;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

struct Received
{
    QHttpServerRequest::Method method;
    QString path;
    QMap<QByteArray, QByteArray> headers; // lower case
    QByteArray body;
};

// A real HTTP peer that answers as told and remembers what it got.
class Peer
{
public:
    Peer()
    {
        m_server.route(u"/<arg>"_s, [this](const QUrl &, const QHttpServerRequest &request) { return take(request); });
        m_port = m_server.listen(QHostAddress::LocalHost);
    }

    QHttpServerResponse take(const QHttpServerRequest &request)
    {
        Received one{request.method(), request.url().path(), {}, request.body()};
        for (const auto &[name, value] : request.headers())
            one.headers.insert(name.toLower(), value);
        received << one;
        const int status = statuses.isEmpty() ? 200 : statuses.takeFirst();
        QHttpServerResponse response("answer", static_cast<QHttpServerResponse::StatusCode>(status));
        if (status == 302)
            response.setHeader("Location", url(u"elsewhere"_s).toUtf8());
        if (!retryAfter.isEmpty())
            response.setHeader("Retry-After", retryAfter);
        return response;
    }

    [[nodiscard]] QString url(const QString &path) const { return u"http://127.0.0.1:%1/%2"_s.arg(m_port).arg(path); }
    [[nodiscard]] QString dsn(const QString &path) const
    {
        return u"http://0123456789abcdef@127.0.0.1:%1/%2"_s.arg(m_port).arg(path);
    }

    QList<Received> received;
    QList<int> statuses;
    QByteArray retryAfter;

private:
    QHttpServer m_server;
    quint16 m_port = 0;
};

Notice notice()
{
    Notice one;
    one.alert.id = u"queue-unserved/outbox.mail"_s;
    one.alert.rule = u"queue-unserved"_s;
    one.alert.subject = u"outbox.mail"_s;
    one.alert.level = engine::watch::AlertLevel::Critical;
    one.alert.value = 4120;
    one.alert.sinceMs = 1'769'871'600'000;
    one.alert.headline = u"Queue outbox.mail has 4,120 waiting jobs and no worker"_s;
    one.alert.detail = u"oldest for 20 min"_s;
    one.alert.advice = u"Start the workers of this queue."_s;
    one.connection = u"billing-prod"_s;
    one.atMs = 1'769'871'631'000;
    return one;
}

NotifierSettings settings()
{
    NotifierSettings made;
    made.desktop = false;
    made.release = u"outbox-console@1.2"_s;
    made.post.timeout = 2s;
    made.post.pauses = {10ms, 20ms};
    return made;
}

} // namespace

// What leaves the console, seen by a real peer.
class TestNotify final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void postsToAWebhook();
    void triesAgain_data();
    void triesAgain();
    void respectsRetryAfter();
    void givesUpOnSilence();
    void sendsSentryEnvelopes();
    void readsDsns_data();
    void readsDsns();
    void saysNoToBadAddresses();
    void worksWithoutADesktop();
};

void TestNotify::initTestCase()
{
    qRegisterMetaType<Delivery>();
    qputenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent");
}

void TestNotify::postsToAWebhook()
{
    Peer peer;
    Notifier notifier;
    NotifierSettings chosen = settings();
    chosen.webhook = true;
    chosen.webhookUrl = peer.url(u"hook-s3cret"_s);
    notifier.setSettings(chosen);
    QSignalSpy deliveries(&notifier, &Notifier::delivered);
    notifier.send(notice());
    QVERIFY(deliveries.isEmpty()); // nothing waited
    QVERIFY(deliveries.wait());
    const auto delivery = deliveries[0][0].value<Delivery>();
    QVERIFY2(delivery.good, qPrintable(delivery.words));
    QCOMPARE(peer.received.size(), 1);
    const Received &got = peer.received.first();
    QCOMPARE(got.method, QHttpServerRequest::Method::Post);
    QCOMPARE(got.path, u"/hook-s3cret"_s);
    QCOMPARE(got.headers.value("content-type"), QByteArray("application/json"));
    const QJsonObject body = QJsonDocument::fromJson(got.body).object();
    QCOMPARE(body["state"_L1].toString(), u"firing"_s);
    QCOMPARE(body["alert"_L1].toString(), u"queue-unserved/outbox.mail"_s);
    QCOMPARE(body["level"_L1].toString(), u"critical"_s);
    QCOMPARE(body["value"_L1].toInt(), 4120);
    QCOMPARE(body["since"_L1].toString(), u"2026-01-31T15:00:00.000Z"_s);
    QCOMPARE(body["connection"_L1].toString(), u"billing-prod"_s);
    QVERIFY(body["text"_L1].toString().contains(u"Start the workers"));
}

void TestNotify::triesAgain_data()
{
    QTest::addColumn<QList<int>>("statuses");
    QTest::addColumn<bool>("good");
    QTest::addColumn<int>("attempts");
    QTest::newRow("taken after a failure") << QList<int>{503, 200} << true << 2;
    QTest::newRow("too many, then taken") << QList<int>{429, 500, 204} << true << 3;
    QTest::newRow("never taken") << QList<int>{500, 500, 500, 500} << false << 3;
    QTest::newRow("refused is final") << QList<int>{403, 200} << false << 1;
    QTest::newRow("a redirect is not followed") << QList<int>{302, 200} << false << 1;
}

void TestNotify::triesAgain()
{
    QFETCH(QList<int>, statuses);
    QFETCH(bool, good);
    QFETCH(int, attempts);
    Peer peer;
    peer.statuses = statuses;
    Notifier notifier;
    NotifierSettings chosen = settings();
    chosen.webhookUrl = peer.url(u"hook-s3cret"_s);
    QSignalSpy deliveries(&notifier, &Notifier::delivered);
    notifier.sendTest(Channel::Webhook, chosen, testNotice(u"c"_s, 1));
    QVERIFY(deliveries.wait());
    const auto delivery = deliveries[0][0].value<Delivery>();
    QCOMPARE(delivery.good, good);
    QCOMPARE(peer.received.size(), attempts);
    QVERIFY(!delivery.words.contains(u"s3cret"));
    for (const Received &one : peer.received)
        QCOMPARE(one.body, peer.received.first().body);
}

void TestNotify::respectsRetryAfter()
{
    Peer peer;
    peer.statuses = {429};
    peer.retryAfter = "1";
    Notifier notifier;
    NotifierSettings chosen = settings();
    chosen.webhookUrl = peer.url(u"hook"_s);
    QSignalSpy deliveries(&notifier, &Notifier::delivered);
    QElapsedTimer timer;
    timer.start();
    notifier.sendTest(Channel::Webhook, chosen, testNotice(u"c"_s, 1));
    QVERIFY(deliveries.wait());
    QVERIFY2(timer.elapsed() >= 900, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(deliveries[0][0].value<Delivery>().good);
}

void TestNotify::givesUpOnSilence()
{
    QTcpServer silent; // accepts and never answers
    QVERIFY(silent.listen(QHostAddress::LocalHost));
    Notifier notifier;
    NotifierSettings chosen = settings();
    chosen.post.timeout = 200ms;
    chosen.post.pauses = {10ms};
    chosen.webhookUrl = u"http://127.0.0.1:%1/hook-s3cret"_s.arg(silent.serverPort());
    QSignalSpy deliveries(&notifier, &Notifier::delivered);
    notifier.sendTest(Channel::Webhook, chosen, testNotice(u"c"_s, 1));
    QVERIFY(deliveries.wait());
    const auto delivery = deliveries[0][0].value<Delivery>();
    QVERIFY(!delivery.good);
    QVERIFY2(!delivery.words.contains(u"s3cret"), qPrintable(delivery.words));
    // Ending while a message is under way is no trouble.
    notifier.sendTest(Channel::Webhook, chosen, testNotice(u"c"_s, 1));
}

void TestNotify::sendsSentryEnvelopes()
{
    Peer peer;
    Notifier notifier;
    NotifierSettings chosen = settings();
    chosen.sentry = true;
    chosen.sentryDsn = peer.dsn(u"42"_s);
    notifier.setSettings(chosen);
    // The peer routes one path segment only, so look at the request line itself.
    QTcpServer raw;
    QVERIFY(raw.listen(QHostAddress::LocalHost));
    chosen.sentryDsn = u"http://0123456789abcdef@127.0.0.1:%1/sub/42"_s.arg(raw.serverPort());
    notifier.setSettings(chosen);
    QByteArray bytes;
    connect(&raw, &QTcpServer::newConnection, this, [&] {
        QTcpSocket *socket = raw.nextPendingConnection();
        connect(socket, &QTcpSocket::readyRead, this, [&, socket] {
            bytes += socket->readAll();
            const qsizetype head = bytes.indexOf("\r\n\r\n");
            const qsizetype at = bytes.toLower().indexOf("content-length:");
            if (head > 0
                && bytes.size() - head - 4 >= bytes.mid(at + 15, bytes.indexOf('\r', at) - at - 15).trimmed().toInt())
                socket->write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
        });
    });
    QSignalSpy deliveries(&notifier, &Notifier::delivered);
    notifier.send(notice());
    QVERIFY(deliveries.wait());
    QVERIFY(deliveries[0][0].value<Delivery>().good);

    QVERIFY2(bytes.startsWith("POST /sub/api/42/envelope/ HTTP/1.1\r\n"), bytes.constData());
    QVERIFY(bytes.contains("X-Sentry-Auth: Sentry sentry_version=7"));
    QVERIFY(bytes.contains("sentry_key=0123456789abcdef"));
    QVERIFY(bytes.contains("application/x-sentry-envelope"));
    const QByteArrayList lines = bytes.mid(bytes.indexOf("\r\n\r\n") + 4).split('\n');
    QVERIFY(lines.size() >= 3);
    const QJsonObject header = QJsonDocument::fromJson(lines[0]).object();
    const QJsonObject item = QJsonDocument::fromJson(lines[1]).object();
    const QJsonObject event = QJsonDocument::fromJson(lines[2]).object();
    QCOMPARE(header["event_id"_L1].toString().size(), 32);
    QCOMPARE(header["event_id"_L1], event["event_id"_L1]);
    QCOMPARE(item["type"_L1].toString(), u"event"_s);
    QCOMPARE(item["length"_L1].toInt(), lines[2].size());
    QCOMPARE(event["level"_L1].toString(), u"error"_s);
    QCOMPARE(event["release"_L1].toString(), u"outbox-console@1.2"_s);
    QCOMPARE(event["fingerprint"_L1].toArray().last().toString(), u"queue-unserved/outbox.mail"_s);
    QVERIFY(event["message"_L1]["formatted"_L1].toString().contains(u"4,120 waiting jobs"));
    QVERIFY(!lines.join('\n').contains("0123456789abcdef")); // the key is in the header alone
}

void TestNotify::readsDsns_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("endpoint"); // empty: refused
    QTest::newRow("plain") << u"https://key@o1.ingest.sentry.io/77"_s
                           << u"https://o1.ingest.sentry.io/api/77/envelope/"_s;
    QTest::newRow("old, with a secret") << u"https://key:old@sentry.example/9"_s
                                        << u"https://sentry.example/api/9/envelope/"_s;
    QTest::newRow("path and port") << u" http://key@h:9000/a/b/5 "_s << u"http://h:9000/a/b/api/5/envelope/"_s;
    QTest::newRow("no key") << u"https://sentry.example/9"_s << QString();
    QTest::newRow("no project") << u"https://key@sentry.example/"_s << QString();
    QTest::newRow("another scheme") << u"ftp://key@sentry.example/9"_s << QString();
    QTest::newRow("nonsense") << u"s3cret"_s << QString();
}

void TestNotify::readsDsns()
{
    QFETCH(QString, text);
    QFETCH(QString, endpoint);
    const auto dsn = SentryDsn::parse(text);
    QCOMPARE(dsn.has_value(), !endpoint.isEmpty());
    if (dsn)
        QCOMPARE(dsn->endpoint.toString(), endpoint);
    else
        QVERIFY(!dsn.error().text().contains(u"s3cret"));
}

void TestNotify::saysNoToBadAddresses()
{
    Notifier notifier;
    QSignalSpy deliveries(&notifier, &Notifier::delivered);
    NotifierSettings chosen = settings();
    chosen.webhookUrl = u"file:///etc/passwd"_s;
    notifier.sendTest(Channel::Webhook, chosen, testNotice({}, 1));
    notifier.sendTest(Channel::Sentry, chosen, testNotice({}, 1));
    QCOMPARE(deliveries.size(), 2);
    QVERIFY(!deliveries[0][0].value<Delivery>().good);
    QVERIFY(!deliveries[1][0].value<Delivery>().good);
}

void TestNotify::worksWithoutADesktop()
{
    Notifier notifier;
    NotifierSettings chosen = settings();
    chosen.desktop = true;
    notifier.setSettings(chosen);
    QSignalSpy deliveries(&notifier, &Notifier::delivered);
    QSignalSpy otherwise(&notifier, &Notifier::desktopWanted);
    notifier.send(notice());
    QTRY_COMPARE(deliveries.size(), 1);
    QCOMPARE(otherwise.size(), 1);
    QVERIFY(!deliveries[0][0].value<Delivery>().good);
}

QTEST_GUILESS_MAIN(TestNotify)
#include "tst_notify.moc"
