// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/reader.h>

#include <QString>

// Figures as people read them; what is not known is never shown as 0.
namespace models {

[[nodiscard]] QString numberText(qint64 value); // "7,513"
[[nodiscard]] QString rateText(double perSecond); // "0.4", "12", "12,600"
[[nodiscard]] QString bytesText(qint64 bytes); // "512 bytes", "64 KiB"
// "7,513", "100,000+", "≈ 9.79 M", "–".
[[nodiscard]] QString countText(const engine::outbox::Count &count);
// One sentence: exact, at least, estimated or unavailable.
[[nodiscard]] QString countExplanation(const engine::outbox::Count &count);

} // namespace models
