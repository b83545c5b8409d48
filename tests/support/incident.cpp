// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "incident.h"

#include "programs.h"
#include "testservers.h"

#include <QFile>
#include <QJsonDocument>
#include <QProcess>

namespace test {

using namespace Qt::StringLiterals;
using engine::ErrorCode;
using engine::Result;

namespace {

constexpr int mostStartMs = 90'000;

Result<void> runConsole(const QStringList &arguments)
{
    const Outcome outcome = console(arguments);
    if (outcome.exitCode != 0)
        return engine::fail(ErrorCode::Failed, QString::fromUtf8(outcome.text()));
    return {};
}

Result<void> runSql(const QString &databaseUrl, const QString &name)
{
    QFile file(QStringLiteral(INCIDENT_SQL "/") + name);
    if (!file.open(QIODevice::ReadOnly))
        return engine::fail(ErrorCode::Failed, file.errorString());
    auto connection = connect(databaseUrl);
    if (!connection)
        return engine::fail(connection.error());
    return (*connection)->executeScript(file.readAll());
}

} // namespace

Result<void> Incident::makeTables(const QString &databaseUrl)
{
    for (const QString &layout : {u"event"_s, u"workflow"_s}) {
        if (auto made = runConsole({u"schema"_s, u"apply"_s, u"--layout"_s, layout, u"--database"_s, databaseUrl});
            !made)
            return made;
    }
    return {};
}

Result<Incident> Incident::make(const QString &databaseUrl, const QString &redisUrl)
{
    const auto handedOver =
        makeTables(databaseUrl).and_then([&] { return runSql(databaseUrl, u"incident-due.sql"_s); }).and_then([&] {
            return runConsole({u"dispatch"_s, u"--drain"_s, u"--database"_s, databaseUrl, u"--redis"_s, redisUrl});
        });
    if (!handedOver)
        return engine::fail(handedOver.error());

    Incident incident;
    incident.workers = test::start(
        u"node"_s,
        {QStringLiteral(INTEROP_SOURCES "/incident.mjs"), u"--redis"_s, redisUrl, u"--bullmq"_s, u"bullmq5"_s},
        {{u"INTEROP_MODULES"_s, QStringLiteral(INTEROP_MODULES)}});
    while (!incident.workers->canReadLine()) {
        if (!incident.workers->waitForReadyRead(mostStartMs))
            return engine::fail(ErrorCode::Failed, QString::fromUtf8(incident.workers->readAllStandardError()));
    }
    incident.queues = QJsonDocument::fromJson(incident.workers->readLine()).object();
    // Last, so that no dispatcher takes these.
    if (auto written = runSql(databaseUrl, u"incident-rest.sql"_s); !written)
        return engine::fail(written.error());
    return incident;
}

Result<void> Incident::endWorkers()
{
    workers->closeWriteChannel();
    if (!workers->waitForFinished(30'000) || workers->exitCode() != 0)
        return engine::fail(ErrorCode::Failed, QString::fromUtf8(workers->readAllStandardError()));
    return {};
}

} // namespace test
