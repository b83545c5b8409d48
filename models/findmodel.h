// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "meaning.h"

#include <QAbstractListModel>

#include <vector>

namespace models {

// One thing that Find can lead to.
struct FindEntry
{
    enum class Kind { Page, Action, Queue, Trace, Row, Job };

    Kind kind = Kind::Page;
    QString id; // of the page or action; the queue's name; the id that was typed
    QString title;
    QString detail; // keys, or where it leads
    QString queue; // Job: the queue to look in

    bool operator==(const FindEntry &) const = default;
};

// What Find offers for what is typed: pages, actions and queues that match, best first, and for something that looks
// like an id the places to look for it.
class FindModel final : public QAbstractListModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FindModel)

public:
    explicit FindModel(QObject *parent = nullptr);

    // Pages, actions and queues, in the order in which they are shown while nothing is typed.
    void setEntries(std::vector<FindEntry> entries);
    // Whether ids may be traced, and jobs opened; rows always may.
    void setLookUps(bool traces, bool jobs);
    void setQuery(const QString &query);
    [[nodiscard]] const FindEntry *entry(const QModelIndex &index) const; // null: none

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

    // A word without spaces that is long enough or has a digit, a colon, a dash or an underscore in it.
    [[nodiscard]] static bool looksLikeId(const QString &text);
    // How well a title fits: 0 not at all; every word of the query has to occur, in any order.
    [[nodiscard]] static int score(const QString &title, const QString &query);

private:
    void match();

    std::vector<FindEntry> m_entries;
    std::vector<FindEntry> m_found;
    QString m_query;
    bool m_traces = false;
    bool m_jobs = false;
};

} // namespace models
