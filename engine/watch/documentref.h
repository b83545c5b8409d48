// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace engine::watch {

// Where the whole of a document lies of which only the beginning was read.
struct DocumentRef
{
    enum class Store { None, OutboxPayload, ExecutionSteps };

    Store store = Store::None;
    QByteArray id; // of the row or the execution

    bool operator==(const DocumentRef &) const = default;
};

} // namespace engine::watch
