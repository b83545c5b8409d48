// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowwindow.h"

#include <QHash>
#include <QSet>

#include <algorithm>

namespace models {

using engine::outbox::PageDirection;
using engine::outbox::PageRequest;
using engine::outbox::RowPage;
using engine::outbox::RowSummary;

namespace {

// Rows that stand in the answer where they stood before.
class Shared
{
public:
    explicit Shared(const RowPage &page)
    {
        for (const RowSummary &row : page.rows)
            m_orderOf.insert(row.id, row.orderAt);
    }

    // A row whose schedule changed stands elsewhere now and tells nothing about its neighbours.
    bool operator()(const RowSummary &row) const
    {
        const auto found = m_orderOf.constFind(row.id);
        return found != m_orderOf.constEnd() && *found == row.orderAt;
    }

private:
    QHash<QByteArray, std::optional<qint64>> m_orderOf;
};

} // namespace

int RowWindow::indexOf(const QByteArray &id) const
{
    const auto found = std::ranges::find(m_rows, id, &RowSummary::id);
    return found == m_rows.end() ? -1 : static_cast<int>(found - m_rows.begin());
}

void RowWindow::setBefore(qint64 rows)
{
    // Where something is newer, it is one row at least.
    m_before = m_hasNewer ? std::max<qint64>(1, rows) : 0;
}

bool RowWindow::joins(const RowPage &page) const
{
    return m_rows.empty() || !page.hasOlder || std::ranges::any_of(m_rows, Shared(page));
}

void RowWindow::noteNewer(qint64 rows)
{
    m_hasNewer = true;
    setBefore(m_before + rows);
}

RowWindow::Outcome RowWindow::begin(const PageRequest &request, const RowPage &page)
{
    const bool fromTheEnd = !request.from && !request.at;
    const bool older = request.direction == PageDirection::Older;
    m_rows = page.rows;
    m_hasNewer = older ? !fromTheEnd : page.hasNewer;
    m_hasOlder = older ? page.hasOlder : !fromTheEnd;
    setBefore(m_before);
    return Outcome::Anew;
}

void RowWindow::replace(size_t from, size_t to, const Rows &answer)
{
    QSet<QByteArray> fresh;
    for (const RowSummary &row : answer)
        fresh.insert(row.id);
    Rows joined;
    joined.reserve(m_rows.size() + answer.size());
    const auto keep = [&](size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) {
            if (!fresh.contains(m_rows[i].id)) // it has moved
                joined.push_back(std::move(m_rows[i]));
        }
    };
    keep(0, from);
    joined.insert(joined.end(), answer.begin(), answer.end());
    keep(to, m_rows.size());
    m_rows = std::move(joined);
}

RowWindow::Outcome RowWindow::apply(const PageRequest &request, const RowPage &page)
{
    const bool older = request.direction == PageDirection::Older;
    const Shared isShared(page);
    if (!request.from) {
        if (request.at || !older)
            return begin(request, page);
        // The newest rows again, perhaps with newer ones before them.
        const auto last = std::find_if(m_rows.rbegin(), m_rows.rend(), isShared);
        if (last == m_rows.rend())
            return begin(request, page);
        const auto end = static_cast<size_t>(m_rows.rend() - last);
        const bool keepsRest = page.hasOlder && end < m_rows.size();
        replace(0, keepsRest ? end : m_rows.size(), page.rows);
        m_hasNewer = false;
        m_hasOlder = keepsRest ? m_hasOlder : page.hasOlder;
        m_before = 0;
        return Outcome::Joined;
    }

    const int anchor = indexOf(request.from->id);
    if (anchor < 0)
        return begin(request, page);
    if (older) {
        const auto from = static_cast<size_t>(anchor) + 1;
        size_t end = m_rows.size();
        while (end > from && !isShared(m_rows[end - 1]))
            --end;
        // No row shared: what stood behind is not what follows now.
        const bool keepsRest = page.hasOlder && end > from && end < m_rows.size();
        replace(from, keepsRest ? end : m_rows.size(), page.rows);
        m_hasOlder = keepsRest ? m_hasOlder : page.hasOlder;
        return Outcome::Joined;
    }
    const auto to = static_cast<size_t>(anchor);
    size_t begin = 0;
    while (begin < to && !isShared(m_rows[begin]))
        ++begin;
    const bool keepsRest = page.hasNewer && begin > 0 && begin < to;
    const auto replaced = static_cast<qint64>(to - (keepsRest ? begin : 0));
    replace(keepsRest ? begin : 0, to, page.rows);
    m_hasNewer = keepsRest ? m_hasNewer : page.hasNewer;
    setBefore(m_before - (static_cast<qint64>(page.rows.size()) - replaced));
    return Outcome::Joined;
}

void RowWindow::trim(int firstInView, int lastInView)
{
    const int excess = static_cast<int>(m_rows.size()) - mostRows;
    if (excess <= 0)
        return;
    const int behind = static_cast<int>(m_rows.size()) - 1 - lastInView;
    if (firstInView > behind) {
        const int cut = std::min(excess, std::max(0, firstInView));
        m_rows.erase(m_rows.begin(), m_rows.begin() + cut);
        m_hasNewer = true;
        setBefore(m_before + cut);
    } else {
        m_rows.resize(m_rows.size() - static_cast<size_t>(std::min(excess, std::max(0, behind))));
        m_hasOlder = true;
    }
}

} // namespace models
