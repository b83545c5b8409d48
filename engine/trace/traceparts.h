// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <engine/outbox/reader.h>

#include <QString>

#include <chrono>

// What several files of this room use, and nobody else.
namespace engine::trace {

// How long Redis may take to answer one set of questions.
inline constexpr std::chrono::seconds callLimit{10};
inline constexpr qint64 minuteMicros = 60'000'000;

inline QString words(const QByteArray &utf8)
{
    return QString::fromUtf8(utf8);
}

// When the row came into being, as far as it says; else its schedule, else 0. Microseconds since 1970 UTC.
inline qint64 timeOf(const outbox::RowDetail &row)
{
    return row.row.createdAt ? *row.row.createdAt : row.row.scheduledAt.value_or(0);
}

} // namespace engine::trace
