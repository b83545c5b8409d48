// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "programs.h"

using namespace Qt::StringLiterals;

namespace test {

QByteArray Outcome::text() const
{
    return "exit " + QByteArray::number(exitCode) + "\n" + output + "\n" + errors;
}

std::unique_ptr<QProcess> start(const QString &program, const QStringList &arguments, const Environment &environment)
{
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment merged = QProcessEnvironment::systemEnvironment();
    for (const QString &name : merged.keys()) {
        if (name.startsWith(u"OUTBOX_") || name == u"DATABASE_URL" || name == u"REDIS_URL")
            merged.remove(name);
    }
    for (const auto &[name, value] : environment.asKeyValueRange())
        merged.insert(name, value);
    process->setProcessEnvironment(merged);
    process->start(program, arguments, QIODevice::ReadOnly);
    return process;
}

Outcome finish(QProcess &process)
{
    Outcome outcome;
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(60'000)) {
        process.kill();
        process.waitForFinished();
        outcome.errors = "killed after a minute\n";
    } else if (process.exitStatus() == QProcess::NormalExit && process.error() != QProcess::FailedToStart) {
        outcome.exitCode = process.exitCode();
    }
    outcome.output = process.readAllStandardOutput();
    outcome.errors += process.readAllStandardError();
    return outcome;
}

Outcome run(const QString &program, const QStringList &arguments, const Environment &environment)
{
    return finish(*start(program, arguments, environment));
}

Outcome console(const QStringList &arguments, const Environment &environment)
{
    return run(consoleProgram(), arguments, environment);
}

QString consoleProgram()
{
    return QStringLiteral(CONSOLE_PROGRAM);
}

} // namespace test
