// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "reader.h"

#include <QStringList>

#include <chrono>

namespace engine::outbox {

// What an alert asks of the due rows: how long the `dueRank`-th oldest of them has been due, and how many have been
// due for longer than `dueAge`.
struct VitalsRequest
{
    int dueRank = 1001;
    std::chrono::seconds dueAge{60};
};

// Rows per number of failed attempts: index is the number, the last entry is "that many or more".
using RetryCounts = std::vector<qint64>;
inline constexpr int retryCountsSize = 8;

// How an outbox table is doing. Rates and latencies come from a look at the newest 1,000 handed-over rows by schedule,
// the one order that every user's index offers; a row that was handed over long after its schedule may be missing.
struct Vitals
{
    EpochMicros databaseTime = 0;
    std::vector<std::pair<QByteArray, Count>> counts; // per status of the layout

    Count due; // claimable now
    std::optional<qint64> oldestDueAgeMs; // absent: nothing is due
    Count dueOverAge; // due for longer than the request's dueAge
    std::optional<qint64> rankedDueAgeMs; // of the dueRank-th oldest due row; absent: there are fewer
    qint64 dueTenants = 0; // of the oldest 1,000 due rows
    QStringList dueTypes; // the same

    Count inFlight;
    Count retrying; // failed at least once, and the next attempt is not due yet
    std::optional<qint64> nextRetryInMs;

    Count dead;
    Count deadLastDay; // died within 24 hours; of the newest 1,000
    qint64 deadTenants = 0; // of those of the last day, as the next ones
    std::optional<EpochMicros> firstDeadAt;
    QString commonError; // the one seen most often, first 160 characters
    QStringList deadTypes;

    Count handedOverLastMinute;
    std::optional<qint64> latencyP50Ms, latencyP95Ms; // created to handed over, of the last minute; absent: none
    Count failedLastMinute; // attempts that failed
    std::optional<double> failureRate; // failed attempts of all attempts, 0..1; absent: no attempt
    RetryCounts retriesHandedOver; // of the newest 1,000 handed-over rows
    RetryCounts retriesWaiting; // of rows that wait for their next attempt
};

// Reads them with a handful of statements, each bounded by LIMIT and a server-side time limit of 2 s; a few
// milliseconds at any table size. Blocking, for the connection's thread.
[[nodiscard]] Result<Vitals> readVitals(sql::Connection &connection, const Layout &layout,
                                        const VitalsRequest &request = {});

} // namespace engine::outbox
