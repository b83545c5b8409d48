// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace cli {

// The sub-commands, one file each. `arguments` are those behind the name; each returns the exit code.
int runPublish(const QStringList &arguments);
int runDispatch(const QStringList &arguments);
int runStats(const QStringList &arguments);
int runQueues(const QStringList &arguments);
int runJobs(const QStringList &arguments);
int runRows(const QStringList &arguments);
int runExecutions(const QStringList &arguments);
int runTrace(const QStringList &arguments);
int runReconcile(const QStringList &arguments);
int runRetention(const QStringList &arguments);
int runSchema(const QStringList &arguments);
int runDoctor(const QStringList &arguments);
int runDemo(const QStringList &arguments);

// Whether the program's arguments name a sub-command: asked before the kind of application object is chosen.
[[nodiscard]] bool isCommand(int argc, char **argv);
// Runs the sub-command that the arguments name; returns the exit code.
[[nodiscard]] int runCommand(const QStringList &arguments);

} // namespace cli
