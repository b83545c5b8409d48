// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "outboxfeed.h"

#include "foundtable.h"
#include "windowconnection.h"

#include <engine/transport/sql/connectionthread.h>

namespace engine::watch {

using sql::Connection;

// What the worker thread keeps between questions. Used there only.
struct OutboxFeed::Table
{
    std::optional<outbox::Layout> layout;
};

OutboxFeed::OutboxFeed(const config::ConnectionProfile &profile, QObject *parent)
    : QObject(parent)
    , m_profile(profile)
    , m_traffic(std::make_shared<Traffic>())
    , m_table(std::make_shared<Table>())
    , m_figureTable(std::make_shared<Table>())
{
    auto options = readingOptions(profile, m_traffic);
    if (!options) {
        m_urlFault = options.error();
        return;
    }
    m_readThread = std::make_unique<sql::ConnectionThread>(*options, QStringLiteral("outbox read"));
    m_figureThread = std::make_unique<sql::ConnectionThread>(*options, QStringLiteral("outbox figures"));
    if (profile.readOnly)
        return;
    options->access = sql::Access::ReadWrite;
    options->traffic.reset();
    m_writeThread = std::make_unique<sql::ConnectionThread>(std::move(*options), QStringLiteral("outbox write"));
}

OutboxFeed::~OutboxFeed() = default;

// Runs `question` (Reader & -> Result<Value>) in the worker thread and `answer` here, unless a newer question of
// the same kind was asked meanwhile.
template <typename Question, typename Answer, typename Failure>
void OutboxFeed::ask(quint64 &newest, Question question, Answer answer, Failure failure, Lane lane)
{
    const quint64 generation = ++newest;
    if (m_urlFault) {
        const Error fault = *m_urlFault;
        QMetaObject::invokeMethod(
            this, [failure, fault] { failure(fault); }, Qt::QueuedConnection);
        return;
    }
    using Value = std::invoke_result_t<Question, outbox::Reader &, Connection &>;
    const std::shared_ptr<Table> ownTable = lane == Lane::Figures ? m_figureTable : m_table;
    (lane == Lane::Figures ? m_figureThread : m_readThread)
        ->run([table = ownTable, profile = m_profile, question = std::move(question)](Connection &connection) -> Value {
            auto layout = tableOf(connection, table->layout, profile);
            if (!layout)
                return fail(layout.error());
            outbox::Reader reader(connection, *layout);
            Value value = question(reader, connection);
            // A dropped or altered table: look at the catalogue anew next time.
            if (!value && value.error().code == ErrorCode::NotFound)
                table->layout.reset();
            return value;
        })
        .then(this,
              [generation, &newest, answer = std::move(answer), failure = std::move(failure)](const Value &value) {
                  if (generation != newest)
                      return;
                  if (value)
                      answer(*value);
                  else
                      failure(value.error());
              });
}

void OutboxFeed::connectToTable()
{
    ask(
        m_newestTable, [](outbox::Reader &reader, Connection &) -> Result<outbox::Layout> { return reader.layout(); },
        [this](const outbox::Layout &layout) {
            m_layout = layout;
            emit tableFound(layout);
        },
        [this](const Error &error) { emit failed(error); });
}

void OutboxFeed::requestSnapshot()
{
    ask(
        m_newestSnapshot,
        [](outbox::Reader &reader, Connection &connection) -> Result<OutboxSnapshot> {
            const auto latency = connection.roundTrip();
            if (!latency)
                return fail(latency.error());
            auto stats = reader.stats(outbox::CountMode::Bounded);
            if (!stats)
                return fail(stats.error());
            return OutboxSnapshot{std::move(*stats), latency->count()};
        },
        [this](const OutboxSnapshot &snapshot) { emit snapshotReady(snapshot); },
        [this](const Error &error) { emit failed(error); }, Lane::Figures);
}

void OutboxFeed::requestVitals(const outbox::VitalsRequest &request)
{
    ask(
        m_newestVitals,
        [request](outbox::Reader &reader, Connection &connection) {
            return outbox::readVitals(connection, reader.layout(), request);
        },
        [this](const outbox::Vitals &vitals) { emit vitalsReady(vitals); },
        [this](const Error &error) { emit vitalsFailed(error); }, Lane::Figures);
}

void OutboxFeed::requestPage(const outbox::PageRequest &request)
{
    struct Answer
    {
        outbox::RowPage page;
        std::optional<outbox::FilterCost> cost; // instead of a page: this is a search
    };
    ask(
        m_newestPage,
        [request](outbox::Reader &reader, Connection &connection) -> Result<Answer> {
            if (request.filter.hasTexts()) {
                auto cost = outbox::filterCost(connection, reader.layout(), request.filter);
                if (!cost)
                    return fail(cost.error());
                if (!cost->isCheap())
                    return Answer{{}, *cost};
            }
            auto page = reader.page(request);
            if (!page)
                return fail(page.error());
            return Answer{std::move(*page), {}};
        },
        [this, request](const Answer &answer) {
            if (answer.cost)
                emit searchNeeded(request, *answer.cost);
            else
                emit pageReady(request, answer.page);
        },
        [this](const Error &error) { emit failed(error); });
}

void OutboxFeed::requestSpread(const QList<QByteArray> &statuses)
{
    ask(
        m_newestSpread,
        [statuses](outbox::Reader &reader, Connection &connection) {
            return outbox::readSpread(connection, reader.layout(), statuses);
        },
        [this, statuses](const outbox::Spread &spread) { emit spreadReady(statuses, spread); },
        // Positions stay unknown; what keeps the spread from being read keeps pages too, and is said there.
        [](const Error &) {});
}

void OutboxFeed::requestDetail(const QByteArray &id)
{
    ask(
        m_newestDetail, [id](outbox::Reader &reader, Connection &) { return reader.detail(id); },
        [this](const outbox::RowDetail &detail) { emit detailReady(detail); },
        [this, id](const Error &error) { emit detailFailed(id, error); });
}

void OutboxFeed::publish(const outbox::NewEvent &event)
{
    if (!m_writeThread) {
        const Error refused = m_urlFault.value_or(Error{ErrorCode::Refused,
                                                        tr("The connection %1 is read-only.").arg(m_profile.name),
                                                        tr("Allow writing in the connection's settings first."),
                                                        false,
                                                        {}});
        QMetaObject::invokeMethod(
            this, [this, refused] { emit publishFailed(refused); }, Qt::QueuedConnection);
        return;
    }
    m_writeThread
        ->run([profile = m_profile, event](Connection &connection) -> Result<outbox::Published> {
            auto layout = outbox::discover(connection, profile.table, connection.options().url.schema);
            if (!layout)
                return fail(layout.error());
            auto transaction = sql::Transaction::begin(connection);
            if (!transaction)
                return fail(transaction.error());
            auto published = outbox::Publisher(*layout).publish(*transaction, event);
            if (!published)
                return published;
            if (auto committed = transaction->commit(); !committed)
                return fail(committed.error());
            return published;
        })
        .then(this, [this](const Result<outbox::Published> &result) {
            if (result)
                emit published(*result);
            else
                emit publishFailed(result.error());
        });
}

} // namespace engine::watch
