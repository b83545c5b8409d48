// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

#include <optional>

namespace cli {

// The sub-commands, one file each. `arguments` are those behind the name; each returns the exit code.
int runPublish(const QStringList &arguments);
int runDispatch(const QStringList &arguments);
int runStats(const QStringList &arguments);
int runQueues(const QStringList &arguments);
int runRows(const QStringList &arguments);
int runSchema(const QStringList &arguments);
int runDoctor(const QStringList &arguments);
int runDemo(const QStringList &arguments);

// Runs the sub-command that the program's arguments name. Nothing: they name none, so the window is wanted.
[[nodiscard]] std::optional<int> runCommand(const QStringList &arguments);
// Whether runCommand() would do anything: asked before the kind of application object is chosen.
[[nodiscard]] bool isCommand(int argc, char **argv);

} // namespace cli
