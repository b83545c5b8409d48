// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "leftovers.h"

#include <QDir>
#include <QFile>

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>

using namespace std::chrono_literals;

namespace engine::sandbox {

namespace {

bool commandLineFits(pid_t pid, QByteArrayView name, QByteArrayView argument)
{
    QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QList<QByteArray> words = file.readAll().split('\0');
    const QByteArray &program = words.front();
    return program.mid(program.lastIndexOf('/') + 1) == name && words.mid(1).contains(argument.toByteArray());
}

} // namespace

QList<pid_t> findProcesses(QByteArrayView name, QByteArrayView argument)
{
    QList<pid_t> found;
    for (const QString &entry : QDir(QStringLiteral("/proc")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        if (const auto pid = static_cast<pid_t>(entry.toInt()); pid > 1 && commandLineFits(pid, name, argument))
            found << pid;
    }
    return found;
}

bool endProcess(pid_t pid, int gentleSignal)
{
    // A pidfd means this process and no other, even if its number is given away meanwhile. System calls, because the
    // header of glibc 2.36 cannot be used from C++.
    const int process = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (process < 0)
        return errno == ESRCH;
    bool gone = false;
    const std::pair<int, std::chrono::milliseconds> steps[]{{gentleSignal, 10s}, {SIGQUIT, 5s}, {SIGKILL, 10s}};
    for (const auto &[signal, patience] : steps) {
        if (syscall(SYS_pidfd_send_signal, process, signal, nullptr, 0) != 0) {
            gone = errno == ESRCH;
            break;
        }
        pollfd end{process, POLLIN, 0};
        gone = poll(&end, 1, static_cast<int>(patience.count())) > 0;
        if (gone)
            break;
    }
    close(process);
    return gone;
}

} // namespace engine::sandbox
