// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "file.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>

namespace engine::payload {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::payload::File)
};

} // namespace

Result<void> saveTo(const QString &path, const QByteArray &bytes)
{
    const auto failed = [&path](const QString &reason) {
        return fail(ErrorCode::Failed, Text::tr("%1 could not be written: %2.").arg(path, reason),
                    Text::tr("Nothing was saved. Make room or choose another folder, then save again."));
    };
    // A device or a pipe takes what it gets; a file in its place would be the wrong thing.
    if (const QFileInfo there(path); there.exists() && !there.isFile()) {
        QFile device(path);
        if (device.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && device.write(bytes) == bytes.size())
            return {};
        return failed(device.errorString());
    }
    QSaveFile file(path);
    // No direct writing: where no temporary file can stand beside the target, a half one must not take its place.
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return {};
    return failed(file.errorString());
}

} // namespace engine::payload
