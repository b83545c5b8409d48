// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/bullmq/enqueuer.h>
#include <engine/outbox/claims.h>
#include <engine/outbox/layout.h>
#include <engine/outbox/settler.h>

#include <functional>
#include <span>
#include <vector>

namespace engine::dispatch {

// Hands rows to a BullMQ queue as jobs. Non-blocking; lives in the Redis client's thread.
class QueueDestination final
{
public:
    struct Delivery
    {
        std::vector<outbox::Outcome> outcomes; // one per row, in order
        int duplicates = 0; // of the handed over, the job was there already
        // Set when Redis could not take the call: all outcomes are Release, and it makes no sense to go on.
        std::optional<Error> trouble;
    };
    using Callback = std::function<void(const Delivery &)>;

    static constexpr size_t mostRowsPerCall = bullmq::Enqueuer::mostJobsPerCall;

    // `enqueuer` outlives this. `jobIdTemplate` holds {id}.
    QueueDestination(bullmq::Enqueuer &enqueuer, const outbox::Layout &layout, const QByteArray &jobIdTemplate);

    // 1..mostRowsPerCall rows. The callback may run before this returns.
    void deliver(const QByteArray &queue, std::span<const outbox::ClaimedRow *const> rows, Callback callback);

    // A template must hold {id} once and make ids that BullMQ takes.
    [[nodiscard]] static Result<void> checkTemplate(const QByteArray &jobIdTemplate);
    // The id of a row's job: the template with the row's id in it, or that between two % where BullMQ keeps such an id
    // for itself. Every row id has one, and no two have the same.
    [[nodiscard]] static QByteArray jobIdFor(const QByteArray &jobIdTemplate, const QByteArray &rowId);
    // The other way round; empty: no row's job has this id.
    [[nodiscard]] static QByteArray rowIdIn(const QByteArray &jobIdTemplate, const QByteArray &jobId);

private:
    void deliverSingly(const QByteArray &queue, std::vector<const outbox::ClaimedRow *> rows, Callback callback);
    [[nodiscard]] Result<bullmq::NewJob> toJob(const outbox::ClaimedRow &row) const;

    bullmq::Enqueuer &m_enqueuer;
    const outbox::LayoutKind m_kind;
    const bool m_payloadIsChecked; // json and jsonb columns hold JSON for certain, text columns need not
    const bool m_metadataIsChecked;
    const QByteArray m_jobIdTemplate;
};

} // namespace engine::dispatch
