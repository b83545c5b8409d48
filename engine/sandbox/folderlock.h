// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QString>

#include <chrono>

namespace engine::sandbox {

// Who owns a folder's servers. The kernel gives the lock back when its holder ends, however it ends.
class FolderLock final
{
public:
    FolderLock() = default;
    ~FolderLock() { release(); }
    Q_DISABLE_COPY_MOVE(FolderLock)

    // True if this process holds the lock now, false if another one does. Errors: Failed.
    [[nodiscard]] Result<bool> tryTake(const QString &file);
    void release();
    // The process that holds the lock, for messages; 0 if unknown.
    [[nodiscard]] static qint64 holder(const QString &file);

private:
    int m_fd = -1; // holds the lock
    int m_noteFd = -1; // the same file, for the holder's number
};

// Waits for something to change in a folder: a file put in place, or a lock's holder gone.
class FolderWatch final
{
public:
    explicit FolderWatch(const QString &folder);
    ~FolderWatch();
    Q_DISABLE_COPY_MOVE(FolderWatch)

    // Returns at the first change since the last call, at the latest after `timeout`.
    void wait(std::chrono::milliseconds timeout);

private:
    int m_fd = -1;
};

} // namespace engine::sandbox
