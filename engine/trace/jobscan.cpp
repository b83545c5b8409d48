// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobscan.h"

#include "rowlookup.h"
#include "traceparts.h"

#include <engine/bullmq/queuekeys.h>

#include <QCoreApplication>

namespace engine::trace {

using bullmq::QueueKeys;

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::trace::JobScan)
};

constexpr qint64 largestData = 64 * 1024; // an event's id stands near the beginning; more is not fetched for it
constexpr int keysPerStep = 500; // a step may return somewhat more; its findings are all listed then
constexpr qsizetype mostUnusual = 100'000;

QByteArray escapedPattern(const QByteArray &text)
{
    QByteArray escaped;
    for (const char c : text) {
        if (QByteArrayView("*?[]\\").contains(c))
            escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::optional<qint64> microsOf(const redis::Reply &milliseconds)
{
    bool isNumber = false;
    const qint64 value = milliseconds.text.toLongLong(&isNumber);
    return isNumber ? std::optional(value * 1000) : std::nullopt;
}

} // namespace

JobScan::JobScan(Stores &stores, std::chrono::hours retention, QByteArray cursor)
    : m_stores(stores)
    , m_retention(retention)
    , m_cursor(cursor.isEmpty() ? QByteArray("0") : std::move(cursor))
{ }

Result<void> JobScan::step(ReconcileReport &report)
{
    bool complete = true;
    auto names = m_stores.queues(&complete);
    if (!names)
        return fail(names.error());
    if (!complete)
        report.note(Text::tr("jobs of queues that were not found within a few seconds"));
    const QSet<QByteArray> queues(names->cbegin(), names->cend());

    auto scanned = m_stores.redis()->exchange(
        std::vector<redis::Command>{{"SCAN", m_cursor, "MATCH", escapedPattern(m_stores.prefix()) + ":*", "COUNT",
                                     QByteArray::number(keysPerStep), "TYPE", "hash"},
                                    {"DBSIZE"},
                                    {"TIME"}},
        callLimit);
    if (!scanned)
        return fail(scanned.error());
    for (const redis::Reply &reply : *scanned) {
        if (reply.isError())
            return fail(redis::replyError(reply, m_stores.redis()->endpoint().display));
    }
    std::vector<Job> candidates;
    for (const redis::Reply &key : (*scanned)[0].items[1].items) {
        if (auto job = jobOfKey(key.text, queues))
            candidates.push_back(std::move(*job));
    }
    auto jobs = readJobs(std::move(candidates), report);
    if (!jobs)
        return fail(jobs.error());
    const qint64 now = (*scanned)[2].items[0].text.toLongLong() * 1'000'000;
    if (auto judged = judge(*jobs, now, report); !judged)
        return judged;

    report.jobsLooked += static_cast<qint64>(jobs->size());
    m_keysSeen += keysPerStep;
    m_keysOfAll = std::max<qint64>(1, (*scanned)[1].integer);
    report.keysLooked = std::min(m_keysSeen, m_keysOfAll);
    m_fraction = std::min(1.0, double(m_keysSeen) / double(m_keysOfAll));
    m_cursor = (*scanned)[0].items[0].text;
    m_finished = m_cursor == "0";
    return {};
}

std::optional<JobScan::Job> JobScan::jobOfKey(const QByteArray &key, const QSet<QByteArray> &queues) const
{
    // Both a queue's name and a job's id may hold colons: the longest name that is known decides.
    const QByteArray rest = key.mid(m_stores.prefix().size() + 1);
    for (qsizetype colon = rest.lastIndexOf(':'); colon > 0; colon = rest.lastIndexOf(':', colon - 1)) {
        const QByteArray queue = rest.first(colon);
        if (!queues.contains(queue))
            continue;
        const QByteArray id = rest.mid(colon + 1);
        if (id == "meta" || id.startsWith("repeat:") || id.startsWith("metrics:") || id.startsWith("de:")
            || id.startsWith("dn:") || id.endsWith(":processed") || id.endsWith(":failed"))
            return std::nullopt;
        return Job{queue, id, {}, {}, {}, {}};
    }
    return std::nullopt;
}

Result<std::vector<JobScan::Job>> JobScan::readJobs(std::vector<Job> candidates, ReconcileReport &report)
{
    std::vector<redis::Command> questions;
    for (const Job &job : candidates) {
        const QByteArray key = QueueKeys(m_stores.prefix(), job.queue).key(job.id);
        questions.push_back({"HMGET", key, "name", "timestamp", "finishedOn"});
        questions.push_back({"HSTRLEN", key, "data"});
    }
    auto answers = m_stores.redis()->exchange(questions, callLimit);
    if (!answers)
        return fail(answers.error());

    std::vector<Job> jobs;
    std::vector<redis::Command> dataQuestions;
    std::vector<size_t> dataOwners;
    for (size_t i = 0; i < candidates.size(); ++i) {
        const redis::Reply &fields = (*answers)[2 * i];
        // Gone meanwhile, or a hash that is no job.
        if (fields.items.size() != 3 || (fields.items[0].isNil() && fields.items[1].isNil()))
            continue;
        Job &job = candidates[i];
        job.name = fields.items[0].text;
        job.addedAt = microsOf(fields.items[1]);
        job.finishedAt = microsOf(fields.items[2]);
        job.rowId = m_stores.rowIdIn(job.id);
        const qint64 dataSize = (*answers)[2 * i + 1].integer;
        if (job.rowId.isEmpty() && dataSize > largestData) {
            report.note(
                Text::tr("the event of jobs with more than %1 KiB of data and an unusual id").arg(largestData / 1024));
            continue;
        }
        if (job.rowId.isEmpty()) {
            dataQuestions.push_back({"HGET", QueueKeys(m_stores.prefix(), job.queue).key(job.id), "data"});
            dataOwners.push_back(jobs.size());
        }
        jobs.push_back(std::move(job));
    }
    auto data = m_stores.redis()->exchange(dataQuestions, callLimit);
    if (!data)
        return fail(data.error());
    for (size_t i = 0; i < dataOwners.size(); ++i)
        jobs[dataOwners[i]].rowId = textMember((*data)[i].text, QLatin1StringView("outboxEventId"));
    std::erase_if(jobs, [](const Job &job) { return job.rowId.isEmpty(); });
    return jobs;
}

Result<void> JobScan::judge(const std::vector<Job> &jobs, qint64 now, ReconcileReport &report)
{
    QList<QByteArray> ids;
    for (const Job &job : jobs)
        ids << job.rowId;
    RowLookup lookup(*m_stores.database(), *m_stores.outbox());
    auto known = lookup.known(ids);
    if (!known)
        return fail(known.error());
    QHash<QByteArray, QByteArray> types;
    for (const RowLookup::Known &row : *known)
        types.insert(row.id, row.eventType);

    std::vector<redis::Command> questions;
    std::vector<const Job *> unusual;
    for (const Job &job : jobs) {
        if (const auto type = types.constFind(job.rowId); type != types.constEnd()) {
            const QByteArray queue = m_stores.queueOf(*type);
            const QByteArray usualId = m_stores.jobIdOf(job.rowId);
            if (job.id == usualId && (queue.isEmpty() || queue == job.queue))
                continue;
            unusual.push_back(&job);
            questions.push_back({"HEXISTS",
                                 QueueKeys(m_stores.prefix(), queue.isEmpty() ? job.queue : queue).key(usualId),
                                 "timestamp"});
            continue;
        }
        Finding finding;
        // What retention may have removed by now is no surprise, if the job is over.
        const bool old =
            job.addedAt && now / 1000 - *job.addedAt / 1000 > std::chrono::milliseconds(m_retention).count();
        const bool retired = old && job.finishedAt.has_value();
        finding.kind = retired ? Finding::Kind::RowRetired : Finding::Kind::JobWithoutRow;
        finding.certainty = retired ? Certainty::Likely : Certainty::Recorded;
        finding.detail = retired
            ? Text::tr("finished, and older than done rows are kept")
            : Text::tr("%1 has no row %2").arg(m_stores.outbox()->displayName(), QString::fromUtf8(job.rowId));
        addOnce(job, std::move(finding), report);
    }
    auto usual = m_stores.redis()->exchange(questions, callLimit);
    if (!usual)
        return fail(usual.error());
    for (size_t i = 0; i < unusual.size(); ++i) {
        const Job &job = *unusual[i];
        const QByteArray name = job.queue + " / " + job.id;
        QByteArray other;
        if (!(*usual)[i].isError() && (*usual)[i].integer == 1)
            other = m_stores.queueOf(types.value(job.rowId)) + " / " + m_stores.jobIdOf(job.rowId);
        else if (const QByteArray before = m_unusual.value(job.rowId); !before.isEmpty() && before != name)
            other = before;
        // The first one stays what others are held against.
        const bool isFirst = !m_unusual.contains(job.rowId);
        if (isFirst && m_unusual.size() < mostUnusual)
            m_unusual.insert(job.rowId, name);
        else if (isFirst)
            report.note(Text::tr("duplicates among very many jobs with unusual ids"));
        if (other.isEmpty())
            continue;
        Finding finding;
        finding.kind = Finding::Kind::DuplicateJob;
        finding.detail = Text::tr("the same event as %1").arg(QString::fromUtf8(other));
        addOnce(job, std::move(finding), report);
    }
    return {};
}

void JobScan::addOnce(const Job &job, Finding finding, ReconcileReport &report)
{
    const QByteArray key = QueueKeys(m_stores.prefix(), job.queue).key(job.id);
    if (m_reported.contains(key))
        return;
    if (m_reported.size() < mostUnusual)
        m_reported.insert(key);
    finding.id = job.id;
    finding.rowId = job.rowId;
    finding.name = job.name;
    finding.queue = job.queue;
    finding.at = job.addedAt;
    report.add(std::move(finding));
}

} // namespace engine::trace
