// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

// The console's private PostgreSQL and Redis with sample tables and events, in a folder of its own (mode 0700),
// over unix sockets only. Servers are children of this process and end with it, however it ends; as root they run
// as an unprivileged user. A second console joins the running servers. Blocking: start() and stop() belong to one
// worker thread that lives as long as the servers (they end with the thread that started them).
class Sandbox final
{
public:
    using ProgressCallback = std::function<void(const QString &)>; // translated, called in the thread of start()

    // `folder` empty: outbox-console/sandbox below the XDG data folder (or, as root where that cannot be reached by
    // an unprivileged user, below /var/lib).
    explicit Sandbox(QString folder = {});
    ~Sandbox(); // stops
    Q_DISABLE_COPY_MOVE(Sandbox)

    // Creates, repairs or joins, then seeds once. Errors: NotFound (a server program is missing; names the
    // package), Failed, Refused.
    [[nodiscard]] Result<SandboxAddress> start(const ProgressCallback &progress = {});
    void stop();

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace engine::sandbox
