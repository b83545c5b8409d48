// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// The database's clock decides, in UTC: neither the time zone of the database, the session and the process, nor a night
// in which clocks change, nor a machine whose clock is wrong, moves what is due or what is shown.

#include <engine/transport/redis/client.h>
#include <engine/transport/sql/connection.h>

#include <tests/support/outboxtables.h>
#include <tests/support/programs.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QDateTime>
#include <QFileInfo>
#include <QHash>
#include <QJsonArray>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using outbox::LayoutKind;
using test::TableVariant;

namespace {

constexpr char fakeTimeLibrary[] = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

test::Environment wrongClock(const QString &offset)
{
    return {{u"TZ"_s, u"Asia/Kolkata"_s},
            {u"LD_PRELOAD"_s, QString::fromLatin1(fakeTimeLibrary)},
            {u"FAKETIME"_s, offset},
            {u"FAKETIME_DONT_FAKE_MONOTONIC"_s, u"1"_s}};
}

} // namespace

class TestTimeZones final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void changeNothing_data();
    void changeNothing();
    void theWrongClockIsReal();

private:
    void fill(const TableVariant &variant);
    // A time column as text in UTC, computed by SQL alone.
    QByteArray shown(const TableVariant &variant, const QByteArray &column) const;
    QHash<QString, QString> timesById(const TableVariant &variant, const QByteArray &column);
    QByteArray single(const QByteArray &statement);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
};

void TestTimeZones::initTestCase()
{
    test::PrivateServersOptions options;
    options.postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}};
    auto servers = test::PrivateServers::start(options);
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    QCOMPARE(single("SHOW timezone"), "America/Sao_Paulo");
    // Both nights are such nights there: an hour is missing in one, and comes twice in the other.
    QCOMPARE(single("SELECT (timestamptz '2018-11-04 03:00+00')::timestamp"), "2018-11-04 01:00:00");
    QCOMPARE(
        single(
            "SELECT (timestamptz '2019-02-17 01:30+00')::timestamp = (timestamptz '2019-02-17 02:30+00')::timestamp"),
        "t");
}

QByteArray TestTimeZones::single(const QByteArray &statement)
{
    const auto rows = m_connection->execute(statement);
    if (!rows)
        return "failed: " + test::why(rows) + " in " + statement;
    return rows->count() > 0 ? rows->bytes(0, 0).toByteArray() : QByteArray();
}

// 26 rows that were due in those nights, and some on either side of now: half a minute, and less than a wrong clock is off.
void TestTimeZones::fill(const TableVariant &variant)
{
    const bool event = variant.kind == LayoutKind::Event;
    const auto name = [&](const char *camelCase) { return test::columnName(variant, camelCase); };
    // Of an instant given as a timestamp in UTC.
    const auto stored = [&](const QByteArray &utc) {
        return variant.timeType == "timestamptz" ? "((" + utc + ") AT TIME ZONE 'UTC')" : "(" + utc + ")";
    };
    const QByteArray now = "now() AT TIME ZONE 'UTC'";
    QByteArray columns = "id, " + name("tenantId") + ", status, " + name("scheduledAt") + ", " + name("createdAt")
        + ", " + name("updatedAt") + ", ";
    QByteArray values = "gen_random_uuid()::text::" + variant.idType + ", 't', input.status::"
        + (variant.statusType == "enum" ? QByteArray("public.\"OutboxStatus\"") : variant.statusType) + ", "
        + stored("input.due") + ", " + stored("input.due") + ", ";
    if (event) {
        columns += name("lockedUntil") + ", " + name("eventType") + ", payload";
        values += stored(now) + ", " + stored("input.other") + ", 'mail.a.sent', '{}'";
    } else {
        columns += name("nextRetryAt") + ", " + name("messageType") + ", " + name("eventData") + ", "
            + name("aggregateId") + ", " + name("aggregateType");
        // A message in flight is held by its last update.
        values += "CASE WHEN input.status = 'processing' THEN " + stored("input.other - interval '5 minutes'")
            + " ELSE " + stored(now) + " END, " + stored("input.other") + ", 'email.a.sent', '{}', 'a', 'b'";
    }
    const QByteArray waiting = event ? "'PENDING'" : "'pending'";
    const QByteArray inFlight = event ? "'PROCESSING'" : "'processing'";
    QByteArray input = "SELECT " + waiting
        + ", night + n * interval '30 minutes', NULL::timestamp FROM "
          "unnest(ARRAY[timestamp '2018-11-04 03:00', timestamp '2019-02-17 02:00']) night, "
          "generate_series(-6, 6) n";
    for (const char *offset : {"-30 seconds", "5 minutes", "20 minutes"}) {
        input += " UNION ALL SELECT " + waiting + ", " + now + " + interval '" + offset + "', NULL";
        input += " UNION ALL SELECT " + inFlight + ", timestamp '2020-01-01', " + now + " + interval '" + offset + "'";
        if (!event)
            input += " UNION ALL SELECT 'failed', timestamp '2020-01-01', " + now + " + interval '" + offset + "'";
    }
    VERIFY_WORKED(m_connection->executeScript(test::tableText(variant, "public", "Outbox")
                                              + "INSERT INTO public.\"Outbox\" (" + columns + ") SELECT " + values
                                              + " FROM (" + input + ") AS input(status, due, other)"));
}

QByteArray TestTimeZones::shown(const TableVariant &variant, const QByteArray &column) const
{
    const QByteArray quoted = test::columnName(variant, column);
    const QByteArray utc = variant.timeType == "timestamptz" ? quoted + " AT TIME ZONE 'UTC'" : quoted;
    return "to_char(" + utc + ", 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')";
}

QHash<QString, QString> TestTimeZones::timesById(const TableVariant &variant, const QByteArray &column)
{
    QHash<QString, QString> times;
    const auto rows = m_connection->execute("SELECT id::text, " + shown(variant, column) + " FROM public.\"Outbox\"");
    for (int row = 0; rows && row < rows->count(); ++row)
        times.insert(rows->text(row, 0), rows->text(row, 1));
    return times;
}

void TestTimeZones::changeNothing_data()
{
    QTest::addColumn<TableVariant>("variant");
    QTest::addColumn<test::Environment>("environment");
    const QList<std::pair<QByteArray, test::Environment>> environments{
        {"Kolkata", {{u"TZ"_s, u"Asia/Kolkata"_s}}},
        {"a session's zone", {{u"TZ"_s, u"UTC"_s}, {u"PGTZ"_s, u"Pacific/Auckland"_s}}},
        {"10 minutes fast", wrongClock(u"+10m"_s)},
        {"10 minutes slow", wrongClock(u"-10m"_s)},
    };
    for (const int variant : {0, 1, 4, 5}) { // both layouts with both kinds of time
        const TableVariant &table = test::tableVariants()[variant];
        for (const auto &[name, environment] : environments)
            QTest::newRow((table.name + ", " + table.timeType + ", " + name).constData()) << table << environment;
    }
}

void TestTimeZones::changeNothing()
{
    QFETCH(const TableVariant, variant);
    QFETCH(const test::Environment, environment);
    static int runs = 0;
    fill(variant);
    if (QTest::currentTestFailed())
        return;
    const int total = variant.kind == LayoutKind::Event ? 32 : 35;
    const int due = variant.kind == LayoutKind::Event ? 28 : 29;
    QCOMPARE(single("SELECT count(*) FROM public.\"Outbox\""), QByteArray::number(total));
    const QStringList database{u"--json"_s, u"--database"_s, m_servers->databaseUrl(), u"--table"_s,
                               u"public.\"Outbox\""_s};

    const auto stats = test::console(QStringList{u"stats"_s} + database, environment);
    VERIFY_EXIT(stats, 0);
    QCOMPARE(stats.object()["due"_L1].toInt(-1), due);
    const QDateTime first(QDate(2018, 11, 4), QTime(0, 0), Qt::UTC);
    const qint64 age = first.msecsTo(QDateTime::currentDateTimeUtc());
    QVERIFY2(std::abs(stats.object()["oldestDueAgeMs"_L1].toInteger() - age) < 60'000, stats.text().constData());
    const QDateTime time = QDateTime::fromString(stats.object()["databaseTime"_L1].toString(), Qt::ISODateWithMs);
    QVERIFY2(std::abs(time.msecsTo(QDateTime::currentDateTimeUtc())) < 60'000, stats.text().constData());

    QHash<QString, QString> scheduled = timesById(variant, "scheduledAt");
    const QHash<QString, QString> retried =
        variant.kind == LayoutKind::Message ? timesById(variant, "nextRetryAt") : QHash<QString, QString>();
    const QHash<QString, QString> created = timesById(variant, "createdAt");
    const auto rows = test::console(QStringList{u"rows"_s, u"--limit"_s, u"100"_s} + database, environment);
    VERIFY_EXIT(rows, 0);
    QCOMPARE(rows.json().array().size(), total);
    for (const QJsonValue &row : rows.json().array()) {
        const QString id = row["id"_L1].toString();
        const bool isRetry = row["status"_L1].toString() == u"failed";
        QCOMPARE(row["scheduledAt"_L1].toString(), isRetry ? retried[id] : scheduled[id]);
        QCOMPARE(row["createdAt"_L1].toString(), created[id]);
    }

    const auto drained = test::console(QStringList{u"dispatch"_s, u"--drain"_s, u"--redis"_s, m_servers->redisUrl(),
                                                   u"--prefix"_s, u"zone%1"_s.arg(++runs)}
                                           + database,
                                       environment);
    VERIFY_EXIT(drained, 0);
    QCOMPARE(drained.object()["handedOver"_L1].toInt(-1), due);
    QCOMPARE(drained.object()["leaseLost"_L1].toInt(-1), 0);
    const QString done = variant.kind == LayoutKind::Event ? u"DONE"_s : u"sent"_s;
    const QHash<QString, QString> processed = timesById(variant, "processedAt");
    const auto after =
        test::console(QStringList{u"rows"_s, u"--limit"_s, u"100"_s, u"--status"_s, done} + database, environment);
    VERIFY_EXIT(after, 0);
    QCOMPARE(after.json().array().size(), due);
    for (const QJsonValue &row : after.json().array()) {
        const QString id = row["id"_L1].toString();
        QCOMPARE(row["processedAt"_L1].toString(), processed[id]);
        const QDateTime at = QDateTime::fromString(processed[id], Qt::ISODateWithMs);
        QVERIFY2(std::abs(at.msecsTo(QDateTime::currentDateTimeUtc())) < 60'000, qPrintable(processed[id]));
        QCOMPARE(row["createdAt"_L1].toString(), created[id]);
    }
}

// That the clock of the program above was wrong indeed.
void TestTimeZones::theWrongClockIsReal()
{
    QVERIFY2(QFileInfo::exists(QString::fromLatin1(fakeTimeLibrary)), "the package libfaketime is not installed");
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    for (const auto &[offset, seconds] : {std::pair{u"+10m"_s, 600}, std::pair{u"-10m"_s, -600}}) {
        const auto told = test::run(u"date"_s, {u"+%s"_s}, wrongClock(offset));
        VERIFY_EXIT(told, 0);
        const qint64 off = told.output.trimmed().toLongLong() - now - seconds;
        QVERIFY2(off >= 0 && off < 30, told.text().constData());
    }
}

QTEST_GUILESS_MAIN(TestTimeZones)
#include "tst_timezones.moc"
