// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window.h"

#include "windowcontroller.h"

#include <app/process/unixsignals.h>

#include <views/theme/theme.h>

#include <engine/secrets/secretstore.h>

#include <QApplication>
#include <QIcon>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

using namespace Qt::StringLiterals;

namespace app {

namespace {

constexpr auto themeKey = "appearance/theme";

// The environment decides for one run, else what was chosen in the menu.
views::Theme::Choice themeChoice(const QSettings &settings)
{
    const QString forced = qEnvironmentVariable("OUTBOX_CONSOLE_THEME");
    const QString word = forced.isEmpty() ? settings.value(QLatin1String(themeKey)).toString() : forced;
    if (word == u"light"_s)
        return views::Theme::Choice::Light;
    return word == u"dark"_s ? views::Theme::Choice::Dark : views::Theme::Choice::Desktop;
}

QString themeWord(views::Theme::Choice choice)
{
    switch (choice) {
    case views::Theme::Choice::Light:
        return u"light"_s;
    case views::Theme::Choice::Dark:
        return u"dark"_s;
    case views::Theme::Choice::Desktop:
        break;
    }
    return u"desktop"_s;
}

} // namespace

int runWindow(int &argc, char **argv, WindowOptions options)
{
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"outbox-console"_s);
    QApplication::setApplicationDisplayName(QApplication::translate("app::Window", "Outbox Console"));
    QApplication::setOrganizationName(u"outbox-console"_s);
    QApplication::setApplicationVersion(QStringLiteral(CONSOLE_VERSION));
    QApplication::setDesktopFileName(u"io.github.outbox_console.OutboxConsole"_s);
    QApplication::setQuitOnLastWindowClosed(false); // the controller quits when everything has stopped

    // Our texts and Qt's own, in the language of the desktop; English stands in the code.
    QTranslator ours;
    QTranslator qts;
    if (ours.load(QLocale(), u"outbox-console"_s, u"_"_s, u":/i18n"_s))
        QCoreApplication::installTranslator(&ours);
    if (qts.load(QLocale(), u"qtbase"_s, u"_"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&qts);

    options.handover = engine::config::HandoverSettings::fromEnvironment(QProcessEnvironment::systemEnvironment());
    QSettings settings;
    const views::Theme::Choice chosen = themeChoice(settings);
    views::Theme theme(chosen);
    QApplication::setWindowIcon(QIcon(u":/icons/outbox-console.svg"_s));
    int code = 0;
    {
        const auto secrets = engine::secrets::makeKeyringStore();
        WindowController controller(theme, settings, *secrets, options);
        QObject::connect(&controller, &WindowController::closed, &application, &QCoreApplication::quit);
        UnixSignals unixSignals; // Ctrl+C and SIGTERM end it as the window's close button does
        QObject::connect(&unixSignals, &UnixSignals::stopRequested, &controller, &WindowController::close);
        controller.start();
        code = QApplication::exec();
    }
    if (theme.choice() != chosen)
        settings.setValue(QLatin1String(themeKey), themeWord(theme.choice()));
    return code;
}

} // namespace app
