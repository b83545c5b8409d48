// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/base/traffic.h>
#include <engine/config/profile.h>
#include <engine/outbox/rowsearch.h>

#include <QObject>

#include <memory>
#include <optional>

namespace engine::sql {
class ConnectionThread;
}

namespace engine::watch {

// How far a search through the outbox table has come.
struct RowSearchProgress
{
    outbox::RowFilter filter;
    outbox::FilterCost cost; // as it was estimated before
    std::vector<outbox::RowSummary> found; // since the last report
    qint64 looked = 0; // rows looked at since the search began; 0: not known, see RowSearchStep
    bool running = true;
    bool done = false; // false and not running: stopped, or enough for now; can go on
};

// A search for rows that no index finds, for a window; the same manners as OutboxFeed, over a connection of its own,
// which is opened when it is needed. Goes on piece by piece until it has found `foundAtOnce` rows more, is stopped, or
// has looked at all.
class RowSearchFeed final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RowSearchFeed)

public:
    static constexpr int foundAtOnce = 200;

    explicit RowSearchFeed(const config::ConnectionProfile &profile, QObject *parent = nullptr);
    ~RowSearchFeed() override; // interrupts the running piece

    void start(const outbox::RowFilter &filter, const outbox::FilterCost &cost); // then progressed() or failed()
    void stop(); // progressed() says so, if one was running; the server gives up its piece
    void resume(); // where it stopped
    [[nodiscard]] bool isRunning() const { return m_running; }

    // This console's own load on the database.
    [[nodiscard]] const Traffic &traffic() const { return *m_traffic; }

signals:
    void progressed(const engine::watch::RowSearchProgress &progress);
    void failed(const engine::Error &error);

private:
    struct Worker;
    class Piece;
    void nextStep();
    void takeStep(const Result<outbox::RowSearchStep> &step);

    const config::ConnectionProfile m_profile;
    std::optional<Error> m_urlFault;
    const std::shared_ptr<Traffic> m_traffic;
    std::shared_ptr<Worker> m_worker;
    quint64 m_search = 0; // generation: an answer to another search is dropped
    outbox::RowSearchCursor m_cursor;
    RowSearchProgress m_progress;
    qint64 m_found = 0; // since it was started or resumed
    bool m_running = false;
    std::shared_ptr<Piece> m_piece; // on its way; of this search
    std::unique_ptr<sql::ConnectionThread> m_thread; // absent: the URL cannot be read
};

} // namespace engine::watch
