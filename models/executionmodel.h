// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "keyedtablemodel.h"
#include "meaning.h"
#include "timetext.h"

#include <engine/workflow/executionreader.h>

namespace models {

// One page of workflow executions, newest first.
class ExecutionModel final : public KeyedTableModel<engine::workflow::Execution>
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ExecutionModel)

public:
    enum Column { Queued, Status, Workflow, Tenant, Trigger, Duration, Note, ColumnCount };

    explicit ExecutionModel(QObject *parent = nullptr);

    // `sameQuestion`: the page asked for before, read again; else another page or filter.
    void applyPage(std::vector<engine::workflow::Execution> executions, bool sameQuestion);
    void setZone(Zone zone);
    void setNow(qint64 micros); // the database's clock

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Execution = engine::workflow::Execution;
    [[nodiscard]] QByteArray keyOf(const Execution &execution) const override { return execution.id; }
    [[nodiscard]] bool looksSame(const Execution &left, const Execution &right) const override { return left == right; }
    [[nodiscard]] QString text(const Execution &execution, int column) const;
    [[nodiscard]] Severity severity(const Execution &execution, int column) const;

    Zone m_zone = Zone::Utc;
    qint64 m_now = 0;
};

// What an execution's phase asks of the reader, and the shape that stands for it.
[[nodiscard]] Severity executionSeverity(engine::workflow::Phase phase);
[[nodiscard]] engine::outbox::Phase shapeOf(engine::workflow::Phase phase);
// "running for 1 h 10 min, usually 2 min (95 % of its last 100 runs)"; empty: it is not late.
[[nodiscard]] QString latenessText(const engine::workflow::Execution &execution, qint64 now);

} // namespace models
