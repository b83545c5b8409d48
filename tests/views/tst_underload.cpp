// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <app/window/windowcontroller.h>

#include <views/pages/outboxpage.h>
#include <views/shell/mainwindow.h>
#include <views/theme/theme.h>

#include <models/outboxmodel.h>
#include <models/rowwindow.h>

#include <engine/outbox/discovery.h>

#include <tests/support/busywatch.h>
#include <tests/support/loadwriter.h>
#include <tests/support/outboxtables.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QAction>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
namespace sql = engine::sql;

// The window on a table that changes a thousand times a second: nothing the user looks at or types moves, the window
// stays lively, and when nobody looks nothing is asked.
class UnderLoadTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void theUserIsLeftAlone();
    void theBarReachesEverything();
    void nobodyLooksNothingIsAsked();
    void searchesEndWithTheirPage();
    void cleanupTestCase();

private:
    QByteArray idAtTop() const { return m_table->indexAt(QPoint(1, 1)).data(models::IdRole).toByteArray(); }
    // When the window's connections were last asked anything.
    QByteArray lastAsked();
    // Nothing is asked while the writer makes as many changes as take several refreshes' time.
    bool staysSilent();

    QTemporaryDir m_folder;
    std::unique_ptr<test::PrivateServers> m_servers;
    std::unique_ptr<sql::Connection> m_connection;
    std::unique_ptr<test::LoadWriter> m_writer;
    std::unique_ptr<views::Theme> m_theme;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<engine::secrets::SecretStore> m_secrets;
    std::unique_ptr<app::WindowController> m_controller;
    views::MainWindow *m_window = nullptr;
    views::OutboxPage *m_page = nullptr;
    QTableView *m_table = nullptr;
};

void UnderLoadTest::initTestCase()
{
    auto servers = test::PrivateServers::start();
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto connection = test::connect(m_servers->databaseUrl());
    VERIFY_WORKED(connection);
    m_connection = std::move(*connection);
    VERIFY_WORKED(m_connection->executeScript(test::tableText(test::tableVariants()[0], "public", "OutboxEvent")));
    auto layout = engine::outbox::discover(*m_connection, {});
    VERIFY_WORKED(layout);
    VERIFY_WORKED(m_connection->execute(test::insertRows(
        *layout, 1, 60'000,
        {.status = "CASE WHEN n % 40 = 0 THEN 'FAILED' ELSE 'DONE' END",
         .scheduledAt = "(now() AT TIME ZONE 'UTC') - interval '1 hour' - (60000 - n) * interval '1 second'"})));
    VERIFY_WORKED(m_connection->execute("ANALYZE \"OutboxEvent\""));

    m_theme = std::make_unique<views::Theme>(views::Theme::Choice::Light);
    m_settings = std::make_unique<QSettings>(m_folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
    m_secrets = engine::secrets::makeMemoryStore();
    app::WindowOptions options;
    options.profile.emplace();
    options.profile->name = u"load"_s;
    options.profile->databaseUrl = m_servers->databaseUrl();
    options.profile->redisUrl = m_servers->redisUrl();
    options.historyFile = m_folder.filePath(u"history.sqlite"_s);
    options.sandboxFolder = m_folder.filePath(u"sandbox"_s);
    m_controller = std::make_unique<app::WindowController>(*m_theme, *m_settings, *m_secrets, options);
    m_window = &m_controller->window();
    m_page = m_window->findChild<views::OutboxPage *>();
    m_table = m_window->findChild<QTableView *>(u"outboxTable"_s);
    m_window->resize(1280, 800);
    m_controller->start();
    m_window->setCurrentPage(u"outbox"_s);
    QVERIFY(QTest::qWaitForWindowExposed(m_window));
    QTRY_VERIFY_WITH_TIMEOUT(m_table->model()->rowCount() > 0, 20'000);
    m_writer = std::make_unique<test::LoadWriter>(m_servers->databaseUrl(), *layout, 1000);
}

void UnderLoadTest::cleanupTestCase()
{
    m_writer.reset();
    if (!m_controller)
        return;
    QSignalSpy closed(m_controller.get(), &app::WindowController::closed);
    m_controller->close();
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, 30'000);
    m_controller.reset();
}

void UnderLoadTest::theUserIsLeftAlone()
{
    // Where nothing but time passes: rows of an hour ago, some way down the list.
    QTRY_VERIFY_WITH_TIMEOUT(m_writer->changes() > 2000, 20'000);
    m_table->verticalScrollBar()->setValue(40);
    QTRY_VERIFY_WITH_TIMEOUT(!idAtTop().isEmpty(), 5000);
    m_table->setCurrentIndex(m_table->indexAt(QPoint(1, m_table->viewport()->height() / 2)));
    const QByteArray chosen = m_table->currentIndex().data(models::IdRole).toByteArray();
    const QByteArray top = idAtTop();
    QVERIFY(!chosen.isEmpty());
    const auto isOpen = [&] {
        const auto fields = m_page->findChildren<QLineEdit *>();
        const auto labels = m_page->findChildren<QLabel *>();
        return std::ranges::any_of(fields, [&](const QLineEdit *f) { return f->text() == QString::fromUtf8(chosen); })
            || std::ranges::any_of(labels,
                                   [&](const QLabel *l) { return l->text().contains(QString::fromUtf8(chosen)); });
    };
    QTRY_VERIFY_WITH_TIMEOUT(isOpen(), 10'000);

    // Somebody types all the while, never long enough at rest for the filter to be asked for.
    auto *filter = m_window->findChild<QLineEdit *>(u"typeFilter"_s);
    filter->setFocus();
    QTimer typing;
    QString typed;
    connect(&typing, &QTimer::timeout, this, [&] {
        typed += QChar(static_cast<char16_t>(u'a' + typed.size() % 26));
        QTest::keyClick(filter, typed.back().toLatin1());
    });
    QSignalSpy asked(m_page, &views::OutboxPage::pageWanted);
    const qint64 before = m_writer->changes();
    typing.start(150);
    test::BusyWatch busy;
    busy.watch(6000);
    typing.stop();
    const qint64 changes = m_writer->changes() - before;
    qInfo("%lld changes in 6 s, %lld questions for rows; GUI thread busy for at most %.1f ms (%.1f ms of its own CPU)",
          static_cast<long long>(changes), static_cast<long long>(asked.count()), busy.mostMs(), busy.mostCpuMs());
    QVERIFY(!m_writer->hasFailed());
    QVERIFY2(changes > 1500, qPrintable(QString::number(changes)));
    QVERIFY(asked.count() >= 2);
    QVERIFY(busy.knocks() > 500);
    QVERIFY(busy.mostCpuMs() < 500); // its own work; on a busy machine the clock tells of others too
    QVERIFY(busy.mostMs() < 2000);
    QCOMPARE(filter->text(), typed);
    QCOMPARE(filter->cursorPosition(), typed.size());
    QCOMPARE(m_table->currentIndex().data(models::IdRole).toByteArray(), chosen);
    QCOMPARE(idAtTop(), top);
    QVERIFY(isOpen());
    filter->clear();
    QTest::keyClick(filter, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(m_table->model()->rowCount() > 0, 10'000);
}

void UnderLoadTest::theBarReachesEverything()
{
    auto *bar = m_window->findChild<QScrollBar *>(u"rowScroll"_s);
    QTRY_VERIFY_WITH_TIMEOUT(bar->maximum() > 50'000, 10'000);
    QTest::keyClick(m_table, Qt::Key_End);
    QTRY_COMPARE_WITH_TIMEOUT(
        m_table->model()->index(m_table->model()->rowCount() - 1, 0).data(models::IdRole).toByteArray(), "r1", 10'000);
    QTRY_COMPARE(bar->value(), bar->maximum());
    for (const double share : {0.75, 0.25, 0.5}) {
        bar->setSliderDown(true);
        bar->setSliderPosition(static_cast<int>(share * bar->maximum()));
        bar->triggerAction(QAbstractSlider::SliderMove);
        const auto number = [this] { return idAtTop().startsWith('r') ? idAtTop().mid(1).toInt() : 0; };
        QTRY_VERIFY2_WITH_TIMEOUT(qAbs(number() - (1 - share) * 60'000) < 6000, idAtTop().constData(), 10'000);
        bar->setSliderDown(false);
        QVERIFY(m_table->model()->rowCount() <= models::RowWindow::mostRows);
    }
    // From there every row follows the next one, however far.
    int previous = 0;
    for (int pages = 0; pages < 150; ++pages) {
        const QByteArray id = idAtTop();
        QVERIFY(id.startsWith('r'));
        if (previous != 0)
            QVERIFY(id.mid(1).toInt() < previous);
        previous = id.mid(1).toInt();
        QScrollBar *own = m_table->verticalScrollBar();
        QTRY_VERIFY_WITH_TIMEOUT(own->maximum() >= own->value() + 20, 10'000);
        own->setValue(own->value() + 20);
        QTRY_COMPARE_WITH_TIMEOUT(idAtTop(), "r" + QByteArray::number(previous - 20), 10'000);
    }
    QVERIFY(m_table->model()->rowCount() <= models::RowWindow::mostRows);
    m_window->findChild<QAction *>(u"outbox-newest"_s)->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(idAtTop().startsWith("load-"), 10'000);
    QTRY_COMPARE(bar->value(), 0);
}

QByteArray UnderLoadTest::lastAsked()
{
    auto rows = m_connection->execute("SELECT max(query_start)::text || ' ' || count(*) FROM pg_stat_activity WHERE "
                                      "application_name LIKE 'outbox-console%' AND pid <> pg_backend_pid() AND "
                                      "application_name NOT LIKE 'outbox-console' AND state IS NOT NULL");
    return rows ? rows->bytes(0, 0).toByteArray() : QByteArray();
}

bool UnderLoadTest::staysSilent()
{
    // What was on its way may still be answered.
    QByteArray last;
    const auto rests = [&] {
        auto rows = m_connection->execute("SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE "
                                          "'outbox-console %' AND state <> 'idle'");
        return rows && rows->integer(0, 0) == 0;
    };
    if (!QTest::qWaitFor(rests, 10'000))
        return false;
    const qint64 settle = m_writer->changes() + 500;
    if (!QTest::qWaitFor([&] { return m_writer->changes() > settle; }, 20'000))
        return false;
    last = lastAsked();
    const qint64 enough = m_writer->changes() + 6000; // some six seconds at least, of refreshes every two
    return QTest::qWaitFor([&] { return m_writer->changes() > enough; }, 60'000) && !last.isEmpty()
        && lastAsked() == last;
}

void UnderLoadTest::nobodyLooksNothingIsAsked()
{
    const QByteArray before = lastAsked();
    QTRY_VERIFY_WITH_TIMEOUT(lastAsked() != before, 20'000); // while it is in view
    m_window->hide();
    QVERIFY(staysSilent());
    m_window->show();
    const QByteArray hidden = lastAsked();
    QTRY_VERIFY_WITH_TIMEOUT(lastAsked() != hidden, 20'000);
    m_window->findChild<QAction *>(u"pause"_s)->trigger();
    QVERIFY(staysSilent());
    m_window->findChild<QAction *>(u"pause"_s)->trigger();
    const QByteArray paused = lastAsked();
    QTRY_VERIFY_WITH_TIMEOUT(lastAsked() != paused, 20'000);
}

void UnderLoadTest::searchesEndWithTheirPage()
{
    auto *said = m_window->findChild<QLabel *>(u"rowSearchState"_s);
    auto *filter = m_window->findChild<QLineEdit *>(u"typeFilter"_s);
    filter->setText(u"no.such.type"_s);
    QTest::keyClick(filter, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(said->isVisible(), 20'000);
    QTRY_VERIFY_WITH_TIMEOUT(said->text().contains(u"looked at all"_s), 60'000);
    QCOMPARE(m_table->model()->rowCount(), 0);

    // Enough found for now; then it waits for somebody's lock when the user goes elsewhere.
    filter->setText(u"mail."_s);
    QTest::keyClick(filter, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(said->text().contains(u"goes on"_s), 20'000);
    QVERIFY(m_table->model()->rowCount() >= 200);
    m_writer.reset();
    auto watch = test::connect(m_servers->databaseUrl()); // within a transaction the view below stands still
    VERIFY_WORKED(watch);
    const auto searching = [&watch] {
        auto rows = (*watch)->execute("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND "
                                      "application_name = 'outbox-console search'");
        return rows ? rows->integer(0, 0) : -1;
    };
    VERIFY_WORKED(m_connection->execute("BEGIN"));
    VERIFY_WORKED(m_connection->execute("LOCK TABLE \"OutboxEvent\" IN ACCESS EXCLUSIVE MODE"));
    m_window->findChild<QPushButton *>(u"rowStop"_s)->click();
    QTRY_COMPARE_WITH_TIMEOUT(searching(), 1, 20'000);
    m_window->setCurrentPage(u"queues"_s);
    QTRY_COMPARE_WITH_TIMEOUT(searching(), 0, 5000);
    VERIFY_WORKED(m_connection->execute("ROLLBACK"));
    m_window->setCurrentPage(u"outbox"_s);
    QVERIFY(said->text().contains(u"stopped"_s)); // and stays so until it is told to go on
    filter->clear();
    QTest::keyClick(filter, Qt::Key_Return);
    QTRY_VERIFY_WITH_TIMEOUT(!said->isVisible(), 20'000);
    QVERIFY(m_table->model()->rowCount() > 0);
}

QTEST_MAIN(UnderLoadTest)
#include "tst_underload.moc"
