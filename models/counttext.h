// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/reader.h>

#include <QString>

#include <vector>

// Figures as people read them; what is not known is never shown as 0.
namespace models {

[[nodiscard]] QString numberText(qint64 value); // "7,513"
[[nodiscard]] QString rateText(double perSecond); // "0.4", "12", "12,600"
[[nodiscard]] QString bytesText(qint64 bytes); // "512 bytes", "64 KiB"
// "7,513", "100,000+", "≈ 9.79 M", "–".
[[nodiscard]] QString countText(const engine::outbox::Count &count);
// "4.20 M", for positions that are estimated anyway.
[[nodiscard]] QString roundText(qint64 value);
// All of a table or of some statuses; as sure as the least sure part.
[[nodiscard]] engine::outbox::Count sumOf(const std::vector<engine::outbox::Count> &parts);

// Which rows of a long list are in view.
struct ListPosition
{
    qint64 first = 0; // from 1
    qint64 last = 0;
    bool isExact = false; // else `first` and `last` are estimates
    engine::outbox::Count total;
};
// "Rows 1–38 of 7,513", "About row 4.20 M of ≈ 10.00 M"; empty: there are none.
[[nodiscard]] QString positionText(const ListPosition &position);

// One sentence: exact, at least, estimated or unavailable.
[[nodiscard]] QString countExplanation(const engine::outbox::Count &count);

} // namespace models
