// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "keyedtablemodel.h"
#include "meaning.h"
#include "timetext.h"

#include <engine/watch/alertengine.h>

namespace models {

[[nodiscard]] Severity severityOf(const engine::watch::Alert &alert); // muted while snoozed
// "since 14:41", and what else there is to say of its state: snoozed until when, or that the figures are old.
[[nodiscard]] QString stateText(const engine::watch::Alert &alert, Zone zone, qint64 nowMs);
// The page of the window that shows more of it: outbox, queues, executions.
[[nodiscard]] QString pageFor(engine::watch::AlertMetric metric);

// The alerts that hold.
class AlertModel final : public KeyedTableModel<engine::watch::Alert>
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(AlertModel)

public:
    enum Column { Level, What, Detail, Since, State, ColumnCount };

    explicit AlertModel(QObject *parent = nullptr);

    void setAlerts(const QList<engine::watch::Alert> &alerts, qint64 nowMs);
    void setZone(Zone zone);
    [[nodiscard]] const engine::watch::Alert *alert(const QModelIndex &index) const; // null: none

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QByteArray keyOf(const engine::watch::Alert &alert) const override { return alert.id.toUtf8(); }
    [[nodiscard]] bool looksSame(const engine::watch::Alert &left, const engine::watch::Alert &right) const override;

    Zone m_zone = Zone::Utc;
    qint64 m_nowMs = 0;
};

} // namespace models
