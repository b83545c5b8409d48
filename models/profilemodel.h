// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "meaning.h"

#include <engine/config/profile.h>

#include <QAbstractListModel>

namespace models {

// The connections to choose from: the sandbox first, then the saved ones.
class ProfileModel final : public QAbstractListModel
{
    Q_OBJECT
    Q_DISABLE_COPY_MOVE(ProfileModel)

public:
    explicit ProfileModel(QObject *parent = nullptr);

    void setProfiles(const QList<engine::config::ConnectionProfile> &profiles);
    [[nodiscard]] const QList<engine::config::ConnectionProfile> &profiles() const { return m_profiles; }
    [[nodiscard]] int rowOf(const QString &name) const; // -1: none

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;

private:
    QList<engine::config::ConnectionProfile> m_profiles;
};

} // namespace models
