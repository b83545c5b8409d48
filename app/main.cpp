// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"
#include "window/window.h"

#include <QCoreApplication>

#include <cstdio>

namespace {

// Names that sub-commands and window share, so that both find the same settings and connections.
void nameApplication()
{
    QCoreApplication::setApplicationName(QStringLiteral("outbox-console"));
    QCoreApplication::setOrganizationName(QStringLiteral("outbox-console"));
    QCoreApplication::setApplicationVersion(QStringLiteral(CONSOLE_VERSION));
}

bool hasDisplay()
{
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY")
        || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

} // namespace

int main(int argc, char **argv)
{
    nameApplication();
    if (cli::isCommand(argc, argv)) {
        const QCoreApplication application(argc, argv);
        return cli::runCommand(application.arguments());
    }
    if (!hasDisplay()) {
        std::fputs("outbox-console: There is no display to open the window on. See outbox-console --help for the "
                   "commands of the terminal.\n",
                   stderr);
        return 1;
    }
    return app::runWindow(argc, argv);
}
