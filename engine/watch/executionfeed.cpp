// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "executionfeed.h"

#include "windowconnection.h"

#include "executionfigures.h"

#include <engine/transport/sql/connectionthread.h>
#include <engine/workflow/executiondiscovery.h>

namespace engine::watch {

using sql::Connection;
using workflow::ExecutionReader;

// What the worker thread keeps between questions. Used there only.
struct ExecutionFeed::Table
{
    std::optional<workflow::ExecutionLayout> layout;
};

ExecutionFeed::ExecutionFeed(const config::ConnectionProfile &profile, QString table, QObject *parent)
    : QObject(parent)
    , m_profile(profile)
    , m_tableName(std::move(table))
    , m_traffic(std::make_shared<Traffic>())
    , m_table(std::make_shared<Table>())
{
    auto options = readingOptions(profile, m_traffic);
    if (!options) {
        m_urlFault = options.error();
        return;
    }
    m_thread = std::make_unique<sql::ConnectionThread>(std::move(*options), QStringLiteral("execution read"));
}

ExecutionFeed::~ExecutionFeed() = default;

template <typename Question, typename Answer, typename Failure>
void ExecutionFeed::ask(quint64 &newest, Question question, Answer answer, Failure failure)
{
    const quint64 generation = ++newest;
    if (m_urlFault) {
        QMetaObject::invokeMethod(
            this, [failure, fault = *m_urlFault] { failure(fault); }, Qt::QueuedConnection);
        return;
    }
    using Value = std::invoke_result_t<Question, ExecutionReader &>;
    m_thread
        ->run([table = m_table, name = m_tableName, question = std::move(question)](Connection &connection) -> Value {
            if (!table->layout) {
                auto found = workflow::discover(connection, name, connection.options().url.schema);
                if (!found)
                    return fail(found.error());
                table->layout = std::move(*found);
            }
            ExecutionReader reader(connection, *table->layout);
            Value value = question(reader);
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

void ExecutionFeed::requestSnapshot()
{
    ask(
        m_newestSnapshot,
        [](ExecutionReader &reader) -> Result<ExecutionSnapshot> {
            auto stats = reader.stats(outbox::CountMode::Bounded);
            if (!stats)
                return fail(stats.error());
            return ExecutionSnapshot{reader.layout(), std::move(*stats)};
        },
        [this](const ExecutionSnapshot &snapshot) { emit snapshotReady(snapshot); },
        [this](const Error &error) { emit failed(error); });
}

void ExecutionFeed::requestPage(const workflow::ExecutionRequest &request)
{
    ask(
        m_newestPage, [request](ExecutionReader &reader) { return reader.page(request); },
        [this, request](const workflow::ExecutionPage &page) { emit pageReady(request, page); },
        [this](const Error &error) { emit failed(error); });
}

void ExecutionFeed::requestDetail(const QByteArray &id)
{
    ask(
        m_newestDetail, [id](ExecutionReader &reader) { return reader.detail(id); },
        [this](const workflow::ExecutionDetail &detail) { emit detailReady(detail); },
        [this, id](const Error &error) { emit detailFailed(id, error); });
}

void ExecutionFeed::requestFigures()
{
    ask(
        m_newestFigures, [](ExecutionReader &reader) { return readExecutionFigures(reader); },
        [this](const ExecutionFigures &figures) { emit figuresReady(figures); },
        [this](const Error &error) { emit figuresFailed(error); });
}

} // namespace engine::watch
