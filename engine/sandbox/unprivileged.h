// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QString>

#include <sys/types.h>

class QProcess;

namespace engine::sandbox {

// Who the servers run as.
struct Account
{
    uid_t uid = 0;
    gid_t gid = 0;
    QString name;
    bool differs = false; // from the user of this process, which then is root
};

// This process's own user; as root `postgres`, or `nobody` where that does not exist: PostgreSQL refuses to run as
// root, and Redis should not. Errors: NotFound.
[[nodiscard]] Result<Account> serverAccount();

// Prepares a process that is not started yet: it will run as `account`, in a session of its own (Ctrl-C in the
// terminal does not reach it), and receive `signal` when the thread that starts it ends, however it ends.
void confine(QProcess &process, const Account &account, int signal);

// Whether `account` may pass through every existing ancestor of `path`.
[[nodiscard]] bool canReach(const QString &path, const Account &account);

// Makes sure that `path` is a folder of `account` with mode 0700 and no link to elsewhere.
// Errors: Refused (somebody else's), Failed (cannot be made).
[[nodiscard]] Result<void> ensurePrivateFolder(const QString &path, const Account &account);

} // namespace engine::sandbox
