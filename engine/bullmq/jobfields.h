// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs.h"

#include <QHash>

// The fields of a job's hash, as every version of BullMQ writes them.
namespace engine::bullmq {

using JobFields = QHash<QByteArray, QByteArray>; // a field that is not there is not in it

// The fields that a list needs, data left out.
[[nodiscard]] const QList<QByteArray> &summaryFields();
// id, state, gone, locked and dueAt are left to the caller.
[[nodiscard]] JobSummary summaryOf(const JobFields &fields);
// Milliseconds as a time in microseconds; nothing where it is no number or no year that a calendar has.
[[nodiscard]] std::optional<qint64> timeOf(const QByteArray &milliseconds);
// When a job with this score in `delayed` is due.
[[nodiscard]] std::optional<qint64> dueTime(const QByteArray &score);
// The value of one option as JSON; empty: it is not there.
[[nodiscard]] QByteArray optionOf(const QByteArray &options, QStringView name);
// The stack traces that are stored oldest first, newest first. What is no JSON is one trace as it stands.
[[nodiscard]] std::vector<QString> stackTracesOf(const QByteArray &stored);

} // namespace engine::bullmq
