// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "unprivileged.h"

#include <QProcess>

#include <chrono>

namespace engine::sandbox {

// How a server program is started.
struct Launch
{
    QString program;
    QStringList arguments;
    QString workingFolder;
    QString logFile; // takes what it writes; appended, the previous one is kept as .old once it is large
    Account account;
    QByteArray input; // for its standard input, which is closed afterwards
    int gentleSignal = 0; // asks it to end in order; also sent when this process ends without a word
};

// A server as a child of this thread: it ends when the thread does. Blocking calls; belongs to that thread.
class ServerProcess final
{
public:
    ServerProcess();
    ~ServerProcess(); // stops
    Q_DISABLE_COPY_MOVE(ServerProcess)

    [[nodiscard]] Result<void> start(const Launch &launch);
    // True once it has ended. Returns as soon as it does.
    [[nodiscard]] bool waitForEnd(std::chrono::milliseconds timeout);
    // The gentle signal, and what has to follow if it does not help. ask() returns at once, stop() when it is gone.
    void ask();
    void stop();
    // SIGKILL, and gone.
    void kill();

    [[nodiscard]] qint64 pid() const { return m_process.processId(); }
    // Once it has ended: by itself and with success.
    [[nodiscard]] bool endedWell() const
    {
        return m_process.exitStatus() == QProcess::NormalExit && m_process.exitCode() == 0;
    }
    // The last lines it wrote since it was started.
    [[nodiscard]] QString lastWords() const;

private:
    void send(int signal);

    QProcess m_process;
    Launch m_launch;
    qint64 m_logStart = 0;
};

} // namespace engine::sandbox
