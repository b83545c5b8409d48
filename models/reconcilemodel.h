// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "keyedtablemodel.h"
#include "meaning.h"
#include "timetext.h"

#include <engine/trace/reconcilereport.h>

#include <optional>

namespace models {

// What a comparison of the stores has found so far, all of it or one kind.
class ReconcileModel final : public KeyedTableModel<engine::trace::Finding>
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ReconcileModel)

public:
    enum Column { Kind, When, Id, Name, Queue, Detail, ColumnCount };

    explicit ReconcileModel(QObject *parent = nullptr);

    void setReport(const engine::trace::ReconcileReport &report);
    void setKind(std::optional<engine::trace::Finding::Kind> kind); // absent: all
    void setZone(Zone zone);
    void setNow(qint64 micros);

    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    using Finding = engine::trace::Finding;
    [[nodiscard]] QByteArray keyOf(const Finding &finding) const override
    {
        return QByteArray::number(int(finding.kind)) + '/' + finding.queue + '/' + finding.id;
    }
    [[nodiscard]] bool looksSame(const Finding &left, const Finding &right) const override { return left == right; }
    void show();

    std::vector<Finding> m_all;
    std::optional<Finding::Kind> m_kind;
    Zone m_zone = Zone::Utc;
    qint64 m_now = 0;
};

// "Rows without a job", and a sentence on what that means.
[[nodiscard]] QString findingText(engine::trace::Finding::Kind kind);
[[nodiscard]] QString findingExplanation(engine::trace::Finding::Kind kind);
[[nodiscard]] Severity findingSeverity(engine::trace::Finding::Kind kind);

} // namespace models
