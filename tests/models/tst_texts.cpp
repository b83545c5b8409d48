// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <models/commandline.h>
#include <models/counttext.h>
#include <models/jsonlayout.h>
#include <models/rateseries.h>
#include <models/timeline.h>
#include <models/timetext.h>
#include <models/urlsecret.h>

#include <engine/base/jsontext.h>

#include <QTest>

using namespace Qt::StringLiterals;
using engine::outbox::Count;
using engine::outbox::Phase;
using models::Zone;

namespace {

constexpr qint64 now = 1'769'871'731'000'000; // 2026-01-31 15:02:11 UTC
constexpr qint64 day = 86'400'000'000;

} // namespace

class TextsTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void clocks_data();
    void clocks();
    void localTimeFollowsTheZone();
    void durations_data();
    void durations();
    void relativeTimes();
    void counts_data();
    void counts();
    void jsonIsLaidOutWithoutReadingNumbers_data();
    void jsonIsLaidOutWithoutReadingNumbers();
    void hostileNestingStaysSmall();
    void positionsCountCharacters();
    void shellWords_data();
    void shellWords();
    void commandLines();
    void passwordsLeaveUrls_data();
    void passwordsLeaveUrls();
    void ratesComeFromTotals();
    void timelinesTellWhatTheRowKnows();
};

void TextsTest::initTestCase()
{
    qputenv("TZ", "Asia/Kathmandu"); // +05:45: an offset that no accident produces
    tzset();
}

void TextsTest::clocks_data()
{
    QTest::addColumn<qint64>("micros");
    QTest::addColumn<QString>("text");
    QTest::newRow("today") << now - 1'000'000 << u"15:02:10"_s;
    QTest::newRow("later today") << now + 3'600'000'000 << u"16:02:11"_s;
    QTest::newRow("this year") << now - 2 * day << u"29 Jan 15:02:11"_s;
    QTest::newRow("another year") << now - 365 * day << u"2025-01-31 15:02:11"_s;
    QTest::newRow("before the epoch") << qint64(-1) << u"1969-12-31 23:59:59"_s;
}

void TextsTest::clocks()
{
    QFETCH(qint64, micros);
    QFETCH(QString, text);
    QCOMPARE(models::clockText(micros, Zone::Utc, now), text);
    QVERIFY(models::shortTimeText(micros, Zone::Utc, now).size() <= 12);
}

void TextsTest::localTimeFollowsTheZone()
{
    QCOMPARE(models::fullTimeText(now + 204'000, Zone::Utc), u"2026-01-31 15:02:11.204 UTC"_s);
    QCOMPARE(models::fullTimeText(now + 204'000, Zone::Local), u"2026-01-31 20:47:11.204 +05:45"_s);
    QCOMPARE(models::clockText(now, Zone::Local, now), u"20:47:11"_s);
}

void TextsTest::durations_data()
{
    QTest::addColumn<qint64>("ms");
    QTest::addColumn<QString>("text");
    QTest::newRow("0") << qint64(0) << u"0 ms"_s;
    QTest::newRow("999") << qint64(999) << u"999 ms"_s;
    QTest::newRow("4.2 s") << qint64(4200) << u"4.2 s"_s;
    QTest::newRow("9.96 s") << qint64(9960) << u"10 s"_s;
    QTest::newRow("59.9 s") << qint64(59'900) << u"1 min"_s;
    QTest::newRow("7 min 12 s") << qint64(432'000) << u"7 min 12 s"_s;
    QTest::newRow("3 h 5 min") << qint64(11'100'000) << u"3 h 5 min"_s;
    QTest::newRow("12 d 4 h") << qint64(1'051'200'000) << u"12 d 4 h"_s;
    QTest::newRow("negative") << qint64(-4200) << u"−4.2 s"_s;
}

void TextsTest::durations()
{
    QFETCH(qint64, ms);
    QFETCH(QString, text);
    QCOMPARE(models::durationText(ms), text);
}

void TextsTest::relativeTimes()
{
    QCOMPARE(models::relativeText(now + 400'000, now), u"now"_s);
    QCOMPARE(models::relativeText(now - 41'000'000, now), u"41 s ago"_s);
    QCOMPARE(models::relativeText(now + 432'000'000, now), u"in 7 min 12 s"_s);
    QCOMPARE(models::latencyText(std::nullopt), u"–"_s);
    QCOMPARE(models::latencyText(400), u"0.4 ms"_s);
}

void TextsTest::counts_data()
{
    QTest::addColumn<Count>("count");
    QTest::addColumn<QString>("text");
    QTest::newRow("exact") << Count{7513, Count::Kind::Exact} << u"7,513"_s;
    QTest::newRow("exact zero") << Count{0, Count::Kind::Exact} << u"0"_s;
    QTest::newRow("capped") << Count{100'000, Count::Kind::AtLeast} << u"100,000+"_s;
    QTest::newRow("estimated") << Count{9'790'000, Count::Kind::Estimated} << u"≈ 9.79 M"_s;
    QTest::newRow("unavailable") << Count{} << u"–"_s;
}

void TextsTest::counts()
{
    QFETCH(Count, count);
    QFETCH(QString, text);
    QCOMPARE(models::countText(count), text);
}

void TextsTest::jsonIsLaidOutWithoutReadingNumbers_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("laidOut");
    QTest::newRow("big integer") << QByteArray(R"({"n":9007199254740993})")
                                 << QByteArray("{\n  \"n\": 9007199254740993\n}");
    QTest::newRow("huge exponent") << QByteArray("[1e400,-0.10]") << QByteArray("[\n  1e400,\n  -0.10\n]");
    QTest::newRow("repeated keys") << QByteArray(R"({"a":1,"a":2})") << QByteArray("{\n  \"a\": 1,\n  \"a\": 2\n}");
    QTest::newRow("empty ones") << QByteArray(R"( { "o" : { } , "a":[ ] } )")
                                << QByteArray("{\n  \"o\": {},\n  \"a\": []\n}");
    QTest::newRow("brackets in text") << QByteArray(R"(["{\"a\":[1,2]}\\","ü"])")
                                      << QByteArray("[\n  \"{\\\"a\\\":[1,2]}\\\\\",\n  \"ü\"\n]");
    QTest::newRow("scalar") << QByteArray(" true ") << QByteArray("true");
}

void TextsTest::jsonIsLaidOutWithoutReadingNumbers()
{
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, laidOut);
    const QByteArray once = models::jsonlayout::indented(json);
    QCOMPARE(once, laidOut);
    QVERIFY(!engine::jsontext::findFault(once));
    QCOMPARE(models::jsonlayout::indented(once), once);
}

void TextsTest::hostileNestingStaysSmall()
{
    constexpr qsizetype depth = 50'000;
    const QByteArray json = QByteArray(depth, '[') + QByteArray(depth, ']');
    QVERIFY(models::jsonlayout::indented(json).size() < depth * 2 * 140);
}

void TextsTest::positionsCountCharacters()
{
    const QByteArray text = "{\n \"ü\": x}";
    const auto fault = engine::jsontext::findFault(text);
    QVERIFY(fault);
    const auto position = models::jsonlayout::positionOf(text, fault->offset);
    QCOMPARE(position.line, 2);
    QCOMPARE(position.column, 7);
}

void TextsTest::shellWords_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::newRow("plain") << u"billing.invoice-paid_1"_s << u"billing.invoice-paid_1"_s;
    QTest::newRow("empty") << QString() << u"''"_s;
    QTest::newRow("space") << u"a b"_s << u"'a b'"_s;
    QTest::newRow("quote") << u"it's"_s << u"'it'\\''s'"_s;
    QTest::newRow("injection") << u"$(rm -rf ~); x"_s << u"'$(rm -rf ~); x'"_s;
    QTest::newRow("new line") << u"a\nb"_s << u"'a\nb'"_s;
}

void TextsTest::shellWords()
{
    QFETCH(QString, text);
    QFETCH(QString, word);
    QCOMPARE(models::commandline::shellWord(text), word);
}

void TextsTest::commandLines()
{
    engine::config::ConnectionProfile sandbox;
    sandbox.name = u"sandbox"_s;
    sandbox.sandbox = true;
    sandbox.readOnly = false;
    QCOMPARE(models::commandline::rows(sandbox, "evt 1"), u"outbox-console rows --id 'evt 1' --sandbox"_s);

    engine::config::ConnectionProfile unsaved;
    unsaved.databaseUrl = u"postgresql://ops:secret@db/billing"_s;
    unsaved.redisUrl = u"redis://:secret@cache"_s;
    unsaved.queuePrefix = u"jobs"_s;
    engine::outbox::NewEvent event;
    event.eventType = "mail.invoice.sent";
    event.tenantId = "t_1";
    event.payload = R"({"n":9007199254740993})";
    event.dispatchKey = "k";
    event.delay = std::chrono::minutes(5);
    const QString line = models::commandline::publish(unsaved, event);
    QCOMPARE(line,
             u"outbox-console publish --type mail.invoice.sent --tenant t_1 --payload "
             "'{\"n\":9007199254740993}' --dispatch-key k --delay 5m --database postgresql://ops@db/billing "
             "--redis redis://cache --prefix jobs"_s);
    QVERIFY(!line.contains(u"secret"_s));
}

void TextsTest::passwordsLeaveUrls_data()
{
    QTest::addColumn<QString>("url");
    QTest::addColumn<QString>("bare");
    QTest::addColumn<QString>("password");
    QTest::newRow("user and password") << u"postgresql://ops:s%40c%3Aret@db:5432/x?schema=a"_s
                                       << u"postgresql://ops@db:5432/x?schema=a"_s << u"s@c:ret"_s;
    QTest::newRow("password only") << u"redis://:pw@cache:6379/2"_s << u"redis://cache:6379/2"_s << u"pw"_s;
    QTest::newRow("none") << u"postgresql://db/x"_s << u"postgresql://db/x"_s << QString();
    QTest::newRow("user only") << u"postgresql://ops@db/x"_s << u"postgresql://ops@db/x"_s << QString();
    QTest::newRow("socket") << u"redis+unix:///run/redis.sock?db=1"_s << u"redis+unix:///run/redis.sock?db=1"_s
                            << QString();
    QTest::newRow("at sign in the path") << u"redis+unix:///run/a:b@c"_s << u"redis+unix:///run/a:b@c"_s << QString();
    QTest::newRow("not a url") << u"db:5432"_s << u"db:5432"_s << QString();
}

void TextsTest::passwordsLeaveUrls()
{
    QFETCH(QString, url);
    QFETCH(QString, bare);
    QFETCH(QString, password);
    const models::SecretUrl parts = models::splitSecret(url);
    QCOMPARE(parts.url, bare);
    QCOMPARE(parts.password, password);
    QCOMPARE(models::joinSecret(parts.url, parts.password), url);
}

void TextsTest::ratesComeFromTotals()
{
    models::RateSeries series(10'000);
    QVERIFY(!series.latest());
    series.add(0, 0);
    series.add(100, 500);
    QCOMPARE(*series.latest(), 200.0);
    series.add(150, 600); // too soon to say
    QCOMPARE(series.points().size(), size_t(1));
    series.add(20, 1500); // a new run
    QCOMPARE(*series.latest(), 20.0);
    series.add(20, 20'000);
    QCOMPARE(series.points().size(), size_t(1));
    series.clear();
    QVERIFY(series.points().empty());
}

void TextsTest::timelinesTellWhatTheRowKnows()
{
    engine::outbox::RowDetail detail;
    detail.row.createdAt = now - 60'000'000;
    detail.row.scheduledAt = now - 60'000'000;
    detail.row.phase = Phase::Dead;
    detail.row.retries = 7;
    detail.row.updatedAt = now - 1'000'000;
    auto steps = models::timelineOf(detail, u"outbox.mail"_s, now);
    QCOMPARE(steps.size(), size_t(3));
    QCOMPARE(steps[0].text, u"written"_s);
    QCOMPARE(steps[1].text, u"7 attempts failed"_s);
    QVERIFY(!steps[1].at);
    QCOMPARE(steps[2].severity, models::Severity::Critical);
    QCOMPARE(steps[2].at, detail.row.updatedAt);

    detail.row.phase = Phase::HandedOver;
    detail.row.retries = 0;
    detail.row.processedAt = now;
    steps = models::timelineOf(detail, u"outbox.mail"_s, now);
    QCOMPARE(steps.back().text, u"handed over to outbox.mail"_s);
    QCOMPARE(steps.back().note, u"after 1 min"_s);
}

QTEST_GUILESS_MAIN(TextsTest)
#include "tst_texts.moc"
