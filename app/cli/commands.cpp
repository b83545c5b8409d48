// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"

#include "commandline.h"

#include <QCoreApplication>

#include <cstring>

namespace cli {

using namespace Qt::StringLiterals;

namespace {

struct Command
{
    const char *name;
    const char *summary;
    int (*run)(const QStringList &);
};

constexpr Command commands[]{
    {"publish", "write one event, or a file of events, into the outbox", runPublish},
    {"dispatch", "hand due events over to their queues", runDispatch},
    {"stats", "count the outbox's rows by status; --check judges them by the alert rules", runStats},
    {"queues", "show every BullMQ queue and its depth, or its workers", runQueues},
    {"jobs", "list, search and show the jobs of a queue", runJobs},
    {"rows", "list outbox rows, newest schedule first", runRows},
    {"executions", "list workflow executions, or show one with its steps", runExecutions},
    {"trace", "follow one id through outbox, job and execution", runTrace},
    {"reconcile", "compare outbox, queues and executions", runReconcile},
    {"retention", "remove rows that were handed over long ago", runRetention},
    {"schema", "print or install the tables", runSchema},
    {"doctor", "check settings, database, table, Redis and queues", runDoctor},
    {"demo", "the whole way of an event, on the sandbox, in the terminal", runDemo},
};

QString overview()
{
    QString text = u"Outbox Console %1\n\nUsage: outbox-console              open the window\n"
                   "       outbox-console COMMAND ...  work in the terminal\n\nCommands:\n"_s.arg(
                       QCoreApplication::applicationVersion());
    for (const Command &command : commands)
        text += u"  %1  %2\n"_s.arg(QString::fromLatin1(command.name), -10).arg(QString::fromLatin1(command.summary));
    return text
        + u"\nEvery command has --help and --json. Exit codes: 0 done, 1 failed, 2 usage, 3 refused by a guard, "
          "4 cannot connect."_s;
}

} // namespace

bool isCommand(int argc, char **argv)
{
    // Options of the window, such as -platform, begin with a dash; sub-commands do not.
    return argc > 1
        && (argv[1][0] != '-' || std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0
            || std::strcmp(argv[1], "--version") == 0);
}

int runCommand(const QStringList &arguments)
{
    const QString name = arguments.value(1);
    if (name == u"--help" || name == u"-h" || name == u"help") {
        printLine(overview());
        return Done;
    }
    if (name == u"--version") {
        printLine(u"outbox-console %1"_s.arg(QCoreApplication::applicationVersion()));
        return Done;
    }
    for (const Command &command : commands) {
        if (name == QLatin1StringView(command.name))
            return command.run(arguments.mid(2));
    }
    printNote(u"outbox-console: there is no command \"%1\". See outbox-console --help."_s.arg(name));
    return Usage;
}

} // namespace cli
