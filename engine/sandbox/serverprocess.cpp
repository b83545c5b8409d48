// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "serverprocess.h"

#include <engine/base/logging.h>

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>

#include <csignal>

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace engine::sandbox {

namespace {

constexpr qint64 largeLog = 1024 * 1024;
constexpr auto gentleTime = 10s;
constexpr auto firmTime = 5s;

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sandbox::ServerProcess)
};

QProcessEnvironment plainEnvironment()
{
    // The user's PGDATA, PGPORT, LC_ALL and the like must not reach the servers.
    QProcessEnvironment environment;
    environment.insert(u"PATH"_s, qEnvironmentVariable("PATH", u"/usr/local/bin:/usr/bin:/bin"_s));
    environment.insert(u"LANG"_s, u"C.UTF-8"_s);
    environment.insert(u"TZ"_s, u"UTC"_s);
    return environment;
}

} // namespace

ServerProcess::ServerProcess() = default;

ServerProcess::~ServerProcess()
{
    stop();
}

Result<void> ServerProcess::start(const Launch &launch)
{
    m_launch = launch;
    if (QFileInfo(launch.logFile).size() > largeLog) {
        QFile::remove(launch.logFile + u".old"_s);
        QFile::rename(launch.logFile, launch.logFile + u".old"_s);
    }
    m_logStart = QFileInfo(launch.logFile).size();

    m_process.setProgram(launch.program);
    m_process.setArguments(launch.arguments);
    m_process.setWorkingDirectory(launch.workingFolder);
    m_process.setProcessEnvironment(plainEnvironment());
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    m_process.setStandardOutputFile(launch.logFile, QIODevice::Append);
    if (launch.input.isEmpty())
        m_process.setStandardInputFile(QProcess::nullDevice());
    confine(m_process, launch.account, launch.gentleSignal);
    m_process.start(launch.input.isEmpty() ? QIODevice::ReadOnly : QIODevice::ReadWrite);
    if (!m_process.waitForStarted(-1)) {
        const QString reason = m_process.errorString();
        return fail(Error{ErrorCode::Failed, Text::tr("%1 cannot be started: %2.").arg(launch.program, reason),
                          Text::tr("Check its rights, and that %1 can be written.").arg(launch.logFile), false,
                          reason});
    }
    if (!launch.input.isEmpty()) {
        m_process.write(launch.input);
        m_process.closeWriteChannel();
        m_process.waitForBytesWritten(-1);
    }
    return {};
}

bool ServerProcess::waitForEnd(std::chrono::milliseconds timeout)
{
    return m_process.state() == QProcess::NotRunning || m_process.waitForFinished(static_cast<int>(timeout.count()))
        || m_process.state() == QProcess::NotRunning;
}

void ServerProcess::ask()
{
    send(m_launch.gentleSignal);
}

void ServerProcess::stop()
{
    if (waitForEnd(0ms))
        return;
    ask();
    if (waitForEnd(gentleTime))
        return;
    qCWarning(lcSandbox).noquote() << m_launch.program << "does not end, so it is told to end at once";
    send(SIGQUIT); // PostgreSQL's immediate shutdown, which takes its children along; ends Redis as well
    if (!waitForEnd(firmTime))
        kill();
}

void ServerProcess::kill()
{
    send(SIGKILL);
    m_process.waitForFinished(-1);
}

void ServerProcess::send(int signal)
{
    if (const qint64 child = pid(); child > 0)
        ::kill(static_cast<pid_t>(child), signal);
}

QString ServerProcess::lastWords() const
{
    QFile log(m_launch.logFile);
    if (!log.open(QIODevice::ReadOnly) || !log.seek(m_logStart))
        return {};
    const QStringList lines = QString::fromUtf8(log.readAll()).split(u'\n', Qt::SkipEmptyParts);
    return lines.mid(qMax(qsizetype(0), lines.size() - 12)).join(u'\n');
}

} // namespace engine::sandbox
