// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "reconcilereport.h"

namespace engine::trace {

QByteArrayView kindName(Finding::Kind kind)
{
    switch (kind) {
    case Finding::Kind::RowWithoutJob:
        return "row-without-job";
    case Finding::Kind::JobRemoved:
        return "job-removed";
    case Finding::Kind::JobWithoutRow:
        return "job-without-row";
    case Finding::Kind::RowRetired:
        return "row-retired";
    case Finding::Kind::DuplicateJob:
        return "duplicate-job";
    case Finding::Kind::StuckExecution:
        return "stuck-execution";
    case Finding::Kind::InterruptedStream:
        return "interrupted-stream";
    }
    return {};
}

bool needsAttention(Finding::Kind kind)
{
    return kind != Finding::Kind::JobRemoved && kind != Finding::Kind::RowRetired;
}

void ReconcileReport::add(Finding finding)
{
    qint64 &count = counts[finding.kind];
    if (++count <= static_cast<qint64>(mostListed))
        findings.push_back(std::move(finding));
}

void ReconcileReport::note(const QString &line)
{
    if (!unknown.contains(line))
        unknown << line;
}

} // namespace engine::trace
