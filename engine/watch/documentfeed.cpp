// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "documentfeed.h"

#include "foundtable.h"
#include "windowconnection.h"

#include <engine/outbox/reader.h>
#include <engine/payload/file.h>
#include <engine/transport/sql/connectionthread.h>
#include <engine/workflow/executiondiscovery.h>
#include <engine/workflow/executionreader.h>

namespace engine::watch {

using sql::Connection;

// What the worker thread keeps between questions. Used there only.
struct DocumentFeed::Tables
{
    config::ConnectionProfile profile;
    QString executionsTable;
    std::optional<outbox::Layout> outbox;
    std::optional<workflow::ExecutionLayout> executions;

    Result<QByteArray> read(Connection &connection, const DocumentRef &ref)
    {
        if (ref.store == DocumentRef::Store::ExecutionSteps) {
            if (!executions) {
                auto found = workflow::discover(connection, executionsTable, connection.options().url.schema);
                if (!found)
                    return fail(found.error());
                executions = std::move(*found);
            }
            return workflow::ExecutionReader(connection, *executions).stepsText(ref.id);
        }
        const auto layout = tableOf(connection, outbox, profile);
        if (!layout)
            return fail(layout.error());
        return outbox::Reader(connection, *layout).payload(ref.id);
    }
};

DocumentFeed::DocumentFeed(const config::ConnectionProfile &profile, const QString &executionsTable, QObject *parent)
    : QObject(parent)
    , m_profile(profile)
    , m_tables(std::make_shared<Tables>())
    , m_traffic(std::make_shared<Traffic>())
{
    m_tables->profile = profile;
    m_tables->executionsTable = executionsTable;
    auto options = readingOptions(profile, m_traffic);
    if (!options) {
        m_urlFault = options.error();
        return;
    }
    options->callTimeout = std::chrono::minutes(2); // a gigabyte takes its time
    m_thread = std::make_unique<sql::ConnectionThread>(std::move(*options), QStringLiteral("document read"));
}

DocumentFeed::~DocumentFeed() = default;

// `path` empty: the document is wanted here.
template <typename Answer, typename Failure>
void DocumentFeed::ask(const DocumentRef &ref, const QString &path, Answer answer, Failure failure)
{
    if (m_urlFault) {
        QMetaObject::invokeMethod(
            this, [failure, fault = *m_urlFault] { failure(fault); }, Qt::QueuedConnection);
        return;
    }
    m_thread
        ->run([tables = m_tables, ref, path](Connection &connection) -> Result<QByteArray> {
            auto document = tables->read(connection, ref);
            if (!document) {
                // A dropped or altered table: look at the catalogue anew next time.
                tables->outbox.reset();
                tables->executions.reset();
                return document;
            }
            if (path.isEmpty())
                return document;
            if (auto written = payload::saveTo(path, *document); !written)
                return fail(written.error());
            return QByteArray();
        })
        .then(this, [answer = std::move(answer), failure = std::move(failure)](const Result<QByteArray> &document) {
            if (document)
                answer(*document);
            else
                failure(document.error());
        });
}

void DocumentFeed::request(const DocumentRef &ref)
{
    ask(
        ref, {}, [this, ref](const QByteArray &document) { emit ready(ref, document); },
        [this, ref](const Error &error) { emit failed(ref, error); });
}

void DocumentFeed::save(const DocumentRef &ref, const QString &path)
{
    ask(
        ref, path, [this, ref, path](const QByteArray &) { emit saved(ref, path); },
        [this, ref](const Error &error) { emit saveFailed(ref, error); });
}

} // namespace engine::watch
