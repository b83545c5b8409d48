// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/bullmq/eventlog.h>

#include <QHash>

namespace engine::trace {

// Why a job that a row was handed over as is not there.
struct Absence
{
    enum class Kind {
        RemovedWhenFinished, // the queue's events tell how it ended
        RemovedByHand, // the queue's events tell that somebody removed it
        LikelyRemoved, // too long ago for the events, but this queue removes its finished jobs
        NoTrace, // it was not there as far back as the events tell, or vanished without a word
    };
    Kind kind = Kind::NoTrace;
    std::optional<qint64> at; // when it ended or was removed, microseconds
    bool failed = false; // it ended by failing
    bool wasAdded = false; // the events tell that it was there once
    bool eventsReachBack = false; // to the time of the handover
};

// What one queue still remembers of jobs that are gone: its events, and whether it keeps finished jobs. Read once, then
// asked for any number of jobs. A value.
class QueueMemory
{
public:
    // Reads events back to `since` (microseconds) within EventLimits, and a sample of the queue's jobs.
    [[nodiscard]] static Result<QueueMemory> read(redis::Client &client, const QByteArray &prefix,
                                                  const QByteArray &queue, qint64 since);

    // `handedOverAt`: when the row was marked done, microseconds.
    [[nodiscard]] Absence explain(const QByteArray &jobId, qint64 handedOverAt) const;
    [[nodiscard]] bool removesFinished() const { return m_removesFinished; }
    [[nodiscard]] bool wasCutShort() const { return m_cutShort; }
    [[nodiscard]] std::optional<qint64> knownFrom() const { return m_knownFrom; }

private:
    struct End
    {
        QByteArray kind; // completed, failed, removed, or added while nothing else is known
        qint64 at = 0;
    };
    QHash<QByteArray, End> m_ends; // by job id
    std::optional<qint64> m_knownFrom;
    bool m_cutShort = false;
    bool m_removesFinished = false;
};

} // namespace engine::trace
