// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// Documents in the window: as they were stored, whatever they are, without ever holding it up.

#include "samples.h"
#include "stage.h"

#include <tests/support/packed.h>
#include <views/widgets/documentview.h>
#include <views/widgets/findbar.h>
#include <views/widgets/jsonview.h>
#include <views/widgets/textview.h>

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

using namespace Qt::StringLiterals;
using engine::watch::DocumentRef;
using test::packed;
using views::DocumentView;
using views::JsonView;

namespace {

constexpr int longestBusyMs = 500; // of the GUI thread, on a machine that has other things to do

// The longest time in which the event loop of this thread did not come round.
class BusyMeter final : public QObject
{
public:
    BusyMeter()
    {
        m_clock.start();
        m_timer.setInterval(0);
        connect(&m_timer, &QTimer::timeout, this, [this] { m_longest = qMax(m_longest, m_clock.restart()); });
        m_timer.start();
    }
    [[nodiscard]] qint64 longestMs()
    {
        m_longest = qMax(m_longest, m_clock.elapsed());
        return m_longest;
    }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_longest = 0;
};

QByteArray messagePack()
{
    return QByteArray::fromHex(
        "83a26964cf0020000000000001a46e616d65a74dc3bc6c6c6572a5706172747393c3c0cb3ff8000000000000");
}

QByteArray hundredThousandKeys()
{
    QByteArray keys = "{";
    for (int i = 0; i < 100'000; ++i)
        keys += "\"key" + QByteArray::number(i) + "\":" + QByteArray::number(i) + ',';
    return keys + "\"needle\":1}";
}

} // namespace

class TestDocuments final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void hugeOnesOpenAtOnce_data();
    void hugeOnesOpenAtOnce();
    void searchReachesTheEnd_data();
    void searchReachesTheEnd();
    void copiesWhatIsStored_data();
    void copiesWhatIsStored();
    void decodesForReading();
    void asksForTheRest();
    void savesAllOrSaysWhy();
    void selectsStoredBytes();
    void keysStayInTheDocument();
    void refreshesLeaveReadingAlone();
    void longErrorsDoNotFreeze();
    void partsMakeNoEvents();
    void isReadToThoseWhoCannotSee();
    void pictures_data();
    void pictures();

private:
    std::unique_ptr<Stage> m_stage;
    std::unique_ptr<JsonView> shown(const QByteArray &document, QSize size = {400, 500});
};

void TestDocuments::initTestCase()
{
    m_stage = std::make_unique<Stage>();
}

std::unique_ptr<JsonView> TestDocuments::shown(const QByteArray &document, QSize size)
{
    auto view = std::make_unique<JsonView>(m_stage->theme);
    view->resize(size);
    view->show();
    if (!QTest::qWaitForWindowExposed(view.get()))
        return nullptr;
    view->setPayload(document, document.size(), u"jsonb"_s);
    return view;
}

void TestDocuments::hugeOnesOpenAtOnce_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("last");
    QTest::newRow("15 MB in one line") << QByteArray(
        '[' + QByteArray(R"({"id":9007199254740993,"name":"Müller"},)").repeated(365'000) + "\"end\"]")
                                       << u"\"id\": 9007199254740993,"_s << u"\"end\""_s;
    QTest::newRow("15 MB in one string") << QByteArray("{\"text\":\"" + QByteArray(15'000'000, 'x') + "\",\"z\":1}")
                                         << u"\"text\": \"xxxx"_s << u"\"z\": 1"_s;
    QTest::newRow("15 MB of text in one line")
        << QByteArray(QByteArray("word ").repeated(3'000'000) + "end") << u"word word word"_s << u"end"_s;
    QTest::newRow("15 MB that are no JSON")
        << QByteArray('[' + QByteArray(R"({"id":1},)").repeated(1'600'000) + "oops]") << u"\"id\":"_s << u"oops]"_s;
    QTest::newRow("100,000 keys") << hundredThousandKeys() << u"\"key0\": 0,"_s << u"\"needle\": 1"_s;
    QTest::newRow("10,000 levels") << QByteArray(QByteArray(10'000, '[') + "1" + QByteArray(10'000, ']')) << u"["_s
                                   << u"]"_s;
    QTest::newRow("a million levels") << QByteArray(QByteArray("{\"a\":").repeated(1'000'000) + "1"
                                                    + QByteArray(1'000'000, '}'))
                                      << u"\"a\": {"_s << u"}"_s;
    QTest::newRow("15 MB of bytes") << QByteArray(15'000'000, '\xf7') << u"00000000  f7 f7"_s << u"f7 f7"_s;
    QTest::newRow("gzip of 15 MB") << packed(
        '[' + QByteArray(R"({"id":9007199254740993,"name":"Müller"},)").repeated(365'000) + "\"end\"]")
                                   << u"\"id\": 9007199254740993,"_s << u"\"end\""_s;
}

void TestDocuments::hugeOnesOpenAtOnce()
{
    QFETCH(QByteArray, document);
    QFETCH(QString, first);
    QFETCH(QString, last);
    auto view = shown("{}");
    BusyMeter meter;
    QElapsedTimer timer;
    timer.start();
    view->setPayload(document, document.size(), u"jsonb"_s);
    view->grab();
    const qint64 visibleMs = timer.elapsed();
    QVERIFY(!view->view().visibleText().isEmpty()); // never blank, and already now
    QTRY_VERIFY_WITH_TIMEOUT(view->isReady() && view->view().isLaidOut(), 60'000);
    const qint64 completeMs = timer.elapsed();
    QVERIFY2(view->view().visibleText().contains(first), qPrintable(view->view().visibleText().left(300)));
    view->view().verticalScrollBar()->setValue(view->view().verticalScrollBar()->maximum());
    view->grab();
    QVERIFY2(view->view().visibleText().contains(last), qPrintable(view->view().visibleText().right(300)));
    view->resize(700, 500);
    QTRY_VERIFY_WITH_TIMEOUT(view->view().isLaidOut(), 60'000);
    view->grab();
    qInfo("%lld bytes: first rows after %lld ms, all %lld rows after %lld ms, the window busy for %lld ms at most",
          qint64(document.size()), visibleMs, view->view().rows().count(), completeMs, meter.longestMs());
    QVERIFY2(visibleMs < 1000, qPrintable(QString::number(visibleMs)));
    QVERIFY2(meter.longestMs() < longestBusyMs, qPrintable(QString::number(meter.longestMs())));
}

void TestDocuments::searchReachesTheEnd_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::newRow("15 MB in one string") << QByteArray("[\"" + QByteArray(15'000'000, 'x') + "Needle\",\"needle\"]");
    QTest::newRow("15 MB in one line") << QByteArray('[' + QByteArray(R"({"id":17,"name":"Müller"},)").repeated(500'000)
                                                     + "\"NEEDLE\",\"needle\"]");
    QTest::newRow("10,000 levels") << QByteArray(QByteArray(10'000, '[') + "\"needle\",\"needle\""
                                                 + QByteArray(10'000, ']'));
}

void TestDocuments::searchReachesTheEnd()
{
    QFETCH(QByteArray, document);
    auto view = shown(document);
    auto *text = view->findChild<DocumentView *>();
    auto *field = view->findChild<QLineEdit *>(u"findInDocument"_s);
    auto *found = view->findChild<QLabel *>(u"foundInDocument"_s);
    QVERIFY(!field->isVisible());
    BusyMeter meter;
    QTest::keyClick(text, Qt::Key_F, Qt::ControlModifier); // while it is still being laid out
    QVERIFY(field->isVisible());
    field->setText(u"nEEdle"_s);
    QTRY_COMPARE_WITH_TIMEOUT(found->text(), u"1 of 2"_s, 60'000);
    QTRY_VERIFY_WITH_TIMEOUT(view->isReady() && text->isLaidOut(), 60'000);
    QTRY_VERIFY(text->visibleText().contains(u"needle"_s, Qt::CaseInsensitive));
    view->grab();
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(found->text(), u"2 of 2"_s);
    QTest::keyClick(field, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(found->text(), u"1 of 2"_s);
    field->setText(u"needless"_s);
    QTRY_COMPARE_WITH_TIMEOUT(found->text(), u"Not found"_s, 60'000);
    field->setText(u"e"_s);
    QTRY_VERIFY_WITH_TIMEOUT(found->text().contains(u" of "_s), 60'000);
    qInfo("the window busy for %lld ms at most", meter.longestMs());
    QVERIFY2(meter.longestMs() < longestBusyMs, qPrintable(QString::number(meter.longestMs())));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(!field->isVisible());
}

void TestDocuments::copiesWhatIsStored_data()
{
    QTest::addColumn<QByteArray>("stored");
    QTest::addColumn<bool>("copied");
    QTest::newRow("JSON with white space") << QByteArray("{\"n\":9007199254740993,  \"x\":1e400}\n") << true;
    QTest::newRow("escapes") << QByteArray(R"({"a":"\ud800","":1,"":2})") << true;
    QTest::newRow("scripts") << u"{\"שלום\":\"\u202eabc\"}"_s.toUtf8() << true;
    QTest::newRow("text") << QByteArray("no JSON\r\nat all") << true;
    QTest::newRow("bytea as text") << QByteArray("\\x1f8b08") << true;
    QTest::newRow("gzip") << packed("{}") << false;
    QTest::newRow("bytes") << QByteArray::fromHex("00010203") << false;
    QTest::newRow("broken text") << QByteArray("{\"a\":\"\xff\"}") << false;
}

void TestDocuments::copiesWhatIsStored()
{
    QFETCH(QByteArray, stored);
    QFETCH(bool, copied);
    QApplication::clipboard()->setText(u"before"_s);
    auto view = shown(stored);
    auto *note = view->findChild<QLabel *>(u"documentNote"_s);
    for (const int tab : {0, 1}) {
        view->findChild<QTabBar *>(u"documentForms"_s)->setCurrentIndex(tab);
        view->findChild<QToolButton *>(u"copyPayload"_s)->click();
        QTRY_VERIFY(note->text().contains(copied ? u"Copied as stored"_s : u"no text"_s));
        QCOMPARE(QApplication::clipboard()->text(), copied ? QString::fromUtf8(stored) : u"before"_s);
    }
    // A file always takes the bytes as they are.
    QTemporaryDir folder;
    const QString path = folder.filePath(u"saved"_s);
    view->saveTo(path);
    QTRY_VERIFY(note->text().contains(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), stored);
}

void TestDocuments::decodesForReading()
{
    auto view = shown(packed(messagePack()));
    auto *form = view->findChild<QLabel *>(u"documentForm"_s);
    auto *tabs = view->findChild<QTabBar *>(u"documentForms"_s);
    QVERIFY2(form->text().endsWith(u"MessagePack inside"_s), qPrintable(form->text()));
    QCOMPARE(tabs->tabText(0), u"Decoded"_s);
    QVERIFY(view->view().visibleText().contains(u"\"id\": 9007199254740993,"_s));
    tabs->setCurrentIndex(1);
    QVERIFY(view->view().visibleText().startsWith(u"00000000  1f 8b 08"_s));
    tabs->setCurrentIndex(0);
    view->setPayload("{\"plain\":1}", 11, u"jsonb"_s);
    QVERIFY(!form->isVisible());
    QCOMPARE(tabs->tabText(0), u"Formatted"_s);
    view->setPayload(QByteArray::fromHex("0001fffe"), 4, {});
    QCOMPARE(form->text(), u"binary, shown as hex"_s);
    QVERIFY(!tabs->isVisible());
    view->setPayload("{\"a\":\n tru}", 10, u"text"_s);
    QCOMPARE(view->findChild<QLabel *>(u"documentNote"_s)->text(),
             u"Not valid JSON (line 2, column 2), shown as stored."_s);
    const QByteArray broken = packed(QByteArray(100'000, 'x') + "end");
    view->setPayload(broken.first(broken.size() - 12), broken.size() - 12, {});
    QVERIFY(view->findChild<QLabel *>(u"documentNote"_s)->text().contains(u"ends too early"_s));
    view->setPayload({}, 0, {});
    QVERIFY(!view->findChild<QLabel *>(u"documentNote"_s)->isVisible());
}

void TestDocuments::asksForTheRest()
{
    const QByteArray whole = hundredThousandKeys();
    const QByteArray part = whole.first(whole.size() / 3);
    const DocumentRef ref{DocumentRef::Store::OutboxPayload, "17"};
    auto view = shown("{}");
    auto *note = view->findChild<QLabel *>(u"documentNote"_s);
    QSignalSpy wanted(view.get(), &JsonView::wholeWanted);
    view->hide();
    view->setPayload(part, whole.size(), u"jsonb"_s, ref);
    QCOMPARE(wanted.count(), 0); // nobody looks
    view->show();
    QCOMPARE(wanted.count(), 1);
    view->setPayload(part, whole.size(), u"jsonb"_s, ref); // a refresh
    QCOMPARE(wanted.count(), 1);
    QVERIFY(view->view().visibleText().contains(u"\"key0\": 0,"_s)); // the part meanwhile
    QVERIFY2(note->text().contains(u"Reading the rest of"_s), qPrintable(note->text()));
    view->showWhole({DocumentRef::Store::OutboxPayload, "18"}, "another"); // late: about another row
    QVERIFY(view->view().visibleText().contains(u"\"key0\": 0,"_s));
    view->findChild<QToolButton *>(u"copyPayload"_s)->click(); // waits for the whole
    view->showWhole(ref, whole);
    QTRY_VERIFY(note->text().contains(u"Copied as stored"_s));
    QCOMPARE(QApplication::clipboard()->text(), QString::fromUtf8(whole));
    QTRY_VERIFY(view->isReady() && view->view().isLaidOut());
    view->setPayload(part, whole.size(), u"jsonb"_s, ref); // another refresh does not take it away
    QCOMPARE(view->view().document(), whole);

    view->setPayload(part, whole.size(), u"jsonb"_s, {DocumentRef::Store::OutboxPayload, "19"});
    view->showWholeFailed({DocumentRef::Store::OutboxPayload, "19"},
                          {engine::ErrorCode::NotFound, u"The row is gone."_s, {}, false, {}});
    QVERIFY2(note->text().contains(u"The row is gone."_s), qPrintable(note->text()));
    QVERIFY(view->view().visibleText().contains(u"\"key0\": 0,"_s));

    // More than is good for a window: the beginning, and the file takes all.
    const qint64 huge = JsonView::wholeLimit + 1;
    wanted.clear();
    view->setPayload(part, huge, u"jsonb"_s, {DocumentRef::Store::OutboxPayload, "20"});
    QCOMPARE(wanted.count(), 0);
    QVERIFY2(note->text().contains(u"saving takes all"_s), qPrintable(note->text()));
}

void TestDocuments::savesAllOrSaysWhy()
{
    QTemporaryDir folder;
    auto view = shown("{\"a\":1}");
    auto *note = view->findChild<QLabel *>(u"documentNote"_s);
    view->saveTo(folder.filePath(u"no/such/folder/x.json"_s));
    QTRY_VERIFY2(note->text().contains(u"could not be written"_s), qPrintable(note->text()));
    QVERIFY(note->text().contains(u"Nothing was saved."_s));
    // A part is never saved in place of the whole.
    const DocumentRef ref{DocumentRef::Store::OutboxPayload, "17"};
    view->setPayload("{\"a\":", 10'000'000, u"jsonb"_s, ref);
    QSignalSpy wanted(view.get(), &JsonView::saveWanted);
    const QString path = folder.filePath(u"x.json"_s);
    view->saveTo(path);
    QCOMPARE(wanted.count(), 1);
    QVERIFY(!QFile::exists(path));
    view->showSaveFailed(ref, {engine::ErrorCode::NotFound, u"The row is gone."_s, {}, false, {}});
    QVERIFY(note->text().contains(u"The row is gone."_s));
}

void TestDocuments::selectsStoredBytes()
{
    auto view = shown(u"{\"name\":\"Müller\u202e\",  \"n\":1}"_s.toUtf8());
    auto *text = view->findChild<DocumentView *>();
    text->setFocus();
    QTest::keyClick(text, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), u"{\"name\":\"Müller\u202e\",  \"n\":1}"_s);
    QTest::keyClick(text, Qt::Key_Home, Qt::ControlModifier);
    QTest::keyClick(text, Qt::Key_Down);
    QTest::keyClick(text, Qt::Key_Home);
    QTest::keyClick(text, Qt::Key_End, Qt::ShiftModifier);
    QCOMPARE(QString::fromUtf8(text->selectedBytes()), u"\"name\":\"Müller\u202e\","_s);
    // With the mouse, across two rows.
    const QPoint first(4, 8 + text->fontMetrics().lineSpacing() / 2);
    QTest::mousePress(text->viewport(), Qt::LeftButton, {}, first);
    QMouseEvent move(QEvent::MouseMove, QPointF(390, first.y()), QPointF(390, first.y()), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(text->viewport(), &move);
    QCOMPARE(text->selectedBytes(), QByteArray("{"));
    QTest::mouseRelease(text->viewport(), Qt::LeftButton);
    view->setPayload(QByteArray::fromHex("00ff10"), 3, {});
    text->selectAll();
    QCOMPARE(text->selectedBytes(), QByteArray("00 ff 10"));
}

void TestDocuments::keysStayInTheDocument()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    const auto rows = samples::rows(3);
    stage.outbox->showPage(stage.outbox->request(), {rows, false, false});
    stage.outbox->findChild<QTableView *>(u"outboxTable"_s)->selectRow(0);
    stage.outbox->showDetail(samples::detail(rows[0]));
    auto *payload = stage.outbox->findChild<JsonView *>();
    auto *text = payload->findChild<DocumentView *>();
    QVERIFY(text->isVisible());
    text->setFocus();
    QTest::keyClick(text, Qt::Key_F, Qt::ControlModifier);
    QVERIFY(payload->findChild<views::FindBar *>()->isVisible());
    auto *field = payload->findChild<QLineEdit *>(u"findInDocument"_s);
    QVERIFY(field->hasFocus());
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(text->hasFocus());
}

void TestDocuments::refreshesLeaveReadingAlone()
{
    const QByteArray document = hundredThousandKeys();
    auto view = shown(document);
    QTRY_VERIFY(view->isReady() && view->view().isLaidOut());
    auto *text = view->findChild<DocumentView *>();
    text->verticalScrollBar()->setValue(500);
    const QString before = text->visibleText();
    QSignalSpy laidOut(text, &DocumentView::laidOut);
    for (int i = 0; i < 100; ++i)
        view->setPayload(QByteArray(document), document.size(), u"jsonb"_s);
    QCOMPARE(text->visibleText(), before);
    QCOMPARE(laidOut.count(), 0);
}

void TestDocuments::longErrorsDoNotFreeze()
{
    views::TextView view(m_stage->theme, u"Error"_s);
    view.resize(400, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    BusyMeter meter;
    view.setText(QString(2'000'000, u'x'), {}, {});
    view.grab();
    auto *text = view.findChild<DocumentView *>();
    QTRY_VERIFY_WITH_TIMEOUT(text->isLaidOut(), 60'000);
    QVERIFY2(meter.longestMs() < longestBusyMs, qPrintable(QString::number(meter.longestMs())));
    view.setText(u"user\u202egnp.exe"_s, {}, {});
    QVERIFY(text->visibleText().contains(u"userU+202Egnp.exe"_s));
}

void TestDocuments::partsMakeNoEvents()
{
    Stage stage;
    stage.fill(samples::sandbox());
    const auto rows = samples::rows(3);
    stage.outbox->showPage(stage.outbox->request(), {rows, false, false});
    stage.outbox->findChild<QTableView *>(u"outboxTable"_s)->selectRow(0);
    auto detail = samples::detail(rows[0]);
    const auto similar = [&] {
        for (auto *button : stage.outbox->findChildren<QPushButton *>()) {
            if (button->text().startsWith(u"Compose similar"_s))
                return button->isEnabled();
        }
        return false;
    };
    stage.outbox->showDetail(detail);
    QVERIFY(similar());
    detail.payload = QByteArray(4 * 1024 * 1024, '[');
    detail.payloadBytes = 15'000'000;
    stage.outbox->showDetail(detail);
    QVERIFY(!similar());
}

void TestDocuments::isReadToThoseWhoCannotSee()
{
    auto view = shown("{\"name\":\"Miller\"}");
    auto *text = view->findChild<DocumentView *>();
    QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(text);
    QVERIFY(spoken);
    QCOMPARE(spoken->text(QAccessible::Name), u"Payload"_s);
    QVERIFY(spoken->text(QAccessible::Value).contains(u"\"name\": \"Miller\""_s));
}

void TestDocuments::pictures_data()
{
    QTest::addColumn<QByteArray>("document");
    QTest::addColumn<views::Theme::Choice>("choice");
    const QByteArray normal =
        u"{\"id\":9007199254740993,\"amount\":0.2345678901234568,\"limit\":1e400,\"tenant\":\"acme\",\"tags\":[\"a\",\"b\"],\"empty\":{},\"\":null,\"note\":\"Rechnung für Müller & Söhne, zahlbar innerhalb von 30 Tagen ohne Abzug\",\"paid\":true}"_s
            .toUtf8();
    const QByteArray odd =
        u"{\"lone\":\"\\ud800\",\"nul\":\"\\u0000\",\"pair\":\"\\ud83d\\ude00\",\"zero\":\"a\u200bb\",\"file\":\"invoice\u202egnp.exe\",\"שלום\":\"עולם! 123\",\"العربية\":\"مرحبا\",\"名前\":\"山田 🎉\",\"raw\":\""_s
            .toUtf8()
        + "\xff" + u"\"}"_s.toUtf8();
    const std::vector<std::pair<const char *, QByteArray>> documents{
        {"normal", normal},
        {"huge", hundredThousandKeys()},
        {"gzip", packed(messagePack())},
        {"hex", messagePack() + QByteArray::fromHex("c1ff0042") + QByteArray(200, '\x8e')},
        {"odd", odd},
        {"scripts",
         u"{\"lone\":\"\\ud800\",\"file\":\"invoice\u202egnp.exe\",\"שלום\":\"עולם! 123\",\"العربية\":[\"مرحبا\",1]}"_s
             .toUtf8()},
        {"invalid", "{\"a\":1,\n \"b\": tru}"},
        {"deep", QByteArray("{\"a\":").repeated(3000) + "1" + QByteArray(3000, '}')},
    };
    for (const auto &[name, document] : documents) {
        QTest::newRow(qPrintable(QLatin1String(name) + u"-light"_s)) << document << views::Theme::Choice::Light;
        QTest::newRow(qPrintable(QLatin1String(name) + u"-dark"_s)) << document << views::Theme::Choice::Dark;
    }
}

void TestDocuments::pictures()
{
    QFETCH(QByteArray, document);
    QFETCH(views::Theme::Choice, choice);
    m_stage.reset(); // two themes at once would dress each other's widgets
    Stage stage(choice);
    stage.fill(samples::sandbox());
    stage.window->resize(1280, 800);
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    const auto rows = samples::rows(40);
    stage.outbox->showPage(stage.outbox->request(), {rows, true, false});
    stage.outbox->findChild<QTableView *>(u"outboxTable"_s)->selectRow(2);
    auto detail = samples::detail(rows[2]);
    detail.payload = document;
    detail.payloadBytes = document.size();
    stage.outbox->showDetail(detail);
    auto *payload = stage.outbox->findChild<JsonView *>();
    if (QByteArray(QTest::currentDataTag()).startsWith("huge")) {
        QTest::keyClick(payload->findChild<DocumentView *>(), Qt::Key_F, Qt::ControlModifier);
        payload->findChild<QLineEdit *>(u"findInDocument"_s)->setText(u"key1"_s);
        QTRY_VERIFY(payload->findChild<QLabel *>(u"foundInDocument"_s)->text().contains(u" of "_s));
    }
    if (QByteArray(QTest::currentDataTag()).startsWith("gzip"))
        payload->saveTo(u"/no/such/folder/payload.gz"_s);
    if (QByteArray(QTest::currentDataTag()).startsWith("gzip"))
        QTRY_VERIFY(payload->findChild<QLabel *>(u"documentNote"_s)->text().contains(u"could not"_s));
    QTRY_VERIFY(payload->isReady() && payload->view().isLaidOut());
    stage.shoot(u"document-"_s + QLatin1String(QTest::currentDataTag()));
}

QTEST_MAIN(TestDocuments)
#include "tst_documents.moc"
