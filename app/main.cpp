// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/commands.h"

#include <QCoreApplication>

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("outbox-console"));
    QCoreApplication::setApplicationVersion(QStringLiteral(CONSOLE_VERSION));
    return cli::runCommand(application.arguments()).value_or(2);
}
