// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <engine/base/jsontext.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <rapidcheck.h>

using namespace engine;
using namespace Qt::StringLiterals;

namespace {

QByteArray fromStd(const std::string &text)
{
    return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
}

rc::Gen<QByteArray> jsonSpace()
{
    return rc::gen::map(rc::gen::container<std::string>(rc::gen::elementOf(std::string(" \t\r\n"))), fromStd);
}

rc::Gen<QByteArray> jsonNumber()
{
    return rc::gen::map(rc::gen::tuple(rc::gen::arbitrary<bool>(), rc::gen::arbitrary<quint64>(),
                                       rc::gen::inRange(0, 4),
                                       rc::gen::container<std::string>(rc::gen::inRange('0', ':'))),
                        [](const std::tuple<bool, quint64, int, std::string> &parts) {
                            const auto &[negative, whole, kind, digits] = parts;
                            QByteArray number = negative ? "-" : "";
                            number += QByteArray::number(whole);
                            const QByteArray more = digits.empty() ? "0" : fromStd(digits);
                            if (kind == 1 || kind == 3)
                                number += '.' + more;
                            if (kind >= 2)
                                number += "e-" + more;
                            return number;
                        });
}

rc::Gen<QByteArray> jsonString()
{
    return rc::gen::map(rc::gen::container<std::u32string>(rc::gen::oneOf(
                            rc::gen::inRange<char32_t>(1, 0xd800), rc::gen::inRange<char32_t>(0xe000, 0x110000))),
                        [](const std::u32string &text) {
                            QByteArray result;
                            jsontext::appendString(result, QString::fromStdU32String(text).toUtf8());
                            return result;
                        });
}

rc::Gen<QByteArray> jsonValue(int depth)
{
    const auto scalar =
        rc::gen::oneOf(jsonNumber(), jsonString(), rc::gen::element<QByteArray>("true", "false", "null"));
    if (depth == 0)
        return scalar;
    const auto array = rc::gen::map(rc::gen::container<std::vector<QByteArray>>(jsonValue(depth - 1)),
                                    [](const std::vector<QByteArray> &items) {
                                        QByteArrayList list(items.begin(), items.end());
                                        return QByteArray("[ " + list.join(", ") + ']');
                                    });
    const auto object = rc::gen::map(rc::gen::container<std::vector<std::pair<QByteArray, QByteArray>>>(
                                         rc::gen::pair(jsonString(), jsonValue(depth - 1))),
                                     [](const std::vector<std::pair<QByteArray, QByteArray>> &members) {
                                         QByteArrayList list;
                                         for (const auto &[key, value] : members)
                                             list << key + " :" + value;
                                         return QByteArray('{' + list.join(',') + '}');
                                     });
    return rc::gen::oneOf(scalar, array, object);
}

} // namespace

class TestJsonText : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void accepts_data();
    void accepts();
    void refuses_data();
    void refuses();
    void nestsDeeply();
    void appendsStrings_data();
    void appendsStrings();
    void generatedDocumentsAreAccepted();
    void everyProperPrefixOfAnObjectIsRefused();
    void appendedStringsSurviveAParser();
};

void TestJsonText::initTestCase()
{
    // Documents nest, so their size grows with a power of this; larger ones find nothing more, only later.
    qputenv("RC_PARAMS", "max_size=25");
}

void TestJsonText::accepts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("object") << QByteArray("{}");
    QTest::newRow("array") << QByteArray("[]");
    QTest::newRow("scalar document") << QByteArray("null");
    QTest::newRow("space around") << QByteArray(" \t\r\n{ \"a\" : [ 1 , 2 ] } \n");
    QTest::newRow("beyond 2^53") << QByteArray(R"({"n":9007199254740993})");
    QTest::newRow("five hundred digits") << QByteArray(500, '7');
    QTest::newRow("decimals and exponents") << QByteArray("[0.1,-0.0,1e400,1E+5,-12.50e-3]");
    QTest::newRow("every escape") << QByteArray(R"("\"\\\/\b\f\n\r\t\u00e9")");
    QTest::newRow("escaped surrogate pair") << QByteArray(R"("\ud83d\ude00")");
    QTest::newRow("escaped lone surrogate") << QByteArray(R"("\ud83d")");
    QTest::newRow("raw unicode") << u"{\"żółć\":\"漢字 🎉\"}"_s.toUtf8();
    QTest::newRow("repeated key") << QByteArray(R"({"a":1,"a":2})");
    QTest::newRow("delete character") << QByteArray("\"\x7f\"");
}

void TestJsonText::accepts()
{
    QFETCH(const QByteArray, text);
    const auto fault = jsontext::findFault(text);
    QVERIFY2(!fault, fault ? fault->reason : "");
}

void TestJsonText::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qsizetype>("offset");
    const auto row = [](const char *name, const QByteArray &text, qsizetype offset) {
        QTest::newRow(name) << text << offset;
    };
    row("empty", "", 0);
    row("only space", "  ", 2);
    row("word", "nul", 0);
    row("word with a tail", "nullx", 4);
    row("two documents", "{} {}", 3);
    row("not closed", R"({"a":[1,2)", 9);
    row("comma before bracket", "[1,]", 3);
    row("comma before brace", R"({"a":1,})", 7);
    row("comma at the start", "[,1]", 1);
    row("wrong bracket", "[1}", 2);
    row("bracket too many", "[1]]", 3);
    row("key without quotes", "{a:1}", 1);
    row("number as key", "{1:1}", 1);
    row("colon missing", R"({"a" 1})", 5);
    row("value missing", R"({"a":})", 5);
    row("single quotes", "'a'", 0);
    row("leading zero", "01", 1);
    row("leading plus", "+1", 0);
    row("lone minus", "-", 1);
    row("no digit after the point", "1.", 2);
    row("no digit before the point", ".5", 0);
    row("no digit in the exponent", "1e+", 3);
    row("not a number", "NaN", 0);
    row("infinity", "[-Infinity]", 2);
    row("string not closed", "\"abc", 4);
    row("backslash at the end", "\"abc\\", 5);
    row("unknown escape", R"("a\x")", 3);
    row("short unicode escape", R"("\u12")", 5);
    row("unicode escape without hex", R"("\u12g4")", 5);
    row("line break in a string", "\"a\nb\"", 2);
    row("nul in a string", QByteArray("\"a\0b\"", 5), 2);
    row("nul after the document", QByteArray("1\0", 2), 1);
    row("comment", "[1 /* one */]", 3);
    row("byte order mark", "\xef\xbb\xbf{}", 0);
    row("broken UTF-8", "{\"a\":\"b\xff\"}", 7);
    row("cut UTF-8", "\"ab\xe6\xbc\"", 3);
    row("encoded surrogate", "\"\xed\xa0\x80\"", 1);
}

void TestJsonText::refuses()
{
    QFETCH(const QByteArray, text);
    QFETCH(const qsizetype, offset);
    const auto fault = jsontext::findFault(text);
    QVERIFY(fault);
    QVERIFY(*fault->reason);
    QCOMPARE(fault->offset, offset);
}

void TestJsonText::nestsDeeply()
{
    constexpr qsizetype levels = 100'000;
    const QByteArray arrays = QByteArray(levels, '[') + QByteArray(levels, ']');
    QVERIFY(!jsontext::findFault(arrays));
    const QByteArray objects = QByteArray("{\"a\":").repeated(levels) + '1' + QByteArray(levels, '}');
    QVERIFY(!jsontext::findFault(objects));

    const auto open = jsontext::findFault(QByteArrayView(arrays).chopped(1));
    QVERIFY(open);
    QCOMPARE(open->offset, 2 * levels - 1);
}

void TestJsonText::appendsStrings_data()
{
    QTest::addColumn<QByteArray>("utf8");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("empty") << QByteArray("") << QByteArray(R"("")");
    QTest::newRow("plain") << QByteArray("abc") << QByteArray(R"("abc")");
    QTest::newRow("quote and backslash") << QByteArray(R"(a"b\c)") << QByteArray(R"("a\"b\\c")");
    QTest::newRow("line break") << QByteArray("a\nb") << QByteArray(R"("a\u000ab")");
    QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray(R"("a\u0000b")");
    QTest::newRow("unicode stays") << u"漢🎉"_s.toUtf8() << u"\"漢🎉\""_s.toUtf8();
    QTest::newRow("broken UTF-8") << QByteArray("a\xff") << u"\"a\ufffd\""_s.toUtf8();
}

void TestJsonText::appendsStrings()
{
    QFETCH(const QByteArray, utf8);
    QFETCH(const QByteArray, json);
    QByteArray target = "before:";
    jsontext::appendString(target, utf8);
    QCOMPARE(target, "before:" + json);
}

void TestJsonText::generatedDocumentsAreAccepted()
{
    QVERIFY(rc::check("generated documents are accepted", [] {
        const QByteArray text = *jsonSpace() + *jsonValue(2) + *jsonSpace();
        const auto fault = jsontext::findFault(text);
        if (fault)
            RC_FAIL(QByteArray(text + " at " + QByteArray::number(fault->offset) + ": " + fault->reason).toStdString());
    }));
}

void TestJsonText::everyProperPrefixOfAnObjectIsRefused()
{
    QVERIFY(rc::check("a cut object is refused, and the fault lies within it", [] {
        const QByteArray text = "{\"a\":" + *jsonValue(2) + '}';
        const auto length = *rc::gen::inRange<qsizetype>(0, text.size());
        const auto fault = jsontext::findFault(text.first(length));
        RC_ASSERT(fault.has_value());
        RC_ASSERT(fault->offset <= length);
    }));
}

void TestJsonText::appendedStringsSurviveAParser()
{
    QVERIFY(rc::check("an appended string is read back unchanged", [] {
        const auto codepoints = *rc::gen::container<std::u32string>(
            rc::gen::oneOf(rc::gen::inRange<char32_t>(0, 0x100), rc::gen::inRange<char32_t>(0, 0xd800),
                           rc::gen::inRange<char32_t>(0xe000, 0x110000)));
        const QString text = QString::fromStdU32String(codepoints);
        QByteArray json = "[";
        jsontext::appendString(json, text.toUtf8());
        json += ']';
        RC_ASSERT(!jsontext::findFault(json));
        const QJsonDocument parsed = QJsonDocument::fromJson(json);
        RC_ASSERT(parsed.isArray());
        RC_ASSERT(parsed.array().first().toString() == text);
    }));
}

QTEST_GUILESS_MAIN(TestJsonText)
#include "tst_jsontext.moc"
