// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "unprivileged.h"

namespace engine::sandbox {

// Where everything of one sandbox is.
struct SandboxFolder
{
    QString path;
    QString sockets; // within `path`, or elsewhere where that would be too long for a unix socket; made by the owner

    [[nodiscard]] QString postgresData() const { return path + QStringLiteral("/postgres"); }
    [[nodiscard]] QString postgresUnfinished() const { return path + QStringLiteral("/postgres.new"); }
    [[nodiscard]] QString postgresLog() const { return path + QStringLiteral("/postgres.log"); }
    [[nodiscard]] QString redisData() const { return path + QStringLiteral("/redis"); }
    [[nodiscard]] QString redisLog() const { return path + QStringLiteral("/redis.log"); }
    [[nodiscard]] QString redisSocket() const { return sockets + QStringLiteral("/redis.sock"); }
    [[nodiscard]] QString lockFile() const { return path + QStringLiteral("/owner.lock"); }
    // There while the servers run and the sample is in place: how to reach them.
    [[nodiscard]] QString readyFile() const { return path + QStringLiteral("/ready.json"); }
};

// outbox-console/sandbox below the XDG data folder.
[[nodiscard]] QString defaultSandboxFolder();

// The folder to use for `wanted` (an absolute path): itself, or a stand-in below /var/lib/outbox-console if `account`
// cannot get there.
[[nodiscard]] QString reachableFolder(const QString &wanted, const Account &account);

// Makes the folder, or checks that an existing one is ours; nobody else can enter it. Errors: Refused (not empty and
// not made by us, or another user's), Failed (cannot be made or written).
[[nodiscard]] Result<SandboxFolder> prepareFolder(const QString &path, const Account &account);

} // namespace engine::sandbox
