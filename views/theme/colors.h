// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <models/meaning.h>

#include <QColor>

namespace views {

// What a colour is for. Widgets ask by purpose, never by value.
enum class ColorId {
    Background,
    Panel,
    Raised, // controls on a panel
    Line,
    Text,
    Muted,
    Accent, // lines, fills and links
    OnAccent, // text on an accent fill
    AccentText,
    AccentSoft,
    Critical,
    CriticalSoft,
    Warning,
    WarningSoft,
    Good,
    GoodSoft,
    Count
};

// The palette; text colours reach WCAG AA on every background they are used on (tested).
[[nodiscard]] QColor colorOf(ColorId id, bool dark);

[[nodiscard]] ColorId textColor(models::Severity severity);
[[nodiscard]] ColorId softColor(models::Severity severity); // a background for it

// Contrast of two opaque colours as WCAG 2 defines it, 1..21.
[[nodiscard]] double contrast(const QColor &one, const QColor &other);

} // namespace views
