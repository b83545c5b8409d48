// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracemodel.h"

#include <QDateTime>

using namespace Qt::StringLiterals;
using engine::trace::Certainty;
using engine::trace::Entry;
using engine::trace::Lane;
using engine::trace::Tone;

namespace models {

Severity severityOf(Tone tone)
{
    switch (tone) {
    case Tone::Going:
        return Severity::Info;
    case Tone::Good:
        return Severity::Good;
    case Tone::Warning:
        return Severity::Warning;
    case Tone::Bad:
        return Severity::Critical;
    case Tone::Plain:
        break;
    }
    return Severity::Normal;
}

QString certaintyText(Certainty certainty)
{
    switch (certainty) {
    case Certainty::Recorded:
        return TraceModel::tr("Recorded: stored there as it is.");
    case Certainty::Derived:
        return TraceModel::tr("Derived: worked out from stored values.");
    case Certainty::Likely:
        break;
    }
    return TraceModel::tr("Likely: the most probable reading of what is stored.");
}

QString traceText(const engine::trace::Trace &trace)
{
    QString text = TraceModel::tr("Trace of %1").arg(QString::fromUtf8(trace.asked)) + u'\n';
    for (const Entry &entry : trace.timeline) {
        const QString at =
            entry.at ? QDateTime::fromMSecsSinceEpoch(*entry.at / 1000, Qt::UTC).toString(Qt::ISODateWithMs) : u"–"_s;
        text += at.leftJustified(25) + entry.what;
        if (!entry.note.isEmpty())
            text += u" – "_s + entry.note;
        text += u" ["_s + entry.source + u"]\n"_s;
    }
    for (const QString &line : trace.looked)
        text += TraceModel::tr("looked at: %1").arg(line) + u'\n';
    for (const QString &line : trace.unknown)
        text += TraceModel::tr("not known: %1").arg(line) + u'\n';
    return text;
}

TraceModel::TraceModel(QObject *parent)
    : QAbstractTableModel(parent)
{ }

void TraceModel::setTimeline(std::vector<Entry> entries, qint64 now)
{
    beginResetModel();
    m_entries = std::move(entries);
    m_now = now;
    m_spans = {};
    for (int row = 0; row < static_cast<int>(m_entries.size()); ++row) {
        Span &span = m_spans[static_cast<size_t>(m_entries[static_cast<size_t>(row)].lane)];
        span.first = span.first < 0 ? row : span.first;
        span.last = row;
    }
    endResetModel();
}

void TraceModel::setZone(Zone zone)
{
    if (m_zone == zone)
        return;
    m_zone = zone;
    if (!m_entries.empty())
        emit dataChanged(index(0, Time), index(rowCount() - 1, Time));
}

int TraceModel::rowCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int TraceModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

int TraceModel::track(int row, Lane lane) const
{
    const Span &span = m_spans[static_cast<size_t>(lane)];
    if (row < span.first || row > span.last)
        return NoTrack;
    int bits = row > span.first ? int(TrackAbove) : 0;
    bits |= row < span.last ? int(TrackBelow) : 0;
    bits |= m_entries[static_cast<size_t>(row)].lane == lane ? int(TrackDot) : 0;
    return bits;
}

QString TraceModel::timeText(const Entry &entry) const
{
    if (!entry.at)
        return u"–"_s;
    // Milliseconds tell what was first.
    const QString whole = clockText(*entry.at, m_zone, m_now);
    return whole + u".%1"_s.arg((*entry.at / 1000 % 1000 + 1000) % 1000, 3, 10, QLatin1Char('0'));
}

QVariant TraceModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const Entry &entry = m_entries[static_cast<size_t>(index.row())];
    const int column = index.column();
    const bool isLane = column >= OutboxLane && column <= ExecutionLane;
    switch (role) {
    case Qt::DisplayRole:
        if (column == Time)
            return timeText(entry);
        if (column == What)
            return entry.note.isEmpty() ? entry.what : entry.what + u" – "_s + entry.note;
        return column == Source ? entry.source : QString();
    case Qt::ToolTipRole:
        if (column == Time)
            return entry.at ? fullTimeText(*entry.at, m_zone) : tr("Nobody keeps this time.");
        if (column == What)
            return entry.note.isEmpty() ? entry.what : entry.what + u'\n' + entry.note;
        return column == Source ? entry.source : QString();
    case Qt::AccessibleTextRole:
        return isLane ? QVariant() : data(index, Qt::DisplayRole);
    case TrackRole:
        return isLane ? QVariant(track(index.row(), static_cast<Lane>(column - OutboxLane))) : QVariant();
    case SeverityRole:
        if (column == Time || column == Source)
            return int(Severity::Muted);
        if (isLane)
            return int(severityOf(entry.tone));
        // Words of what went well need no colour.
        return int(entry.tone == Tone::Warning || entry.tone == Tone::Bad ? severityOf(entry.tone) : Severity::Normal);
    case IdRole:
        return QByteArray::number(index.row()) + '/' + entry.kind + '/' + entry.subject;
    case FixedDigitsRole:
        return column == Time;
    default:
        return {};
    }
}

QVariant TraceModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section >= OutboxLane && section <= ExecutionLane ? Qt::AlignHCenter : Qt::AlignLeft)
                   | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time", "column");
    case OutboxLane:
        return tr("Outbox", "column: lane of the outbox row");
    case JobLane:
        return tr("Job", "column: lane of the job");
    case ExecutionLane:
        return tr("Execution", "column: lane of the workflow execution");
    case What:
        return tr("What happened", "column");
    case Source:
        return tr("Source", "column: table or queue and field");
    default:
        return {};
    }
}

} // namespace models
