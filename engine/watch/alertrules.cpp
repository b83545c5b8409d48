// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertrules.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace engine::watch {

using namespace Qt::StringLiterals;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::watch::AlertRules)
};

struct MetricName
{
    AlertMetric metric;
    const char *name;
    const char *title;
};

constexpr MetricName metricNames[]{
    {AlertMetric::DueBacklog, "due-backlog",
     QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Due rows that nobody takes")},
    {AlertMetric::DeadLetters, "dead-letters",
     QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Dead letters of the last day")},
    {AlertMetric::UnroutedTypes, "unrouted-types",
     QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Event types without a route")},
    {AlertMetric::QueueDepth, "queue-depth", QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Jobs waiting in a queue")},
    {AlertMetric::QueueFailed, "queue-failed",
     QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Jobs failed for good in the last day")},
    {AlertMetric::QueueStalled, "queue-stalled", QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Stalled jobs")},
    {AlertMetric::QueueUnserved, "queue-unserved",
     QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Jobs waiting without a worker")},
    {AlertMetric::ExecutionsFailed, "executions-failed",
     QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Workflow executions failed in the last day")},
    {AlertMetric::ExecutionsStalled, "executions-stalled",
     QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Workflow executions running longer than usual")},
    {AlertMetric::ExecutionsQueued, "executions-queued",
     QT_TRANSLATE_NOOP("engine::watch::AlertRules", "Workflow executions queued longer than usual")},
};

QStringList watchedQueues()
{
    return {u"outbox.workflow"_s, u"outbox.mail"_s, u"outbox.webhook"_s, u"outbox.marketing"_s, u"toolctrl.email"_s};
}

AlertRule rule(AlertMetric metric, AlertLevel level, qint64 above, qint64 clear, int hold, int clearFor)
{
    AlertRule made;
    made.id = metricName(metric);
    made.metric = metric;
    made.level = level;
    made.above = above;
    made.clearAtOrBelow = clear;
    made.holdSeconds = hold;
    made.clearSeconds = clearFor;
    return made;
}

Result<void> bad(const QString &id, const QString &what)
{
    return fail(ErrorCode::BadInput, Text::tr("Alert rule \"%1\": %2").arg(id, what));
}

// Takes a whole number of a rule, if it is there.
template <typename Number>
Result<void> take(const QJsonObject &object, const char *name, Number &value, qint64 least, qint64 most,
                  const QString &id)
{
    const QJsonValue given = object.value(QLatin1String(name));
    if (given.isUndefined())
        return {};
    const double number = given.toDouble(-1);
    if (!given.isDouble() || number < double(least) || number > double(most) || number != double(qint64(number)))
        return bad(
            id, Text::tr("%1 has to be a whole number from %2 to %3.").arg(QLatin1String(name)).arg(least).arg(most));
    value = static_cast<Number>(number);
    return {};
}

Result<void> readRule(const QJsonObject &object, AlertRule &rule)
{
    if (const QJsonValue metric = object.value(u"metric"_s); !metric.isUndefined()) {
        const auto *known = std::ranges::find_if(
            metricNames, [&](const MetricName &entry) { return metric.toString() == QLatin1String(entry.name); });
        if (known == std::end(metricNames))
            return bad(rule.id, Text::tr("there is no metric \"%1\".").arg(metric.toString()));
        rule.metric = known->metric;
    }
    if (const QJsonValue enabled = object.value(u"enabled"_s); !enabled.isUndefined()) {
        if (!enabled.isBool())
            return bad(rule.id, Text::tr("enabled has to be true or false."));
        rule.enabled = enabled.toBool();
    }
    if (const QJsonValue level = object.value(u"level"_s); !level.isUndefined()) {
        if (level.toString() != u"warning" && level.toString() != u"critical")
            return bad(rule.id, Text::tr("level has to be warning or critical."));
        rule.level = level.toString() == u"critical" ? AlertLevel::Critical : AlertLevel::Warning;
    }
    if (const QJsonValue queues = object.value(u"queues"_s); !queues.isUndefined()) {
        if (!queues.isArray())
            return bad(rule.id, Text::tr("queues has to be a list of names."));
        rule.queues.clear();
        for (const QJsonValue name : queues.toArray())
            rule.queues << name.toString();
    }
    constexpr qint64 most = 1'000'000'000;
    constexpr qint64 day = 86'400;
    const qint64 before = rule.above;
    if (auto done = take(object, "above", rule.above, 0, most, rule.id); !done)
        return done;
    if (rule.above != before)
        rule.clearAtOrBelow = rule.above * 8 / 10; // unless it is given
    if (auto done = take(object, "clearAtOrBelow", rule.clearAtOrBelow, 0, rule.above, rule.id); !done)
        return done;
    if (auto done = take(object, "forSeconds", rule.holdSeconds, 0, day, rule.id); !done)
        return done;
    if (auto done = take(object, "clearForSeconds", rule.clearSeconds, 0, day, rule.id); !done)
        return done;
    return take(object, "olderThanSeconds", rule.ageSeconds, 0, day, rule.id);
}

} // namespace

QString metricName(AlertMetric metric)
{
    return QString::fromLatin1(metricNames[static_cast<size_t>(metric)].name);
}

QString metricTitle(AlertMetric metric)
{
    return Text::tr(metricNames[static_cast<size_t>(metric)].title);
}

bool isOfQueues(AlertMetric metric)
{
    return metric == AlertMetric::QueueDepth || metric == AlertMetric::QueueFailed
        || metric == AlertMetric::QueueStalled || metric == AlertMetric::QueueUnserved;
}

AlertRules AlertRules::defaults()
{
    AlertRules all;
    all.rules = {rule(AlertMetric::DueBacklog, AlertLevel::Critical, 1000, 800, 300, 60),
                 rule(AlertMetric::DeadLetters, AlertLevel::Critical, 0, 0, 0, 60),
                 rule(AlertMetric::UnroutedTypes, AlertLevel::Critical, 0, 0, 0, 60),
                 rule(AlertMetric::QueueDepth, AlertLevel::Warning, 1000, 800, 60, 60),
                 rule(AlertMetric::QueueFailed, AlertLevel::Warning, 0, 0, 0, 60),
                 rule(AlertMetric::QueueStalled, AlertLevel::Warning, 0, 0, 0, 120),
                 rule(AlertMetric::QueueUnserved, AlertLevel::Critical, 0, 0, 30, 30),
                 rule(AlertMetric::ExecutionsFailed, AlertLevel::Warning, 0, 0, 0, 60),
                 rule(AlertMetric::ExecutionsStalled, AlertLevel::Warning, 0, 0, 0, 60),
                 rule(AlertMetric::ExecutionsQueued, AlertLevel::Warning, 0, 0, 0, 60)};
    for (AlertRule &each : all.rules) {
        if (isOfQueues(each.metric) && each.metric != AlertMetric::QueueUnserved)
            each.queues = watchedQueues();
    }
    return all;
}

QByteArray AlertRules::toJson() const
{
    QJsonArray list;
    for (const AlertRule &each : rules) {
        QJsonObject object{{u"id"_s, each.id},
                           {u"metric"_s, metricName(each.metric)},
                           {u"enabled"_s, each.enabled},
                           {u"level"_s, each.level == AlertLevel::Critical ? u"critical"_s : u"warning"_s},
                           {u"above"_s, each.above},
                           {u"clearAtOrBelow"_s, each.clearAtOrBelow},
                           {u"forSeconds"_s, each.holdSeconds},
                           {u"clearForSeconds"_s, each.clearSeconds}};
        if (each.metric == AlertMetric::DueBacklog)
            object.insert(u"olderThanSeconds"_s, each.ageSeconds);
        if (isOfQueues(each.metric))
            object.insert(u"queues"_s, QJsonArray::fromStringList(each.queues));
        list << object;
    }
    return QJsonDocument(
               QJsonObject{{u"rules"_s, list},
                           {u"summaryAt"_s, summaryAt ? QJsonValue(summaryAt->toString(u"HH:mm"_s)) : QJsonValue()}})
        .toJson(QJsonDocument::Indented);
}

Result<AlertRules> AlertRules::fromJson(const QByteArray &json)
{
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(json, &error);
    if (!document.isObject())
        return fail(
            ErrorCode::BadInput,
            Text::tr("The alert rules are no JSON object: %1 at byte %2.").arg(error.errorString()).arg(error.offset));
    AlertRules all = defaults();
    const QJsonObject root = document.object();
    for (const QJsonValue value : root.value(u"rules"_s).toArray()) {
        const QJsonObject object = value.toObject();
        const QString id = object.value(u"id"_s).toString();
        if (id.isEmpty())
            return fail(ErrorCode::BadInput, Text::tr("An alert rule has no id."));
        auto known = std::ranges::find(all.rules, id, &AlertRule::id);
        if (known == all.rules.end()) {
            if (!object.contains(u"metric"_s))
                return fail(ErrorCode::BadInput, Text::tr("Alert rule \"%1\" names no metric.").arg(id));
            AlertRule fresh;
            fresh.id = id;
            all.rules << fresh;
            known = all.rules.end() - 1;
        }
        if (auto read = readRule(object, *known); !read)
            return fail(read.error());
    }
    if (const QJsonValue summary = root.value(u"summaryAt"_s); !summary.isUndefined()) {
        all.summaryAt.reset();
        if (!summary.isNull()) {
            const QTime time = QTime::fromString(summary.toString(), u"HH:mm"_s);
            if (!time.isValid())
                return fail(ErrorCode::BadInput, Text::tr("summaryAt has to be a time such as 09:00, or null."));
            all.summaryAt = time;
        }
    }
    return all;
}

const AlertRule *AlertRules::find(const QString &id) const
{
    const auto found = std::ranges::find(rules, id, &AlertRule::id);
    return found == rules.end() ? nullptr : &*found;
}

} // namespace engine::watch
