// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QString>

namespace engine::config {

// How events find their queues and jobs: what window and command line have to agree on with the dispatchers that run.
// Checked by those who use it.
struct HandoverSettings
{
    QString routesFile; // OUTBOX_ROUTES; empty: the built-in routes
    QByteArray jobIdTemplate = "outbox:{id}"; // OUTBOX_JOB_ID; holds {id} once
    QString executionsTable; // OUTBOX_EXECUTIONS, "schema.table"; empty: found by discovery

    [[nodiscard]] static HandoverSettings fromEnvironment(const QProcessEnvironment &environment)
    {
        HandoverSettings settings;
        settings.routesFile = environment.value(QStringLiteral("OUTBOX_ROUTES"));
        if (const QString shape = environment.value(QStringLiteral("OUTBOX_JOB_ID")); !shape.isEmpty())
            settings.jobIdTemplate = shape.toUtf8();
        settings.executionsTable = environment.value(QStringLiteral("OUTBOX_EXECUTIONS"));
        return settings;
    }
};

} // namespace engine::config
