// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobevidence.h"

#include <engine/bullmq/eventlog.h>
#include <engine/bullmq/jobs.h>
#include <engine/outbox/reader.h>
#include <engine/workflow/executionreader.h>

#include <QStringList>

namespace engine::trace {

// Where in an event's way something happened.
enum class Lane { Outbox, Job, Execution };

// How sure an entry is: a stored time; worked out from stored values; or only the most likely reading of them.
enum class Certainty { Recorded, Derived, Likely };

enum class Tone { Plain, Going, Good, Warning, Bad };

// One thing that happened, or is due to.
struct Entry
{
    std::optional<qint64> at; // microseconds since 1970 UTC; absent: nobody keeps that time
    Lane lane = Lane::Outbox;
    Tone tone = Tone::Plain;
    Certainty certainty = Certainty::Recorded;
    QByteArray kind; // a word that never changes: row.written, job.started, execution.step ...
    QString what; // the same for people, translated
    QString note; // beside it, of less weight
    QString source; // table and column, queue and field, or queue and event stream
    QByteArray subject; // the id of the row, job or execution
    std::optional<qint64> after; // where it belongs while it has no time of its own

    bool operator==(const Entry &) const = default;
};

// A job that a row became, or should have become.
struct TracedJob
{
    QByteArray queue;
    QByteArray id;
    QByteArray rowId; // empty: no row is known
    std::optional<bullmq::JobDetail> detail; // absent: it is not there (any more)
    bullmq::EventWindow events; // of this job only
    std::optional<qint64> handedOverAt; // when the row says so
    std::optional<Absence> absence; // why it is not there, as far as Redis still tells
    QString receiverRecord; // the key of a receiver's idempotency record; empty: none
};

// Everything found about one id.
struct Trace
{
    QByteArray asked;
    QString understoodAs; // row id, dispatch key, job id ...; empty: nothing was found
    std::vector<outbox::RowDetail> rows; // what the id names, oldest first
    std::vector<TracedJob> jobs;
    std::vector<workflow::ExecutionDetail> executions; // oldest first
    std::vector<outbox::RowDetail> followUps; // rows these caused, or of the same correlation or saga; oldest first
    std::vector<Entry> timeline; // oldest first
    QStringList looked; // places that were searched, with what was found
    QStringList unknown; // what could not be known, and why
    qint64 databaseTime = 0; // microseconds since 1970 UTC; 0: the database was not reached

    [[nodiscard]] bool isEmpty() const { return rows.empty() && jobs.empty() && executions.empty(); }
};

} // namespace engine::trace
