// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Rows that would make a dispatcher stumble, rows that come late, wrong clocks, big payloads, lost notifications: each
// concerns nothing but itself.

#include "rig.h"

#include <engine/outbox/discovery.h>
#include <engine/outbox/schema.h>

#include <tests/support/outboxtables.h>
#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QFileInfo>
#include <QTest>

using namespace engine;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;
using test::DispatcherProcess;
using test::Ledger;
using test::NetworkFault;

namespace {

struct Poison
{
    QByteArray name;
    QByteArray column; // that differs from a healthy row's
    QByteArray value; // SQL
    QByteArray status; // in the end
    qint64 retries = 0;
};

const QList<Poison> &poisons()
{
    static const QList<Poison> all{
        {"broken JSON", "payload", "'{\"a\":'", "FAILED"},
        {"no payload", "payload", "''", "FAILED"},
        {"two documents", "payload", "'{} {}'", "FAILED"},
        {"a type without a route", "\"eventType\"", "'nobody.knows.this'", "FAILED"},
        {"an empty type", "\"eventType\"", "''", "FAILED"},
        {"a type with odd characters", "\"eventType\"", "E'mail.\\u00fc\\n\\U0001F4EE\"'", "DONE"},
        {"the id of a sub-key", "id", "'some:lock'", "DONE"},
        {"an id of quotes and braces", "id", "E'a\"b,{}\\\\'''", "DONE"},
        {"an id of white space", "id", "E' \\n\\t'", "DONE"},
        {"the id NULL", "id", "'NULL'", "DONE"},
        {"a long id", "id", "repeat('i', 2000)", "DONE"},
        {"no count of retries", "retries", "NULL", "DONE"},
        {"retries at the end of the range", "retries", "2147483647", "DONE", 2147483647},
        {"due since ever", "\"scheduledAt\"", "'-infinity'", "DONE"},
        {"due never", "\"scheduledAt\"", "'infinity'", "PENDING"},
        {"due at no time", "\"scheduledAt\"", "NULL", "PENDING"},
        {"due in the year 200000", "\"scheduledAt\"", "'200000-01-01'", "PENDING"},
        {"due before Christ", "\"scheduledAt\"", "'4000-01-01 BC'", "DONE"},
        {"made at no time", "\"createdAt\"", "NULL", "DONE"},
        {"made in infinity", "\"createdAt\"", "'infinity'", "DONE"},
        {"10 MB", "payload", "'\"' || repeat('m', 10000000) || '\"'", "DONE"},
        {"a tenant that is nobody", "\"tenantId\"", "NULL", "DONE"},
        {"refused when claimed", "\"lastError\"", "'refuse PROCESSING'", "PENDING"},
        {"refused when done", "\"lastError\"", "'refuse DONE'", "PROCESSING"},
        {"its job's key is taken", "id", "'taken'", "PENDING", 1},
        {"taken, with retries at the end of the range", "id", "'taken too'", "FAILED", 30001},
    };
    return all;
}

} // namespace

class TestRows final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();

    void aBadRowConcernsItself_data();
    void aBadRowConcernsItself();
    void lateCommitsAreFound();
    void clocksDecideNothing();
    void bigPayloadsStayWithinMemory();
    void notificationsAreAHint();

private:
    [[nodiscard]] Ledger::Options optionsFor(const QByteArray &name) const;
    [[nodiscard]] std::unique_ptr<Ledger> newLedger(const QByteArray &name) const;
    [[nodiscard]] DispatcherProcess::Options optionsFor(const Ledger &ledger) const;

    std::unique_ptr<test::Rig> m_rig;
};

void TestRows::initTestCase()
{
    auto rig = test::Rig::start();
    VERIFY_WORKED(rig);
    m_rig = std::move(*rig);
}

Ledger::Options TestRows::optionsFor(const QByteArray &name) const
{
    Ledger::Options options = m_rig->ledgerOptions();
    options.table = name;
    options.prefix = name;
    return options;
}

std::unique_ptr<Ledger> TestRows::newLedger(const QByteArray &name) const
{
    auto ledger = std::make_unique<Ledger>(optionsFor(name));
    if (const auto created = ledger->create(); !created)
        qFatal("%s", test::why(created).constData());
    return ledger;
}

DispatcherProcess::Options TestRows::optionsFor(const Ledger &ledger) const
{
    DispatcherProcess::Options options = m_rig->dispatcherOptions();
    options.databaseUrl = ledger.options().databaseUrl;
    options.redisUrl = ledger.options().redisUrl;
    options.table = ledger.options().table;
    options.prefix = ledger.options().prefix;
    return options;
}

void TestRows::aBadRowConcernsItself_data()
{
    QTest::addColumn<int>("position");
    QTest::newRow("first of its batch") << 0;
    QTest::newRow("in the middle") << 5;
    QTest::newRow("last of its batch") << 9;
}

// Ten rows for each kind of bad row, which is one of them; claimed ten at a time.
void TestRows::aBadRowConcernsItself()
{
    QFETCH(const int, position);
    const QByteArray table = "poison" + QByteArray::number(position);
    Ledger ledger(optionsFor(table));
    const test::TableVariant loose{"", outbox::LayoutKind::Event, false, "text", "text", "timestamp(3)", "text"};
    VERIFY_WORKED(ledger.query("DROP TABLE IF EXISTS \"" + table + '"'));
    for (QByteArray text : test::tableText(loose, "public", table).split(';')) {
        if (!text.trimmed().isEmpty())
            VERIFY_WORKED(ledger.query(text));
    }
    for (const QByteArray &column : {QByteArray("\"tenantId\""), QByteArray("retries"), QByteArray("\"scheduledAt\""),
                                     QByteArray("\"createdAt\"")})
        VERIFY_WORKED(ledger.query("ALTER TABLE \"" + table + "\" ALTER " + column + " DROP NOT NULL"));
    VERIFY_WORKED(ledger.query("CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF "
                               "OLD.\"lastError\" = 'refuse ' || NEW.status THEN RAISE EXCEPTION 'not this one'; END "
                               "IF; RETURN NEW; END $$"));
    VERIFY_WORKED(ledger.query("CREATE TRIGGER refuse BEFORE UPDATE ON \"" + table
                               + "\" FOR EACH ROW EXECUTE FUNCTION refuse()"));

    const QList<QByteArray> columns{"id",      "\"tenantId\"",  "\"eventType\"",   "payload",      "\"lastError\"",
                                    "retries", "\"createdAt\"", "\"scheduledAt\"", "\"updatedAt\""};
    for (int kind = 0; kind < poisons().size(); ++kind) {
        const Poison &poison = poisons()[kind];
        for (int place = 0; place < 10; ++place) {
            const QByteArray due = "(now() AT TIME ZONE 'UTC') - interval '1 hour' + interval '"
                + QByteArray::number(kind * 10 + place) + " ms'";
            QByteArray id = "healthy " + QByteArray::number(kind * 10 + place);
            if (place == position)
                id = "bad " + QByteArray::number(kind);
            QByteArrayList values{'\'' + id + '\'', "'t'", "'mail.a.sent'", "'{}'", "NULL", "0", due, due, due};
            if (place == position)
                values[columns.indexOf(poison.column)] = poison.value;
            if (place == position && poison.retries > 1)
                values[columns.indexOf("retries")] = QByteArray::number(poison.retries);
            VERIFY_WORKED(ledger.query("INSERT INTO \"" + table + "\" (" + columns.join(", ") + ") VALUES ("
                                       + values.join(", ") + ')'));
        }
    }
    VERIFY_WORKED(ledger.ask({"SET", table + ":outbox.mail:outbox:taken", "no job"}));
    VERIFY_WORKED(ledger.ask({"SET", table + ":outbox.mail:outbox:taken too", "no job"}));

    DispatcherProcess::Options options = optionsFor(ledger);
    options.batch = 10;
    options.lease = 300;
    DispatcherProcess dispatcher(options);
    const auto healthy = 9 * poisons().size();
    SOON_VERIFY2(ledger.count("id LIKE 'healthy %' AND status = 'DONE' AND retries = 0") == healthy,
                 dispatcher.log().right(3000).constData());
    for (int kind = 0; kind < poisons().size(); ++kind) {
        const Poison &poison = poisons()[kind];
        const QByteArray id = poison.column == "id" ? poison.value : "'bad " + QByteArray::number(kind) + '\'';
        const QByteArray state = "id = " + id + " AND status = '" + poison.status
            + "' AND coalesce(retries, 0) = " + QByteArray::number(poison.retries);
        SOON_VERIFY2(ledger.count(state) == 1,
                     (poison.name + ": "
                      + ledger.query("SELECT status, retries, \"lastError\" FROM \"" + table + "\" WHERE id = " + id)
                            ->bytes(0, 0)
                            .toByteArray())
                         .constData());
    }
    QVERIFY(dispatcher.isRunning());
    const auto jobs = ledger.ask({"LLEN", table + ":outbox.mail:wait"});
    VERIFY_WORKED(jobs);
    // Those that are done, and the one whose outcome the table refused.
    QCOMPARE(jobs->integer, ledger.count("status = 'DONE'") + 1);
    VERIFY_EXIT(dispatcher.stop(), 0);
}

// A transaction that stays open while others with later times come and go, with and without a backlog.
void TestRows::lateCommitsAreFound()
{
    const auto ledger = newLedger("late");
    auto slow = test::connect(ledger->options().databaseUrl);
    VERIFY_WORKED(slow);
    DispatcherProcess dispatcher(optionsFor(*ledger));
    int expected = 0;
    for (const QByteArray &dueIn : {QByteArray("0 seconds"), QByteArray("-1 minutes"), QByteArray("-3 days")}) {
        VERIFY_WORKED((*slow)->executeScript("BEGIN"));
        VERIFY_WORKED(ledger->produce(**slow, {.rows = 5, .dueIn = dueIn}));
        VERIFY_WORKED(ledger->produce({.rows = 300}));
        expected += 300;
        SOON_COMPARE(ledger->done(), expected);
        VERIFY_WORKED((*slow)->executeScript("COMMIT"));
        expected += 5;
        SOON_COMPARE(ledger->done(), expected);
    }
    // Never idle meanwhile.
    VERIFY_WORKED((*slow)->executeScript("BEGIN"));
    const auto ids = ledger->produce(**slow, {.rows = 5, .dueIn = "-1 hours"});
    VERIFY_WORKED(ids);
    VERIFY_WORKED(ledger->produce({.rows = 500}));
    VERIFY_WORKED((*slow)->executeScript("COMMIT"));
    QElapsedTimer time;
    time.start();
    while (ledger->count("status = 'DONE' AND id IN ('" + ids->join("', '") + "')") < 5) {
        VERIFY_WORKED(ledger->produce({.rows = 100}));
        QVERIFY2(time.elapsed() < 10'000, "late rows starve behind the newer ones");
    }
    SOON_COMPARE(ledger->unfinished(), 0);
    VERIFY_EXIT(dispatcher.stop(), 0);
    VERIFY_ACCOUNT(*ledger);
}

// One process lives ten minutes ahead, the other ten behind, in zones far apart.
void TestRows::clocksDecideNothing()
{
    const QString library = u"/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"_s;
    QVERIFY2(QFileInfo::exists(library), "the Debian package libfaketime is missing");
    const auto ledger = newLedger("clocks");
    VERIFY_WORKED(ledger->produce({.rows = 10, .dueIn = "5 minutes"}));
    VERIFY_WORKED(ledger->produce({.rows = 2000}));
    DispatcherProcess::Options options = optionsFor(*ledger);
    options.lease = 5;
    options.environment = {{u"LD_PRELOAD"_s, library},
                           {u"FAKETIME_DONT_FAKE_MONOTONIC"_s, u"1"_s},
                           {u"ASAN_OPTIONS"_s, u"detect_leaks=0:verify_asan_link_order=0"_s}};
    options.environment[u"FAKETIME"_s] = u"+10m"_s;
    options.environment[u"TZ"_s] = u"Asia/Kolkata"_s;
    DispatcherProcess ahead(options);
    options.environment[u"FAKETIME"_s] = u"-10m"_s;
    options.environment[u"TZ"_s] = u"America/Sao_Paulo"_s;
    DispatcherProcess behind(options);
    SOON_COMPARE(ledger->done(), 2000);
    // Both went on to look for more, and neither takes what is due in five minutes.
    VERIFY_WORKED(ledger->produce({.rows = 200}));
    SOON_COMPARE(ledger->done(), 2200);
    QCOMPARE(ledger->count("status = 'PENDING'"), 10);
    qint64 claimed = 0;
    for (DispatcherProcess *dispatcher : {&ahead, &behind}) {
        const auto ended = dispatcher->stop();
        VERIFY_EXIT(ended, 0);
        QCOMPARE(ended.object()["leaseLost"_L1].toInt(-1), 0);
        QCOMPARE(ended.object()["duplicates"_L1].toInt(-1), 0);
        claimed += ended.object()["claimed"_L1].toInteger();
    }
    QCOMPARE(claimed, 2200);
    // Times written are the database's.
    QCOMPARE(ledger->count("abs(extract(epoch FROM \"updatedAt\" - (now() AT TIME ZONE 'UTC'))) > 120"), 0);
    QCOMPARE(ledger->count("status = 'DONE' AND \"processedAt\" IS NULL"), 0);
}

void TestRows::bigPayloadsStayWithinMemory()
{
    const auto ledger = newLedger("big");
    constexpr int rows = 16;
    constexpr qint64 bytes = 8'000'000;
    VERIFY_WORKED(ledger->produce({.rows = rows, .fillBytes = bytes}));
    DispatcherProcess::Options options = optionsFor(*ledger);
    options.lease = 60;
    DispatcherProcess dispatcher(options);
    SOON_COMPARE(ledger->done(), rows);
    QFile status(u"/proc/%1/status"_s.arg(dispatcher.pid()));
    QVERIFY(status.open(QIODevice::ReadOnly));
    const QByteArray text = status.readAll();
    const qint64 peak = text.mid(text.indexOf("VmHWM:") + 6, 20).simplified().split(' ').first().toLongLong();
    QVERIFY2(peak > 0 && peak < 150'000, qPrintable(u"%1 kB"_s.arg(peak)));
    qInfo("peak %lld kB", peak);
    const auto connections =
        ledger->query("SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'outbox-console%'");
    VERIFY_WORKED(connections);
    QVERIFY2(connections->integer(0, 0) <= 4, qPrintable(connections->text(0, 0)));
    VERIFY_EXIT(dispatcher.stop(), 0);
    VERIFY_ACCOUNT(*ledger);
    VERIFY_WORKED(ledger->query("DROP TABLE big CASCADE"));
    VERIFY_WORKED(ledger->ask({"FLUSHALL"}));
}

// The connection that listens is cut or stands still: events are found by the next look all the same.
void TestRows::notificationsAreAHint()
{
    const auto ledger = newLedger("woken");
    auto connection = test::connect(ledger->options().databaseUrl);
    VERIFY_WORKED(connection);
    const auto layout = outbox::discover(**connection, u"public.woken"_s);
    VERIFY_WORKED(layout);
    VERIFY_WORKED(outbox::applyWakeUp(**connection, *layout));
    auto proxy = m_rig->newPostgresProxy();
    VERIFY_WORKED(proxy);
    DispatcherProcess::Options options = optionsFor(*ledger);
    options.databaseUrl = test::Rig::databaseUrl(**proxy);
    options.interval = 2500;
    options.environment.insert(u"OUTBOX_DISPATCH_POLLING"_s, u"fixed"_s);
    DispatcherProcess dispatcher(options);
    int expected = 0;
    const auto timeOfOne = [&] {
        QElapsedTimer time;
        time.start();
        if (!ledger->produce({.rows = 1}))
            return qint64(-1);
        ++expected;
        return QTest::qWaitFor([&] { return ledger->done() == expected; }, 10'000) ? time.elapsed() : qint64(-1);
    };
    QVERIFY(timeOfOne() >= 0);
    // Once it listens, one of a few is there long before the next look.
    qint64 best = options.interval;
    for (int i = 0; i < 4 && best > options.interval / 3; ++i)
        best = std::min(best, timeOfOne());
    QVERIFY2(best < options.interval / 3, qPrintable(QString::number(best)));

    const qint64 longest = options.interval + 1500;
    VERIFY_WORKED(ledger->query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
                                "'outbox-console listen'"));
    const qint64 cut = timeOfOne();
    QVERIFY2(cut >= 0 && cut < longest, qPrintable(QString::number(cut)));
    (*proxy)->set(NetworkFault::Stall, "outbox-console listen");
    for (int i = 0; i < 2; ++i) {
        const qint64 stalled = timeOfOne();
        QVERIFY2(stalled >= 0 && stalled < longest, qPrintable(QString::number(stalled)));
    }
    (*proxy)->set(NetworkFault::None);
    // A producer's insert does not fail for the trigger's sake, whatever its size.
    VERIFY_WORKED(ledger->produce({.rows = 1, .fillBytes = 1'000'000}));
    SOON_COMPARE(ledger->done(), expected + 1);
    VERIFY_EXIT(dispatcher.stop(), 0);
    VERIFY_ACCOUNT(*ledger);
}

QTEST_GUILESS_MAIN(TestRows)
#include "tst_rows.moc"
