// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "executionlayout.h"
#include "executionsteps.h"

#include <engine/outbox/reader.h>

#include <QHash>

#include <optional>

namespace engine::workflow {

using outbox::EpochMicros;

// How long runs of one workflow usually take: the 95th percentile of its latest finished runs.
struct Usual
{
    qint64 runMs = 0; // started to finished
    qint64 queueMs = 0; // queued to started
    int sampled = 0; // finished runs looked at; 0: both times are defaults, not measured

    [[nodiscard]] bool isMeasured() const { return sampled > 0; }
    bool operator==(const Usual &) const = default;
};

enum class Lateness { None, Queued, Running, PossiblyInterrupted };

// What a list shows of an execution. Times the table holds as null or infinite, or has no column for, are absent.
struct Execution
{
    QByteArray id;
    QByteArray tenantId;
    QByteArray workflowId;
    QString workflowName; // empty: not known
    QByteArray status; // the table's own word
    Phase phase = Phase::Unknown;
    QByteArray trigger;
    bool isStream = false; // run by the web process, without an outbox row: a restart interrupts it
    QString waitingFor;
    QString error; // first 500 characters
    QByteArray outboxEventId;
    std::optional<EpochMicros> queuedAt, startedAt, finishedAt, createdAt, updatedAt;

    // Queued or running longer than usual; a stream run that does is taken to be interrupted, possibly.
    Lateness lateness = Lateness::None;
    Usual usual; // of its workflow; what lateness was held against

    // Started to finished, or to `now` while it is not over; absent: not started.
    [[nodiscard]] std::optional<qint64> durationMs(EpochMicros now) const;
    bool operator==(const Execution &) const = default;
};

struct ExecutionDetail
{
    Execution execution;
    QString error; // in full, at most 1 MiB
    QByteArray stepsText; // the stored bytes; cut at 4 MiB
    qint64 stepsBytes = 0; // the full size
    Steps steps;
};

struct ExecutionFilter
{
    QList<QByteArray> statuses{}; // the table's own words; empty: all
    QString workflow{}; // id, exact
    QString tenant{}; // exact
    QString errorText{}; // error contains, case-insensitive
    std::optional<EpochMicros> since{}, until{}; // of the ordering time
    bool lateOnly = false; // queued or running longer than usual; looks at no more than the oldest 2,000 of those

    bool operator==(const ExecutionFilter &) const = default;
};

struct ExecutionRequest
{
    ExecutionFilter filter;
    std::optional<outbox::PageKey> from; // exclusive; `scheduledAt` is the ordering time
    outbox::PageDirection direction = outbox::PageDirection::Older;
    int limit = 200;
};

struct ExecutionPage
{
    std::vector<Execution> executions; // newest first
    bool hasOlder = false;
    bool hasNewer = false;
    EpochMicros databaseTime = 0;
};

struct ExecutionStats
{
    std::vector<std::pair<QByteArray, outbox::Count>> counts; // per status of the layout, then unknown ones
    EpochMicros databaseTime = 0;
};

// Used where a workflow has too few finished runs to be measured.
inline constexpr qint64 defaultRunMs = 15 * 60'000;
inline constexpr qint64 defaultQueueMs = 2 * 60'000;
// Nothing is late before this, however short its workflow's runs are.
inline constexpr qint64 leastLateMs = 30'000;

// Read-only questions about one table of executions, each one bounded statement with a server-side time limit.
// Belongs to the connection's thread.
class ExecutionReader final
{
public:
    // `connection` outlives the reader.
    ExecutionReader(sql::Connection &connection, ExecutionLayout layout);

    [[nodiscard]] const ExecutionLayout &layout() const { return m_layout; }
    [[nodiscard]] Result<ExecutionPage> page(const ExecutionRequest &request);
    // Errors: NotFound when there is no such execution (any more).
    [[nodiscard]] Result<ExecutionDetail> detail(const QByteArray &id);
    // The steps as stored, whole, however long. Errors as detail().
    [[nodiscard]] Result<QByteArray> stepsText(const QByteArray &id);
    [[nodiscard]] Result<ExecutionStats> stats(outbox::CountMode mode);
    // Executions asked for by any of these outbox events, at most 1,000, oldest first. Empty without such a column.
    [[nodiscard]] Result<std::vector<Execution>> startedBy(const QList<QByteArray> &outboxEventIds);
    // Those of these ids that are there, in no order.
    [[nodiscard]] Result<std::vector<Execution>> byIds(const QList<QByteArray> &ids);
    // Per workflow id, from its latest 200 finished runs; a workflow with fewer than five has the defaults.
    [[nodiscard]] Result<QHash<QByteArray, Usual>> usual(const QList<QByteArray> &workflowIds);

private:
    [[nodiscard]] QByteArray columns() const;
    [[nodiscard]] Execution toExecution(const sql::Rows &rows, int row) const;
    [[nodiscard]] Result<ExecutionPage> plainPage(const ExecutionRequest &request);
    [[nodiscard]] Result<ExecutionPage> latePage(const ExecutionRequest &request);
    [[nodiscard]] Result<std::vector<Execution>> select(const QByteArray &condition, const sql::Params &params);
    Result<void> judge(std::vector<Execution> &executions, EpochMicros now);
    void nameWorkflows(std::vector<Execution> &executions);
    [[nodiscard]] Result<sql::Rows> readRow(const QByteArray &columns, const QByteArray &id,
                                            std::chrono::milliseconds limit);

    sql::Connection &m_connection;
    const ExecutionLayout m_layout;
};

} // namespace engine::workflow
