// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace engine::bullmq {

// The names of one queue's keys: <prefix>:<queue>:<suffix>.
class QueueKeys
{
public:
    QueueKeys(const QByteArray &prefix, const QByteArray &queue)
        : m_base(prefix + ':' + queue + ':')
    { }

    [[nodiscard]] QByteArray base() const { return m_base; } // with the last colon; a job's hash is base + id
    [[nodiscard]] QByteArray key(QByteArrayView suffix) const { return m_base + suffix.toByteArray(); }

private:
    QByteArray m_base;
};

} // namespace engine::bullmq
