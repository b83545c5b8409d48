// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "stopper.h"

#include <atomic>
#include <csignal>

namespace cli {

namespace {

std::atomic<const engine::sql::Canceller *> running = nullptr;
std::atomic_bool stopped = false;
static_assert(std::atomic<const engine::sql::Canceller *>::is_always_lock_free); // a signal handler may use it

void stop(int signal)
{
    stopped = true;
    if (const auto *canceller = running.load())
        canceller->cancel();
    std::signal(signal, SIG_DFL); // the second time it ends the process
}

} // namespace

Stopper::Stopper(std::shared_ptr<const engine::sql::Canceller> canceller)
    : m_canceller(std::move(canceller))
{
    running = m_canceller.get();
    for (const int signal : {SIGINT, SIGTERM})
        std::signal(signal, stop);
}

Stopper::~Stopper()
{
    for (const int signal : {SIGINT, SIGTERM})
        std::signal(signal, SIG_DFL);
    running = nullptr;
}

bool Stopper::isStopped()
{
    return stopped;
}

} // namespace cli
