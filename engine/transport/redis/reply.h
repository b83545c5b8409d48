// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QtGlobal>

#include <vector>

namespace engine::redis {

// One RESP2 reply as a value. A reply of kind Error is an answer of the server, not a lost connection.
struct Reply
{
    enum class Kind { Nil, Status, Error, Integer, Text, Array };

    Kind kind = Kind::Nil;
    qint64 integer = 0;
    QByteArray text; // of Status, Error and Text
    std::vector<Reply> items; // of Array

    [[nodiscard]] bool isError() const { return kind == Kind::Error; }
    [[nodiscard]] bool isNil() const { return kind == Kind::Nil; }
};

} // namespace engine::redis
