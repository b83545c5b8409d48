// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Documents as they may lie in a column or in a job: plain, packed, damaged, made to harm.

#include <engine/payload/decode.h>
#include <engine/payload/file.h>
#include <engine/payload/inflate.h>
#include <engine/payload/messagepack.h>
#include <tests/support/packed.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <rapidcheck.h>
#include <sys/resource.h>

#include <csignal>

using namespace engine::payload;
using namespace Qt::StringLiterals;
using test::packed;

namespace {

constexpr qsizetype mebibyte = 1024 * 1024;

QByteArray bytes(const char *hex)
{
    return QByteArray::fromHex(hex);
}

QByteArray json(const QByteArray &messagePack)
{
    return messagePackToJson(messagePack, mebibyte).value_or("nothing");
}

} // namespace

class TestPayload final : public QObject
{
    Q_OBJECT

private slots:
    void recognises_data();
    void recognises();
    void readsMessagePack_data();
    void readsMessagePack();
    void refusesWhatIsNoMessagePack_data();
    void refusesWhatIsNoMessagePack();
    void nestedMessagePackNeedsNoStack();
    void damageIsSaidAndTheRestIsRead();
    void severalMembersAreOneText();
    void bombsStopAtTheLimit();
    void bombsInsideBombsStopToo();
    void anyBytesAreSurvived();
    void savesAllOrNothing();
};

void TestPayload::recognises_data()
{
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<Form>("form");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("inside");
    const QByteArray document = R"({"n":9007199254740993,"x":1e400})";
    const QByteArray messagePack = bytes("82a16101a16293c3c0cb3ff8000000000000");
    const auto row = [](const char *name, const QByteArray &stored, Form form, const QByteArray &what,
                        const QByteArray &inside = {}) {
        QTest::newRow(name) << stored << form << what << (inside.isEmpty() ? stored : inside);
    };
    row("nothing", {}, Form::Empty, "text");
    row("JSON", document, Form::Json, "JSON");
    row("JSON after white space", " \n" + document, Form::Json, "JSON");
    row("a JSON string", "\"\\ud800\"", Form::Json, "JSON");
    row("a number", "17", Form::Json, "JSON");
    row("text", "could not connect", Form::Text, "text");
    row("text in colours", "\x1b[31mred\x1b[0m", Form::Text, "text");
    row("text that begins as zlib data may", "x^2 + y^2 = z^2", Form::Text, "text");
    row("nearly JSON", "{\"a\":tru}", Form::Text, "text");
    row("JSON with a broken character", "{\"name\":\"M\xfcller\"}", Form::Text, "text");
    row("Latin 1",
        "M\xfcller, Stra\xdf"
        "e 1, 12345 Musterstadt, Deutschland und mehr",
        Form::Text, "text");
    row("gzip", packed(document), Form::Json, "gzip", document);
    row("zlib", packed(document, test::Packing::Zlib), Form::Json, "zlib", document);
    row("MessagePack", messagePack, Form::Json, "MessagePack", R"({"a":1,"b":[true,null,1.5]})");
    row("MessagePack in gzip", packed(messagePack), Form::Json, "gzip, MessagePack", R"({"a":1,"b":[true,null,1.5]})");
    row("gzip in gzip", packed(packed(document)), Form::Json, "gzip, gzip", document);
    row("gzip in bytea", "\\x" + packed(document).toHex(), Form::Json, "hex, gzip", document);
    row("gzip in base64", packed(document).toBase64(), Form::Json, "base64, gzip", document);
    row("gzip of text", packed("hello"), Form::Text, "gzip", "hello");
    row("gzip of bytes", packed(bytes("00ff00ff00ff")), Form::Binary, "gzip", bytes("00ff00ff00ff"));
    row("gzip of nothing", packed({}), Form::Empty, "gzip", QByteArray(""));
    row("bytes", bytes("00010203fffefd"), Form::Binary, "binary");
    row("bytes without null", bytes("8f8e9d9c9b9af8f9"), Form::Binary, "binary");
    row("bytea that is no text", "\\x00ff", Form::Binary, "hex", bytes("00ff"));
    row("nearly bytea", "\\x0g", Form::Text, "text");
    row("Zstandard", bytes("28b52ffd0458"), Form::Binary, "Zstandard");
    row("a picture", bytes("89504e470d0a1a0a"), Form::Binary, "PNG image");
    row("a gzip header alone", bytes("1f8b0800000000000003"), Form::Binary, "binary");
    row("a MessagePack integer is any byte", bytes("17"), Form::Binary, "binary");
}

void TestPayload::recognises()
{
    QFETCH(QByteArray, stored);
    QFETCH(Form, form);
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, inside);
    const Decoded decoded = decode(stored);
    QCOMPARE(formName(decoded), name);
    QCOMPARE(static_cast<int>(decoded.form), static_cast<int>(form));
    if (name == "gzip" && form == Form::Empty)
        QVERIFY(decoded.bytes.isEmpty());
    else
        QCOMPARE(decoded.bytes, inside);
    if (!decoded.layers.empty()) {
        QCOMPARE(decoded.layers.front().before, qint64(stored.size()));
        QCOMPARE(decoded.layers.back().after, qint64(decoded.bytes.size()));
    }
}

void TestPayload::readsMessagePack_data()
{
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *hex, const char *expected) {
        QTest::newRow(name) << bytes(hex) << QByteArray(expected);
    };
    row("empty map", "80", "{}");
    row("empty array", "90", "[]");
    row("nested empties", "93809091c2", "[{},[],[false]]");
    row("order and repeated keys", "83a16201a16102a16203", R"({"b":1,"a":2,"b":3})");
    row("greatest and least integers", "92cfffffffffffffffffd38000000000000000",
        "[18446744073709551615,-9223372036854775808]");
    row("beyond 2^53", "91cf0020000000000001", "[9007199254740993]");
    row("double, shortest that reads back", "91cb3fce06521462cfdc", "[0.2345678901234568]");
    row("double that is whole", "91cb4008000000000000", "[3.0]");
    row("large double", "91cb7fefffffffffffff", "[1.7976931348623157e+308]");
    row("float", "91ca3dcccccd", "[0.1]");
    row("no number", "93cb7ff8000000000000cb7ff0000000000000caff800000",
        R"([{"$float":"NaN"},{"$float":"Infinity"},{"$float":"-Infinity"}])");
    row("bytes", "91c403010203", R"([{"$binary":"AQID"}])");
    row("no bytes", "91c400", R"([{"$binary":""}])");
    row("string that is no UTF-8", "91a2fffe", R"([{"$binary":"//4="}])");
    row("string with null and quote", "91a3002261", R"(["\u0000\"a"])");
    row("empty string", "91a0", R"([""])");
    row("extension", "91d40507", R"([{"$ext":5,"$binary":"Bw=="}])");
    row("time stamp in seconds", "91d6ff697e1ab3", R"([{"$timestamp":"2026-01-31T15:07:31Z"}])");
    row("time stamp with nanoseconds", "91c70cff1dcd65000000000000000000",
        R"([{"$timestamp":"1970-01-01T00:00:00.5Z"}])");
    row("time stamp beyond the calendar", "91c70cff000000007fffffffffffffff",
        R"([{"$ext":-1,"$binary":"AAAAAH//////////"}])");
    row("keys that are numbers, null, lists", "8301a161c0a16291c3a163", R"({"1":"a","null":"b","[true]":"c"})");
    row("key of bytes", "81c40101a161", R"({"{\"$binary\":\"AQ==\"}":"a"})");
}

void TestPayload::readsMessagePack()
{
    QFETCH(QByteArray, stored);
    QFETCH(QByteArray, expected);
    QCOMPARE(json(stored), expected);
    QVERIFY(!engine::jsontext::findFault(expected));
}

void TestPayload::refusesWhatIsNoMessagePack_data()
{
    QTest::addColumn<QByteArray>("stored");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("scalar") << bytes("01");
    QTest::newRow("ends too early") << bytes("82a16101");
    QTest::newRow("something behind it") << bytes("8000");
    QTest::newRow("the byte that is never used") << bytes("91c1");
    QTest::newRow("array of four billion") << bytes("ddffffffff");
    QTest::newRow("map of four billion") << bytes("dfffffffff01");
    QTest::newRow("string of four gigabytes") << bytes("91dbffffffff61");
    QTest::newRow("bytes of four gigabytes") << bytes("91c6ffffffff61");
    QTest::newRow("extension of four gigabytes") << bytes("91c9ffffffff05");
    // Each level would double what the one inside it needs.
    QTest::newRow("keys within keys") << QByteArray(64, char(0x81)) + bytes("a161") + QByteArray(64, char(0x01));
}

void TestPayload::refusesWhatIsNoMessagePack()
{
    QFETCH(QByteArray, stored);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(!messagePackToJson(stored, mebibyte));
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
}

void TestPayload::nestedMessagePackNeedsNoStack()
{
    constexpr qsizetype levels = 1'000'000;
    const QByteArray nested = QByteArray(levels, char(0x91)) + char(0xc0);
    const auto text = messagePackToJson(nested, 4 * mebibyte);
    QVERIFY(text);
    QCOMPARE(*text, QByteArray(levels, '[') + "null" + QByteArray(levels, ']'));
    QVERIFY(!messagePackToJson(nested, mebibyte)); // more than was allowed
}

void TestPayload::damageIsSaidAndTheRestIsRead()
{
    QByteArray document = "[";
    for (int i = 0; i < 20'000; ++i)
        document += QByteArray::number(i * 7919) + ',';
    document += "0]";
    const QByteArray whole = packed(document);
    QCOMPARE(static_cast<int>(decode(whole).problem), static_cast<int>(Decoded::Problem::None));

    const Decoded half = decode(whole.first(whole.size() / 2));
    QCOMPARE(static_cast<int>(half.problem), static_cast<int>(Decoded::Problem::Truncated));
    QVERIFY(half.bytes.size() > document.size() / 4);
    QVERIFY(document.startsWith(half.bytes));
    QCOMPARE(static_cast<int>(half.form), static_cast<int>(Form::Json));

    QByteArray wrongSum = whole;
    wrongSum[wrongSum.size() - 6] = char(wrongSum[wrongSum.size() - 6] ^ 1);
    const Decoded damaged = decode(wrongSum);
    QCOMPARE(static_cast<int>(damaged.problem), static_cast<int>(Decoded::Problem::Corrupt));
    QCOMPARE(damaged.bytes, document);

    const Decoded more = decode(whole + "rest");
    QCOMPARE(static_cast<int>(more.problem), static_cast<int>(Decoded::Problem::Trailing));
    QCOMPARE(more.bytes, document);

    // Every prefix: read as far as it goes, never more, never a crash.
    const QByteArray little = packed(R"({"a":[1,2,3],"b":"text"})");
    for (qsizetype i = 0; i < little.size(); ++i)
        QVERIFY(decode(little.first(i)).bytes.size() <= 24 + i);
}

void TestPayload::severalMembersAreOneText()
{
    QCOMPARE(decode(packed("[1,") + packed("2]")).bytes, QByteArray("[1,2]"));
}

void TestPayload::bombsStopAtTheLimit()
{
    const QByteArray bomb = packed(QByteArray(200 * mebibyte, ' '));
    QVERIFY(bomb.size() < mebibyte);
    QElapsedTimer timer;
    timer.start();
    const Decoded decoded = decode(bomb);
    qInfo("200 MiB of blanks, %lld bytes packed, stopped at %lld bytes after %lld ms", qint64(bomb.size()),
          qint64(decoded.bytes.size()), timer.elapsed());
    QCOMPARE(decoded.bytes.size(), decodedLimit);
    QCOMPARE(static_cast<int>(decoded.problem), static_cast<int>(Decoded::Problem::Limit));
}

void TestPayload::bombsInsideBombsStopToo()
{
    QByteArray bomb = packed(QByteArray(8 * mebibyte, '\0'));
    for (int i = 0; i < 20; ++i)
        bomb = packed(bomb);
    const Decoded decoded = decode(bomb, false, mebibyte);
    QVERIFY(decoded.layers.size() <= 5);
    QVERIFY(decoded.bytes.size() <= mebibyte);
}

void TestPayload::anyBytesAreSurvived()
{
    const auto anyBytes = rc::gen::container<std::string>(rc::gen::arbitrary<char>());
    const auto survives = [](const QByteArray &stored) {
        const Decoded decoded = decode(stored, false, mebibyte);
        RC_ASSERT(decoded.bytes.size() <= std::max(stored.size(), mebibyte));
        if (decoded.form == Form::Json)
            RC_ASSERT(!engine::jsontext::findFault(decoded.bytes).has_value());
        RC_ASSERT(decode(stored).form == decoded.form);
    };
    const auto toBytes = [](const std::string &text) {
        return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    };
    QVERIFY(rc::check("any bytes", [&] { survives(toBytes(*anyBytes)); }));
    QVERIFY(rc::check("as MessagePack", [&] { survives(char(*rc::gen::inRange(0x80, 0xa0)) + toBytes(*anyBytes)); }));
    QVERIFY(rc::check("packed, then damaged", [&] {
        QByteArray stored = packed(toBytes(*anyBytes));
        const auto at = *rc::gen::inRange<qsizetype>(0, stored.size());
        stored[at] = *rc::gen::arbitrary<char>();
        survives(stored);
    }));
    QVERIFY(rc::check("packed MessagePack that is cut", [&] {
        const QByteArray stored = bytes("82a16101a16293c3c0cb3ff8000000000000");
        survives(packed(stored.first(*rc::gen::inRange<qsizetype>(0, stored.size()))));
    }));
}

void TestPayload::savesAllOrNothing()
{
    QTemporaryDir folder;
    const QString path = folder.filePath(u"payload.bin"_s);
    const QByteArray stored = bytes("00ff1f8b") + QByteArray(100'000, 'x');
    QVERIFY(saveTo(path, stored));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), stored);
    file.close();

    const auto nowhere = saveTo(folder.filePath(u"no/such/folder/payload.bin"_s), stored);
    QVERIFY(!nowhere);
    QVERIFY(nowhere.error().message.contains(u"no/such/folder/payload.bin"_s));

    // A disk that is full, as far as a process can tell: the file may not grow beyond 64 KB.
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before = {};
    QCOMPARE(getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 64 * 1024;
    QCOMPARE(setrlimit(RLIMIT_FSIZE, &small), 0);
    const auto full = saveTo(path, QByteArray(mebibyte, 'y'));
    const auto fullAnew = saveTo(folder.filePath(u"new.bin"_s), QByteArray(mebibyte, 'y'));
    setrlimit(RLIMIT_FSIZE, &before);
    QVERIFY(!full);
    QVERIFY(!full.error().hint.isEmpty());
    QVERIFY(!fullAnew);
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{u"payload.bin"_s}); // no half file
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), stored); // as it was
}

QTEST_APPLESS_MAIN(TestPayload)
#include "tst_payload.moc"
