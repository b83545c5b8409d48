// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later

// A walk through every page of the real window on real servers, in pictures to be looked at:
// build/screenshots/walk/STATE-PAGE-THEME-SIZE.png and a contact sheet, index.html.

#include "windowtour.h"

#include <views/dialogs/finddialog.h>
#include <views/pages/alertspage.h>
#include <views/pages/tracepage.h>
#include <views/shell/page.h>
#include <views/theme/theme.h>

#include <engine/history/connectionkey.h>
#include <engine/history/historystore.h>

#include <tests/support/incident.h>
#include <tests/support/testservers.h>
#include <tests/support/verify.h>

#include <QAbstractButton>
#include <QDateTime>
#include <QDir>
#include <QLineEdit>
#include <QProcess>
#include <QSettings>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>

#include <cmath>

using namespace engine;
using namespace Qt::StringLiterals;
using views::Theme;

namespace {

constexpr QSize small(1280, 800);
constexpr QSize large(1920, 1080);
constexpr int patience = 30'000; // ms

} // namespace

class WalkTest final : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void empty();
    void fullInGerman();
    void full();
    void failing(); // goes on from full()
    void neverThere();
    void neverThereInGerman();
    void cleanupTestCase();

private:
    // Dressing the whole window anew takes longer than anything else here: once per style, then through all pages.
    struct Style
    {
        Theme::Choice theme;
        QSize size;
        QString name;
    };
    static std::vector<Style> styles(size_t count); // light and small, dark and large, light and large, dark and small
    void dress(const Style &style);
    void open(const config::ConnectionProfile &profile);
    void close();
    void speakGerman(bool german);
    [[nodiscard]] config::ConnectionProfile incidentProfile() const;
    void recordHistory(const config::ConnectionProfile &profile);
    void shoot(const QString &state, const QString &page); // in the style worn
    void shootFull(const QString &state, size_t styleCount);
    void shootTrouble(const QString &state, size_t styleCount);
    void writeSheet() const;

    QTemporaryDir m_folder;
    QTranslator m_german;
    QDir m_pictures;
    std::unique_ptr<test::PrivateServers> m_servers;
    test::Incident m_incident;

    std::unique_ptr<Theme> m_theme;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<secrets::SecretStore> m_secrets;
    std::unique_ptr<app::WindowController> m_controller;
    std::unique_ptr<WindowTour> m_tour;
    QString m_style; // worn
    QStringList m_shot; // names of the pictures, without ending
};

void WalkTest::initTestCase()
{
    QVERIFY(m_german.load(QStringLiteral(GERMAN_TEXTS)));
    m_pictures.setPath(QStringLiteral(SCREENSHOT_FOLDER "/walk"));
    m_pictures.removeRecursively();
    QVERIFY(m_pictures.mkpath(u"."_s));
    auto servers = test::PrivateServers::start();
    VERIFY_WORKED(servers);
    m_servers = std::move(*servers);
    auto incident = test::Incident::make(m_servers->databaseUrl(), m_servers->redisUrl());
    VERIFY_WORKED(incident);
    m_incident = std::move(*incident);
}

config::ConnectionProfile WalkTest::incidentProfile() const
{
    config::ConnectionProfile profile;
    profile.name = u"shop-production"_s;
    profile.databaseUrl = m_servers->databaseUrl();
    profile.redisUrl = m_servers->redisUrl();
    profile.production = true;
    return profile;
}

// As if the console had been watching for two hours when the mail server went away.
void WalkTest::recordHistory(const config::ConnectionProfile &profile)
{
    history::HistoryStore store(m_folder.filePath(u"history.sqlite"_s));
    VERIFY_WORKED(store.open());
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (int step = 720; step > 0; --step) {
        const double minutes = step / 6.0; // ago
        const double wave = std::sin(step / 40.0) + std::sin(step / 7.0) / 3;
        const bool trouble = minutes < 8;
        const double due = trouble ? (8 - minutes) * 20 : 3 + wave;
        VERIFY_WORKED(store.record(history::connectionKey(profile), now - step * 10'000,
                                   {{"due", std::max(0.0, due)},
                                    {"due.oldest", trouble ? (8 - minutes) * 60'000 : 900 + wave * 300},
                                    {"inflight", trouble ? 3 : 1},
                                    {"retrying", trouble ? 23 : 2},
                                    {"dead", trouble ? 45 : 38 + std::floor((120 - minutes) / 30)},
                                    {"handed", trouble ? 40 + wave * 10 : 380 + wave * 60},
                                    {"latency.p50", trouble ? 4900 : 160 + wave * 30},
                                    {"latency.p95", trouble ? 8600 : 420 + wave * 90},
                                    {"failure", trouble ? 0.052 : 0.002},
                                    {"queue.depth/outbox.webhook", trouble ? (8 - minutes) * 4 : 0},
                                    {"queue.depth/outbox.mail", 2 + wave}}));
    }
}

void WalkTest::open(const config::ConnectionProfile &profile)
{
    m_theme = std::make_unique<Theme>(Theme::Choice::Light);
    m_settings = std::make_unique<QSettings>(m_folder.filePath(u"settings.ini"_s), QSettings::IniFormat);
    m_settings->clear();
    m_settings->setValue(u"alerts/desktop"_s, false);
    m_secrets = secrets::makeMemoryStore();
    app::WindowOptions options;
    options.historyFile = m_folder.filePath(u"history.sqlite"_s);
    options.profile = profile;
    m_controller = std::make_unique<app::WindowController>(*m_theme, *m_settings, *m_secrets, options);
    m_tour = std::make_unique<WindowTour>(m_controller->window());
    m_controller->window().resize(small);
    m_controller->start();
    QVERIFY(QTest::qWaitForWindowExposed(&m_controller->window()));
}

void WalkTest::close()
{
    if (!m_controller)
        return;
    QSignalSpy closed(m_controller.get(), &app::WindowController::closed);
    m_controller->close();
    QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
    m_tour.reset();
    m_controller.reset();
    m_theme.reset(); // before the next one: a theme holds the application to its own palette
}

void WalkTest::speakGerman(bool german)
{
    if (german)
        QCoreApplication::installTranslator(&m_german);
    else
        QCoreApplication::removeTranslator(&m_german);
}

std::vector<WalkTest::Style> WalkTest::styles(size_t count)
{
    std::vector<Style> all{{Theme::Choice::Light, small, u"light-1280x800"_s},
                           {Theme::Choice::Dark, large, u"dark-1920x1080"_s},
                           {Theme::Choice::Light, large, u"light-1920x1080"_s},
                           {Theme::Choice::Dark, small, u"dark-1280x800"_s}};
    all.resize(count);
    return all;
}

void WalkTest::dress(const Style &style)
{
    m_theme->setChoice(style.theme);
    m_controller->window().resize(style.size);
    m_style = style.name;
}

void WalkTest::shoot(const QString &state, const QString &page)
{
    // Layouts follow layouts: each round may post the next.
    for (int round = 0; round < 4; ++round) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::processEvents();
    }
    const QString name = u"%1-%2-%3"_s.arg(state, page, m_style);
    QVERIFY(m_controller->window().grab().save(m_pictures.filePath(name + u".png"_s)));
    m_shot << name;
}

void WalkTest::empty()
{
    const auto url = m_servers->createDatabase(u"fresh"_s);
    VERIFY_WORKED(url);
    VERIFY_WORKED(test::Incident::makeTables(*url));
    config::ConnectionProfile profile;
    profile.name = u"fresh"_s;
    profile.databaseUrl = *url;
    profile.redisUrl = m_servers->redisUrl(1);
    profile.readOnly = false;
    open(profile);
    for (const Style &style : styles(2)) {
        dress(style);
        for (const QString &page : WindowTour::pages()) {
            m_controller->window().setCurrentPage(page);
            if (page == u"reconcile")
                m_tour->widget<QAbstractButton>(u"reconcileStart"_s)->click();
            QTRY_VERIFY_WITH_TIMEOUT(!m_tour->looks(), patience);
            if (page == u"overview")
                QTRY_VERIFY_WITH_TIMEOUT(m_tour->knows(u"Dead"_s), patience);
            shoot(u"empty"_s, page);
        }
    }
    close();
}

void WalkTest::shootFull(const QString &state, size_t styleCount)
{
    recordHistory(incidentProfile());
    open(incidentProfile());
    m_tour->waitUntilKnown();
    const auto throughTabs = [this, &state](QTabBar *tabs, const QString &page) {
        QVERIFY(tabs);
        for (int tab = 1; tab < tabs->count(); ++tab) {
            tabs->setCurrentIndex(tab);
            shoot(state, u"%1-tab%2"_s.arg(page).arg(tab + 1));
        }
        tabs->setCurrentIndex(0);
    };
    for (const Style &style : styles(styleCount)) {
        dress(style);
        for (const QString &page : WindowTour::pages()) {
            m_tour->open(page);
            if (QTest::currentTestFailed())
                return;
            shoot(state, page);
            if (page == u"queues")
                throughTabs(m_tour->widget<QTabBar>(u"queueTabs"_s), page);
            else if (page == u"jobs")
                throughTabs(m_tour->widget<QTabBar>(u"jobTabs"_s), page);
            else if (page == u"alerts")
                throughTabs(m_tour->widget<views::AlertsPage>()->findChild<QTabBar *>(), page);
            if (page != u"outbox" || style.name != styles(1).front().name)
                continue;
            for (const auto &id : {u"odd_digits"_s, u"odd_long"_s, u"odd_null"_s}) {
                m_controller->window().page(page)->reveal(id);
                QTRY_VERIFY_WITH_TIMEOUT(m_tour->detailShows(id), patience);
                shoot(state, u"outbox-"_s + id);
            }
        }
    }
    m_tour->press(u"find"_s);
    auto *dialog = m_controller->window().findChild<views::FindDialog *>();
    QVERIFY(dialog);
    QTest::keyClicks(dialog->findChild<QLineEdit *>(), u"evt_000"_s);
    QCoreApplication::processEvents();
    QVERIFY(dialog->grab().save(m_pictures.filePath(state + u"-find-light.png"_s)));
    m_shot << state + u"-find-light"_s;
    dialog->close();
}

void WalkTest::full()
{
    shootFull(u"full"_s, 4);
}

void WalkTest::fullInGerman()
{
    close(); // what a failed walk has left open
    speakGerman(true);
    shootFull(u"german-full"_s, 1);
    close();
    speakGerman(false);
}

void WalkTest::shootTrouble(const QString &state, size_t styleCount)
{
    views::MainWindow &window = m_controller->window();
    for (const Style &style : styles(styleCount)) {
        dress(style);
        for (const QString &page : WindowTour::pages()) {
            window.setCurrentPage(page);
            m_tour->press(u"refresh"_s);
            if (page == u"trace")
                m_tour->widget<views::TracePage>()->traceId("evt_00010");
            if (page == u"reconcile")
                m_tour->widget<QAbstractButton>(u"reconcileStart"_s)->click();
            if (page == u"reconcile") {
                const auto *stop = m_tour->widget<QAbstractButton>(u"reconcileStop"_s);
                QTRY_VERIFY_WITH_TIMEOUT(!stop->isEnabled(), patience);
            }
            if (page != u"alerts" && page != u"dispatcher")
                QVERIFY2(QTest::qWaitFor([this] { return m_tour->complains(); }, patience), qPrintable(page));
            shoot(state, page);
        }
    }
}

void WalkTest::failing()
{
    QVERIFY(m_controller);
    m_servers->postgres().kill();
    m_servers->redis().kill();
    shootTrouble(u"failing"_s, 2);
    close();
}

void WalkTest::neverThere()
{
    open(incidentProfile());
    shootTrouble(u"away"_s, 1);
    close();
}

void WalkTest::neverThereInGerman()
{
    speakGerman(true);
    open(incidentProfile());
    shootTrouble(u"german-away"_s, 1);
    close();
    speakGerman(false);
}

void WalkTest::writeSheet() const
{
    QFile file(m_pictures.filePath(u"index.html"_s));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QString sheet =
        u"<!doctype html><meta charset=\"utf-8\"><title>A walk through the console</title>"
        "<style>body{font:14px sans-serif;background:#777;color:#fff}figure{display:inline-block;margin:8px}"
        "img{width:460px;display:block}a{color:inherit}</style><h1>A walk through the console</h1>\n"_s;
    QString state;
    for (const QString &name : m_shot) {
        if (const QString next = name.section(u'-', 0, 0); next != state) {
            state = next;
            sheet += u"<h2>%1</h2>\n"_s.arg(state);
        }
        sheet += u"<figure><a href=\"%1.png\"><img loading=\"lazy\" src=\"%1.png\" alt=\"%1\"></a>"
                 "<figcaption>%1</figcaption></figure>\n"_s.arg(name);
    }
    file.write(sheet.toUtf8());
}

void WalkTest::cleanupTestCase()
{
    close();
    writeSheet();
    qInfo("%lld pictures in %s", qlonglong(m_shot.size()), qPrintable(m_pictures.absolutePath()));
}

QTEST_MAIN(WalkTest)
#include "tst_walk.moc"
