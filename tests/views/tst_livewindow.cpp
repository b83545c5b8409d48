// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include <app/window/windowcontroller.h>

#include <views/dialogs/composedialog.h>
#include <views/dialogs/finddialog.h>
#include <views/pages/dispatcherpage.h>
#include <views/pages/overviewpage.h>
#include <views/shell/mainwindow.h>
#include <views/theme/theme.h>
#include <views/widgets/tile.h>

#include <models/outboxmodel.h>

#include <engine/history/connectionkey.h>
#include <engine/history/historystore.h>

#include <QAction>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

using namespace Qt::StringLiterals;
using engine::dispatch::DispatcherState;

// The window as a user meets it: it opens on a sandbox of its own, dispatches, publishes, and closes again.
class LiveWindowTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void fromStartToClose();

private:
    static void shoot(QWidget &window, const QString &name);

    QTemporaryDir m_folder;
};

void LiveWindowTest::initTestCase()
{
    QVERIFY(m_folder.isValid());
    // As root the servers run as another user, who has to get there.
    QVERIFY(QFile::setPermissions(
        m_folder.path(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner | QFile::ExeGroup | QFile::ExeOther));
}

void LiveWindowTest::shoot(QWidget &window, const QString &name)
{
    const QDir folder(QStringLiteral(SCREENSHOT_FOLDER));
    QVERIFY(folder.mkpath(u"."_s));
    QCoreApplication::sendPostedEvents();
    QVERIFY(window.grab().save(folder.filePath(name)));
}

void LiveWindowTest::fromStartToClose()
{
    views::Theme theme(views::Theme::Choice::Light);
    QSettings settings(m_folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
    const auto secrets = engine::secrets::makeMemoryStore();
    app::WindowOptions options;
    options.sandboxFolder = m_folder.filePath(u"sandbox"_s);
    options.historyFile = m_folder.filePath(u"history.sqlite"_s);
    auto controller = std::make_unique<app::WindowController>(theme, settings, *secrets, options);
    views::MainWindow &window = controller->window();

    // The window is there at once, whatever the servers do.
    QElapsedTimer timer;
    timer.start();
    controller->start();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    shoot(window, u"live-1-starting.png"_s);

    // The overview comes first, with figures of the sandbox.
    QCOMPARE(window.currentPage(), u"overview"_s);
    auto *overview = window.findChild<views::OverviewPage *>();
    const auto known = [overview] {
        for (const auto *tile : overview->findChildren<views::Tile *>()) {
            if (tile->accessibleName().startsWith(u"Dead: ") && !tile->accessibleName().startsWith(u"Dead: –"))
                return true;
        }
        return false;
    };
    const bool seen = QTest::qWaitFor(known, 60'000);
    shoot(window, u"live-1-overview.png"_s);
    QVERIFY(seen);

    // Find leads to another page by the keyboard alone.
    window.findChild<QAction *>(u"find"_s)->trigger();
    auto *find = window.findChild<views::FindDialog *>();
    QVERIFY(find);
    QTest::keyClicks(find->findChild<QLineEdit *>(), u"outbox"_s);
    QTest::keyClick(find->findChild<QLineEdit *>(), Qt::Key_Return);
    QCOMPARE(window.currentPage(), u"outbox"_s);

    auto *table = window.findChild<QTableView *>(u"outboxTable"_s);
    const bool hasRows = QTest::qWaitFor([table] { return table->model()->rowCount() > 0; }, 60'000);
    shoot(window, u"live-2-first-rows.png"_s); // says why, if there are none
    QVERIFY(hasRows);
    auto *dispatcher = window.findChild<views::DispatcherPage *>();
    QTRY_COMPARE_WITH_TIMEOUT(dispatcher->state(), DispatcherState::Running, 20'000);
    table->setCurrentIndex(table->model()->index(0, 0));

    auto *compose = window.findChild<QAction *>(u"compose"_s);
    QVERIFY(compose);
    compose->trigger();
    auto *dialog = window.findChild<views::ComposeDialog *>();
    QVERIFY(dialog);
    dialog->findChild<QLineEdit *>(u"typeField"_s)->setText(u"mail.live.tested"_s);
    dialog->findChild<QLineEdit *>(u"tenantField"_s)->setText(u"acme"_s);
    QSignalSpy published(dialog, &views::ComposeDialog::publishWanted);
    dialog->findChild<QPushButton *>(u"publishButton"_s)->click();
    QCOMPARE(published.count(), 1);
    const auto statusOf = [table](const QString &type) {
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            if (table->model()->index(row, models::OutboxModel::Type).data().toString() == type)
                return table->model()->index(row, models::OutboxModel::Status).data().toString();
        }
        return QString();
    };
    const bool handedOver = QTest::qWaitFor([&] { return statusOf(u"mail.live.tested"_s) == u"DONE"_s; }, 20'000);
    shoot(window, u"live-3-outbox.png"_s);
    shoot(*dialog, u"live-3-compose.png"_s);
    QVERIFY(handedOver);
    dialog->close();

    window.setCurrentPage(u"queues"_s);
    auto *queues = window.findChild<QTableView *>(u"queueTable"_s);
    QTRY_VERIFY_WITH_TIMEOUT(queues->model()->rowCount() > 0, 20'000);
    shoot(window, u"live-4-queues.png"_s);
    window.setCurrentPage(u"dispatcher"_s);
    QTRY_VERIFY(window.findChild<QTableView *>(u"logTable"_s)->model()->rowCount() > 0);
    shoot(window, u"live-5-dispatcher.png"_s);

    QSignalSpy closed(controller.get(), &app::WindowController::closed);
    window.close();
    QVERIFY(!window.isVisible()); // at once; the rest goes on behind it
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, 30'000);
    controller.reset();
    QCOMPARE(settings.value(u"window/page"_s).toString(), u"dispatcher"_s);

    // What was seen is there for the next start.
    engine::history::HistoryStore history(options.historyFile);
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    const auto samples =
        history.series(engine::history::connectionKey(app::ProfileStore::sandbox()), {"dead"}, now - 600'000, now, 100);
    QVERIFY(samples && samples->series.size() == 1);
}

QTEST_MAIN(LiveWindowTest)
#include "tst_livewindow.moc"
