// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"
#include "stage.h"

#include <views/dialogs/composedialog.h>
#include <views/dialogs/connectdialog.h>
#include <views/shell/headerbar.h>
#include <views/widgets/jsonedit.h>
#include <views/widgets/documentview.h>
#include <views/widgets/jsonview.h>

#include <models/outboxmodel.h>

#include <QApplication>
#include <QClipboard>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace Qt::StringLiterals;
using views::ColorId;
using views::Theme;

// How the window behaves towards snapshots and keys.
class WindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void noKeyMeansTwoThings();
    void everythingFocusableHasAName();
    void textColoursAreReadable();
    void themeFollowsTheDesktop();
    void halfTypedFilterSurvivesARefresh();
    void filterIsAskedOnce();
    void refreshKeepsSelectionAndScroll();
    void scrollingWalksByKey();
    void theBarSpansTheWholeTable();
    void searchesSayWhatTheyCost();
    void lateAnswersAreDropped();
    void rowsStayWhenTheServerGoes();
    void readOnlyRefusesToStart();
    void stateIsRestored();
    void spaceInAListPauses();
    void largePayloadsDoNotFreeze();
    void copiedPayloadIsTheStoredOne();
    void composeChecksWhileTyping();
    void composePublishesOnce();
    void connectKeepsPasswordsApart();

private:
    static engine::outbox::RowPage page(int rows, bool older, bool newer)
    {
        return {samples::rows(rows), older, newer};
    }
};

void WindowTest::noKeyMeansTwoThings()
{
    Stage stage;
    QCOMPARE(stage.actions.clashes(), QStringList());
    QVERIFY(stage.actions.descriptions().size() > 10);
}

void WindowTest::everythingFocusableHasAName()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.outbox->showPage(stage.outbox->request(), page(5, false, false));
    const auto router = engine::dispatch::Router::builtIn(engine::outbox::LayoutKind::Message);
    views::ComposeDialog compose(stage.theme, samples::sandbox(), samples::messageLayout(), router);
    views::ConnectDialog connection(stage.theme);
    for (QWidget *root : std::initializer_list<QWidget *>{stage.window.get(), &compose, &connection}) {
        const auto widgets = root->findChildren<QWidget *>();
        for (const QWidget *widget : widgets) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || widget->focusProxy() || widget->isHidden())
                continue;
            // Inner parts of Qt's own widgets are named by the widget around them.
            if (widget->objectName().startsWith(u"qt_"_s) || widget->inherits("QScrollArea")
                || widget->inherits("QComboBoxListView"))
                continue;
            const auto *button = qobject_cast<const QAbstractButton *>(widget);
            const QString name =
                widget->accessibleName().isEmpty() && button ? button->text() : widget->accessibleName();
            QVERIFY2(!name.isEmpty(),
                     qPrintable(u"%1 %2 has no name"_s.arg(QString::fromLatin1(widget->metaObject()->className()),
                                                           widget->objectName())));
        }
    }
}

void WindowTest::textColoursAreReadable()
{
    const std::pair<ColorId, QList<ColorId>> uses[] = {
        {ColorId::Text,
         {ColorId::Background, ColorId::Panel, ColorId::Raised, ColorId::AccentSoft, ColorId::CriticalSoft,
          ColorId::WarningSoft, ColorId::GoodSoft}},
        {ColorId::Muted, {ColorId::Background, ColorId::Panel, ColorId::AccentSoft}},
        {ColorId::AccentText, {ColorId::Background, ColorId::Panel, ColorId::AccentSoft}},
        {ColorId::Critical, {ColorId::Background, ColorId::Panel, ColorId::AccentSoft, ColorId::CriticalSoft}},
        {ColorId::Warning, {ColorId::Background, ColorId::Panel, ColorId::AccentSoft, ColorId::WarningSoft}},
        {ColorId::Good, {ColorId::Background, ColorId::Panel, ColorId::AccentSoft, ColorId::GoodSoft}},
        {ColorId::OnAccent, {ColorId::Accent}},
    };
    for (const bool dark : {false, true}) {
        for (const auto &[ink, papers] : uses) {
            for (const ColorId paper : papers) {
                const double ratio = views::contrast(views::colorOf(ink, dark), views::colorOf(paper, dark));
                QVERIFY2(ratio >= 4.5,
                         qPrintable(u"%1 on %2 (%3): %4"_s.arg(int(ink)).arg(int(paper)).arg(dark).arg(ratio)));
            }
        }
    }
}

void WindowTest::themeFollowsTheDesktop()
{
    QApplication::setPalette(QPalette(QColor(240, 240, 240)));
    Theme theme(Theme::Choice::Desktop);
    QVERIFY(!theme.isDark());
    QSignalSpy changed(&theme, &Theme::changed);
    QApplication::setPalette(QPalette(QColor(30, 30, 30)));
    QTRY_VERIFY(theme.isDark());
    QCOMPARE(changed.count(), 1);
    QCOMPARE(QApplication::palette().color(QPalette::Window), theme.color(ColorId::Background));
    theme.setChoice(Theme::Choice::Light);
    QVERIFY(!theme.isDark());
}

void WindowTest::halfTypedFilterSurvivesARefresh()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    stage.outbox->showPage(stage.outbox->request(), page(50, false, false));
    auto *filter = stage.window->findChild<QLineEdit *>(u"typeFilter"_s);
    filter->setFocus();
    QTest::keyClicks(filter, u"mail.inv"_s);
    stage.outbox->showStats(samples::stats());
    stage.outbox->showPage(stage.outbox->request(), page(50, false, false));
    stage.outbox->showTable(samples::eventLayout());
    QCOMPARE(filter->text(), u"mail.inv"_s);
    QCOMPARE(filter->cursorPosition(), 8);
}

void WindowTest::filterIsAskedOnce()
{
    Stage stage;
    stage.fill(samples::sandbox());
    QSignalSpy asked(stage.outbox, &views::OutboxPage::pageWanted);
    auto *filter = stage.window->findChild<QLineEdit *>(u"typeFilter"_s);
    QTest::keyClicks(filter, u"mail."_s);
    QCOMPARE(asked.count(), 0);
    QTRY_COMPARE(asked.count(), 1);
    QCOMPARE(asked[0][0].value<engine::outbox::PageRequest>().filter.typePrefix, u"mail."_s);
    stage.window->findChild<QToolButton *>(u"chip-FAILED"_s)->click();
    QCOMPARE(asked.count(), 2);
    const auto request = asked[1][0].value<engine::outbox::PageRequest>();
    QCOMPARE(request.filter.statuses, QList<QByteArray>{"FAILED"});
    QVERIFY(!request.from);
}

void WindowTest::refreshKeepsSelectionAndScroll()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    auto rows = samples::rows(200);
    stage.outbox->showPage(stage.outbox->request(), {rows, true, false});
    auto *table = stage.window->findChild<QTableView *>(u"outboxTable"_s);
    table->setCurrentIndex(table->model()->index(60, 0));
    table->scrollTo(table->model()->index(50, 0), QAbstractItemView::PositionAtTop);
    const QByteArray top = table->indexAt(QPoint(1, 1)).data(models::IdRole).toByteArray();
    const QByteArray chosen = table->currentIndex().data(models::IdRole).toByteArray();
    auto fresh = samples::rows(10);
    for (auto &row : fresh)
        row.id.prepend("new-");
    rows.insert(rows.begin(), fresh.begin(), fresh.end());
    stage.outbox->showPage(stage.outbox->request(), {rows, true, false});
    QCOMPARE(table->indexAt(QPoint(1, 1)).data(models::IdRole).toByteArray(), top);
    QCOMPARE(table->currentIndex().data(models::IdRole).toByteArray(), chosen);
}

void WindowTest::scrollingWalksByKey()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    const auto rows = samples::rows(200);
    stage.outbox->showPage(stage.outbox->request(), {rows, true, false});
    auto *table = stage.window->findChild<QTableView *>(u"outboxTable"_s);
    QSignalSpy asked(stage.outbox, &views::OutboxPage::pageWanted);
    stage.actions.action(u"outbox-older"_s)->trigger(); // still far from the last row
    QCOMPARE(asked.count(), 0);
    QVERIFY(table->verticalScrollBar()->value() > 0);
    table->scrollToBottom();
    QCOMPARE(asked.count(), 1);
    const auto older = asked[0][0].value<engine::outbox::PageRequest>();
    QCOMPARE(older.from, engine::outbox::keyOf(rows.back()));
    QCOMPARE(older.direction, engine::outbox::PageDirection::Older);
    const auto topId = [table] {
        return table->model()->index(table->verticalScrollBar()->value(), 0).data(models::IdRole).toByteArray();
    };
    const QByteArray top = topId();
    auto more = samples::rows(300);
    more.erase(more.begin(), more.begin() + 200);
    stage.outbox->showPage(older, {more, false, true});
    QCOMPARE(table->model()->rowCount(), 300);
    QCOMPARE(topId(), top);
    QVERIFY(
        stage.window->findChild<QLabel *>(u"rowPosition"_s)->text().endsWith(u" of 300"_s)); // all of them are known
    stage.outbox->refresh(); // only what is in view
    const auto again = asked.last()[0].value<engine::outbox::PageRequest>();
    QVERIFY(again.from);
    QVERIFY(again.from != older.from);
}

void WindowTest::theBarSpansTheWholeTable()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    auto stats = samples::stats();
    std::erase_if(stats.counts, [](const auto &entry) { return entry.first == "CANCELLED"; }); // it is not available
    stage.outbox->showStats(stats);
    const auto rows = samples::rows(200);
    stage.outbox->showPage(stage.outbox->request(), {rows, true, false});
    const qint64 newest = *rows.front().orderAt;
    const qint64 oldest = newest - 1'000'000'000'000;
    stage.outbox->showSpread({}, engine::outbox::Spread({{newest, 0}, {oldest, 1}}));
    auto *table = stage.window->findChild<QTableView *>(u"outboxTable"_s);
    auto *bar = stage.window->findChild<QScrollBar *>(u"rowScroll"_s);
    auto *position = stage.window->findChild<QLabel *>(u"rowPosition"_s);
    QVERIFY(bar->isVisible());
    QVERIFY(bar->maximum() > 9'000'000);
    QVERIFY(position->text().startsWith(u"Rows 1–"_s));
    table->setCurrentIndex(table->model()->index(3, 0));
    const QByteArray chosen = table->currentIndex().data(models::IdRole).toByteArray();

    // Dragged to the middle.
    QSignalSpy asked(stage.outbox, &views::OutboxPage::pageWanted);
    bar->setSliderDown(true);
    bar->setSliderPosition(bar->maximum() / 2);
    bar->triggerAction(QAbstractSlider::SliderMove);
    QVERIFY(position->text().startsWith(u"About row 4.9"_s)); // at once, whatever the server does
    QTRY_COMPARE(asked.count(), 1);
    const auto jump = asked[0][0].value<engine::outbox::PageRequest>();
    QVERIFY(jump.at);
    QVERIFY(qAbs(*jump.at - (newest + oldest) / 2) < 1'000'000'000);
    QVERIFY(!jump.from);
    auto middle = samples::rows(200);
    for (size_t i = 0; i < middle.size(); ++i) {
        middle[i].id = "middle" + QByteArray::number(int(i));
        middle[i].orderAt = *jump.at - qint64(i);
    }
    stage.outbox->showPage(jump, {middle, true, true});
    bar->setSliderDown(false);
    QCOMPARE(table->indexAt(QPoint(1, 1)).data(models::IdRole).toByteArray(), "middle0");
    QVERIFY(qAbs(bar->value() - bar->maximum() / 2) < 10'000);
    // The chosen row is not in the list any more, and stays open all the same.
    QVERIFY(!table->currentIndex().isValid());
    stage.outbox->refresh();
    QCOMPARE(stage.window->findChild<QTableView *>(u"outboxTable"_s)->model()->rowCount(), 200);

    stage.shoot(u"outbox-middle"_s);

    // Rows before the first one are fetched without moving those in view.
    QVERIFY(asked.count() >= 2);
    auto newer = asked[1][0].value<engine::outbox::PageRequest>();
    QCOMPARE(newer.direction, engine::outbox::PageDirection::Newer);
    QCOMPARE(newer.from->id, "middle0");

    // End and Home are the ends of the whole.
    QSignalSpy detail(stage.outbox, &views::OutboxPage::detailWanted);
    QTest::keyClick(table, Qt::Key_End);
    const auto end = asked.last()[0].value<engine::outbox::PageRequest>();
    QCOMPARE(end.direction, engine::outbox::PageDirection::Newer);
    QVERIFY(!end.from);
    auto last = middle;
    for (auto &row : last)
        row.id.replace("middle", "last");
    stage.outbox->showPage(end, {last, false, true});
    QCOMPARE(bar->value(), bar->maximum());
    QCOMPARE(table->currentIndex().data(models::IdRole).toByteArray(), "last199");
    QCOMPARE(detail.last()[0].toByteArray(), "last199");
    QTest::keyClick(table, Qt::Key_Home);
    const auto home = asked.last()[0].value<engine::outbox::PageRequest>();
    QCOMPARE(home.direction, engine::outbox::PageDirection::Older);
    QVERIFY(!home.from && !home.at);
    stage.outbox->showPage(home, {rows, true, false});
    QCOMPARE(bar->value(), 0);
    QCOMPARE(table->currentIndex().row(), 0);
    QCOMPARE(detail.last()[0].toByteArray(), rows.front().id);
    // An end that is still on its way does not take the place of a row chosen meanwhile.
    QTest::keyClick(table, Qt::Key_End);
    stage.outbox->reveal(u"found elsewhere"_s);
    stage.outbox->showPage(asked.last()[0].value<engine::outbox::PageRequest>(), {last, false, true});
    QVERIFY(!table->currentIndex().isValid());
    QCOMPARE(detail.last()[0].toByteArray(), "found elsewhere");
    QVERIFY(!chosen.isEmpty());
}

void WindowTest::searchesSayWhatTheyCost()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.window->show();
    QVERIFY(QTest::qWaitForWindowExposed(stage.window.get()));
    QSignalSpy asked(stage.outbox, &views::OutboxPage::pageWanted);
    QSignalSpy wanted(stage.outbox, &views::OutboxPage::searchWanted);
    QSignalSpy stopped(stage.outbox, &views::OutboxPage::searchStopWanted);
    QSignalSpy resumed(stage.outbox, &views::OutboxPage::searchResumeWanted);
    stage.window->findChild<QLineEdit *>(u"typeFilter"_s)->setText(u"mail.lost"_s);
    QTRY_COMPARE(asked.count(), 1);
    const auto request = asked[0][0].value<engine::outbox::PageRequest>();
    stage.outbox->showSearchNeeded(request, {.looks = 9'950'000, .matches = 50'000});
    QCOMPARE(wanted.count(), 1);
    auto *said = stage.window->findChild<QLabel *>(u"rowSearchState"_s);
    QVERIFY(said->isVisible());
    QVERIFY(said->text().contains(u"9.95 M"_s));
    engine::watch::RowSearchProgress progress;
    progress.filter = request.filter;
    progress.cost.looks = 9'950'000;
    progress.looked = 1'200'000;
    progress.found = samples::rows(7);
    stage.outbox->showSearch(progress);
    auto *table = stage.window->findChild<QTableView *>(u"outboxTable"_s);
    QCOMPARE(table->model()->rowCount(), 7);
    QVERIFY(said->text().contains(u"7 found"_s) && said->text().contains(u"1.20 M"_s));
    QVERIFY(stage.window->findChild<QLabel *>(u"rowPosition"_s)->text().endsWith(u"of 7+"_s));
    stage.shoot(u"outbox-search"_s);
    stage.outbox->refreshQuietly(); // what costs so much is not asked again by the clock
    QCOMPARE(asked.count(), 1);
    // Esc stops it, from anywhere on the page.
    QTest::keyClick(table, Qt::Key_Escape);
    QCOMPARE(stopped.count(), 1);
    progress.running = false;
    progress.found.clear();
    stage.outbox->showSearch(progress);
    QVERIFY(said->text().contains(u"stopped"_s));
    QCOMPARE(resumed.count(), 0);
    stage.window->findChild<QPushButton *>(u"rowStop"_s)->click();
    QCOMPARE(resumed.count(), 1);
    progress.running = true;
    stage.outbox->showSearch(progress);
    progress.running = false;
    progress.done = true;
    progress.looked = 9'990'000;
    stage.outbox->showSearch(progress);
    QVERIFY(said->text().contains(u"all 9,990,000"_s));
    QVERIFY(stage.window->findChild<QLabel *>(u"rowPosition"_s)->text().endsWith(u"of 7"_s));
    stage.window->findChild<QLineEdit *>(u"typeFilter"_s)->clear();
    QTRY_COMPARE(asked.count(), 2);
    QVERIFY(!said->isVisible());
}

void WindowTest::lateAnswersAreDropped()
{
    Stage stage;
    stage.fill(samples::sandbox());
    const auto first = stage.outbox->request();
    stage.window->findChild<QToolButton *>(u"chip-FAILED"_s)->click();
    stage.outbox->showPage(first, page(9, false, false));
    auto *table = stage.window->findChild<QTableView *>(u"outboxTable"_s);
    QCOMPARE(table->model()->rowCount(), 0);
    stage.outbox->showPage(stage.outbox->request(), page(4, false, false));
    QCOMPARE(table->model()->rowCount(), 4);
}

void WindowTest::rowsStayWhenTheServerGoes()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.window->show();
    stage.outbox->showPage(stage.outbox->request(), page(7, false, false));
    auto *table = stage.window->findChild<QTableView *>(u"outboxTable"_s);
    stage.outbox->showError(samples::cannotConnect());
    QVERIFY(table->isVisible());
    QCOMPARE(table->model()->rowCount(), 7);
    QVERIFY(stage.outbox->findChild<QWidget *>(u"banner"_s)->isVisible());
    stage.outbox->showPage(stage.outbox->request(), page(7, false, false));
    QVERIFY(!stage.outbox->findChild<QWidget *>(u"banner"_s)->isVisible());
}

void WindowTest::readOnlyRefusesToStart()
{
    Stage stage;
    stage.window->setCurrentPage(u"dispatcher"_s);
    stage.window->show();
    stage.dispatcher->setProfile(samples::production());
    stage.dispatcher->setReady(true, {});
    auto *button = stage.window->findChild<QPushButton *>(u"dispatchButton"_s);
    QVERIFY(!button->isEnabled());
    QVERIFY(stage.dispatcher->findChild<QWidget *>(u"banner"_s)->isVisible());
    QSignalSpy wanted(stage.dispatcher, &views::DispatcherPage::startWanted);
    stage.actions.action(u"dispatcher-toggle"_s)->trigger();
    QCOMPARE(wanted.count(), 0);
    stage.dispatcher->setProfile(samples::sandbox());
    stage.dispatcher->setReady(true, {});
    button->click();
    QCOMPARE(wanted.count(), 1);
}

void WindowTest::stateIsRestored()
{
    QJsonObject saved;
    {
        Stage stage;
        stage.fill(samples::sandbox());
        stage.window->show(); // only a shown table is resized by its user
        stage.outbox->showPage(stage.outbox->request(), page(5, false, false));
        stage.window->findChild<QToolButton *>(u"chip-FAILED"_s)->click();
        stage.window->findChild<QLineEdit *>(u"typeFilter"_s)->setText(u"mail."_s);
        stage.window->findChild<QTableView *>(u"outboxTable"_s)->setColumnWidth(models::OutboxModel::Type, 333);
        saved = stage.outbox->saveState();
    }
    Stage stage;
    stage.outbox->restoreState(saved);
    QCOMPARE(stage.window->findChild<QTableView *>(u"outboxTable"_s)->columnWidth(models::OutboxModel::Type), 333);
    stage.fill(samples::sandbox()); // statuses become known with the table
    QCOMPARE(stage.outbox->request().filter.statuses, QList<QByteArray>{"FAILED"});
    QCOMPARE(stage.outbox->request().filter.typePrefix, u"mail."_s);
}

void WindowTest::spaceInAListPauses()
{
    Stage stage;
    stage.fill(samples::sandbox());
    stage.outbox->showPage(stage.outbox->request(), page(7, false, false));
    QSignalSpy paused(stage.actions.action(u"pause"_s), &QAction::triggered);
    QTest::keyClick(stage.window->findChild<QTableView *>(u"outboxTable"_s), Qt::Key_Space);
    QCOMPARE(paused.count(), 1);
}

void WindowTest::largePayloadsDoNotFreeze()
{
    Stage stage;
    views::JsonView view(stage.theme);
    view.resize(320, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QByteArray large = "[\"" + QByteArray(4 * 1024 * 1024, 'x') + "\"]";
    QElapsedTimer timer;
    timer.start();
    view.setPayload(large, large.size(), u"jsonb"_s);
    view.grab();
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(view.view().visibleText().contains(u"xxxx"_s));
}

void WindowTest::copiedPayloadIsTheStoredOne()
{
    Stage stage;
    views::JsonView view(stage.theme);
    view.resize(320, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QByteArray stored = R"({"n":9007199254740993,  "x":1e400})";
    view.setPayload(stored, stored.size(), u"text"_s);
    QVERIFY(view.view().visibleText().contains(u"9007199254740993"_s));
    view.findChild<QToolButton *>(u"copyPayload"_s)->click();
    QTRY_COMPARE(QApplication::clipboard()->text(), QString::fromUtf8(stored));
}

void WindowTest::composeChecksWhileTyping()
{
    Stage stage;
    const auto router = engine::dispatch::Router::builtIn(engine::outbox::LayoutKind::Event);
    views::ComposeDialog dialog(stage.theme, samples::sandbox(), samples::eventLayout(), router);
    auto *type = dialog.findChild<QLineEdit *>(u"typeField"_s);
    auto *payload = dialog.findChild<views::JsonEdit *>(u"payloadField"_s);
    auto *publish = dialog.findChild<QPushButton *>(u"publishButton"_s);
    QVERIFY(!publish->isEnabled());
    type->setText(u"mail.invoice.sent"_s);
    QVERIFY(!publish->isEnabled()); // no tenant yet
    dialog.findChild<QLineEdit *>(u"tenantField"_s)->setText(u"t_1"_s);
    QVERIFY(publish->isEnabled());
    payload->setPlainText(u"{\n  \"ü\": tru\n}"_s);
    QVERIFY(!publish->isEnabled());
    QCOMPARE(payload->problem(), u"Line 2, column 8: expected a value"_s);
    payload->setPlainText(u"{}"_s);
    QVERIFY(publish->isEnabled());
    type->setText(u"crm.contact.synced"_s); // no route
    QVERIFY(!publish->isEnabled());
    type->setText(u"Mail"_s); // no name
    QVERIFY(!publish->isEnabled());
}

void WindowTest::composePublishesOnce()
{
    Stage stage;
    const auto router = engine::dispatch::Router::builtIn(engine::outbox::LayoutKind::Event);
    views::ComposeDialog dialog(stage.theme, samples::sandbox(), samples::eventLayout(), router);
    dialog.findChild<QLineEdit *>(u"typeField"_s)->setText(u"mail.invoice.sent"_s);
    dialog.findChild<QLineEdit *>(u"tenantField"_s)->setText(u"t_1"_s);
    auto *publish = dialog.findChild<QPushButton *>(u"publishButton"_s);
    QSignalSpy wanted(&dialog, &views::ComposeDialog::publishWanted);
    publish->click();
    publish->click(); // while the first is on its way
    QCOMPARE(wanted.count(), 1);
    dialog.showPublished({"id-1", false});
    QVERIFY(publish->isEnabled());
}

void WindowTest::connectKeepsPasswordsApart()
{
    Stage stage;
    views::ConnectDialog dialog(stage.theme);
    dialog.setProfiles({samples::sandbox(), samples::production()}, u"billing-prod"_s);
    for (const QLineEdit *edit : dialog.findChildren<QLineEdit *>()) {
        if (edit->echoMode() == QLineEdit::Normal)
            QVERIFY(!edit->text().contains(u"secret"_s));
    }
    QSignalSpy connecting(&dialog, &views::ConnectDialog::connectWanted);
    dialog.findChild<QPushButton *>(u"connectButton"_s)->click();
    QCOMPARE(connecting.count(), 1);
    const auto profile = connecting[0][0].value<engine::config::ConnectionProfile>();
    QCOMPARE(profile.databaseUrl, samples::production().databaseUrl);
    QCOMPARE(profile.redisUrl, samples::production().redisUrl);
    QVERIFY(profile.readOnly);
}

QTEST_MAIN(WindowTest)
#include "tst_window.moc"
