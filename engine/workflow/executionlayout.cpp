// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionlayout.h"

#include <engine/transport/sql/params.h>

#include <algorithm>

namespace engine::workflow {

namespace {

struct Word
{
    QByteArrayView word; // in lower case
    Phase phase;
};

// The usual six first; the others are what applications of the same shape call them.
constexpr Word words[]{
    {"queued", Phase::Queued},
    {"running", Phase::Running},
    {"waiting", Phase::Waiting},
    {"completed", Phase::Completed},
    {"failed", Phase::Failed},
    {"cancelled", Phase::Cancelled},
    {"pending", Phase::Queued},
    {"scheduled", Phase::Queued},
    {"created", Phase::Queued},
    {"started", Phase::Running},
    {"processing", Phase::Running},
    {"in_progress", Phase::Running},
    {"active", Phase::Running},
    {"paused", Phase::Waiting},
    {"suspended", Phase::Waiting},
    {"success", Phase::Completed},
    {"waiting_for_input", Phase::Waiting},
    {"succeeded", Phase::Completed},
    {"done", Phase::Completed},
    {"finished", Phase::Completed},
    {"error", Phase::Failed},
    {"errored", Phase::Failed},
    {"rejected", Phase::Failed},
    {"timed_out", Phase::Failed},
    {"canceled", Phase::Cancelled},
    {"aborted", Phase::Cancelled},
};

} // namespace

Phase phaseOf(QByteArrayView word)
{
    const QByteArray lower = word.toByteArray().toLower();
    for (const Word &entry : words) {
        if (entry.word == lower)
            return entry.phase;
    }
    return Phase::Unknown;
}

QByteArray ExecutionLayout::quotedTable() const
{
    return sql::quotedIdentifier(schema) + '.' + sql::quotedIdentifier(table);
}

QString ExecutionLayout::displayName() const
{
    outbox::Layout names;
    names.schema = schema;
    names.table = table;
    return names.displayName();
}

const Column &ExecutionLayout::ordering() const
{
    return queuedAt.exists() ? queuedAt : createdAt.exists() ? createdAt : startedAt;
}

std::vector<QByteArray> ExecutionLayout::statusesOf(std::initializer_list<Phase> phases) const
{
    std::vector<QByteArray> found;
    for (const QByteArray &word : statuses) {
        if (std::ranges::find(phases, phaseOf(word)) != phases.end())
            found.push_back(word);
    }
    return found;
}

} // namespace engine::workflow
