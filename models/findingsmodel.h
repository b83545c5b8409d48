// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "meaning.h"

#include <engine/watch/doctor.h>

#include <QAbstractListModel>

namespace models {

// What a connection test found, in the order in which it looked.
class FindingsModel final : public QAbstractListModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(FindingsModel)

public:
    explicit FindingsModel(QObject *parent = nullptr);

    void setFindings(const QList<engine::watch::Finding> &findings);
    // "2 problems, 1 warning" or "All good".
    [[nodiscard]] QString summary() const;
    [[nodiscard]] Severity worst() const;
    // All findings as plain text, for the clipboard.
    [[nodiscard]] QString plainText() const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QList<engine::watch::Finding> m_findings;
};

} // namespace models
