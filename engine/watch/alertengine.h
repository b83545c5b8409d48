// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "alertreadings.h"

#include <QTimeZone>

#include <map>

namespace engine::watch {

// One thing that is wrong now.
struct Alert
{
    QString id; // rule, or rule/subject
    QString rule;
    AlertMetric metric = AlertMetric::DueBacklog;
    AlertLevel level = AlertLevel::Warning;
    QString subject; // the queue; may be empty
    qint64 sinceMs = 0; // when it began, since 1970 UTC
    qint64 value = 0;
    QString headline, detail, advice; // translated
    std::optional<qint64> snoozedUntilMs; // silent until then
    bool stale = false; // the last samples could not tell; the words are of the last that could

    bool operator==(const Alert &) const = default;
};

// What somebody should be told.
struct AlertChange
{
    enum class Kind {
        Fired,
        Worsened, // dead letters: more of them since the last word, at most every quarter of an hour
        Resolved,
        Summary, // once a day: the dead letters that stand
    };
    Kind kind = Kind::Fired;
    Alert alert;
};

// Judges samples by the rules. Pure: no clock, no thread, no disk of its own; the caller gives the time, and keeps
// the state over a restart, so that nothing fires a second time.
class AlertEngine final
{
public:
    explicit AlertEngine(AlertRules rules = AlertRules::defaults(), QTimeZone zone = QTimeZone::systemTimeZone());

    // Alerts of rules that are gone or off end without a word.
    void setRules(AlertRules rules);
    [[nodiscard]] const AlertRules &rules() const { return m_rules; }

    // `nowMs` since 1970 UTC; a clock set back counts as no time passed.
    [[nodiscard]] QList<AlertChange> evaluate(const Sample &sample, qint64 nowMs);

    [[nodiscard]] QList<Alert> active() const; // critical first, then the oldest; snoozed ones last
    void snooze(const QString &alertId, qint64 untilMs);
    void wake(const QString &alertId);

    [[nodiscard]] QByteArray saveState() const; // JSON
    void restoreState(const QByteArray &json); // what cannot be read is as if there were none

    // What holds in one sample alone, for a check that keeps no state. A rule that wants the value to hold for longer
    // than a minute needs the sample's own proof of it.
    [[nodiscard]] static QList<Alert> check(const AlertRules &rules, const Sample &sample, qint64 nowMs);

private:
    struct State
    {
        Alert alert;
        bool firing = false;
        qint64 aboveSinceMs = -1; // -1: not above
        qint64 belowSinceMs = -1; // while firing; -1: not below
        qint64 toldValue = 0; // at the last word about it
        qint64 toldMs = 0;
        qint64 seenMs = 0; // last known reading
        bool told = false; // its start was said; not if it was snoozed all along
    };
    void judge(const AlertRule &rule, const AlertReading &reading, qint64 nowMs, QList<AlertChange> &changes);
    void settle(State &state, qint64 nowMs, QList<AlertChange> &changes);
    void summarise(const Sample &sample, qint64 nowMs, QList<AlertChange> &changes);

    AlertRules m_rules;
    QTimeZone m_zone;
    std::map<QString, State> m_states; // by alert id
    std::map<QString, qint64> m_snoozed; // by alert id: until when
    QDate m_lastSummary;
};

} // namespace engine::watch
