// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "findmodel.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace models {

namespace {

constexpr size_t mostShown = 60;
constexpr qsizetype longestId = 300;

QString kindText(FindEntry::Kind kind)
{
    switch (kind) {
    case FindEntry::Kind::Page:
        return FindModel::tr("Page");
    case FindEntry::Kind::Action:
        return FindModel::tr("Action");
    case FindEntry::Kind::Queue:
        return FindModel::tr("Queue");
    case FindEntry::Kind::Trace:
    case FindEntry::Kind::Row:
    case FindEntry::Kind::Job:
        break;
    }
    return FindModel::tr("Look up");
}

} // namespace

FindModel::FindModel(QObject *parent)
    : QAbstractListModel(parent)
{ }

void FindModel::setEntries(std::vector<FindEntry> entries)
{
    m_entries = std::move(entries);
    match();
}

void FindModel::setLookUps(bool traces, bool jobs)
{
    m_traces = traces;
    m_jobs = jobs;
    match();
}

void FindModel::setQuery(const QString &query)
{
    m_query = query.trimmed();
    match();
}

void FindModel::match()
{
    std::vector<std::pair<int, FindEntry>> scored;
    for (const FindEntry &entry : m_entries) {
        if (const int fit = m_query.isEmpty() ? 1 : score(entry.title, m_query); fit > 0)
            scored.emplace_back(fit, entry);
    }
    std::ranges::stable_sort(scored, std::ranges::greater(), &std::pair<int, FindEntry>::first);
    std::vector<FindEntry> ids;
    if (looksLikeId(m_query)) {
        if (m_traces)
            ids.push_back({FindEntry::Kind::Trace,
                           m_query,
                           tr("Trace %1").arg(m_query),
                           tr("row, dispatch key, job, correlation, execution"),
                           {}});
        ids.push_back({FindEntry::Kind::Row, m_query, tr("Outbox row %1").arg(m_query), tr("by its id"), {}});
        int queues = 0;
        for (const FindEntry &entry : m_entries) {
            if (m_jobs && entry.kind == FindEntry::Kind::Queue && ++queues <= 20)
                ids.push_back({FindEntry::Kind::Job, m_query, tr("Job %1 in %2").arg(m_query, entry.title),
                               tr("by its id"), entry.id});
        }
    }
    beginResetModel();
    m_found.clear();
    // A page, action or queue that fits well comes before the guess that it is an id.
    for (const auto &[fit, entry] : scored)
        m_found.push_back(entry);
    m_found.insert(!scored.empty() && scored.front().first >= 50 ? m_found.end() : m_found.begin(), ids.begin(),
                   ids.end());
    if (m_found.size() > mostShown)
        m_found.resize(mostShown);
    endResetModel();
}

const FindEntry *FindModel::entry(const QModelIndex &index) const
{
    return index.isValid() && index.row() < rowCount() ? &m_found[static_cast<size_t>(index.row())] : nullptr;
}

int FindModel::rowCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : static_cast<int>(m_found.size());
}

QVariant FindModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const FindEntry &entry = m_found[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return entry.title;
    case DetailRole:
        return entry.detail.isEmpty() ? kindText(entry.kind) : kindText(entry.kind) + u" · "_s + entry.detail;
    case Qt::AccessibleTextRole:
        return entry.title + u", "_s + data(index, DetailRole).toString();
    case IdRole:
        return entry.id.toUtf8();
    default:
        return {};
    }
}

bool FindModel::looksLikeId(const QString &text)
{
    if (text.isEmpty() || text.size() > longestId)
        return false;
    bool marked = false;
    for (const QChar c : text) {
        if (c.isSpace())
            return false;
        marked = marked || c.isDigit() || c == u':' || c == u'-' || c == u'_';
    }
    return marked || text.size() >= 12;
}

int FindModel::score(const QString &title, const QString &query)
{
    int total = 0;
    const QString folded = title.toCaseFolded();
    if (folded == query.toCaseFolded())
        return 100;
    const QStringList words = query.toCaseFolded().split(u' ', Qt::SkipEmptyParts);
    for (const QString &word : words) {
        const qsizetype at = folded.indexOf(word);
        if (at < 0)
            return 0;
        const bool begins = at == 0;
        const bool beginsWord = begins || !folded[at - 1].isLetterOrNumber();
        total += begins ? 60 : beginsWord ? 40 : 10;
    }
    return words.isEmpty() ? 0 : qMin(99, total / static_cast<int>(words.size()));
}

} // namespace models
