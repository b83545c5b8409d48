// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "alertengine.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace engine::watch {

using namespace Qt::StringLiterals;

namespace {

constexpr qint64 worsenedPauseMs = 15 * 60'000;
// Without a reading for this long, nobody can say that a value held all the time.
constexpr qint64 longestGapMs = 2 * 60'000;
constexpr int singleLookHoldSeconds = 60;

QString idOf(const AlertRule &rule, const QString &subject)
{
    return subject.isEmpty() ? rule.id : rule.id + u'/' + subject;
}

Alert describe(const AlertRule &rule, const AlertReading &reading)
{
    Alert alert;
    alert.id = idOf(rule, reading.subject);
    alert.rule = rule.id;
    alert.metric = rule.metric;
    alert.level = rule.level;
    alert.subject = reading.subject;
    alert.value = reading.value.value_or(0);
    alert.headline = reading.headline;
    alert.detail = reading.detail;
    alert.advice = reading.advice;
    return alert;
}

void sortByUrgency(QList<Alert> &alerts)
{
    std::ranges::stable_sort(alerts, [](const Alert &left, const Alert &right) {
        const auto key = [](const Alert &alert) {
            return std::tuple(alert.snoozedUntilMs.has_value(), alert.level != AlertLevel::Critical, alert.sinceMs);
        };
        return key(left) < key(right);
    });
}

} // namespace

AlertEngine::AlertEngine(AlertRules rules, QTimeZone zone)
    : m_rules(std::move(rules))
    , m_zone(std::move(zone))
{ }

void AlertEngine::setRules(AlertRules rules)
{
    m_rules = std::move(rules);
    std::erase_if(m_states, [&](const auto &entry) {
        const AlertRule *rule = m_rules.find(entry.second.alert.rule);
        return !rule || !rule->enabled;
    });
}

QList<AlertChange> AlertEngine::evaluate(const Sample &sample, qint64 nowMs)
{
    QList<AlertChange> changes;
    std::erase_if(m_snoozed, [&](const auto &entry) { return entry.second <= nowMs; });
    for (const AlertRule &rule : m_rules.rules) {
        if (!rule.enabled)
            continue;
        const auto readings = readingsOf(rule, sample);
        QStringList seen;
        if (readings) {
            for (const AlertReading &reading : *readings) {
                seen << idOf(rule, reading.subject);
                judge(rule, reading, nowMs, changes);
            }
        }
        for (auto &[id, state] : m_states) {
            if (state.alert.rule != rule.id || seen.contains(id))
                continue;
            if (!readings) {
                state.alert.stale = true;
                continue;
            }
            // What is not there any more has nothing wrong with it.
            AlertReading gone;
            gone.subject = state.alert.subject;
            gone.value = 0;
            judge(rule, gone, nowMs, changes);
        }
    }
    std::erase_if(m_states, [](const auto &entry) { return !entry.second.firing && entry.second.aboveSinceMs < 0; });
    summarise(sample, nowMs, changes);
    return changes;
}

void AlertEngine::judge(const AlertRule &rule, const AlertReading &reading, qint64 nowMs, QList<AlertChange> &changes)
{
    const QString id = idOf(rule, reading.subject);
    if (!reading.value) {
        if (const auto known = m_states.find(id); known != m_states.end())
            known->second.alert.stale = true;
        return;
    }
    State &state = m_states[id];
    nowMs = qMax(nowMs, state.seenMs);
    if (state.seenMs > 0 && nowMs - state.seenMs > longestGapMs) {
        // What happened in between is not known: durations begin anew, but what fires goes on firing.
        if (!state.firing)
            state.aboveSinceMs = -1;
        state.belowSinceMs = -1;
    }
    state.seenMs = nowMs;
    const bool above = *reading.value > rule.above;
    const bool below = *reading.value <= rule.clearAtOrBelow;
    if (above) {
        if (state.aboveSinceMs < 0)
            state.aboveSinceMs = nowMs;
        state.aboveSinceMs = qMin(state.aboveSinceMs, nowMs - reading.provenMs);
        state.belowSinceMs = -1;
    } else if (!state.firing) {
        state.aboveSinceMs = -1;
        return;
    } else if (!below) {
        state.belowSinceMs = -1; // neither clearly wrong nor clearly well
    } else if (state.belowSinceMs < 0) {
        state.belowSinceMs = nowMs;
    }

    if (below && state.firing && state.belowSinceMs >= 0) {
        state.alert.stale = false;
        if (nowMs - state.belowSinceMs >= rule.clearSeconds * 1000LL) {
            state.firing = false;
            state.aboveSinceMs = -1;
            if (std::exchange(state.told, false) && !m_snoozed.contains(id))
                changes << AlertChange{AlertChange::Kind::Resolved, state.alert};
        }
        return;
    }
    const qint64 since = state.firing ? state.alert.sinceMs : state.aboveSinceMs;
    state.alert = describe(rule, reading);
    state.alert.sinceMs = qMin(since, state.aboveSinceMs);
    if (!state.firing && nowMs - state.aboveSinceMs >= rule.holdSeconds * 1000LL)
        state.firing = true;
    if (state.firing)
        settle(state, nowMs, changes);
}

// Says what has not been said yet of an alert that fires, unless it is snoozed.
void AlertEngine::settle(State &state, qint64 nowMs, QList<AlertChange> &changes)
{
    if (m_snoozed.contains(state.alert.id))
        return;
    if (!state.told) {
        changes << AlertChange{AlertChange::Kind::Fired, state.alert};
    } else {
        const bool grows = state.alert.metric == AlertMetric::DeadLetters && state.alert.value > state.toldValue;
        if (!grows || nowMs - state.toldMs < worsenedPauseMs) {
            state.toldValue = qMin(state.toldValue, state.alert.value); // fewer: growth counts from there
            return;
        }
        changes << AlertChange{AlertChange::Kind::Worsened, state.alert};
    }
    state.told = true;
    state.toldValue = state.alert.value;
    state.toldMs = nowMs;
}

void AlertEngine::summarise(const Sample &sample, qint64 nowMs, QList<AlertChange> &changes)
{
    if (!m_rules.summaryAt || !sample.outbox)
        return;
    const QDateTime local = QDateTime::fromMSecsSinceEpoch(nowMs, m_zone);
    if (local.time() < *m_rules.summaryAt || (m_lastSummary.isValid() && m_lastSummary >= local.date()))
        return;
    m_lastSummary = local.date();
    const outbox::Vitals &vitals = *sample.outbox;
    if (vitals.dead.value == 0)
        return;
    AlertChange change{AlertChange::Kind::Summary, {}};
    Alert &alert = change.alert;
    alert.id = u"dead-letters-summary"_s;
    alert.rule = alert.id;
    alert.metric = AlertMetric::DeadLetters;
    alert.sinceMs = nowMs;
    alert.value = vitals.dead.value;
    const QString more = vitals.dead.kind == outbox::Count::Kind::Exact ? QString() : u"+"_s;
    alert.headline = QCoreApplication::translate("engine::watch::Alerts", "Daily summary: %1 dead letters stand")
                         .arg(QLocale().toString(vitals.dead.value) + more);
    alert.detail = QCoreApplication::translate("engine::watch::Alerts", "%1 of them died within the last day.")
                       .arg(QLocale().toString(vitals.deadLastDay.value));
    changes << change;
}

QList<Alert> AlertEngine::active() const
{
    QList<Alert> alerts;
    for (const auto &[id, state] : m_states) {
        if (!state.firing)
            continue;
        alerts << state.alert;
        if (const auto snoozed = m_snoozed.find(id); snoozed != m_snoozed.end())
            alerts.last().snoozedUntilMs = snoozed->second;
    }
    sortByUrgency(alerts);
    return alerts;
}

void AlertEngine::snooze(const QString &alertId, qint64 untilMs)
{
    m_snoozed[alertId] = untilMs;
}

void AlertEngine::wake(const QString &alertId)
{
    m_snoozed.erase(alertId);
}

QByteArray AlertEngine::saveState() const
{
    QJsonArray alerts;
    for (const auto &[id, state] : m_states) {
        alerts << QJsonObject{{u"rule"_s, state.alert.rule},         {u"subject"_s, state.alert.subject},
                              {u"firing"_s, state.firing},           {u"told"_s, state.told},
                              {u"aboveSince"_s, state.aboveSinceMs}, {u"belowSince"_s, state.belowSinceMs},
                              {u"since"_s, state.alert.sinceMs},     {u"value"_s, state.alert.value},
                              {u"toldValue"_s, state.toldValue},     {u"toldAt"_s, state.toldMs},
                              {u"seenAt"_s, state.seenMs},           {u"headline"_s, state.alert.headline},
                              {u"detail"_s, state.alert.detail},     {u"advice"_s, state.alert.advice}};
    }
    QJsonObject snoozed;
    for (const auto &[id, until] : m_snoozed)
        snoozed.insert(id, until);
    return QJsonDocument(QJsonObject{{u"alerts"_s, alerts},
                                     {u"snoozed"_s, snoozed},
                                     {u"lastSummary"_s, m_lastSummary.toString(Qt::ISODate)}})
        .toJson(QJsonDocument::Compact);
}

void AlertEngine::restoreState(const QByteArray &json)
{
    m_states.clear();
    m_snoozed.clear();
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    for (const QJsonValue value : root.value(u"alerts"_s).toArray()) {
        const QJsonObject object = value.toObject();
        const AlertRule *rule = m_rules.find(object.value(u"rule"_s).toString());
        if (!rule || !rule->enabled)
            continue;
        const auto integer = [&](const QString &name) { return object.value(name).toInteger(); };
        AlertReading reading;
        reading.subject = object.value(u"subject"_s).toString();
        reading.value = integer(u"value"_s);
        reading.headline = object.value(u"headline"_s).toString();
        reading.detail = object.value(u"detail"_s).toString();
        reading.advice = object.value(u"advice"_s).toString();
        State state;
        state.alert = describe(*rule, reading);
        state.alert.sinceMs = integer(u"since"_s);
        state.alert.stale = true; // until the first sample of this run
        state.firing = object.value(u"firing"_s).toBool();
        state.told = object.value(u"told"_s).toBool();
        state.aboveSinceMs = integer(u"aboveSince"_s);
        state.belowSinceMs = integer(u"belowSince"_s);
        state.toldValue = integer(u"toldValue"_s);
        state.toldMs = integer(u"toldAt"_s);
        state.seenMs = integer(u"seenAt"_s);
        m_states[state.alert.id] = state;
    }
    const QJsonObject snoozed = root.value(u"snoozed"_s).toObject();
    for (auto entry = snoozed.begin(); entry != snoozed.end(); ++entry)
        m_snoozed[entry.key()] = entry.value().toInteger();
    m_lastSummary = QDate::fromString(root.value(u"lastSummary"_s).toString(), Qt::ISODate);
}

QList<Alert> AlertEngine::check(const AlertRules &rules, const Sample &sample, qint64 nowMs)
{
    QList<Alert> alerts;
    for (const AlertRule &rule : rules.rules) {
        const auto readings = rule.enabled ? readingsOf(rule, sample) : std::nullopt;
        for (const AlertReading &reading : readings.value_or(QList<AlertReading>())) {
            if (!reading.value || *reading.value <= rule.above)
                continue;
            if (rule.holdSeconds > singleLookHoldSeconds && reading.provenMs < rule.holdSeconds * 1000LL)
                continue;
            alerts << describe(rule, reading);
            alerts.last().sinceMs = nowMs - reading.provenMs;
        }
    }
    sortByUrgency(alerts);
    return alerts;
}

} // namespace engine::watch
