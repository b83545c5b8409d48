// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <views/theme/theme.h>

#include <engine/outbox/layout.h>

class QPainter;

// Meaning as form: the same severity has the same shape everywhere, so colour never stands alone.
namespace views::shapes {

[[nodiscard]] QString iconName(engine::outbox::Phase phase);
[[nodiscard]] QString iconName(models::Severity severity);

// A rounded outline with a shape and a word. Width it needs, and drawing it into `rect` from the left.
[[nodiscard]] int pillWidth(const QFont &font, const QString &word);
void drawPill(QPainter &painter, const Theme &theme, const QRect &rect, const QFont &font, const QString &icon,
              const QString &word, models::Severity severity);

// Text whose figures all have the same width, whatever the font offers. `rect` is filled as `alignment` says.
void drawFixedDigits(QPainter &painter, const QRect &rect, Qt::Alignment alignment, const QString &text);
[[nodiscard]] int fixedDigitsWidth(const QFontMetrics &metrics, const QString &text);

} // namespace views::shapes
