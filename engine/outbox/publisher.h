// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "layout.h"

#include <engine/transport/sql/transaction.h>

#include <chrono>
#include <optional>
#include <vector>

namespace engine::outbox {

// One event to be written. Bytes of the payload are stored as given.
struct NewEvent
{
    QByteArray eventType;
    QByteArray tenantId;
    QByteArray payload; // one JSON document
    std::optional<QByteArray> dispatchKey; // event layout only
    std::chrono::milliseconds delay{0}; // due this long after the database's now
    // Message layout only; an empty aggregate means the type's first segment and the row's own id.
    QByteArray aggregateType, aggregateId, metadata;
};

struct Published
{
    QByteArray id; // of the new row, or of the row that already holds the dispatch key
    bool duplicate = false;
};

// Checks what can be checked without the database: type name, JSON, delay. Errors: BadInput.
[[nodiscard]] Result<void> checkEvent(const NewEvent &event, const Layout &layout);

// Writes events next to the caller's own changes: visible with its commit or not at all. On an error other than
// Unavailable and Timeout nothing was written; a duplicate leaves the transaction usable.
class Publisher final
{
public:
    explicit Publisher(Layout layout);

    [[nodiscard]] Result<Published> publish(sql::Transaction &transaction, const NewEvent &event) const;
    // One statement for all; answers in the order given. Of two with the same key the second is the duplicate.
    [[nodiscard]] Result<std::vector<Published>> publishBatch(sql::Transaction &transaction,
                                                              const std::vector<NewEvent> &events) const;
    // Like publish, due at a point in time (microseconds since 1970 UTC) instead of after a delay.
    [[nodiscard]] Result<Published> schedule(sql::Transaction &transaction, NewEvent event, qint64 dueAtMicros) const;

private:
    [[nodiscard]] Result<std::vector<Published>>
    insert(sql::Transaction &transaction, const std::vector<NewEvent> &events, std::optional<qint64> dueAtMicros) const;
    const Layout m_layout;
};

} // namespace engine::outbox
