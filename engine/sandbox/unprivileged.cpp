// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "unprivileged.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

#include <grp.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace engine::sandbox {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sandbox::Account)
};

} // namespace

Result<Account> serverAccount()
{
    if (geteuid() != 0)
        return Account{geteuid(), getegid(), QString(), false};
    for (const char *name : {"postgres", "nobody"}) {
        if (const passwd *entry = getpwnam(name); entry && entry->pw_uid != 0)
            return Account{entry->pw_uid, entry->pw_gid, QString::fromLocal8Bit(name), true};
    }
    return fail(ErrorCode::NotFound, Text::tr("There is no unprivileged user to run the sandbox's servers as."),
                Text::tr("Run the console as a normal user, or create the user \"postgres\"."));
}

void confine(QProcess &process, const Account &account, int signal)
{
    const pid_t parent = getpid();
    // Runs between fork and exec, so only system calls. Raw ones for the identity: glibc's wrappers would look for
    // this process's other threads, which the child does not have.
    process.setChildProcessModifier([account, signal, parent] {
        setsid();
        if (account.differs
            && (syscall(SYS_setgroups, 0, nullptr) != 0
                || syscall(SYS_setresgid, account.gid, account.gid, account.gid) != 0
                || syscall(SYS_setresuid, account.uid, account.uid, account.uid) != 0))
            _exit(126);
        prctl(PR_SET_PDEATHSIG, signal); // a change of user resets it, so it comes after
        if (getppid() != parent)
            _exit(126); // the console ended before the line above
    });
}

bool canReach(const QString &path, const Account &account)
{
    QString ancestor = QFileInfo(path).absolutePath();
    while (true) {
        struct stat status = {};
        if (stat(QFile::encodeName(ancestor).constData(), &status) == 0 && S_ISDIR(status.st_mode)) {
            const mode_t needed = status.st_uid == account.uid ? S_IXUSR
                : status.st_gid == account.gid                 ? S_IXGRP
                                                               : S_IXOTH;
            if (account.differs && !(status.st_mode & needed))
                return false;
        }
        const QString above = QFileInfo(ancestor).absolutePath();
        if (above == ancestor)
            return true;
        ancestor = above;
    }
}

Result<void> ensurePrivateFolder(const QString &path, const Account &account)
{
    const QByteArray name = QFile::encodeName(path);
    const auto failed = [&] {
        const QString reason = qt_error_string(errno);
        return fail(Error{ErrorCode::Failed, Text::tr("The folder %1 cannot be prepared: %2.").arg(path, reason),
                          Text::tr("Check the rights on it and the free space of its disk."), false, reason});
    };
    const bool made = mkdir(name.constData(), 0700) == 0;
    if (!made && errno != EEXIST)
        return failed();
    if (made && account.differs && lchown(name.constData(), account.uid, account.gid) != 0)
        return failed();
    struct stat status = {};
    if (lstat(name.constData(), &status) != 0)
        return failed();
    if (!S_ISDIR(status.st_mode) || status.st_uid != account.uid)
        return fail(ErrorCode::Refused,
                    Text::tr("%1 is not a folder of the user who runs the sandbox's servers.").arg(path),
                    Text::tr("Move it away, or choose another folder for the sandbox."));
    if ((status.st_mode & 0777) != 0700 && chmod(name.constData(), 0700) != 0)
        return failed();
    return {};
}

} // namespace engine::sandbox
