// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// From a row's id to its job's id: every row has one, no two rows share one, and none gets in the way of BullMQ's keys.

#include <engine/dispatch/queuedestination.h>

#include <QTest>

#include <rapidcheck.h>

#include <map>

using engine::bullmq::checkJobId;
using engine::dispatch::QueueDestination;

namespace {

// What makes an id special to BullMQ, to Redis, or to the mapping itself.
const std::vector<std::string> spices{"outbox:", "0",          ":",
                                      "%",       "0:",         "1700000000000",
                                      "repeat:", "de:",        "metrics:",
                                      "wait",    "paused",     "active",
                                      "delayed", "meta",       "events",
                                      "id",      "marker",     "pc",
                                      "stalled", "limiter",    ":lock",
                                      ":logs",   ":processed", ":data",
                                      "{id}",    "{",          "}",
                                      " ",       "\"",         "\\",
                                      "\n",      "żółć",       "🎉",
                                      ",",       "'",          "completed",
                                      "failed",  ":failed",    ":dependencies",
                                      "x"};

QByteArray makeId()
{
    const auto parts = *rc::gen::container<std::vector<std::string>>(
        rc::gen::oneOf(rc::gen::elementOf(spices), rc::gen::string<std::string>()));
    QByteArray id;
    for (const std::string &part : parts)
        id += QByteArray::fromStdString(part);
    return id;
}

QByteArray makeTemplate()
{
    while (true) {
        QByteArray text = *rc::gen::elementOf(std::vector<QByteArray>{"outbox:{id}", "{id}", "outbox-{id}", "%{id}",
                                                                      "{id}%", "a:{id}:b", "0{id}", "repeat:{id}",
                                                                      "0:{id}", "{id}:lock", ":{id}", "{id}:"});
        if (QueueDestination::checkTemplate(text))
            return text;
    }
}

} // namespace

class TestJobIds final : public QObject
{
    Q_OBJECT

private slots:
    void everyRowHasALegalId();
    void noTwoRowsShareAnId();
    void idsLeadBackToTheirRows();
    void noIdIsPartOfAnothersJob();
    void usualIdsStayAsTheyAre();
};

void TestJobIds::everyRowHasALegalId()
{
    QVERIFY(rc::check([] {
        const QByteArray text = makeTemplate();
        const QByteArray id = QueueDestination::jobIdFor(text, makeId());
        RC_ASSERT(checkJobId(id).has_value());
        // The rules of versions 5 and 6 that workers and tools rely on.
        RC_ASSERT(id != "0" && !id.startsWith("0:") && !id.isEmpty());
        bool isNumber = false;
        id.toLongLong(&isNumber);
        RC_ASSERT(!isNumber || id.startsWith('-') || id.startsWith('+') || id.trimmed() != id);
    }));
}

void TestJobIds::noTwoRowsShareAnId()
{
    QVERIFY(rc::check([] {
        const QByteArray text = makeTemplate();
        std::map<QByteArray, QByteArray> rowOf;
        for (int i = 0; i < 20; ++i) {
            const QByteArray row = makeId();
            // Its own neighbours: what the mapping makes of a row may itself be a row's id.
            for (const QByteArray &id : {row, QByteArray('%' + row), QByteArray(row + '%'), QByteArray('%' + row + '%'),
                                         QByteArray(row + ":lock"), QueueDestination::jobIdFor(text, row)}) {
                const auto [known, isNew] = rowOf.emplace(QueueDestination::jobIdFor(text, id), id);
                RC_ASSERT(isNew || known->second == id);
            }
        }
    }));
}

void TestJobIds::idsLeadBackToTheirRows()
{
    QVERIFY(rc::check([] {
        const QByteArray text = makeTemplate();
        const QByteArray row = makeId();
        for (const QByteArray &id : {row, QByteArray('%' + row + '%'), QByteArray(row + ":lock"), QByteArray("17")})
            RC_ASSERT(QueueDestination::rowIdIn(text, QueueDestination::jobIdFor(text, id)) == id);
    }));
    QCOMPARE(QueueDestination::rowIdIn("{id}", "%17%"), "17");
    for (const char *strange : {"17", "repeat:abc:1", "", "%", "%%", "%x%"})
        QVERIFY2(QueueDestination::rowIdIn("{id}", strange).isEmpty(), strange);
    for (const char *strange : {"outbox:", "order:17", "outbox:1:lock", "%outbox:17%"})
        QVERIFY2(QueueDestination::rowIdIn("outbox:{id}", strange).isEmpty(), strange);
}

// A job keeps further keys under its own: <id>:lock and so on. None of them is another job.
void TestJobIds::noIdIsPartOfAnothersJob()
{
    QVERIFY(rc::check([] {
        const QByteArray text = makeTemplate();
        const QByteArray job = QueueDestination::jobIdFor(text, makeId());
        for (const char *part : {":lock", ":logs", ":dependencies", ":processed", ":failed", ":unsuccessful"}) {
            for (const QByteArray &row : {job + part, makeId() + part})
                RC_ASSERT(!QueueDestination::jobIdFor(text, row).endsWith(part));
        }
    }));
}

void TestJobIds::usualIdsStayAsTheyAre()
{
    for (const QByteArray &id : {QByteArray("0198f0c4-7d2e-7000-8000-000000000001"), QByteArray("17"),
                                 QByteArray("cm8x2k1pl0000"), QByteArray("a:b"), QByteArray("50%"), QByteArray()})
        QCOMPARE(QueueDestination::jobIdFor("outbox:{id}", id), "outbox:" + id);
    QCOMPARE(QueueDestination::jobIdFor("outbox:{id}", "1:lock"), "%outbox:1:lock%");
    QCOMPARE(QueueDestination::jobIdFor("{id}", "17"), "%17%");
    QCOMPARE(QueueDestination::jobIdFor("{id}", "%17%"), "%%17%%");
}

QTEST_GUILESS_MAIN(TestJobIds)
#include "tst_jobids.moc"
