// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "serverprograms.h"

#include <engine/base/error.h>

#include <QString>

#include <functional>
#include <memory>

namespace engine::sandbox {

struct SandboxAddress
{
    QString databaseUrl;
    QString redisUrl;
    QString folder; // where its data live
    bool owned = false; // this process runs the servers; else it joined those of another console
    bool fresh = false; // the sample events were written just now
};

// The console's private PostgreSQL and Redis with sample tables and events, in a folder of its own that nobody else
// can enter, over unix sockets only. Servers are children of this process and end with it, however it ends; as root
// they run as an unprivileged user. A second console joins the running servers, and ends them never. Blocking:
// start() and stop() belong to one worker thread that lives as long as the servers (they end with the thread that
// started them).
class Sandbox final
{
public:
    using ProgressCallback = std::function<void(const QString &)>; // translated, called in the thread of start()

    // `folder` empty: outbox-console/sandbox below the XDG data folder. As root, a folder that an unprivileged user
    // cannot reach is replaced by one below /var/lib/outbox-console.
    explicit Sandbox(const QString &folder = {}, ServerPrograms programs = {});
    ~Sandbox(); // stops
    Q_DISABLE_COPY_MOVE(Sandbox)

    // Creates, repairs or joins, then seeds once. Errors: NotFound (a server program is missing; names the
    // package), Refused (the folder is not ours), Timeout, Failed. After an error nothing is left running.
    [[nodiscard]] Result<SandboxAddress> start(const ProgressCallback &progress = {});
    // Ends the servers in order if this process owns them. Bounded: what does not end is killed.
    void stop();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace engine::sandbox
