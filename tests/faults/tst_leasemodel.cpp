// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "leasemodel.h"

#include <QTest>

using leasemodel::Rules;
using leasemodel::Size;

class TestLeaseModel final : public QObject
{
    Q_OBJECT

private slots:
    void theProtocolHolds_data();
    void theProtocolHolds();
    void brokenVariantsFail_data();
    void brokenVariantsFail();
};

void TestLeaseModel::theProtocolHolds_data()
{
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("claims");
    QTest::newRow("one row, three claims at a time") << 1 << 3;
    QTest::newRow("two rows, two claims at a time") << 2 << 2;
}

void TestLeaseModel::theProtocolHolds()
{
    QFETCH(const int, rows);
    QFETCH(const int, claims);
    Size size;
    size.rows = rows;
    size.claims = claims;
    if (rows == 2) { // states multiply: what one row has shown alone is left out
        size.requeues = 0;
        size.cancels = 0;
    }
    const auto result = leasemodel::explore(Rules(), size);
    QVERIFY2(result.violation.empty(), result.text().c_str());
    QVERIFY(result.states > 1000); // else it explored nothing
    qInfo("%s", result.text().c_str());
}

void TestLeaseModel::brokenVariantsFail_data()
{
    QTest::addColumn<bool Rules::*>("rule");
    QTest::addColumn<QByteArray>("violation");
    QTest::newRow("outcomes without a token")
        << &Rules::settleChecksToken << QByteArray("lost row A wrote its outcome");
    QTest::newRow("the dispatcher's token") << &Rules::tokenIsTheClaims << QByteArray("a claim that lost row A");
    QTest::newRow("outcomes without a status") << &Rules::settleChecksStatus << QByteArray("was final and was changed");
    QTest::newRow("renewal without a token") << &Rules::renewChecksToken << QByteArray("lost row A renewed its lease");
    QTest::newRow("claims without a look at the lease")
        << &Rules::claimChecksLease << QByteArray("taken while its lease was running");
}

void TestLeaseModel::brokenVariantsFail()
{
    QFETCH(bool Rules::*const, rule);
    QFETCH(const QByteArray, violation);
    Rules rules;
    rules.*rule = false;
    const auto result = leasemodel::explore(rules, Size());
    QVERIFY2(QByteArray::fromStdString(result.violation).contains(violation), result.text().c_str());
    QVERIFY(!result.path.empty());
    qInfo("%s", result.text().c_str());
}

QTEST_APPLESS_MAIN(TestLeaseModel)
#include "tst_leasemodel.moc"
