// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "crashpoint.h"

#ifdef CONSOLE_CRASH_POINTS

#include <QByteArray>
#include <QList>

#include <algorithm>
#include <atomic>
#include <csignal>

namespace engine {

namespace {

struct Chosen
{
    QByteArray name;
    int pass = 1;
    int signal = SIGKILL;
};

Chosen chosenPlace()
{
    const QList<QByteArray> parts = qgetenv("OUTBOX_CRASH_POINT").split(':');
    return {parts.value(0), std::max(1, parts.value(1, "1").toInt()), parts.value(2) == "stop" ? SIGSTOP : SIGKILL};
}

} // namespace

void crashPoint(const char *name)
{
    static const Chosen chosen = chosenPlace();
    static std::atomic<int> passes = 0;
    if (!chosen.name.isEmpty() && chosen.name == name && ++passes == chosen.pass)
        std::raise(chosen.signal);
}

} // namespace engine

#else

void engine::crashPoint(const char *) { }

#endif
