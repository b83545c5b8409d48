// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/outbox/discovery.h>
#include <engine/outbox/vitals.h>

#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QElapsedTimer>
#include <QTest>

using namespace engine::outbox;
using namespace Qt::StringLiterals;
namespace sql = engine::sql;

// The figures of an outbox table against a real PostgreSQL far from UTC, on every kind of table.
class TestVitals final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void seesWhatIsThere_data();
    void seesWhatIsThere();
    void anEmptyTableHasNoFigures();
    void survivesBadTimes();
    void staysCheapOnManyRows();

private:
    Layout makeTable(const test::TableVariant &variant);
    // `count` rows; the column list and values are SQL, with names of the event layout in camelCase.
    void insert(const Layout &layout, int count, Phase phase, const QMap<QByteArray, QByteArray> &values);

    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    int m_inserted = 0;
};

void TestVitals::initTestCase()
{
    qputenv("TZ", "Asia/Kolkata");
    auto servers = test::PrivateServers::start(
        {.tcp = false, .postgres = {{u"timezone"_s, u"America/Sao_Paulo"_s}}, .redis = {}, .withRedis = false});
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
}

Layout TestVitals::makeTable(const test::TableVariant &variant)
{
    if (!m_connection->executeScript(test::tableText(variant, "public", "outbox_table")))
        return {};
    auto layout = discover(*m_connection, u"public.outbox_table"_s);
    return layout ? *layout : Layout();
}

void TestVitals::insert(const Layout &layout, int count, Phase phase, const QMap<QByteArray, QByteArray> &values)
{
    // Times are given relative to now, in seconds.
    const auto time = [](const Column &column, const QByteArray &seconds) {
        const QByteArray now = column.isZoned() ? "now()" : "(now() AT TIME ZONE 'UTC')";
        return now + " + interval '" + seconds + " seconds'";
    };
    QByteArray id = "i::text";
    if (layout.id.type == "uuid")
        id = "md5(i::text)::uuid";
    else if (layout.id.type == "bigint")
        id = "i";
    QByteArrayList columns{layout.id.quoted(), layout.tenantId.quoted(), layout.eventType.quoted(),
                           layout.payload.quoted(), layout.status.quoted()};
    QByteArrayList fields{id, "'t' || i % 3", values.value("type", "'mail.sent'"), "'{}'",
                          '\'' + layout.statusFor(phase) + '\''};
    const auto add = [&](const Column &column, const QByteArray &value) {
        if (column.exists()) {
            columns << column.quoted();
            fields << value;
        }
    };
    add(layout.retries, values.value("retries", "0"));
    add(layout.scheduledAt, time(layout.scheduledAt, values.value("scheduled", "0")));
    add(layout.createdAt, time(layout.createdAt, values.value("created", "0")));
    add(layout.updatedAt, time(layout.updatedAt, values.value("updated", "0")));
    if (values.contains("processed"))
        add(layout.processedAt, time(layout.processedAt, values.value("processed")));
    if (values.contains("locked"))
        add(layout.lockedUntil, time(layout.lockedUntil, values.value("locked")));
    if (values.contains("next"))
        add(layout.nextRetryAt, time(layout.nextRetryAt, values.value("next")));
    if (values.contains("error"))
        add(layout.lastError, values.value("error"));
    add(layout.aggregateId, "'a'");
    add(layout.aggregateType, "'A'");
    const QByteArray from = QByteArray::number(m_inserted + 1);
    m_inserted += count;
    const auto done = m_connection->execute("INSERT INTO " + layout.quotedTable() + " (" + columns.join(", ")
                                            + ") SELECT " + fields.join(", ") + " FROM generate_series(" + from + ", "
                                            + QByteArray::number(m_inserted) + ") AS i");
    QVERIFY2(done, test::why(done).constData());
}

void TestVitals::seesWhatIsThere_data()
{
    QTest::addColumn<int>("variant");
    for (int i = 0; i < test::tableVariants().size(); ++i)
        QTest::newRow(test::tableVariants()[i].name.constData()) << i;
}

void TestVitals::seesWhatIsThere()
{
    QFETCH(int, variant);
    const Layout layout = makeTable(test::tableVariants()[variant]);
    QVERIFY(layout.id.exists());
    const bool event = layout.kind == LayoutKind::Event;
    insert(layout, 12, Phase::Waiting, {{"scheduled", "-90"}});
    insert(layout, 3, Phase::Waiting, {{"scheduled", "-10"}, {"type", "'crm.synced'"}});
    insert(layout, 4, Phase::Waiting, {{"scheduled", "3600"}});
    insert(layout, 2, Phase::InFlight, {{"scheduled", "-5"}, {"locked", "200"}});
    insert(layout, 1, Phase::InFlight, {{"scheduled", "-700"}, {"locked", "-400"}, {"updated", "-700"}});
    if (event) {
        insert(layout, 5, Phase::Waiting, {{"scheduled", "40"}, {"retries", "2"}});
        insert(layout, 1, Phase::Waiting, {{"scheduled", "1900"}, {"retries", "6"}, {"updated", "-100"}});
    } else {
        insert(layout, 5, Phase::Retrying, {{"scheduled", "-40"}, {"next", "40"}, {"retries", "2"}});
        insert(layout, 1, Phase::Retrying,
               {{"scheduled", "-40"}, {"next", "1900"}, {"retries", "6"}, {"updated", "-100"}});
    }
    insert(layout, 19, Phase::HandedOver, {{"scheduled", "-30"}, {"created", "-30"}, {"processed", "-28"}});
    insert(layout, 1, Phase::HandedOver,
           {{"scheduled", "-30"}, {"created", "-40"}, {"processed", "-20"}, {"retries", "3"}});
    insert(layout, 7, Phase::HandedOver,
           {{"scheduled", "-900"}, {"created", "-999"}, {"processed", "-899"}, {"retries", "1"}});
    insert(layout, 2, Phase::Dead, {{"scheduled", "-100"}, {"updated", "-30"}, {"error", "'connect ECONNREFUSED'"}});
    insert(layout, 1, Phase::Dead,
           {{"scheduled", "-9000"}, {"updated", "-8000"}, {"error", "'other'"}, {"type", "'crm.dead'"}});
    insert(layout, 4, Phase::Dead, {{"scheduled", "-200000"}, {"updated", "-190000"}, {"error", "'old'"}});

    VitalsRequest request;
    request.dueRank = 10;
    const auto vitals = readVitals(*m_connection, layout, request);
    VERIFY_WORKED(vitals);
    QCOMPARE(vitals->due, (Count{16, Count::Kind::Exact}));
    QCOMPARE(vitals->dueOverAge, (Count{13, Count::Kind::Exact}));
    QVERIFY(vitals->oldestDueAgeMs && qAbs(*vitals->oldestDueAgeMs - 400'000) < 5000);
    QVERIFY(vitals->rankedDueAgeMs && qAbs(*vitals->rankedDueAgeMs - 90'000) < 5000);
    QCOMPARE(vitals->dueTenants, 3);
    QCOMPARE(vitals->dueTypes, (QStringList{u"crm.synced"_s, u"mail.sent"_s}));
    QCOMPARE(vitals->inFlight, (Count{3, Count::Kind::Exact}));
    QCOMPARE(vitals->retrying, (Count{6, Count::Kind::Exact}));
    QVERIFY(vitals->nextRetryInMs && qAbs(*vitals->nextRetryInMs - 40'000) < 5000);
    QCOMPARE(vitals->retriesWaiting, (RetryCounts{0, 0, 5, 0, 0, 0, 1, 0}));
    QCOMPARE(vitals->retriesHandedOver, (RetryCounts{19, 7, 0, 1, 0, 0, 0, 0}));
    QCOMPARE(vitals->handedOverLastMinute, (Count{20, Count::Kind::Exact}));
    QCOMPARE(vitals->latencyP50Ms, std::optional<qint64>(2000));
    QCOMPARE(vitals->latencyP95Ms, std::optional<qint64>(2000));
    QCOMPARE(vitals->failedLastMinute, (Count{7, Count::Kind::Exact}));
    QCOMPARE(vitals->failureRate, std::optional(7.0 / 27.0));
    QCOMPARE(vitals->dead, (Count{7, Count::Kind::Exact}));
    QCOMPARE(vitals->deadLastDay, (Count{3, Count::Kind::Exact}));
    QCOMPARE(vitals->deadTypes, (QStringList{u"crm.dead"_s, u"mail.sent"_s}));
    QCOMPARE(vitals->commonError, u"connect ECONNREFUSED"_s);
    QVERIFY(vitals->firstDeadAt && qAbs(vitals->databaseTime - *vitals->firstDeadAt - 8'000'000'000) < 5'000'000);
    request.dueRank = 17;
    QVERIFY(!readVitals(*m_connection, layout, request)->rankedDueAgeMs);
}

void TestVitals::anEmptyTableHasNoFigures()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    const auto vitals = readVitals(*m_connection, layout);
    VERIFY_WORKED(vitals);
    QCOMPARE(vitals->due, (Count{0, Count::Kind::Exact}));
    QVERIFY(!vitals->oldestDueAgeMs && !vitals->rankedDueAgeMs && !vitals->nextRetryInMs && !vitals->firstDeadAt);
    QVERIFY(!vitals->latencyP50Ms && !vitals->latencyP95Ms && !vitals->failureRate);
}

void TestVitals::survivesBadTimes()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    insert(layout, 3, Phase::Waiting, {{"scheduled", "-90"}});
    for (const char *value : {"-infinity", "infinity", "0044-03-15 BC", "40000-01-01"}) {
        insert(layout, 1, Phase::Waiting, {{"retries", "1"}});
        VERIFY_WORKED(m_connection->execute("UPDATE outbox_table SET " + layout.scheduledAt.quoted() + " = '" + value
                                            + "' WHERE id = '" + QByteArray::number(m_inserted) + "'"));
        insert(layout, 1, Phase::HandedOver, {{"processed", "0"}});
        VERIFY_WORKED(m_connection->execute("UPDATE outbox_table SET " + layout.processedAt.quoted() + " = '" + value
                                            + "' WHERE id = '" + QByteArray::number(m_inserted) + "'"));
        insert(layout, 1, Phase::Dead, {});
        VERIFY_WORKED(m_connection->execute("UPDATE outbox_table SET " + layout.updatedAt.quoted() + " = '" + value
                                            + "' WHERE id = '" + QByteArray::number(m_inserted) + "'"));
    }
    const auto vitals = readVitals(*m_connection, layout);
    VERIFY_WORKED(vitals);
    QCOMPARE(vitals->due.value, 5);
}

void TestVitals::staysCheapOnManyRows()
{
    const Layout layout = makeTable(test::tableVariants()[0]);
    insert(layout, 200'000, Phase::HandedOver, {{"scheduled", "-5"}, {"processed", "-5"}});
    insert(layout, 30'000, Phase::Dead, {{"scheduled", "-5"}});
    insert(layout, 30'000, Phase::Waiting, {{"scheduled", "-100"}});
    VERIFY_WORKED(m_connection->execute("CREATE INDEX ON outbox_table (" + layout.status.quoted() + ", "
                                        + layout.scheduledAt.quoted() + ")"));
    // Without ANALYZE nothing is known beyond the limits of counting.
    auto vitals = readVitals(*m_connection, layout);
    VERIFY_WORKED(vitals);
    QCOMPARE(vitals->due, (Count{20'000, Count::Kind::AtLeast}));
    QCOMPARE(vitals->dead, (Count{30'000, Count::Kind::Exact}));
    QCOMPARE(vitals->dueOverAge, (Count{10'000, Count::Kind::AtLeast}));
    VERIFY_WORKED(m_connection->executeScript("ANALYZE outbox_table"));
    QElapsedTimer timer;
    timer.start();
    vitals = readVitals(*m_connection, layout);
    VERIFY_WORKED(vitals);
    qInfo("%lld ms for all figures of 260,000 rows", timer.elapsed());
    const auto done = std::ranges::find(vitals->counts, QByteArray("DONE"), &std::pair<QByteArray, Count>::first);
    QCOMPARE(done->second.kind, Count::Kind::Estimated);
    QVERIFY(qAbs(done->second.value - 200'000) < 20'000);
}

QTEST_GUILESS_MAIN(TestVitals)
#include "tst_vitals.moc"
