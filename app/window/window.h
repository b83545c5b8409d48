// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/config/handoversettings.h>
#include <engine/config/profile.h>

#include <QString>

#include <optional>

namespace app {

struct WindowOptions
{
    std::optional<engine::config::ConnectionProfile> profile; // as given on the command line
    QString connection; // the name of a saved one; empty with no profile: the one of the last time, else the sandbox
    QString sandboxFolder; // empty: the usual one
    engine::config::HandoverSettings handover;
    QString historyFile; // of the samples; empty: the usual one
};

// Runs the window until it is closed; returns the exit code. Makes the QApplication itself.
int runWindow(int &argc, char **argv, WindowOptions options = {});

} // namespace app
