// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Documents of others as the window lays them out: nothing lost, nothing hidden, whatever their size.

#include <models/documentrows.h>
#include <models/documentsearch.h>
#include <models/documenttext.h>
#include <models/visiblecharacter.h>

#include <engine/base/jsontext.h>

#include <QElapsedTimer>
#include <QTest>

using namespace models;
using namespace Qt::StringLiterals;
using Mode = DocumentRows::Mode;

namespace {

QStringList linesOf(const QByteArray &document, Mode mode, int columns)
{
    const DocumentRows rows = DocumentRows::build(document, mode, columns);
    QStringList lines;
    for (const DocumentRows::Row &row : rows.rows(0, static_cast<int>(rows.count())))
        lines << rows.text(row);
    return lines;
}

// What the rows show without the white space between tokens: the document's own, if nothing is lost.
QByteArray shown(const QByteArray &document, Mode mode, int columns)
{
    const DocumentRows rows = DocumentRows::build(document, mode, columns);
    QByteArray all;
    qint64 end = 0;
    for (const DocumentRows::Row &row : rows.rows(0, static_cast<int>(rows.count()))) {
        for (const DocumentRows::Piece &piece : rows.pieces(row)) {
            qint64 before = -1;
            for (size_t i = 0; i < static_cast<size_t>(piece.text.size()); ++i) {
                const qint64 at = piece.bytes[i];
                if (at == before || piece.kind == DocumentRows::Kind::Position)
                    continue;
                const VisibleCharacter character = visibleCharacter(document, at);
                if (at >= end)
                    all += document.sliced(at, character.bytes);
                end = std::max(end, at + character.bytes);
                before = at;
            }
        }
    }
    return all;
}

} // namespace

class TestDocument final : public QObject
{
    Q_OBJECT

private slots:
    void laysOutJson_data();
    void laysOutJson();
    void losesNothing_data();
    void losesNothing();
    void cutsLongLines();
    void hidesNothing_data();
    void hidesNothing();
    void directionStaysInsideAPiece();
    void wrapsTextBetweenWords();
    void showsBytes();
    void findsRowsAgain();
    void hugeDocuments_data();
    void hugeDocuments();
    void finds_data();
    void finds();
    void namesWhatItIs_data();
    void namesWhatItIs();
    void keepsHalfPairs();
};

void TestDocument::laysOutJson_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QStringList>("lines");
    const auto row = [](const char *name, const QByteArray &document, const QStringList &lines) {
        QTest::newRow(name) << document << lines;
    };
    row("members", R"({"a":1,"b":[true,null]})",
        {u"{"_s, u"  \"a\": 1,"_s, u"  \"b\": ["_s, u"    true,"_s, u"    null"_s, u"  ]"_s, u"}"_s});
    row("white space of its own", "{ \"a\"\n:\t1 , \"b\" : [ ] }\n",
        {u"{"_s, u"  \"a\": 1,"_s, u"  \"b\": []"_s, u"}"_s});
    row("integers of any length", R"([9007199254740993,123456789012345678901234567890123])",
        {u"["_s, u"  9007199254740993,"_s, u"  123456789012345678901234567890123"_s, u"]"_s});
    row("decimals to the last digit", R"([0.2345678901234568,1e400,-0.0,1.10,1E-7])",
        {u"["_s, u"  0.2345678901234568,"_s, u"  1e400,"_s, u"  -0.0,"_s, u"  1.10,"_s, u"  1E-7"_s, u"]"_s});
    row("repeated, empty and numeric keys in their order", R"({"b":1,"a":2,"b":3,"":4,"10":5,"9":6})",
        {u"{"_s, u"  \"b\": 1,"_s, u"  \"a\": 2,"_s, u"  \"b\": 3,"_s, u"  \"\": 4,"_s, u"  \"10\": 5,"_s,
         u"  \"9\": 6"_s, u"}"_s});
    row("escapes as they are written", R"(["\ud800","\ud83d\ude00","\u0000","\u0041","\"\\\/"])",
        {u"["_s, u"  \"\\ud800\","_s, u"  \"\\ud83d\\ude00\","_s, u"  \"\\u0000\","_s, u"  \"\\u0041\","_s,
         u"  \"\\\"\\\\\\/\""_s, u"]"_s});
    row("brackets inside strings", R"({"a":"}],{[","b":"x:y"})",
        {u"{"_s, u"  \"a\": \"}],{[\","_s, u"  \"b\": \"x:y\""_s, u"}"_s});
    row("empty containers", R"([{},[],{"a":{}}])",
        {u"["_s, u"  {},"_s, u"  [],"_s, u"  {"_s, u"    \"a\": {}"_s, u"  }"_s, u"]"_s});
    row("a scalar", "  17 ", {u"17"_s});
    row("a string", R"("text")", {u"\"text\""_s});
    row("nothing", "  \n ", {});
    row("the beginning of a document", R"({"a":[1,{"b":"unfinish)",
        {u"{"_s, u"  \"a\": ["_s, u"    1,"_s, u"    {"_s, u"      \"b\": \"unfinish"_s});
    row("more closed than opened", "]]}", {u"]"_s, u"]"_s, u"}"_s});
}

void TestDocument::laysOutJson()
{
    QFETCH(QByteArray, document);
    QFETCH(QStringList, lines);
    QCOMPARE(linesOf(document, Mode::Json, 60), lines);
}

void TestDocument::losesNothing_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::newRow("numbers") << QByteArray(R"([123456789012345678901234567890,0.2345678901234568,1e400,-0])");
    QTest::newRow("keys") << QByteArray(R"({"":1,"":2,"1":{"1":[{"":[]}]},"a b":{}})");
    QTest::newRow("escapes") << QByteArray(R"({"\u0000":"\ud800\udc00\ud800x\\\"\/\b\f\n\r\t"})");
    QTest::newRow("scripts")
        << u"{\"שלום\":\"مرحبا, world\",\"名前\":\"🎉👩‍👩‍👧\",\"e\u0301\":\"\u202eevil\u202c\"}"_s
               .toUtf8();
    QTest::newRow("broken") << QByteArray("{\"a\":\"\xff\xc3(\xed\xa0\x80\",\"b\":1}");
    QTest::newRow("controls") << QByteArray("[\"\x01\x7f\",\"\xc2\x85\"]");
    QTest::newRow("long") << QByteArray("[\"" + QByteArray(5000, 'x') + "\\u00e9\",\"" + u"é"_s.toUtf8().repeated(900)
                                        + "\"," + QByteArray(3000, '7') + ']');
    QTest::newRow("deep") << QByteArray(QByteArray(500, '[') + "1" + QByteArray(500, ']'));
}

void TestDocument::losesNothing()
{
    QFETCH(QByteArray, document);
    for (const int columns : {16, 17, 40, 121}) {
        QCOMPARE(shown(document, Mode::Json, columns), document);
        QCOMPARE(shown(document, Mode::Text, columns), document);
    }
    QCOMPARE(shown(document, Mode::Hex, 40).size(), document.size());
}

void TestDocument::cutsLongLines()
{
    const QByteArray document = "{\"key\":\"" + QByteArray(100, 'x') + "\",\"n\":1}";
    const QStringList lines = linesOf(document, Mode::Json, 40);
    QCOMPARE(lines.first(3),
             (QStringList{u"{"_s, u"  \"key\": \""_s + QString(30, u'x'), u"    "_s + QString(36, u'x')}));
    QCOMPARE(lines.last(2), (QStringList{u"  \"n\": 1"_s, u"}"_s}));
    for (const QString &line : lines)
        QVERIFY2(line.size() <= 42, qPrintable(line)); // a quote and a comma may hang over
    // An escape is never cut in two.
    for (const QString &line : linesOf('"' + QByteArray("\\u00e9").repeated(50) + '"', Mode::Json, 16))
        QVERIFY2(line.count(u'\\') * 6 >= line.trimmed().remove(u'"').size(), qPrintable(line));
    // Marks without a width make no row of any length.
    const QByteArray marks = '"' + u"\u0301"_s.toUtf8().repeated(100'000) + '"';
    const DocumentRows rows = DocumentRows::build(marks, Mode::Json, 40);
    QVERIFY(rows.count() > 300);
}

void TestDocument::hidesNothing_data()
{
    QTest::addColumn<QByteArray>("character");
    QTest::addColumn<QString>("name");
    const auto row = [](char16_t code, const char *name) {
        QTest::newRow(name) << QString(QChar(code)).toUtf8() << QString::fromLatin1(name);
    };
    row(0x202e, "U+202E"); // right-to-left override
    row(0x202a, "U+202A");
    row(0x2066, "U+2066"); // isolates
    row(0x2069, "U+2069");
    row(0x200e, "U+200E");
    row(0x200f, "U+200F");
    row(0x061c, "U+061C");
    row(0x200b, "U+200B"); // no width
    row(0x2060, "U+2060");
    row(0xfeff, "U+FEFF");
    row(0x00ad, "U+00AD");
    row(0x2028, "U+2028"); // ends a line elsewhere
    row(0x0000, "U+0000");
    row(0x001b, "U+001B");
    row(0x007f, "U+007F");
    row(0x0085, "U+0085");
    row(0xe000, "U+E000"); // private use
    QTest::newRow("tag") << QByteArray("\xf3\xa0\x81\x81") << u"U+E0041"_s;
    QTest::newRow("broken byte") << QByteArray("\xff") << u"\\xFF"_s;
    QTest::newRow("half a pair") << QByteArray("\xed") << u"\\xED"_s;
}

void TestDocument::hidesNothing()
{
    QFETCH(QByteArray, character);
    QFETCH(QString, name);
    QCOMPARE(linesOf("\"a" + character + "b\"", Mode::Json, 60), QStringList{u"\"a%1b\""_s.arg(name)});
    QCOMPARE(linesOf("a" + character + "b", Mode::Text, 60), QStringList{u"a%1b"_s.arg(name)});
}

void TestDocument::directionStaysInsideAPiece()
{
    // Keys, colons and values are drawn one by one, so that no script turns their order around.
    const QByteArray document = u"{\"שלום\":\"עולם\"}"_s.toUtf8();
    const DocumentRows rows = DocumentRows::build(document, Mode::Json, 60);
    const auto pieces = rows.pieces(rows.rows(1, 1).front());
    QCOMPARE(pieces.size(), size_t(3));
    QCOMPARE(pieces[0].text, u"\"שלום\""_s);
    QCOMPARE(static_cast<int>(pieces[0].kind), static_cast<int>(DocumentRows::Kind::Key));
    QCOMPARE(pieces[1].text, u": "_s);
    QCOMPARE(pieces[2].text, u"\"עולם\""_s);
    QCOMPARE(static_cast<int>(pieces[2].kind), static_cast<int>(DocumentRows::Kind::String));
}

void TestDocument::wrapsTextBetweenWords()
{
    QCOMPARE(linesOf("could not connect to the server\r\n\nretry\tin 5 s", Mode::Text, 20),
             (QStringList{u"could not connect to "_s, u"the server"_s, {}, u"retry   in 5 s"_s}));
    QCOMPARE(linesOf(QByteArray(50, 'x'), Mode::Text, 20),
             (QStringList{QString(20, u'x'), QString(20, u'x'), QString(10, u'x')}));
}

void TestDocument::showsBytes()
{
    QCOMPARE(
        linesOf(QByteArray::fromHex("00ff1f8b") + "text\n", Mode::Hex, 45),
        (QStringList{u"00000000  00 ff 1f 8b 74 65 78 74  ....text"_s, u"00000008  0a                       ."_s}));
}

void TestDocument::findsRowsAgain()
{
    QByteArray document = "[";
    for (int i = 0; i < 1000; ++i)
        document += "{\"n\":" + QByteArray::number(i) + ",\"text\":\"" + QByteArray(i % 90, 'x') + "\"},";
    document += "0]";
    for (const Mode mode : {Mode::Json, Mode::Text, Mode::Hex}) {
        const DocumentRows rows = DocumentRows::build(document, mode, 50);
        const auto all = rows.rows(0, static_cast<int>(rows.count()));
        QCOMPARE(qint64(all.size()), rows.count());
        for (size_t i = 0; i < all.size(); i += 7) {
            const auto again = rows.rows(static_cast<qint64>(i), 1);
            QCOMPARE(again.front().from, all[i].from);
            QCOMPARE(again.front().indent, all[i].indent);
            QCOMPARE(rows.rowOf(all[i].from), qint64(i));
            QCOMPARE(rows.rowOf(all[i].to - 1), qint64(i));
        }
        QVERIFY(rows.rows(rows.count(), 10).empty());
        QVERIFY(rows.rows(-1, 10).empty());
        QCOMPARE(rows.rowOf(document.size() + 5), rows.count() - 1);
        // The beginning by itself is the beginning of the whole.
        const DocumentRows beginning = DocumentRows::build(document, mode, 50, 2000);
        QVERIFY(!beginning.isComplete());
        QVERIFY(beginning.count() > 10 && beginning.count() < rows.count());
        QCOMPARE(beginning.text(beginning.rows(9, 1).front()), rows.text(all[9]));
    }
    const std::atomic_bool stop = true;
    QVERIFY(!DocumentRows::build(document, Mode::Json, 50, -1, &stop).isComplete());
}

void TestDocument::hugeDocuments_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<qint64>("leastRows");
    QByteArray keys = "{";
    for (int i = 0; i < 100'000; ++i)
        keys += "\"key" + QByteArray::number(i) + "\":" + QByteArray::number(i) + ',';
    keys.back() = '}';
    QTest::newRow("100,000 keys") << keys << qint64(100'002);
    QTest::newRow("10,000 levels") << QByteArray(QByteArray(10'000, '[') + QByteArray(10'000, ']')) << qint64(19'998);
    QTest::newRow("a million levels") << QByteArray(QByteArray("{\"a\":").repeated(1'000'000) + "1"
                                                    + QByteArray(1'000'000, '}'))
                                      << qint64(2'000'000);
    QTest::newRow("15 MB in one string") << QByteArray("[\"" + QByteArray(15'000'000, 'x') + "\"]") << qint64(200'000);
    QTest::newRow("15 MB in one line") << QByteArray(
        '[' + QByteArray(R"({"id":9007199254740993,"name":"Müller"},)").repeated(350'000) + "0]")
                                       << qint64(1'400'000);
}

void TestDocument::hugeDocuments()
{
    QFETCH(QByteArray, document);
    QFETCH(qint64, leastRows);
    QElapsedTimer timer;
    timer.start();
    const DocumentRows first = DocumentRows::build(document, Mode::Json, 60, 64 * 1024);
    const qint64 firstMs = timer.restart();
    const DocumentRows rows = DocumentRows::build(document, Mode::Json, 60);
    qInfo("%lld bytes: first rows after %lld ms, all %lld after %lld ms", qint64(document.size()), firstMs,
          rows.count(), timer.elapsed());
    QVERIFY(first.count() > 0);
    QVERIFY2(firstMs < 500, qPrintable(QString::number(firstMs)));
    QVERIFY2(rows.count() >= leastRows, qPrintable(QString::number(rows.count())));
    for (const DocumentRows::Row &row : rows.rows(rows.count() / 2, 50))
        QVERIFY(rows.text(row).size() <= 62);
    QCOMPARE(rows.rows(rows.count() - 1, 1).front().to, qint64(document.size()));
}

void TestDocument::finds_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("places");
    QTest::newRow("whatever the case") << QByteArray("Error error ERROR") << u"eRRor"_s << QList<int>{0, 6, 12};
    QTest::newRow("no overlap") << QByteArray("aaaa") << u"aa"_s << QList<int>{0, 2};
    QTest::newRow("letters beyond ASCII") << u"ÄRGER ärger"_s.toUtf8() << u"ärger"_s << QList<int>{0, 7};
    QTest::newRow("pictures") << u"x🎉🎉"_s.toUtf8() << u"🎉"_s << QList<int>{1, 5};
    QTest::newRow("an escape as written") << QByteArray(R"("\ud800")") << u"\\uD800"_s << QList<int>{1};
    QTest::newRow("nothing to look for") << QByteArray("abc") << QString() << QList<int>{};
    QTest::newRow("not there") << QByteArray("abc") << u"abcd"_s << QList<int>{};
    QTest::newRow("among bytes") << QByteArray("\xff\x00KEY\xfe", 6) << u"key"_s << QList<int>{2};
}

void TestDocument::finds()
{
    QFETCH(QByteArray, document);
    QFETCH(QString, text);
    QFETCH(QList<int>, places);
    QList<int> found;
    for (const DocumentMatch &match : findInDocument(document, text, 100))
        found << static_cast<int>(match.from);
    QCOMPARE(found, places);
    QVERIFY(findInDocument(document, text, 1).size() <= 1);
}

void TestDocument::namesWhatItIs_data()
{
    QTest::addColumn<engine::payload::Decoded>("decoded");
    QTest::addColumn<QString>("form");
    QTest::addColumn<QString>("problem");
    using engine::payload::Decoded;
    using engine::payload::Form;
    using Kind = engine::payload::Layer::Kind;
    const auto row = [](const char *name, Form form, const std::vector<engine::payload::Layer> &layers,
                        const QString &text, Decoded::Problem problem = Decoded::Problem::None,
                        const QString &problemText = {}) {
        Decoded decoded;
        decoded.form = form;
        decoded.layers = layers;
        decoded.problem = problem;
        QTest::newRow(name) << decoded << text << problemText;
    };
    row("JSON", Form::Json, {}, {});
    row("text", Form::Text, {}, {});
    row("binary", Form::Binary, {}, u"binary, shown as hex"_s);
    row("gzip", Form::Json, {{Kind::Gzip, 12 * 1024, 96 * 1024}}, u"gzip, 12 KiB → 96 KiB, JSON inside"_s);
    row("gzip and MessagePack", Form::Json, {{Kind::Gzip, 12 * 1024, 96 * 1024}, {Kind::MessagePack, 96 * 1024, 99}},
        u"gzip, 12 KiB → 96 KiB, MessagePack inside"_s);
    row("MessagePack", Form::Json, {{Kind::MessagePack, 2048, 4096}}, u"MessagePack, 2.0 KiB, shown as JSON"_s);
    row("bytes in zlib", Form::Binary, {{Kind::Zlib, 1024, 2048}},
        u"zlib, 1.0 KiB → 2.0 KiB, binary inside, shown as hex"_s);
    row("damaged", Form::Text, {{Kind::Gzip, 1024, 2048}}, u"gzip, 1.0 KiB → 2.0 KiB, text inside"_s,
        Decoded::Problem::Corrupt, u"The packed data is damaged; this is what could be read."_s);
}

void TestDocument::namesWhatItIs()
{
    QFETCH(engine::payload::Decoded, decoded);
    QFETCH(QString, form);
    QFETCH(QString, problem);
    QCOMPARE(documentFormText(decoded), form);
    QCOMPARE(documentProblemText(decoded), problem);
}

void TestDocument::keepsHalfPairs()
{
    const char16_t half[] = {u'a', 0xd800, u'b', 0xd83d, 0xdc00, 0xdc00, 0};
    QCOMPARE(losslessUtf8(QString::fromUtf16(half)), QByteArray("a\\ud800b\xf0\x9f\x90\x80\\udc00"));
    QCOMPARE(losslessUtf8(u"plain ü"_s), u"plain ü"_s.toUtf8());
}

QTEST_APPLESS_MAIN(TestDocument)
#include "tst_document.moc"
