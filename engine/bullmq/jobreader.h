// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "jobs.h"
#include "jobwindow.h"

#include <engine/base/error.h>
#include <engine/transport/redis/client.h>

namespace engine::bullmq {

// Reads jobs without writing anything. Jobs come and go while they are read: a page may hold one that is gone, which
// says so. Blocking; belongs to the thread of `client`.
class JobReader final
{
public:
    // `client` outlives the reader.
    JobReader(redis::Client &client, QByteArray prefix);

    // Any depth at the same cost. Errors: BadInput, Failed where a key has the wrong type, those of the connection.
    [[nodiscard]] Result<JobPage> page(const JobPageRequest &request);
    // Errors: NotFound when there is no such job (any more), those of the connection.
    [[nodiscard]] Result<JobDetail> detail(const QByteArray &queue, const QByteArray &id);
    // What lists show of these jobs. `withData` reads their data too.
    [[nodiscard]] Result<std::vector<JobSummary>>
    summaries(const QByteArray &queue, JobState state, const std::vector<JobWindow::Entry> &entries, bool withData);

private:
    redis::Client &m_client;
    const QByteArray m_prefix;
};

} // namespace engine::bullmq
