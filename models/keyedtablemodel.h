// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QByteArray>
#include <QHash>
#include <QSet>

#include <algorithm>
#include <iterator>
#include <vector>

namespace models {

// A flat table over a value snapshot. A new snapshot is compared by key and announced as the smallest set of
// removals, moves, insertions and changes, so that selection and scroll position of a view survive a refresh.
template <typename Row>
class KeyedTableModel : public QAbstractTableModel
{
public:
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override
    {
        Q_ASSERT(checkIndex(parent));
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }

    [[nodiscard]] const std::vector<Row> &rows() const { return m_rows; }

    // -1: no such row.
    [[nodiscard]] int rowOf(const QByteArray &key) const
    {
        for (size_t i = 0; i < m_rows.size(); ++i) {
            if (keyOf(m_rows[i]) == key)
                return static_cast<int>(i);
        }
        return -1;
    }

protected:
    [[nodiscard]] virtual QByteArray keyOf(const Row &row) const = 0;
    [[nodiscard]] virtual bool looksSame(const Row &left, const Row &right) const = 0;

    void applyRows(std::vector<Row> fresh)
    {
        dropRepeated(fresh);
        removeMissing(fresh);
        std::vector<int> changed;
        for (size_t i = 0; i < fresh.size(); ++i) {
            const QByteArray key = keyOf(fresh[i]);
            if (i >= m_rows.size() || keyOf(m_rows[i]) != key) {
                if (const int from = rowOf(key); from >= 0)
                    moveUp(from, static_cast<int>(i));
                else {
                    i = insertRun(fresh, i);
                    continue;
                }
            }
            if (!looksSame(m_rows[i], fresh[i])) {
                m_rows[i] = std::move(fresh[i]);
                changed.push_back(static_cast<int>(i));
            }
        }
        announce(changed);
    }

    void resetRows(std::vector<Row> fresh)
    {
        dropRepeated(fresh);
        beginResetModel();
        m_rows = std::move(fresh);
        endResetModel();
    }

    void announceColumn(int column)
    {
        if (!m_rows.empty())
            emit dataChanged(index(0, column), index(static_cast<int>(m_rows.size()) - 1, column));
    }

    void announceAll()
    {
        if (!m_rows.empty())
            emit dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, columnCount() - 1));
    }

private:
    void dropRepeated(std::vector<Row> &fresh) const
    {
        QSet<QByteArray> seen;
        std::erase_if(fresh, [&](const Row &row) {
            const QByteArray key = keyOf(row);
            if (seen.contains(key))
                return true;
            seen.insert(key);
            return false;
        });
    }

    void removeMissing(const std::vector<Row> &fresh)
    {
        QSet<QByteArray> keys;
        for (const Row &row : fresh)
            keys.insert(keyOf(row));
        for (int last = static_cast<int>(m_rows.size()) - 1; last >= 0; --last) {
            if (keys.contains(keyOf(m_rows[static_cast<size_t>(last)])))
                continue;
            int first = last;
            while (first > 0 && !keys.contains(keyOf(m_rows[static_cast<size_t>(first - 1)])))
                --first;
            beginRemoveRows({}, first, last);
            m_rows.erase(m_rows.begin() + first, m_rows.begin() + last + 1);
            endRemoveRows();
            last = first;
        }
    }

    void moveUp(int from, int to)
    {
        beginMoveRows({}, from, from, {}, to);
        std::rotate(m_rows.begin() + to, m_rows.begin() + from, m_rows.begin() + from + 1);
        endMoveRows();
    }

    // Inserts the run of unknown rows that begins at `at`; returns the index of its last row.
    size_t insertRun(std::vector<Row> &fresh, size_t at)
    {
        size_t end = at + 1;
        while (end < fresh.size() && rowOf(keyOf(fresh[end])) < 0)
            ++end;
        beginInsertRows({}, static_cast<int>(at), static_cast<int>(end - 1));
        m_rows.insert(m_rows.begin() + static_cast<qptrdiff>(at),
                      std::make_move_iterator(fresh.begin() + static_cast<qptrdiff>(at)),
                      std::make_move_iterator(fresh.begin() + static_cast<qptrdiff>(end)));
        endInsertRows();
        return end - 1;
    }

    void announce(const std::vector<int> &changed)
    {
        if (changed.empty())
            return;
        const int lastColumn = columnCount() - 1;
        if (changed.size() * 2 > m_rows.size()) {
            emit dataChanged(index(changed.front(), 0), index(changed.back(), lastColumn));
            return;
        }
        for (size_t i = 0; i < changed.size();) {
            size_t end = i + 1;
            while (end < changed.size() && changed[end] == changed[end - 1] + 1)
                ++end;
            emit dataChanged(index(changed[i], 0), index(changed[end - 1], lastColumn));
            i = end;
        }
    }

    std::vector<Row> m_rows;
};

} // namespace models
