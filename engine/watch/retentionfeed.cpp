// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "retentionfeed.h"

namespace engine::watch {

namespace {

sql::ConnectOptions connectOptions(const sql::DatabaseUrl &database, sql::Access access)
{
    sql::ConnectOptions options;
    options.url = database;
    options.access = access;
    options.applicationName = "outbox-console retention";
    options.callTimeout = std::chrono::minutes(3); // the server's own limits are shorter
    return options;
}

} // namespace

RetentionFeed::RetentionFeed(const sql::DatabaseUrl &database, const outbox::Layout &layout, sql::Access access,
                             QObject *parent)
    : QObject(parent)
    , m_layout(layout)
    , m_access(access)
    , m_thread(connectOptions(database, access), QStringLiteral("outbox retention"))
{ }

void RetentionFeed::requestPreview(std::chrono::seconds olderThan, outbox::CountMode mode)
{
    const quint64 generation = ++m_newestPreview;
    m_thread
        .run([layout = m_layout, olderThan, mode](sql::Connection &connection) {
            return outbox::Retention(connection, layout).preview(olderThan, mode);
        })
        .then(this, [this, generation, olderThan](const Result<outbox::RetentionPreview> &preview) {
            if (generation != m_newestPreview)
                return;
            if (preview)
                emit previewReady(olderThan, *preview);
            else
                emit failed(preview.error());
        });
}

void RetentionFeed::remove(const outbox::RetentionRule &rule, bool untilNothingIsLeft)
{
    if (m_isRemoving)
        return;
    m_rule = rule;
    m_position = {};
    m_totals = {};
    m_untilNothingIsLeft = untilNothingIsLeft;
    m_isRemoving = true;
    m_isStopping = false;
    if (m_access == sql::Access::ReadWrite) {
        runOnce();
        return;
    }
    QMetaObject::invokeMethod(
        this,
        [this] {
            end(Error{ErrorCode::Refused,
                      tr("This connection is read-only; rows are not removed over it."),
                      tr("Allow writing in the connection's settings first."),
                      false,
                      {}});
        },
        Qt::QueuedConnection);
}

void RetentionFeed::runOnce()
{
    m_thread
        .run([layout = m_layout, rule = m_rule, position = m_position](sql::Connection &connection) {
            return outbox::Retention(connection, layout).run(rule, position, outbox::RetentionCompany::Shared);
        })
        .then(this, [this](const Result<outbox::RetentionRun> &run) {
            if (!run) {
                end(run.error());
                return;
            }
            ++m_totals.runs;
            m_totals.removed += run->removed;
            m_totals.locked += run->locked;
            m_totals.isComplete = run->isComplete;
            m_position = run->next;
            emit progressed(m_totals);
            if (run->isComplete || !m_untilNothingIsLeft || m_isStopping)
                end(std::nullopt);
            else
                runOnce();
        });
}

void RetentionFeed::end(const std::optional<Error> &failure)
{
    m_isRemoving = false;
    emit finished(m_totals, failure);
}

} // namespace engine::watch
