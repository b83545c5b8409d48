// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertcheck.h"

#include "times.h"

#include <engine/bullmq/failures.h>
#include <engine/bullmq/inspector.h>
#include <engine/watch/executionfigures.h>
#include <engine/workflow/executiondiscovery.h>

#include <QDateTime>
#include <QFile>
#include <QSettings>

namespace cli {

using namespace Qt::StringLiterals;
using engine::watch::Alert;
using engine::watch::AlertLevel;
using engine::watch::AlertRules;

namespace {

// A database without executions has none to worry about.
void lookAtExecutions(engine::sql::Connection &connection, engine::watch::Sample &sample, AlertCheck &check)
{
    const auto layout = engine::workflow::discover(connection, {}, connection.options().url.schema);
    if (!layout) {
        if (layout.error().code != engine::ErrorCode::NotFound)
            check.notLookedAt << u"executions: %1"_s.arg(layout.error().message);
        return;
    }
    engine::workflow::ExecutionReader reader(connection, *layout);
    if (const auto figures = engine::watch::readExecutionFigures(reader))
        sample.executions = *figures;
    else
        check.notLookedAt << u"executions: %1"_s.arg(figures.error().message);
}

} // namespace

engine::Result<AlertRules> alertRulesFor(const CommandLine &line)
{
    if (!line.isSet(u"rules"_s)) {
        const QByteArray saved = QSettings().value(u"alerts/rules"_s).toByteArray();
        return saved.isEmpty() ? AlertRules::defaults() : AlertRules::fromJson(saved);
    }
    QFile file(line.value(u"rules"_s));
    if (!file.open(QIODevice::ReadOnly))
        return engine::fail(engine::ErrorCode::NotFound,
                            u"The rules file %1 cannot be read: %2"_s.arg(file.fileName(), file.errorString()));
    return AlertRules::fromJson(file.readAll());
}

engine::Result<AlertCheck> checkAlerts(const CommandLine &line, const Target &target,
                                       engine::sql::Connection &connection, const engine::outbox::Layout &layout,
                                       const engine::outbox::Vitals &vitals, const AlertRules &rules)
{
    auto router = routerFor(line, layout);
    if (!router)
        return engine::fail(router.error());
    AlertCheck check;
    engine::watch::Sample sample;
    sample.atMs = QDateTime::currentMSecsSinceEpoch();
    sample.outbox = vitals;
    sample.unroutedTypes = engine::watch::unroutedTypes(vitals, *router);
    if (target.profile().redisUrl.isEmpty()) {
        check.notLookedAt << u"queues: no Redis is named"_s;
    } else {
        auto client = target.openRedis();
        if (!client)
            return engine::fail(client.error());
        const QByteArray prefix = target.profile().queuePrefix.toUtf8();
        auto queues = engine::bullmq::Inspector(**client, prefix).queues();
        if (!queues)
            return engine::fail(queues.error());
        std::vector<QByteArray> names;
        for (const auto &queue : *queues) {
            names.push_back(queue.name);
            if (!queue.problem.isEmpty())
                check.notLookedAt << u"queue %1: %2"_s.arg(QString::fromUtf8(queue.name), queue.problem);
        }
        auto failed = engine::bullmq::failedWithin(**client, prefix, names, std::chrono::hours(24));
        if (!failed)
            return engine::fail(failed.error());
        sample.queues = std::move(*queues);
        sample.failedLastDay = std::move(*failed);
    }
    lookAtExecutions(connection, sample, check);
    check.alerts = engine::watch::AlertEngine::check(rules, sample, sample.atMs);
    return check;
}

void writeAlerts(JsonWriter &json, const AlertCheck &check)
{
    json.key("alerts").beginArray();
    for (const Alert &alert : check.alerts) {
        json.beginObject()
            .member("id", alert.id)
            .member("rule", alert.rule)
            .member("level", alert.level == AlertLevel::Critical ? "critical" : "warning")
            .member("subject", alert.subject)
            .member("value", alert.value)
            .member("since", isoTime(alert.sinceMs * 1000))
            .member("headline", alert.headline)
            .member("detail", alert.detail)
            .member("advice", alert.advice)
            .endObject();
    }
    json.endArray().key("notLookedAt").beginArray();
    for (const QString &what : check.notLookedAt)
        json.value(what);
    json.endArray();
}

void printAlerts(const AlertCheck &check)
{
    for (const QString &what : check.notLookedAt)
        printNote(u"Not looked at: %1."_s.arg(what));
    if (check.alerts.isEmpty())
        printLine(u"No alert holds."_s);
    for (const Alert &alert : check.alerts) {
        printLine(u"%1  %2"_s.arg(alert.level == AlertLevel::Critical ? u"CRITICAL"_s : u"WARNING "_s, alert.headline));
        if (!alert.detail.isEmpty())
            printLine(u"          %1"_s.arg(alert.detail));
        printLine(u"          %1"_s.arg(alert.advice));
    }
}

} // namespace cli
