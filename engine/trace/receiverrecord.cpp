// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "receiverrecord.h"

namespace engine::trace {

QList<QByteArray> receiverRecordKeys(const QByteArray &rowId, const QByteArray &dispatchKey, const QByteArray &jobId,
                                     const QByteArray &queue)
{
    QList<QByteArray> keys;
    for (const QByteArray &id : {rowId, jobId, dispatchKey}) {
        if (id.isEmpty())
            continue;
        for (const QByteArray &key : {"outbox:" + id, "outbox:idempotency:" + id,
                                      queue.isEmpty() ? QByteArray() : "outbox:" + queue + ':' + id}) {
            if (!key.isEmpty() && !keys.contains(key))
                keys << key;
        }
    }
    return keys;
}

} // namespace engine::trace
