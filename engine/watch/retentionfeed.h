// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/base/error.h>
#include <engine/outbox/retention.h>
#include <engine/transport/sql/connectionthread.h>

#include <QObject>

#include <optional>

namespace engine::watch {

struct RetentionTotals
{
    qint64 removed = 0;
    qint64 locked = 0; // stayed because others hold them
    int runs = 0;
    bool isComplete = false; // nothing that may go is left, except what is locked

    bool operator==(const RetentionTotals &) const = default;
};

// Retention on demand, for a window and for the command line: preview first, then remove. Questions go to a thread of
// its own, answers come as signals in the thread of this object; one of a kind at a time.
class RetentionFeed final : public QObject
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(RetentionFeed)

public:
    // With Access::ReadOnly only previews are possible.
    RetentionFeed(const sql::DatabaseUrl &database, const outbox::Layout &layout, sql::Access access,
                  QObject *parent = nullptr);

    void requestPreview(std::chrono::seconds olderThan, outbox::CountMode mode); // then previewReady() or failed()
    // One run, or runs until nothing is left. Each is a transaction of its own; progressed() after each of them, then
    // finished(). Does nothing while a removal is going on.
    void remove(const outbox::RetentionRule &rule, bool untilNothingIsLeft);
    // The run in progress is the last one.
    void stop() { m_isStopping = true; }
    [[nodiscard]] bool isRemoving() const { return m_isRemoving; }

signals:
    void previewReady(std::chrono::seconds olderThan, const engine::outbox::RetentionPreview &preview);
    void failed(const engine::Error &error); // of a preview
    void progressed(const engine::watch::RetentionTotals &totals);
    // What was removed stays removed, also when a later run failed.
    void finished(const engine::watch::RetentionTotals &totals, const std::optional<engine::Error> &failure);

private:
    void runOnce();
    void end(const std::optional<Error> &failure);

    const outbox::Layout m_layout;
    const sql::Access m_access;
    outbox::RetentionRule m_rule;
    outbox::RetentionPosition m_position;
    RetentionTotals m_totals;
    bool m_untilNothingIsLeft = false;
    bool m_isRemoving = false;
    bool m_isStopping = false;
    quint64 m_newestPreview = 0;
    sql::ConnectionThread m_thread;
};

} // namespace engine::watch
