// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "keyedtablemodel.h"
#include "meaning.h"
#include "timetext.h"

#include <engine/dispatch/router.h>
#include <engine/outbox/reader.h>

#include <optional>

namespace models {

// One page of outbox rows, newest schedule first.
class OutboxModel final : public KeyedTableModel<engine::outbox::RowSummary>
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(OutboxModel)

public:
    enum Column { Scheduled, Created, Status, Type, Tenant, Retries, Destination, Note, ColumnCount };

    explicit OutboxModel(QObject *parent = nullptr);

    // `sameQuestion`: the page asked for before, read again; else another page or filter.
    void applyPage(std::vector<engine::outbox::RowSummary> rows, bool sameQuestion);
    void setRouter(const engine::dispatch::Router &router);
    void setZone(Zone zone);
    void setNow(qint64 micros); // the database's clock; ages and leases are seen from there

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QByteArray keyOf(const engine::outbox::RowSummary &row) const override { return row.id; }
    [[nodiscard]] bool looksSame(const engine::outbox::RowSummary &left,
                                 const engine::outbox::RowSummary &right) const override
    {
        return left == right;
    }
    [[nodiscard]] QString text(const engine::outbox::RowSummary &row, int column) const;
    [[nodiscard]] QString note(const engine::outbox::RowSummary &row) const;
    [[nodiscard]] Severity severity(const engine::outbox::RowSummary &row, int column) const;
    [[nodiscard]] QString toolTip(const engine::outbox::RowSummary &row, int column) const;
    [[nodiscard]] QString moment(std::optional<qint64> micros) const;

    engine::dispatch::Router m_router;
    Zone m_zone = Zone::Utc;
    qint64 m_now = 0;
};

// What a row's status asks of the reader: dead rows are critical, rows that failed before are a warning.
[[nodiscard]] Severity statusSeverity(engine::outbox::Phase phase, int retries);

} // namespace models
