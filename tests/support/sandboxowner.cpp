// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a sandbox in the folder given, writes one line when it is ready, and ends with its standard input.
#include <engine/sandbox/sandbox.h>

#include <QCoreApplication>
#include <QFile>
#include <QTextStream>

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv);
    QTextStream out(stdout);
    engine::sandbox::Sandbox sandbox(application.arguments().value(1));
    const auto address = sandbox.start();
    if (!address) {
        out << "failed " << address.error().text() << Qt::endl;
        return 1;
    }
    out << (address->owned ? "owned " : "joined ") << address->databaseUrl << Qt::endl;

    QFile input;
    if (!input.open(stdin, QIODevice::ReadOnly))
        return 1;
    input.readAll();
    return 0;
}
