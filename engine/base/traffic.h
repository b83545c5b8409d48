// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <atomic>

namespace engine {

// What this program asks of one server: counted by the connections where it leaves them, read from any thread.
struct Traffic
{
    std::atomic<quint64> questions = 0; // statements or commands sent so far
    std::atomic<qint64> waitedMicros = 0; // for the answers, the way there and back included
};

} // namespace engine
