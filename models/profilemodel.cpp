// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilemodel.h"

using namespace Qt::StringLiterals;
using engine::config::ConnectionProfile;

namespace models {

namespace {

QString detailOf(const ConnectionProfile &profile)
{
    if (profile.sandbox)
        return ProfileModel::tr("Private PostgreSQL and Redis");
    const QString access = profile.readOnly ? ProfileModel::tr("Read-only") : ProfileModel::tr("Writable");
    return profile.production ? ProfileModel::tr("Production") + u" · "_s + access : access;
}

} // namespace

ProfileModel::ProfileModel(QObject *parent)
    : QAbstractListModel(parent)
{ }

void ProfileModel::setProfiles(const QList<ConnectionProfile> &profiles)
{
    beginResetModel();
    m_profiles = profiles;
    endResetModel();
}

int ProfileModel::rowOf(const QString &name) const
{
    for (qsizetype i = 0; i < m_profiles.size(); ++i) {
        if (m_profiles[i].name == name)
            return static_cast<int>(i);
    }
    return -1;
}

int ProfileModel::rowCount(const QModelIndex &parent) const
{
    Q_ASSERT(checkIndex(parent));
    return parent.isValid() ? 0 : static_cast<int>(m_profiles.size());
}

QVariant ProfileModel::data(const QModelIndex &index, int role) const
{
    Q_ASSERT(checkIndex(index, CheckIndexOption::IndexIsValid));
    const ConnectionProfile &profile = m_profiles[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return profile.sandbox ? tr("Sandbox") : profile.name;
    case DetailRole:
        return detailOf(profile);
    case SeverityRole:
        return int(profile.production ? Severity::Critical : Severity::Normal);
    case IdRole:
        return profile.name.toUtf8();
    default:
        return {};
    }
}

} // namespace models
