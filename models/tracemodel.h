// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "meaning.h"
#include "timetext.h"

#include <engine/trace/trace.h>

#include <QAbstractTableModel>

namespace models {

// The timeline of a trace: when, in which of three lanes, what, and where that is written.
class TraceModel final : public QAbstractTableModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(TraceModel)

public:
    enum Column { Time, OutboxLane, JobLane, ExecutionLane, What, Source, ColumnCount };
    // What a lane's cell draws, as bits of TrackRole.
    enum Track { NoTrack = 0, TrackAbove = 1, TrackBelow = 2, TrackDot = 4 };
    enum { TrackRole = Qt::UserRole + 100 };

    explicit TraceModel(QObject *parent = nullptr);

    void setTimeline(std::vector<engine::trace::Entry> entries, qint64 now);
    void setZone(Zone zone);
    [[nodiscard]] const std::vector<engine::trace::Entry> &entries() const { return m_entries; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] int track(int row, engine::trace::Lane lane) const;
    [[nodiscard]] QString timeText(const engine::trace::Entry &entry) const;

    struct Span
    {
        int first = -1; // -1: nothing happens in this lane
        int last = -1;
    };
    std::vector<engine::trace::Entry> m_entries;
    std::array<Span, 3> m_spans;
    Zone m_zone = Zone::Utc;
    qint64 m_now = 0;
};

[[nodiscard]] Severity severityOf(engine::trace::Tone tone);
// One sentence on how sure an entry is.
[[nodiscard]] QString certaintyText(engine::trace::Certainty certainty);
// The whole timeline as text, for the clipboard: one line per entry, times in UTC.
[[nodiscard]] QString traceText(const engine::trace::Trace &trace);

} // namespace models
