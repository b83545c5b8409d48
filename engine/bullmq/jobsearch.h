// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs.h"

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

#include <chrono>

namespace engine::bullmq {

struct JobSearchRequest
{
    QByteArray queue;
    QList<JobState> states; // one after the other
    QString text; // looked for in id, name, data and error, whatever the case; not empty
    bool oldestFirst = false;
    bool withData = false; // of what is found
};

// Where a search stands, so that it can be stopped and taken up again.
struct JobSearchCursor
{
    qsizetype state = 0; // index into the request's states
    qint64 offset = 0; // jobs of that state looked at
};

struct JobSearchStep
{
    std::vector<JobSummary> found;
    JobSearchCursor next;
    qint64 looked = 0; // jobs looked at in this step
    qint64 bytes = 0; // of data and errors read in this step
    qint64 total = 0; // jobs in the state of the step
    bool done = false;
};

// Looks through jobs in small steps: Redis has no index for their contents, so every job has to be read. Jobs that
// arrive meanwhile may be looked at twice, never left out; jobs that leave may make it miss their neighbours.
// Blocking; belongs to the thread of `client`.
class JobSearch final
{
public:
    // `client` outlives the search.
    JobSearch(redis::Client &client, QByteArray prefix);

    // Goes on from `cursor` for about `budget`, at least a few jobs. Errors as JobReader::page().
    [[nodiscard]] Result<JobSearchStep> step(const JobSearchRequest &request, const JobSearchCursor &cursor,
                                             std::chrono::milliseconds budget);

private:
    redis::Client &m_client;
    const QByteArray m_prefix;
};

} // namespace engine::bullmq
