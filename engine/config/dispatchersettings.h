// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>

#include <QList>
#include <QProcessEnvironment>

#include <chrono>

namespace engine::config {

// The dispatcher's settings. Names, defaults and ranges are those of the environment variables beside them.
struct DispatcherSettings
{
    bool enabled = false; // OUTBOX_DISPATCHER_ENABLED
    std::chrono::milliseconds interval{1000}; // OUTBOX_DISPATCH_INTERVAL_MS, 10..3600000
    int batchSize = 100; // OUTBOX_DISPATCH_BATCH_SIZE, 1..10000
    int concurrency = 10; // OUTBOX_DISPATCH_CONCURRENCY, 1..10000
    int maxRetries = 6; // OUTBOX_MAX_RETRIES, 0..1000
    std::chrono::hours doneRetention{720}; // OUTBOX_DONE_RETENTION_HOURS, 1..876000
    bool adaptivePolling = true; // OUTBOX_DISPATCH_POLLING, adaptive or fixed: look more often while there is traffic
    QString orderBy = QStringLiteral("none"); // OUTBOX_ORDER_BY, see outbox::OrderRule
    QString orderDead = QStringLiteral("hold"); // OUTBOX_ORDER_DEAD, hold or skip
    int doneRetentionBatchSize = 1000; // OUTBOX_DONE_RETENTION_BATCH_SIZE, clamped to 1..10000

    bool operator==(const DispatcherSettings &) const = default;

    // Errors: BadInput, naming the variable, its value and the range.
    [[nodiscard]] static Result<DispatcherSettings> fromEnvironment(const QProcessEnvironment &environment);
};

// One setting as an operator reads it.
struct SettingLine
{
    QString variable;
    QString value;
    QString meaning; // translated
    bool fromEnvironment = false; // else the default
};

[[nodiscard]] QList<SettingLine> describe(const DispatcherSettings &settings, const QProcessEnvironment &environment);

} // namespace engine::config
