// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "colors.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace views {

namespace {

struct Pair
{
    QRgb light;
    QRgb dark;
};

constexpr std::array<Pair, static_cast<size_t>(ColorId::Count)> palette{{
    {0xfff6f7f9, 0xff15181e}, // Background
    {0xffffffff, 0xff1d2129}, // Panel
    {0xffffffff, 0xff262b35}, // Raised
    {0xffdfe3e8, 0xff2f3541}, // Line
    {0xff1b2330, 0xffe6e9ef}, // Text
    {0xff5d677a, 0xff98a2b3}, // Muted
    {0xff2563eb, 0xff7aa7ff}, // Accent
    {0xffffffff, 0xff15181e}, // OnAccent
    {0xff1d56d8, 0xff8db4ff}, // AccentText
    {0xffe8effd, 0xff243049}, // AccentSoft
    {0xffb92525, 0xffff8a82}, // Critical
    {0xfffdebe9, 0xff3d2225}, // CriticalSoft
    {0xff925500, 0xfff0b450}, // Warning
    {0xfffef3df, 0xff372d1a}, // WarningSoft
    {0xff187042, 0xff5fd39a}, // Good
    {0xffe5f4eb, 0xff1b3328}, // GoodSoft
}};

double channel(int value)
{
    const double c = value / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double luminance(const QColor &color)
{
    return 0.2126 * channel(color.red()) + 0.7152 * channel(color.green()) + 0.0722 * channel(color.blue());
}

} // namespace

QColor colorOf(ColorId id, bool dark)
{
    const Pair &pair = palette[static_cast<size_t>(id)];
    return QColor(dark ? pair.dark : pair.light);
}

ColorId textColor(models::Severity severity)
{
    switch (severity) {
    case models::Severity::Normal:
        return ColorId::Text;
    case models::Severity::Muted:
        return ColorId::Muted;
    case models::Severity::Good:
        return ColorId::Good;
    case models::Severity::Info:
        return ColorId::AccentText;
    case models::Severity::Warning:
        return ColorId::Warning;
    case models::Severity::Critical:
        break;
    }
    return ColorId::Critical;
}

ColorId softColor(models::Severity severity)
{
    switch (severity) {
    case models::Severity::Normal:
    case models::Severity::Muted:
        return ColorId::Background;
    case models::Severity::Good:
        return ColorId::GoodSoft;
    case models::Severity::Info:
        return ColorId::AccentSoft;
    case models::Severity::Warning:
        return ColorId::WarningSoft;
    case models::Severity::Critical:
        break;
    }
    return ColorId::CriticalSoft;
}

double contrast(const QColor &one, const QColor &other)
{
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

} // namespace views
