// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>
#include <QTime>

#include <optional>

namespace engine::watch {

// What a rule looks at.
enum class AlertMetric {
    DueBacklog, // rows due for longer than the rule's age
    DeadLetters, // rows that died within 24 hours
    UnroutedTypes, // event types that no route fits
    QueueDepth, // ready jobs of a queue
    QueueFailed, // jobs that failed for good within 24 hours
    QueueStalled, // active jobs whose worker no longer holds the lock
    QueueUnserved, // ready jobs of a queue without a worker
    ExecutionsFailed, // workflow executions that failed within 24 hours
    ExecutionsStalled, // those running longer than usual
    ExecutionsQueued, // those queued longer than usual
};

enum class AlertLevel { Warning, Critical };

// When to call somebody. Fires once the value has been above `above` for `holdSeconds`; resolves once it has been at
// or below `clearAtOrBelow` for `clearSeconds`. In between nothing changes, so that an alert does not flap.
struct AlertRule
{
    QString id; // unique, stable
    AlertMetric metric = AlertMetric::DueBacklog;
    bool enabled = true;
    AlertLevel level = AlertLevel::Warning;
    qint64 above = 0;
    qint64 clearAtOrBelow = 0; // at most `above`
    int holdSeconds = 0;
    int clearSeconds = 60;
    int ageSeconds = 60; // DueBacklog: rows due for longer count
    QStringList queues; // metrics of queues: these; empty: all

    bool operator==(const AlertRule &) const = default;
};

struct AlertRules
{
    QList<AlertRule> rules;
    std::optional<QTime> summaryAt = QTime(9, 0); // of the daily summary of dead letters, local time; absent: none

    [[nodiscard]] static AlertRules defaults();
    // {"rules":[{"id","metric","enabled","level","above","clearAtOrBelow","forSeconds","clearForSeconds",
    // "olderThanSeconds","queues"}],"summaryAt":"09:00"}. What a rule leaves out is as in the default rule of that id;
    // default rules that are not named stay as they are.
    [[nodiscard]] QByteArray toJson() const;
    // Errors: BadInput, naming rule, member and range.
    [[nodiscard]] static Result<AlertRules> fromJson(const QByteArray &json);

    [[nodiscard]] const AlertRule *find(const QString &id) const; // null: none
    bool operator==(const AlertRules &) const = default;
};

[[nodiscard]] QString metricName(AlertMetric metric); // as in JSON: due-backlog, queue-depth ...
[[nodiscard]] bool isOfQueues(AlertMetric metric);
// One translated sentence of what the metric counts.
[[nodiscard]] QString metricTitle(AlertMetric metric);

} // namespace engine::watch
