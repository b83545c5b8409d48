// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QList>

namespace engine::trace {

// The keys under which receivers of the usual kind keep, for a day, that they have dealt with an event: the prefix
// `outbox` with the event's id, its dispatch key or its job's id, with or without the queue between.
[[nodiscard]] QList<QByteArray> receiverRecordKeys(const QByteArray &rowId, const QByteArray &dispatchKey,
                                                   const QByteArray &jobId, const QByteArray &queue);

} // namespace engine::trace
