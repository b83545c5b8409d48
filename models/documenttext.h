// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/payload/decode.h>

#include <QString>

// What a stored document is, in words.
namespace models {

// "gzip, 12 KiB → 96 KiB, MessagePack inside", "Binary, shown as hex"; empty for plain JSON and text.
[[nodiscard]] QString documentFormText(const engine::payload::Decoded &decoded);
// What is wrong with it: damaged, too large to unpack, no valid JSON; empty: nothing.
[[nodiscard]] QString documentProblemText(const engine::payload::Decoded &decoded);
// The ending of a file that holds the stored bytes: json, gz, msgpack, txt, bin.
[[nodiscard]] QString documentSuffix(const engine::payload::Decoded &decoded);

} // namespace models
