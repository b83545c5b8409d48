// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/transport/sql/params.h>

#include <QTest>

using namespace engine::sql;
using namespace Qt::StringLiterals;

using Element = std::optional<QByteArray>;
using Elements = std::vector<Element>;

class TestSqlParams : public QObject
{
    Q_OBJECT

private slots:
    void arrayLiterals_data();
    void arrayLiterals();
    void takingStartsAnew();
    void parameters();
    void identifiers_data();
    void identifiers();
};

void TestSqlParams::arrayLiterals_data()
{
    QTest::addColumn<Elements>("elements");
    QTest::addColumn<QByteArray>("literal");
    QTest::newRow("none") << Elements{} << QByteArray("{}");
    QTest::newRow("one") << Elements{"a"} << QByteArray(R"({"a"})");
    QTest::newRow("empty text") << Elements{""} << QByteArray(R"({""})");
    QTest::newRow("two empty texts") << Elements{"", ""} << QByteArray(R"({"",""})");
    QTest::newRow("null") << Elements{std::nullopt} << QByteArray("{NULL}");
    QTest::newRow("null among others") << Elements{"a", std::nullopt, "b"} << QByteArray(R"({"a",NULL,"b"})");
    QTest::newRow("the word null") << Elements{"NULL"} << QByteArray(R"({"NULL"})");
    QTest::newRow("comma and braces") << Elements{"a,b", "{c}"} << QByteArray(R"({"a,b","{c}"})");
    QTest::newRow("quotes") << Elements{R"(say "hi")"} << QByteArray(R"({"say \"hi\""})");
    QTest::newRow("backslashes") << Elements{R"(a\b\\)"} << QByteArray(R"({"a\\b\\\\"})");
    QTest::newRow("line break") << Elements{"a\nb"} << QByteArray("{\"a\nb\"}");
    QTest::newRow("unicode") << Elements{u"漢🎉"_s.toUtf8()} << u"{\"漢🎉\"}"_s.toUtf8();
    QTest::newRow("JSON") << Elements{R"({"a":"\u0041"})"} << QByteArray(R"({"{\"a\":\"\\u0041\"}"})");
}

void TestSqlParams::arrayLiterals()
{
    QFETCH(const Elements, elements);
    QFETCH(const QByteArray, literal);
    ArrayText array;
    for (const Element &element : elements)
        array.append(element);
    QCOMPARE(array.take(), literal);
}

void TestSqlParams::takingStartsAnew()
{
    ArrayText array(100);
    array.append(QByteArrayView("a"));
    QCOMPARE(array.take(), QByteArray(R"({"a"})"));
    array.append(QByteArrayView("b"));
    QCOMPARE(array.take(), QByteArray(R"({"b"})"));
    QCOMPARE(array.take(), QByteArray("{}"));
}

void TestSqlParams::parameters()
{
    Params params;
    QCOMPARE(params.count(), 0);
    params.text("a").optionalText(std::nullopt).integer(-9007199254740993).null().optionalText("").text("");
    QCOMPARE(params.count(), 6);
    const std::vector<const char *> pointers = params.pointers();
    QCOMPARE(pointers.size(), size_t(6));
    QCOMPARE(pointers[0], "a");
    QVERIFY(!pointers[1]);
    QCOMPARE(pointers[2], "-9007199254740993");
    QVERIFY(!pointers[3]);
    QCOMPARE(pointers[4], "");
    QCOMPARE(pointers[5], "");
}

void TestSqlParams::identifiers_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("quoted");
    QTest::newRow("plain") << QByteArray("outbox") << QByteArray("\"outbox\"");
    QTest::newRow("camel case") << QByteArray("OutboxEvent") << QByteArray("\"OutboxEvent\"");
    QTest::newRow("quote") << QByteArray("a\"; DROP TABLE b; --") << QByteArray("\"a\"\"; DROP TABLE b; --\"");
    QTest::newRow("unicode") << u"Żółw"_s.toUtf8() << u"\"Żółw\""_s.toUtf8();
}

void TestSqlParams::identifiers()
{
    QFETCH(const QByteArray, name);
    QTEST(quotedIdentifier(name), "quoted");
}

QTEST_GUILESS_MAIN(TestSqlParams)
#include "tst_sqlparams.moc"
