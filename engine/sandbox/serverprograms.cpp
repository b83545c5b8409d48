// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "serverprograms.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace engine::sandbox {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sandbox::ServerPrograms)
};

QStringList standardFolders()
{
    QStringList folders = qEnvironmentVariable("PATH").split(u':', Qt::SkipEmptyParts);
    const QDir versions(u"/usr/lib/postgresql"_s);
    QStringList names = versions.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    std::sort(names.begin(), names.end(),
              [](const QString &left, const QString &right) { return left.toDouble() > right.toDouble(); });
    for (const QString &name : std::as_const(names))
        folders << versions.filePath(name) + u"/bin"_s;
    return folders << u"/usr/local/bin"_s << u"/usr/bin"_s << u"/usr/sbin"_s;
}

QString executable(const QString &folder, const QString &name)
{
    const QFileInfo file(folder + u'/' + name);
    return file.isFile() && file.isExecutable() ? file.absoluteFilePath() : QString();
}

int majorOf(const QString &postgres)
{
    QProcess process;
    process.start(postgres, {u"--version"_s}, QProcess::ReadOnly);
    if (!process.waitForFinished(10'000))
        return 0;
    static const QRegularExpression number(u"\\) (\\d+)"_s);
    return number.match(QString::fromUtf8(process.readAllStandardOutput())).captured(1).toInt();
}

// The first that `accepts` says yes to.
template <typename Accepts>
std::optional<PostgresPrograms> findPostgres(const QStringList &folders, Accepts accepts)
{
    for (const QString &folder : folders) {
        PostgresPrograms found{executable(folder, u"initdb"_s), executable(folder, u"postgres"_s), 0};
        if (found.initdb.isEmpty() || found.postgres.isEmpty())
            continue;
        found.major = majorOf(found.postgres);
        if (found.major > 0 && accepts(found.major))
            return found;
    }
    return std::nullopt;
}

tl::unexpected<Error> missing(const QString &program, const QString &package)
{
    return fail(ErrorCode::NotFound, Text::tr("The sandbox needs the program %1, which is not installed.").arg(program),
                Text::tr("Install Debian's package %1: sudo apt-get install --no-install-recommends %1").arg(package));
}

} // namespace

ServerPrograms::ServerPrograms()
    : m_folders(standardFolders())
{ }

ServerPrograms::ServerPrograms(QStringList folders)
    : m_folders(std::move(folders))
{ }

Result<PostgresPrograms> ServerPrograms::postgres() const
{
    if (auto found = findPostgres(m_folders, [](int) { return true; }))
        return *found;
    return missing(u"postgres"_s, u"postgresql"_s);
}

std::optional<PostgresPrograms> ServerPrograms::postgresOfMajor(int major) const
{
    return findPostgres(m_folders, [major](int candidate) { return candidate == major; });
}

Result<QString> ServerPrograms::redis() const
{
    for (const QString &folder : m_folders) {
        if (const QString found = executable(folder, u"redis-server"_s); !found.isEmpty())
            return found;
    }
    return missing(u"redis-server"_s, u"redis-server"_s);
}

} // namespace engine::sandbox
