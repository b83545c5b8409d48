// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace models {

// How much attention a value asks for. Views turn it into a colour and, beside it, a shape or a word.
enum class Severity {
    Normal,
    Muted, // there, but of no interest now
    Good,
    Info, // something is going on
    Warning,
    Critical,
};

// Roles shared by the models. DisplayRole is text for people; everything else is raw.
enum Role {
    SortRole = Qt::UserRole + 1, // raw value to sort and filter by
    SeverityRole, // int of Severity
    PhaseRole, // int of engine::outbox::Phase, in the status column only
    IdRole, // QByteArray: what the row is
    EmphasisRole, // bool: the name of the row
    FixedDigitsRole, // bool: figures that line up from row to row
    LevelRole, // int of engine::dispatch::LogEntry::Level
    VerdictRole, // int of engine::watch::Finding::Verdict
    DetailRole, // QString: second line
    HintRole, // QString: what to do
    SeriesRole, // QList<QPointF>: a line to draw in the cell; x in seconds up to 0, y from 0
};

} // namespace models
