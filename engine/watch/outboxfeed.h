// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/config/profile.h>
#include <engine/outbox/publisher.h>
#include <engine/outbox/reader.h>
#include <engine/outbox/rowsearch.h>
#include <engine/outbox/spread.h>
#include <engine/outbox/vitals.h>

#include <QObject>

#include <memory>
#include <optional>

namespace engine::sql {
class ConnectionThread;
}

namespace engine::watch {

struct OutboxSnapshot
{
    outbox::Stats stats;
    qint64 latencyMicros = 0; // of the shortest round trip to the database just now
};

// The outbox table for a window: questions are asked without waiting, answers come as signals in the thread of
// this object. An answer to an older question than the newest of its kind is dropped. Every answer may be late,
// none is ever wrong: failures come as signals too, and the next question reconnects.
class OutboxFeed final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OutboxFeed)

public:
    explicit OutboxFeed(const config::ConnectionProfile &profile, QObject *parent = nullptr);
    ~OutboxFeed() override; // interrupts the running question

    void connectToTable(); // then tableFound() or failed(); asked again by itself before any other question
    void requestSnapshot(); // then snapshotReady() or failed()
    void requestVitals(const outbox::VitalsRequest &request); // then vitalsReady() or vitalsFailed()
    void requestPage(const outbox::PageRequest &request); // then pageReady(), searchNeeded() or failed()
    void requestSpread(const QList<QByteArray> &statuses); // then spreadReady(), if it can be known
    void requestDetail(const QByteArray &id); // then detailReady() or detailFailed()
    // Writes one event in a transaction of its own; then published() or publishFailed(). Refused on a read-only
    // profile.
    void publish(const outbox::NewEvent &event);

    // This console's own load on the database: statements of reading.
    [[nodiscard]] const Traffic &traffic() const { return *m_traffic; }
    // The table being read; absent until tableFound().
    [[nodiscard]] const std::optional<outbox::Layout> &layout() const { return m_layout; }

signals:
    void tableFound(const engine::outbox::Layout &layout);
    void snapshotReady(const engine::watch::OutboxSnapshot &snapshot);
    void vitalsReady(const engine::outbox::Vitals &vitals);
    void vitalsFailed(const engine::Error &error); // maybe only because a look took too long
    void pageReady(const engine::outbox::PageRequest &request, const engine::outbox::RowPage &page);
    // No index leads to the rows of this filter, and the table is large.
    void searchNeeded(const engine::outbox::PageRequest &request, const engine::outbox::FilterCost &cost);
    void spreadReady(const QList<QByteArray> &statuses, const engine::outbox::Spread &spread);
    void detailReady(const engine::outbox::RowDetail &detail);
    void detailFailed(const QByteArray &id, const engine::Error &error);
    void published(const engine::outbox::Published &published);
    void publishFailed(const engine::Error &error);
    void failed(const engine::Error &error); // the table cannot be read now

private:
    struct Table;
    // Figures take longer than rows, which somebody waits for: each kind has a connection of its own.
    enum class Lane { Rows, Figures };
    template <typename Question, typename Answer, typename Failure>
    void ask(quint64 &newest, Question question, Answer answer, Failure failure, Lane lane = Lane::Rows);

    const config::ConnectionProfile m_profile;
    std::optional<Error> m_urlFault;
    std::optional<outbox::Layout> m_layout;
    quint64 m_newestSnapshot = 0; // generations: an answer to an older question is dropped
    quint64 m_newestVitals = 0;
    quint64 m_newestPage = 0;
    quint64 m_newestSpread = 0;
    quint64 m_newestDetail = 0;
    quint64 m_newestTable = 0;
    const std::shared_ptr<Traffic> m_traffic;
    std::shared_ptr<Table> m_table; // used in the read thread only, but for its clock
    std::shared_ptr<Table> m_figureTable; // the same for the figures' thread
    std::unique_ptr<sql::ConnectionThread> m_readThread; // absent: the URL cannot be read
    std::unique_ptr<sql::ConnectionThread> m_figureThread; // the same
    std::unique_ptr<sql::ConnectionThread> m_writeThread; // absent on a read-only profile
};

} // namespace engine::watch
