// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "queuedestination.h"

#include <engine/base/jsontext.h>

#include <QCoreApplication>

#include <memory>

namespace engine::dispatch {

using outbox::Outcome;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::dispatch::QueueDestination)
};

// Redis closes the connection on a value above 512 MB, with everything else that is on its way.
constexpr qsizetype mostPayloadBytes = 256'000'000;

// `name` in full: with the comma or brace before it, its quotes and the colon.
void appendMember(QByteArray &json, QByteArrayView name, QByteArrayView value)
{
    json += name;
    jsontext::appendString(json, value);
}

void appendRawMember(QByteArray &json, QByteArrayView name, QByteArrayView value)
{
    json += name;
    json += value.isEmpty() ? QByteArrayView("null") : value;
}

// What stands before and behind {id}.
std::pair<QByteArrayView, QByteArrayView> aroundId(QByteArrayView jobIdTemplate)
{
    constexpr QByteArrayView id = "{id}";
    const qsizetype place = jobIdTemplate.indexOf(id);
    return {jobIdTemplate.first(place), jobIdTemplate.sliced(place + id.size())};
}

} // namespace

QueueDestination::QueueDestination(bullmq::Enqueuer &enqueuer, const outbox::Layout &layout,
                                   const QByteArray &jobIdTemplate)
    : m_enqueuer(enqueuer)
    , m_kind(layout.kind)
    , m_payloadIsChecked(layout.payload.type.startsWith("json"))
    , m_metadataIsChecked(layout.metadata.type.startsWith("json"))
    , m_jobIdTemplate(std::move(jobIdTemplate))
{ }

Result<void> QueueDestination::checkTemplate(const QByteArray &jobIdTemplate)
{
    if (jobIdTemplate.count("{id}") != 1)
        return fail(
            ErrorCode::BadInput,
            Text::tr("The job id template \"%1\" does not hold {id} once.").arg(QString::fromUtf8(jobIdTemplate)),
            Text::tr("The usual one is outbox:{id}."));
    return bullmq::checkJobId(QByteArray(jobIdTemplate).replace("{id}", "sample-id"));
}

QByteArray QueueDestination::jobIdFor(const QByteArray &jobIdTemplate, const QByteArray &rowId)
{
    // Wrapped, an id is no number, no key of the queue's own and no part of another job; what looks wrapped already is
    // wrapped once more, so that no two rows share an id.
    const auto [head, tail] = aroundId(jobIdTemplate);
    QByteArray id;
    id.reserve(jobIdTemplate.size() + rowId.size());
    id += head;
    id += rowId;
    id += tail;
    return bullmq::checkJobId(id) && !id.startsWith('%') ? id : '%' + id + '%';
}

QByteArray QueueDestination::rowIdIn(const QByteArray &jobIdTemplate, const QByteArray &jobId)
{
    const auto [head, tail] = aroundId(jobIdTemplate);
    QByteArrayView id = jobId;
    if (id.size() > 2 && id.startsWith('%') && id.endsWith('%'))
        id = id.sliced(1, id.size() - 2);
    if (id.size() <= head.size() + tail.size() || !id.startsWith(head) || !id.endsWith(tail))
        return {};
    const QByteArray rowId = id.sliced(head.size(), id.size() - head.size() - tail.size()).toByteArray();
    return jobIdFor(jobIdTemplate, rowId) == jobId ? rowId : QByteArray();
}

Result<bullmq::NewJob> QueueDestination::toJob(const outbox::ClaimedRow &row) const
{
    bullmq::NewJob job;
    job.id = jobIdFor(m_jobIdTemplate, row.id);
    job.name = row.eventType;
    if (row.payload.size() > mostPayloadBytes)
        return fail(ErrorCode::BadInput,
                    Text::tr("The payload has %1 MB; more than %2 MB are not handed over.")
                        .arg(row.payload.size() / 1'000'000)
                        .arg(mostPayloadBytes / 1'000'000),
                    Text::tr("Store the content elsewhere and put its address into the event."));
    if (!m_payloadIsChecked) {
        if (const auto fault = jsontext::findFault(row.payload))
            return fail(ErrorCode::BadInput,
                        Text::tr("The payload is not JSON: %1, at byte %2.")
                            .arg(QString::fromLatin1(fault->reason))
                            .arg(fault->offset),
                        Text::tr("No worker could read it; correct the row and requeue it."));
    }
    if (!m_metadataIsChecked && !row.metadata.isEmpty()) {
        if (const auto fault = jsontext::findFault(row.metadata))
            return fail(ErrorCode::BadInput,
                        Text::tr("The metadata is not JSON: %1, at byte %2.")
                            .arg(QString::fromLatin1(fault->reason))
                            .arg(fault->offset),
                        Text::tr("No worker could read it; correct the row and requeue it."));
    }
    job.data.reserve(row.payload.size() + 256);
    appendMember(job.data, R"({"outboxEventId":)", row.id);
    appendMember(job.data, R"(,"tenantId":)", row.tenantId);
    appendMember(job.data, R"(,"eventType":)", row.eventType);
    appendRawMember(job.data, R"(,"payload":)", row.payload);
    if (m_kind == outbox::LayoutKind::Message) {
        appendMember(job.data, R"(,"aggregateType":)", row.aggregateType);
        appendMember(job.data, R"(,"aggregateId":)", row.aggregateId);
        // A numeric column knows NaN, JSON does not.
        const bool isNumber = !row.eventVersion.isEmpty() && !jsontext::findFault(row.eventVersion);
        appendRawMember(job.data, R"(,"eventVersion":)", isNumber ? row.eventVersion : QByteArray());
        appendRawMember(job.data, R"(,"metadata":)", row.metadata);
    }
    job.data += '}';
    return job;
}

void QueueDestination::deliver(const QByteArray &queue, std::span<const outbox::ClaimedRow *const> rows,
                               Callback callback)
{
    Delivery delivery;
    std::vector<bullmq::NewJob> jobs;
    std::vector<size_t> rowOfJob;
    delivery.outcomes.reserve(rows.size());
    jobs.reserve(rows.size());
    for (const outbox::ClaimedRow *row : rows) {
        auto job = toJob(*row);
        if (job) {
            rowOfJob.push_back(delivery.outcomes.size());
            jobs.push_back(std::move(*job));
            delivery.outcomes.push_back({row->id, Outcome::Kind::HandedOver, {}});
        } else {
            delivery.outcomes.push_back({row->id, Outcome::Kind::Undeliverable, job.error().text().toUtf8()});
        }
    }
    if (jobs.empty()) {
        callback(delivery);
        return;
    }
    m_enqueuer.add(
        queue, jobs,
        [this, delivery = std::move(delivery), rowOfJob = std::move(rowOfJob), callback = std::move(callback), queue,
         several = rows.size() > 1
             ? std::vector<const outbox::ClaimedRow *>(rows.begin(), rows.end())
             : std::vector<const outbox::ClaimedRow *>()](const Result<std::vector<bullmq::AddResult>> &added) mutable {
            if (!added && !added.error().retryable && !several.empty()) {
                // Something about one of the jobs, or the queue as a whole: each has to answer for itself.
                deliverSingly(queue, std::move(several), std::move(callback));
                return;
            }
            for (size_t i = 0; i < rowOfJob.size(); ++i) {
                Outcome &outcome = delivery.outcomes[rowOfJob[i]];
                if (!added) {
                    const bool passing = added.error().retryable;
                    outcome.kind = passing ? Outcome::Kind::Release : Outcome::Kind::FailedAttempt;
                    outcome.error = passing ? QByteArray() : added.error().text().toUtf8();
                } else if ((*added)[i] == bullmq::AddResult::Duplicate) {
                    ++delivery.duplicates;
                } else if ((*added)[i] == bullmq::AddResult::KeyTaken) {
                    outcome.kind = Outcome::Kind::FailedAttempt;
                    outcome.error = Text::tr("The job's key in queue %1 holds something that is no job.")
                                        .arg(QString::fromUtf8(queue))
                                        .toUtf8();
                }
            }
            if (!added && added.error().retryable)
                delivery.trouble = added.error();
            callback(delivery);
        });
}

void QueueDestination::deliverSingly(const QByteArray &queue, std::vector<const outbox::ClaimedRow *> rows,
                                     Callback callback)
{
    struct Collected
    {
        Delivery all;
        size_t missing;
        Callback callback;
    };
    auto collected = std::make_shared<Collected>();
    collected->all.outcomes.resize(rows.size());
    collected->missing = rows.size();
    collected->callback = std::move(callback);
    for (size_t i = 0; i < rows.size(); ++i) {
        const outbox::ClaimedRow *const one = rows[i];
        deliver(queue, std::span(&one, 1), [collected, i](const Delivery &delivery) {
            collected->all.outcomes[i] = delivery.outcomes.front();
            collected->all.duplicates += delivery.duplicates;
            if (delivery.trouble)
                collected->all.trouble = delivery.trouble;
            if (--collected->missing == 0)
                collected->callback(collected->all);
        });
    }
}

} // namespace engine::dispatch
