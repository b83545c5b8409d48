// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "logmodel.h"

#include <QDateTime>

using namespace Qt::StringLiterals;
using engine::dispatch::LogEntry;

namespace models {

namespace {

QString levelWord(LogEntry::Level level)
{
    switch (level) {
    case LogEntry::Level::Info:
        return LogModel::tr("Info", "log level");
    case LogEntry::Level::Warning:
        return LogModel::tr("Warning", "log level");
    case LogEntry::Level::Error:
        break;
    }
    return LogModel::tr("Error", "log level");
}

Severity severityOf(LogEntry::Level level)
{
    switch (level) {
    case LogEntry::Level::Info:
        return Severity::Normal;
    case LogEntry::Level::Warning:
        return Severity::Warning;
    case LogEntry::Level::Error:
        break;
    }
    return Severity::Critical;
}

qint64 microsOf(const LogEntry &entry)
{
    return entry.at.toMSecsSinceEpoch() * 1000;
}

} // namespace

LogModel::LogModel(int capacity, QObject *parent)
    : QAbstractTableModel(parent)
    , m_capacity(qMax(1, capacity))
{ }

void LogModel::append(const QList<LogEntry> &entries)
{
    const qsizetype skipped = qMax<qsizetype>(0, entries.size() - m_capacity);
    const int added = static_cast<int>(entries.size() - skipped);
    if (added == 0)
        return;
    const int overflow = rowCount() + added - m_capacity;
    if (overflow > 0) {
        beginRemoveRows({}, 0, overflow - 1);
        m_entries.erase(m_entries.begin(), m_entries.begin() + overflow);
        endRemoveRows();
    }
    beginInsertRows({}, rowCount(), rowCount() + added - 1);
    m_entries.insert(m_entries.end(), entries.begin() + skipped, entries.end());
    endInsertRows();
}

void LogModel::clear()
{
    beginResetModel();
    m_entries.clear();
    endResetModel();
}

void LogModel::setZone(Zone zone)
{
    if (m_zone == zone)
        return;
    m_zone = zone;
    if (!m_entries.empty())
        emit dataChanged(index(0, Time), index(rowCount() - 1, Time));
}

QString LogModel::line(int row) const
{
    const LogEntry &entry = m_entries[static_cast<size_t>(row)];
    return fullTimeText(microsOf(entry), m_zone) + u"  "_s + levelWord(entry.level) + u"  "_s + entry.text;
}

int LogModel::rowCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int LogModel::columnCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const LogEntry &entry = m_entries[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == Time)
            return clockText(microsOf(entry), m_zone, microsOf(m_entries.back()));
        return index.column() == Level ? levelWord(entry.level) : entry.text;
    case Qt::ToolTipRole:
        return index.column() == Time ? fullTimeText(microsOf(entry), m_zone) : entry.text;
    case SeverityRole:
        return int(index.column() == Level      ? severityOf(entry.level)
                       : index.column() == Time ? Severity::Muted
                                                : Severity::Normal);
    case LevelRole:
        return int(entry.level);
    case FixedDigitsRole:
        return index.column() == Time;
    case SortRole:
        return index.row();
    default:
        return {};
    }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Time:
        return tr("Time", "column");
    case Level:
        return tr("Level", "column");
    case Text:
        return tr("What happened", "column");
    default:
        return {};
    }
}

} // namespace models
