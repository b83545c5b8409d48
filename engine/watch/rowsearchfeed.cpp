// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowsearchfeed.h"

#include "foundtable.h"
#include "windowconnection.h"

#include <engine/transport/sql/connectionthread.h>

#include <QMutex>
#include <QThreadPool>

namespace engine::watch {

using sql::Connection;

// One piece on its way, which may be given up from the feed's thread.
class RowSearchFeed::Piece
{
public:
    // In the worker thread; false: given up before it began.
    bool begin(const Connection &connection)
    {
        const QMutexLocker lock(&m_mutex);
        if (!m_stopped)
            m_running = connection.canceller();
        return !m_stopped;
    }

    void end()
    {
        const QMutexLocker lock(&m_mutex);
        m_running.reset();
    }

    void stop()
    {
        const QMutexLocker lock(&m_mutex);
        m_stopped = true;
        // Asking takes a connection of its own, for which nobody waits here.
        if (m_running)
            QThreadPool::globalInstance()->start([canceller = m_running] { canceller->cancel(); });
    }

    bool isStopped()
    {
        const QMutexLocker lock(&m_mutex);
        return m_stopped;
    }

private:
    QMutex m_mutex;
    bool m_stopped = false;
    std::shared_ptr<const sql::Canceller> m_running;
};

// What the worker thread keeps between pieces. Used there only.
struct RowSearchFeed::Worker
{
    std::optional<outbox::Layout> layout;
    std::optional<outbox::RowSearch> search;
    const Connection *searched = nullptr; // that `search` was made for

    Result<outbox::RowSearchStep> step(Connection &connection, const config::ConnectionProfile &profile,
                                       const outbox::RowFilter &filter, const outbox::RowSearchCursor &cursor,
                                       Piece &piece)
    {
        if (auto found = tableOf(connection, layout, profile); !found)
            return fail(found.error());
        if (!search || searched != &connection || !cursor.from)
            search.emplace(connection, *layout);
        searched = &connection;
        if (!piece.begin(connection))
            return fail(ErrorCode::Cancelled, {});
        auto step = search->step(filter, cursor);
        piece.end();
        // A dropped or altered table: look at the catalogue anew next time.
        if (!step && step.error().code == ErrorCode::NotFound) {
            search.reset();
            layout.reset();
        }
        return step;
    }
};

RowSearchFeed::RowSearchFeed(const config::ConnectionProfile &profile, QObject *parent)
    : QObject(parent)
    , m_profile(profile)
    , m_traffic(std::make_shared<Traffic>())
    , m_worker(std::make_shared<Worker>())
{
    auto options = readingOptions(profile, m_traffic);
    if (!options) {
        m_urlFault = options.error();
        return;
    }
    options->applicationName = "outbox-console search";
    options->callTimeout = outbox::RowSearch::wholeTableLimit + std::chrono::seconds(10);
    m_thread = std::make_unique<sql::ConnectionThread>(std::move(*options), QStringLiteral("outbox search"));
}

RowSearchFeed::~RowSearchFeed()
{
    if (m_piece)
        m_piece->stop();
}

void RowSearchFeed::start(const outbox::RowFilter &filter, const outbox::FilterCost &cost)
{
    if (m_piece)
        m_piece->stop(); // its answer is dropped: spare the server the rest
    m_piece.reset();
    ++m_search;
    m_cursor = {};
    m_progress = {};
    m_progress.filter = filter;
    m_progress.cost = cost;
    m_found = 0;
    m_running = true;
    nextStep();
}

void RowSearchFeed::stop()
{
    if (!std::exchange(m_running, false))
        return;
    if (m_piece)
        m_piece->stop();
    m_progress.found.clear();
    m_progress.running = false;
    emit progressed(m_progress);
}

void RowSearchFeed::resume()
{
    if (m_running || m_progress.done || !m_progress.filter.hasTexts())
        return;
    m_found = 0;
    m_running = true;
    m_progress.running = true;
    nextStep();
}

void RowSearchFeed::nextStep()
{
    if (m_piece)
        return; // one is on its way and goes on by itself
    if (m_urlFault) {
        m_running = false;
        emit failed(*m_urlFault);
        return;
    }
    m_piece = std::make_shared<Piece>();
    m_thread
        ->run([worker = m_worker, profile = m_profile, filter = m_progress.filter, cursor = m_cursor, piece = m_piece](
                  Connection &connection) { return worker->step(connection, profile, filter, cursor, *piece); })
        .then(this, [this, generation = m_search](const Result<outbox::RowSearchStep> &step) {
            if (generation == m_search)
                takeStep(step);
        });
}

void RowSearchFeed::takeStep(const Result<outbox::RowSearchStep> &step)
{
    const bool wasStopped = std::exchange(m_piece, {})->isStopped();
    if (step) {
        // Also of a search that was stopped meanwhile: what was looked at counts.
        m_cursor = step->next;
        m_progress.looked += step->looked;
        m_progress.found = step->found;
        m_progress.done = step->done;
        m_found += static_cast<qint64>(step->found.size());
        m_running = m_running && !step->done && m_found < foundAtOnce;
        m_progress.running = m_running;
        emit progressed(m_progress);
    } else if (!wasStopped) {
        m_running = false;
        m_progress.running = false;
        emit failed(step.error());
    }
    if (m_running)
        nextStep();
}

} // namespace engine::watch
