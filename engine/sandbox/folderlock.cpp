// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "folderlock.h"

#include <engine/base/logging.h>

#include <QCoreApplication>
#include <QFile>

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace engine::sandbox {

Result<bool> FolderLock::tryTake(const QString &file)
{
    const QByteArray name = QFile::encodeName(file);
    const int fd = open(name.constData(), O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    const bool locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
    const int reason = errno;
    if (locked) {
        m_fd = fd;
        // Kept open for writing, so that whoever watches the folder sees it close with this process.
        m_noteFd = open(name.constData(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW);
        const QByteArray note = QByteArray::number(getpid()) + '\n';
        if (write(m_noteFd, note.constData(), static_cast<size_t>(note.size())) < 0)
            qCInfo(lcSandbox).noquote() << file << "cannot be written:" << qt_error_string(errno);
        return true;
    }
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && reason == EWOULDBLOCK)
        return false;
    const QString text = qt_error_string(reason);
    return fail(Error{
        ErrorCode::Failed,
        QCoreApplication::translate("engine::sandbox::FolderLock", "The file %1 cannot be locked: %2.").arg(file, text),
        QCoreApplication::translate("engine::sandbox::FolderLock", "Check the rights on it and the space on its disk."),
        false, text});
}

void FolderLock::release()
{
    for (int *fd : {&m_fd, &m_noteFd}) {
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
    }
}

qint64 FolderLock::holder(const QString &file)
{
    QFile lock(file);
    return lock.open(QIODevice::ReadOnly) ? lock.readAll().trimmed().toLongLong() : 0;
}

FolderWatch::FolderWatch(const QString &folder)
    : m_fd(inotify_init1(IN_CLOEXEC | IN_NONBLOCK))
{
    // Without a watch (the user's limit is reached) wait() still ends after its timeout.
    if (m_fd >= 0)
        inotify_add_watch(m_fd, QFile::encodeName(folder).constData(), IN_MOVED_TO | IN_CLOSE_WRITE);
}

FolderWatch::~FolderWatch()
{
    if (m_fd >= 0)
        close(m_fd);
}

void FolderWatch::wait(std::chrono::milliseconds timeout)
{
    pollfd change{m_fd, POLLIN, 0};
    if (poll(&change, 1, static_cast<int>(timeout.count())) <= 0)
        return;
    std::array<char, 4096> events{};
    while (read(m_fd, events.data(), events.size()) > 0) { }
}

} // namespace engine::sandbox
