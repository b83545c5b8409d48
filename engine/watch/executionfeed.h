// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sample.h"

#include <engine/base/error.h>
#include <engine/config/profile.h>
#include <engine/workflow/executionreader.h>

#include <QObject>

#include <memory>
#include <optional>

namespace engine::sql {
class ConnectionThread;
}

namespace engine::watch {

struct ExecutionSnapshot
{
    workflow::ExecutionLayout layout;
    workflow::ExecutionStats stats;
};

// The executions for a window; the same manners as OutboxFeed. Connects with its first question.
class ExecutionFeed final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExecutionFeed)

public:
    // `table`: "schema.table"; empty: found by discovery.
    explicit ExecutionFeed(const config::ConnectionProfile &profile, QString table = {}, QObject *parent = nullptr);
    ~ExecutionFeed() override; // interrupts the running question

    void requestSnapshot(); // then snapshotReady() or failed()
    void requestPage(const workflow::ExecutionRequest &request); // then pageReady() or failed()
    void requestDetail(const QByteArray &id); // then detailReady() or detailFailed()

    void requestFigures(); // then figuresReady() or figuresFailed()

    // This console's own load on the database.
    [[nodiscard]] const Traffic &traffic() const { return *m_traffic; }

signals:
    void snapshotReady(const engine::watch::ExecutionSnapshot &snapshot);
    void pageReady(const engine::workflow::ExecutionRequest &request, const engine::workflow::ExecutionPage &page);
    void detailReady(const engine::workflow::ExecutionDetail &detail);
    void detailFailed(const QByteArray &id, const engine::Error &error);
    void figuresReady(const engine::watch::ExecutionFigures &figures);
    void figuresFailed(const engine::Error &error); // NotFound: this database has no executions
    void failed(const engine::Error &error); // the table cannot be read now, or there is none

private:
    struct Table;
    template <typename Question, typename Answer, typename Failure>
    void ask(quint64 &newest, Question question, Answer answer, Failure failure);

    const config::ConnectionProfile m_profile;
    const QString m_tableName; // wanted
    std::optional<Error> m_urlFault;
    quint64 m_newestSnapshot = 0; // generations: an answer to an older question is dropped
    quint64 m_newestPage = 0;
    quint64 m_newestDetail = 0;
    quint64 m_newestFigures = 0;
    const std::shared_ptr<Traffic> m_traffic;
    std::shared_ptr<Table> m_table; // used in the thread only
    std::unique_ptr<sql::ConnectionThread> m_thread; // absent: the URL cannot be read
};

} // namespace engine::watch
