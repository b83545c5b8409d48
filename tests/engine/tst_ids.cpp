// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/base/ids.h>

#include <QDateTime>
#include <QRegularExpression>
#include <QSet>
#include <QTest>
#include <QUuid>

using namespace engine;
using namespace Qt::StringLiterals;

class TestIds : public QObject
{
    Q_OBJECT

private slots:
    void looksLikeVersion7();
    void carriesTheTime();
    void laterIdsSortAfter();
    void neverRepeats();
};

static qint64 millisecondsOf(const QByteArray &id)
{
    return (id.first(8) + id.sliced(9, 4)).toLongLong(nullptr, 16);
}

void TestIds::looksLikeVersion7()
{
    static const QRegularExpression form(u"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"_s);
    for (int i = 0; i < 1000; ++i) {
        const QByteArray id = newUuid7();
        QVERIFY2(form.match(QString::fromLatin1(id)).hasMatch(), id.constData());
        QCOMPARE(QUuid::fromString(QLatin1StringView(id)).variant(), QUuid::DCE);
    }
}

void TestIds::carriesTheTime()
{
    const qint64 before = QDateTime::currentMSecsSinceEpoch();
    const qint64 inside = millisecondsOf(newUuid7());
    const qint64 after = QDateTime::currentMSecsSinceEpoch();
    QVERIFY(before <= inside && inside <= after);
}

void TestIds::laterIdsSortAfter()
{
    // Order is promised from one millisecond to the next, not within one.
    QByteArray previous = newUuid7();
    for (int i = 0; i < 20; ++i) {
        QByteArray next = newUuid7();
        while (millisecondsOf(next) == millisecondsOf(previous))
            next = newUuid7();
        QVERIFY2(previous < next, QByteArray(previous + " before " + next).constData());
        previous = next;
    }
}

void TestIds::neverRepeats()
{
    QSet<QByteArray> seen;
    for (int i = 0; i < 20'000; ++i)
        seen.insert(newUuid7());
    QCOMPARE(seen.size(), 20'000);
}

QTEST_GUILESS_MAIN(TestIds)
#include "tst_ids.moc"
