// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/reader.h>

namespace engine::trace {

// Finds outbox rows by other things than their place in a list: each question one bounded statement. What an index
// answers comes first; what has to read the table has a short time limit and says whether it got through.
// Belongs to the connection's thread.
class RowLookup final
{
public:
    struct Found
    {
        QList<QByteArray> ids; // oldest schedule first, at most mostRows
        bool more = false; // there are more than that
        bool searched = true; // false: this table has no column to search for it
        bool finished = true; // false: the time limit came first, so that rows may be missing
    };
    static constexpr int mostRows = 20;

    // `connection` outlives the lookup.
    RowLookup(sql::Connection &connection, outbox::Layout layout);

    // The row with this id; absent: there is none.
    [[nodiscard]] Result<std::optional<outbox::RowDetail>> byId(const QByteArray &id);
    // Which of these ids have a row, with their types and statuses. Any number of ids.
    struct Known
    {
        QByteArray id, eventType, status, dispatchKey;
        std::optional<outbox::EpochMicros> processedAt;
    };
    [[nodiscard]] Result<std::vector<Known>> known(const QList<QByteArray> &ids);
    [[nodiscard]] Result<Found> byDispatchKey(const QByteArray &key);
    [[nodiscard]] Result<Found> byAggregate(const QByteArray &aggregateId);
    // Rows whose metadata (or, without such a column, payload) names this correlation, saga or trace id.
    [[nodiscard]] Result<Found> byCorrelation(const QByteArray &id);
    // Rows scheduled from `since` on whose payload names one of these executions.
    [[nodiscard]] Result<Found> byExecution(const QList<QByteArray> &executionIds,
                                            std::optional<outbox::EpochMicros> since);
    // Of these executions, those that a row still to be handed over names.
    [[nodiscard]] Result<std::vector<std::pair<QByteArray, QByteArray>>>
    rowsOfExecutions(const QList<QByteArray> &executionIds, std::optional<outbox::EpochMicros> since, bool *finished);
    [[nodiscard]] Result<outbox::EpochMicros> databaseTime();

private:
    [[nodiscard]] Result<Found> search(const QByteArray &condition, const sql::Params &params,
                                       std::chrono::milliseconds limit);
    // Conditions that a member of a JSON column has one of the values in a text[] parameter.
    [[nodiscard]] QByteArray memberIs(const outbox::Column &column, const QList<QByteArray> &path,
                                      const QByteArray &arrayParameter) const;
    [[nodiscard]] QByteArray inTimeOrder(std::optional<outbox::EpochMicros> since, sql::Params &params) const;

    sql::Connection &m_connection;
    const outbox::Layout m_layout;
    outbox::Reader m_reader;
};

// The members of a JSON object that say which execution an event is about, and what it is correlated with.
struct References
{
    QList<QByteArray> executions;
    QByteArray correlationId;
    QByteArray sagaId;
    QByteArray traceId;
};
[[nodiscard]] References referencesIn(const outbox::RowDetail &row);
// One text member of a JSON object, where the text is one; empty: there is none.
[[nodiscard]] QByteArray textMember(const QByteArray &json, QLatin1StringView name);

} // namespace engine::trace
