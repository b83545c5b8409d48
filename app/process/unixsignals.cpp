// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "unixsignals.h"

#include <csignal>
#include <unistd.h>

#include <fcntl.h>

namespace app {

namespace {

int writeEnd = -1; // all that a signal handler may touch

void onSignal(int)
{
    const char byte = 0;
    [[maybe_unused]] const auto written = write(writeEnd, &byte, 1);
}

std::array<int, 2> makePipe()
{
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        qFatal("no pipe for signals");
    return ends;
}

} // namespace

UnixSignals::UnixSignals(QObject *parent)
    : QObject(parent)
    , m_pipe(makePipe())
    , m_notifier(m_pipe[0], QSocketNotifier::Read)
{
    writeEnd = m_pipe[1];
    connect(&m_notifier, &QSocketNotifier::activated, this, [this] {
        char byte = 0;
        while (read(m_pipe[0], &byte, 1) == 1) { }
        emit stopRequested();
    });
    struct sigaction action = {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
}

UnixSignals::~UnixSignals()
{
    std::signal(SIGTERM, SIG_DFL);
    std::signal(SIGINT, SIG_DFL);
    writeEnd = -1;
    close(m_pipe[0]);
    close(m_pipe[1]);
}

} // namespace app
