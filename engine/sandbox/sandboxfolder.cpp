// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sandboxfolder.h"

#include "postgresserver.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QStandardPaths>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

using namespace Qt::StringLiterals;

namespace engine::sandbox {

namespace {

constexpr char markerText[] = "This folder holds the sandbox of Outbox Console: a private PostgreSQL and Redis with\n"
                              "sample data. While no console runs it may be deleted; the next start makes a new one.\n";

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sandbox::Folder)
};

QString markerFile(const QString &folder)
{
    return folder + u"/outbox-console-sandbox.txt"_s;
}

QString hashed(const QString &path)
{
    return QString::fromLatin1(
        QCryptographicHash::hash(QFile::encodeName(path), QCryptographicHash::Sha256).toHex().first(16));
}

tl::unexpected<Error> cannotUse(const QString &path, const QString &reason)
{
    return fail(
        Error{ErrorCode::Failed, Text::tr("The sandbox's folder %1 cannot be used: %2.").arg(path, reason),
              Text::tr("Check the rights on it and the free space of its disk, or choose another place by setting "
                       "XDG_DATA_HOME."),
              false, reason});
}

Result<void> writeMarker(const QString &folder)
{
    const QByteArray name = QFile::encodeName(markerFile(folder));
    const int fd = open(name.constData(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0 && errno == EEXIST)
        return {}; // another console was faster
    const bool written = fd >= 0 && write(fd, markerText, sizeof markerText - 1) == sizeof markerText - 1;
    const QString reason = qt_error_string(errno);
    if (fd >= 0)
        close(fd);
    if (written)
        return {};
    unlink(name.constData());
    return cannotUse(folder, reason);
}

// The folder itself stays with us, also as root: the account may pass through it and owns only what is inside.
Result<void> closeToOthers(const QString &path, const Account &account)
{
    const QByteArray name = QFile::encodeName(path);
    if (account.differs && lchown(name.constData(), 0, account.gid) != 0)
        return cannotUse(path, qt_error_string(errno));
    if (chmod(name.constData(), account.differs ? 0710 : 0700) != 0)
        return cannotUse(path, qt_error_string(errno));
    return {};
}

QString socketFolder(const QString &folder, const Account &account)
{
    const QString inside = folder + u"/sockets"_s;
    if (PostgresServer::socketPathFits(inside))
        return inside;
    const QString name = u"/outbox-console-%1-%2"_s.arg(QString::number(geteuid()), hashed(folder));
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const bool isUsable = runtime.startsWith(u'/') && QDir(runtime).exists() && canReach(runtime + name, account)
        && PostgresServer::socketPathFits(runtime + name);
    return (isUsable ? runtime : u"/tmp"_s) + name;
}

} // namespace

QString defaultSandboxFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + u"/outbox-console/sandbox"_s;
}

QString reachableFolder(const QString &wanted, const Account &account)
{
    return canReach(wanted, account) ? wanted : u"/var/lib/outbox-console/sandbox-"_s + hashed(wanted);
}

Result<SandboxFolder> prepareFolder(const QString &path, const Account &account)
{
    // Ancestors are made as they usually are: others may pass, unless the user's umask says otherwise.
    if (!QDir().mkpath(QFileInfo(path).absolutePath()))
        return cannotUse(path, qt_error_string(errno));
    if (mkdir(QFile::encodeName(path).constData(), 0700) != 0 && errno != EEXIST)
        return cannotUse(path, qt_error_string(errno));

    struct stat status = {};
    if (stat(QFile::encodeName(path).constData(), &status) != 0)
        return cannotUse(path, qt_error_string(errno));
    if (!S_ISDIR(status.st_mode))
        return cannotUse(path, Text::tr("it is a file"));
    const bool isEmpty = QDir(path).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    if (status.st_uid != geteuid())
        return fail(ErrorCode::Refused, Text::tr("The folder %1 belongs to another user.").arg(path),
                    Text::tr("Run the console as that user, or choose another place by setting XDG_DATA_HOME."));
    if (!isEmpty && !QFile::exists(markerFile(path)))
        return fail(
            ErrorCode::Refused,
            Text::tr("The folder %1 is not empty and was not made by Outbox Console, so it is left alone.").arg(path),
            Text::tr("Move its content away, or choose another place by setting XDG_DATA_HOME."));
    if (auto marked = writeMarker(path); !marked)
        return fail(marked.error());
    if (auto closed = closeToOthers(path, account); !closed)
        return fail(closed.error());
    if (!canReach(path + u"/postgres"_s, account))
        return fail(
            ErrorCode::Failed,
            Text::tr("The user %1, who runs the sandbox's servers, cannot enter %2.").arg(account.name, path),
            Text::tr("Let others pass through the folders above it (chmod o+x), or run the console as a normal user."));

    return SandboxFolder{path, socketFolder(path, account)};
}

} // namespace engine::sandbox
