// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QList>

#include <sys/types.h>

namespace engine::sandbox {

// Running processes of the program `name` (the base name) that were started with `argument` on their command line.
[[nodiscard]] QList<pid_t> findProcesses(QByteArrayView name, QByteArrayView argument);

// Ends a process that is not our child and waits until it is gone: `gentleSignal`, SIGQUIT, SIGKILL. False if it
// may not be signalled.
[[nodiscard]] bool endProcess(pid_t pid, int gentleSignal);

} // namespace engine::sandbox
