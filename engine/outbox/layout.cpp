// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "layout.h"

#include <engine/transport/sql/params.h>

#include <algorithm>

namespace engine::outbox {

namespace {

struct StatusWord
{
    LayoutKind kind;
    QByteArrayView word;
    Phase phase;
};

constexpr StatusWord statusWords[]{
    {LayoutKind::Event, "PENDING", Phase::Waiting},       {LayoutKind::Event, "PROCESSING", Phase::InFlight},
    {LayoutKind::Event, "DONE", Phase::HandedOver},       {LayoutKind::Event, "FAILED", Phase::Dead},
    {LayoutKind::Event, "CANCELLED", Phase::Cancelled},   {LayoutKind::Message, "pending", Phase::Waiting},
    {LayoutKind::Message, "processing", Phase::InFlight}, {LayoutKind::Message, "sent", Phase::HandedOver},
    {LayoutKind::Message, "failed", Phase::Retrying},     {LayoutKind::Message, "dead_letter", Phase::Dead},
};

QByteArray plainOrQuoted(const QByteArray &name)
{
    const bool plain = std::all_of(name.cbegin(), name.cend(),
                                   [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; });
    return plain && !name.isEmpty() && !(name[0] >= '0' && name[0] <= '9') ? name : sql::quotedIdentifier(name);
}

} // namespace

QByteArray Column::quoted() const
{
    return sql::quotedIdentifier(name);
}

bool Column::isText() const
{
    return type == "text" || type == "citext" || type.startsWith("character");
}

QByteArray Layout::quotedTable() const
{
    return sql::quotedIdentifier(schema) + '.' + sql::quotedIdentifier(table);
}

QString Layout::displayName() const
{
    return QString::fromUtf8(plainOrQuoted(schema) + '.' + plainOrQuoted(table));
}

QString Layout::kindName() const
{
    return kind == LayoutKind::Event ? QStringLiteral("event") : QStringLiteral("message");
}

Phase Layout::phaseOf(QByteArrayView word) const
{
    for (const StatusWord &entry : statusWords) {
        if (entry.kind == kind && entry.word == word)
            return entry.phase;
    }
    return Phase::Unknown;
}

QByteArray Layout::statusFor(Phase phase) const
{
    for (const StatusWord &entry : statusWords) {
        if (entry.kind == kind && entry.phase == phase)
            return entry.word.toByteArray();
    }
    return {};
}

} // namespace engine::outbox
