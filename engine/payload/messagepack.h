// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>

#include <optional>

namespace engine::payload {

// A MessagePack document as JSON text to read; nothing if `bytes` are no map or array in full, or if the text would
// exceed `limit` bytes. Integers and floats keep every digit; order and repeated keys stay. What JSON has no word for:
//   bytes             {"$binary":"<base64>"}   (also strings that are no UTF-8)
//   extension types   {"$ext":5,"$binary":"<base64>"}, a time stamp {"$timestamp":"2026-01-31T15:02:11.204Z"}
//   NaN, infinity     {"$float":"NaN"}
//   keys that are no strings: their own JSON text as a string
// Any nesting depth, without recursion.
[[nodiscard]] std::optional<QByteArray> messagePackToJson(QByteArrayView bytes, qsizetype limit);

} // namespace engine::payload
