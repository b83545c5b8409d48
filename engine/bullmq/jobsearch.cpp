// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "jobsearch.h"

#include "jobreader.h"
#include "queuekeys.h"

#include <engine/base/jsontext.h>

#include <QElapsedTimer>

#include <algorithm>

namespace engine::bullmq {

namespace {

constexpr std::chrono::seconds callLimit{30};
constexpr int jobsPerWindow = 200;
constexpr qint64 bytesPerFetch = 4 * 1024 * 1024; // one larger document is read by itself

// What is looked for: the text, and the text as a JSON string would spell it.
class Needle
{
public:
    explicit Needle(const QString &text)
        : m_text(text)
    {
        QByteArray json;
        jsontext::appendString(json, text.toUtf8());
        m_spelled = QString::fromUtf8(json.sliced(1, json.size() - 2));
    }

    [[nodiscard]] bool isIn(const QByteArray &utf8) const
    {
        const QString hay = QString::fromUtf8(utf8);
        return hay.contains(m_text, Qt::CaseInsensitive)
            || (m_spelled != m_text && hay.contains(m_spelled, Qt::CaseInsensitive));
    }

private:
    const QString m_text;
    QString m_spelled;
};

} // namespace

JobSearch::JobSearch(redis::Client &client, QByteArray prefix)
    : m_client(client)
    , m_prefix(std::move(prefix))
{ }

Result<JobSearchStep> JobSearch::step(const JobSearchRequest &request, const JobSearchCursor &cursor,
                                      std::chrono::milliseconds budget)
{
    QElapsedTimer timer;
    timer.start();
    const Needle needle(request.text);
    const QueueKeys keys(m_prefix, request.queue);
    JobSearchStep step;
    step.next = cursor;
    do {
        if (step.next.state >= request.states.size()) {
            step.done = true;
            break;
        }
        const JobState state = request.states[step.next.state];
        auto window =
            readWindow(m_client, m_prefix, request.queue, state, step.next.offset, jobsPerWindow, request.oldestFirst);
        if (!window)
            return fail(window.error());
        step.total = window->total;
        std::vector<redis::Command> sizes;
        for (const JobWindow::Entry &entry : window->entries)
            sizes.push_back({"HSTRLEN", keys.key(entry.id), "data"});
        auto lengths = m_client.exchange(sizes, callLimit);
        if (!lengths)
            return fail(lengths.error());

        std::vector<JobWindow::Entry> hits;
        for (size_t from = 0; from < window->entries.size();) {
            std::vector<redis::Command> fetch;
            qint64 bytes = 0;
            size_t end = from;
            do {
                fetch.push_back({"HMGET", keys.key(window->entries[end].id), "name", "failedReason", "data"});
                bytes += (*lengths)[end++].integer;
            } while (end < window->entries.size() && bytes + (*lengths)[end].integer <= bytesPerFetch);
            auto fields = m_client.exchange(fetch, callLimit);
            if (!fields)
                return fail(fields.error());
            for (size_t i = from; i < end; ++i) {
                const JobWindow::Entry &entry = window->entries[i];
                const std::vector<redis::Reply> &values = (*fields)[i - from].items;
                if (needle.isIn(entry.id)
                    || std::ranges::any_of(values, [&](const redis::Reply &value) { return needle.isIn(value.text); }))
                    hits.push_back(entry);
            }
            step.bytes += bytes;
            from = end;
        }
        auto found = JobReader(m_client, m_prefix).summaries(request.queue, state, hits, request.withData);
        if (!found)
            return fail(found.error());
        std::ranges::move(*found, std::back_inserter(step.found));
        step.looked += static_cast<qint64>(window->entries.size());
        step.next.offset += jobsPerWindow;
        if (step.next.offset >= window->total) {
            ++step.next.state;
            step.next.offset = 0;
            step.done = step.next.state >= request.states.size();
        }
    } while (!step.done && timer.elapsed() < budget.count());
    return step;
}

} // namespace engine::bullmq
