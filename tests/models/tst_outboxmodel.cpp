// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <models/outboxmodel.h>

#include <QAbstractItemModelTester>
#include <QPersistentModelIndex>
#include <QSignalSpy>
#include <QTest>

using namespace Qt::StringLiterals;
using engine::outbox::Phase;
using engine::outbox::RowSummary;
using models::OutboxModel;
using models::Severity;

namespace {

constexpr qint64 now = 1'769'871'731'000'000; // 2026-01-31 15:02:11 UTC

RowSummary row(const char *id, Phase phase = Phase::Waiting, int retries = 0)
{
    RowSummary row;
    row.id = id;
    row.eventType = "billing.invoice.paid";
    row.status = "PENDING";
    row.phase = phase;
    row.retries = retries;
    row.scheduledAt = now;
    return row;
}

std::vector<RowSummary> rowsOf(const QByteArray &ids)
{
    std::vector<RowSummary> rows;
    for (const char id : ids)
        rows.push_back(row(QByteArray(1, id).constData()));
    return rows;
}

QByteArray idsOf(const OutboxModel &model)
{
    QByteArray ids;
    for (int i = 0; i < model.rowCount(); ++i)
        ids += model.index(i, 0).data(models::IdRole).toByteArray();
    return ids;
}

} // namespace

class OutboxModelTest final : public QObject
{
    Q_OBJECT

private slots:
    void refreshKeepsRows_data();
    void refreshKeepsRows();
    void unchangedSnapshotIsSilent();
    void oneChangedRowIsOneSignal();
    void repeatedIdsCountOnce();
    void selectionSurvivesARefresh();
    void anotherPageIsAReset();
    void notes_data();
    void notes();
    void unroutedTypesStandOut();
};

void OutboxModelTest::refreshKeepsRows_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("nothing") << QByteArray() << QByteArray();
    QTest::newRow("first rows") << QByteArray() << QByteArray("abc");
    QTest::newRow("all gone") << QByteArray("abc") << QByteArray();
    QTest::newRow("new ones on top") << QByteArray("cde") << QByteArray("abcd");
    QTest::newRow("holes") << QByteArray("abcdefgh") << QByteArray("bdegh");
    QTest::newRow("reversed") << QByteArray("abcde") << QByteArray("edcba");
    QTest::newRow("moved down") << QByteArray("abcde") << QByteArray("bcdea");
    QTest::newRow("all at once") << QByteArray("abcdef") << QByteArray("xfbyadz");
    QTest::newRow("all others") << QByteArray("abc") << QByteArray("xyz");
}

void OutboxModelTest::refreshKeepsRows()
{
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    OutboxModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.applyPage(rowsOf(before), false);
    QList<QPersistentModelIndex> kept;
    for (const char id : before)
        kept << model.index(model.rowOf(QByteArray(1, id)), 0);
    model.applyPage(rowsOf(after), true);
    QCOMPARE(idsOf(model), after);
    for (qsizetype i = 0; i < before.size(); ++i) {
        QCOMPARE(kept[i].isValid(), after.contains(before[i]));
        if (kept[i].isValid())
            QCOMPARE(kept[i].data(models::IdRole).toByteArray(), QByteArray(1, before[i]));
    }
}

void OutboxModelTest::unchangedSnapshotIsSilent()
{
    OutboxModel model;
    model.applyPage(rowsOf("abc"), false);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
    model.applyPage(rowsOf("abc"), true);
    QCOMPARE(changed.count(), 0);
    QCOMPARE(inserted.count(), 0);
}

void OutboxModelTest::oneChangedRowIsOneSignal()
{
    OutboxModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.applyPage(rowsOf("abcdefgh"), false);
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    auto rows = rowsOf("abcdefgh");
    rows[2].status = "DONE";
    model.applyPage(rows, true);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed[0][0].toModelIndex().row(), 2);
    QCOMPARE(changed[0][1].toModelIndex().row(), 2);
    changed.clear();
    for (auto &row : rows)
        row.retries = 1;
    model.applyPage(rows, true);
    QCOMPARE(changed.count(), 1); // one wide signal
}

void OutboxModelTest::repeatedIdsCountOnce()
{
    OutboxModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.applyPage(rowsOf("aab"), false);
    model.applyPage(rowsOf("bbaa"), true);
    QCOMPARE(idsOf(model), QByteArray("ba"));
}

void OutboxModelTest::selectionSurvivesARefresh()
{
    OutboxModel model;
    model.applyPage(rowsOf("abc"), false);
    const QPersistentModelIndex chosen = model.index(1, 0);
    model.applyPage(rowsOf("xyzabc"), true);
    QCOMPARE(chosen.row(), 4);
}

void OutboxModelTest::anotherPageIsAReset()
{
    OutboxModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
    model.applyPage(rowsOf("abc"), false);
    model.applyPage(rowsOf("def"), false);
    QCOMPARE(reset.count(), 2);
}

void OutboxModelTest::notes_data()
{
    QTest::addColumn<RowSummary>("summary");
    QTest::addColumn<QString>("note");
    QTest::addColumn<Severity>("severity");

    RowSummary later = row("a");
    later.scheduledAt = now + 41'000'000;
    QTest::newRow("not due yet") << later << u"due in 41 s"_s << Severity::Muted;
    RowSummary again = row("a", Phase::Waiting, 3);
    again.scheduledAt = now + 41'000'000;
    again.lastError = u"503 from receiver\nbody"_s;
    QTest::newRow("waits for a retry") << again << u"retry in 41 s · 503 from receiver …"_s << Severity::Warning;
    RowSummary held = row("a", Phase::InFlight);
    held.lockedUntil = now + 296'000'000;
    QTest::newRow("held") << held << u"lease until 15:07:07"_s << Severity::Info;
    held.lockedUntil = now - 12'000'000;
    QTest::newRow("abandoned") << held << u"lease ran out 12 s ago"_s << Severity::Warning;
    RowSummary dead = row("a", Phase::Dead, 7);
    dead.lastError = u"connect ECONNREFUSED"_s;
    QTest::newRow("dead") << dead << u"connect ECONNREFUSED"_s << Severity::Critical;
    RowSummary done = row("a", Phase::HandedOver);
    done.createdAt = now - 912'000;
    done.processedAt = now;
    QTest::newRow("handed over") << done << u"took 912 ms"_s << Severity::Muted;
    QTest::newRow("strange") << row("a", Phase::Unknown) << u"this layout has no such status"_s << Severity::Warning;
}

void OutboxModelTest::notes()
{
    QFETCH(RowSummary, summary);
    QFETCH(QString, note);
    QFETCH(Severity, severity);
    OutboxModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setNow(now);
    model.applyPage({summary}, false);
    const QModelIndex index = model.index(0, OutboxModel::Note);
    QCOMPARE(index.data().toString(), note);
    QCOMPARE(static_cast<Severity>(index.data(models::SeverityRole).toInt()), severity);
}

void OutboxModelTest::unroutedTypesStandOut()
{
    OutboxModel model;
    model.setRouter(engine::dispatch::Router::builtIn(engine::outbox::LayoutKind::Event));
    RowSummary strange = row("b");
    strange.eventType = "crm.contact.synced";
    model.applyPage({row("a"), strange}, false);
    QCOMPARE(model.index(0, OutboxModel::Destination).data().toString(), u"outbox.notification"_s);
    QCOMPARE(model.index(1, OutboxModel::Destination).data().toString(), u"no route"_s);
    QCOMPARE(model.index(1, OutboxModel::Destination).data(models::SeverityRole).toInt(), int(Severity::Warning));
}

QTEST_GUILESS_MAIN(OutboxModelTest)
#include "tst_outboxmodel.moc"
