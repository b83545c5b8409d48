// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "profilestore.h"

#include <models/urlsecret.h>

#include <QSettings>

#include <algorithm>

using namespace Qt::StringLiterals;
using engine::config::ConnectionProfile;

namespace app {

ProfileStore::ProfileStore(QSettings &settings)
    : m_settings(settings)
{ }

ConnectionProfile ProfileStore::sandbox()
{
    ConnectionProfile profile;
    profile.name = u"sandbox"_s;
    profile.table = u"public.\"OutboxEvent\""_s; // it has one table of either layout
    profile.readOnly = false;
    profile.sandbox = true;
    return profile;
}

QList<ConnectionProfile> ProfileStore::saved() const
{
    QList<ConnectionProfile> profiles;
    const int count = m_settings.beginReadArray(u"connections"_s);
    for (int i = 0; i < count; ++i) {
        m_settings.setArrayIndex(i);
        ConnectionProfile profile;
        profile.name = m_settings.value(u"name"_s).toString();
        profile.databaseUrl = m_settings.value(u"database"_s).toString();
        profile.redisUrl = m_settings.value(u"redis"_s).toString();
        profile.table = m_settings.value(u"table"_s).toString();
        profile.queuePrefix = m_settings.value(u"prefix"_s, profile.queuePrefix).toString();
        profile.readOnly = m_settings.value(u"readOnly"_s, true).toBool();
        profile.production = m_settings.value(u"production"_s, false).toBool();
        if (!profile.name.isEmpty())
            profiles << profile;
    }
    m_settings.endArray();
    std::sort(profiles.begin(), profiles.end(), [](const ConnectionProfile &left, const ConnectionProfile &right) {
        return QString::localeAwareCompare(left.name, right.name) < 0;
    });
    return profiles;
}

QList<ConnectionProfile> ProfileStore::all() const
{
    return QList<ConnectionProfile>{sandbox()} + saved();
}

void ProfileStore::save(const ConnectionProfile &profile, const QString &previousName)
{
    QList<ConnectionProfile> profiles = saved();
    profiles.removeIf(
        [&](const ConnectionProfile &known) { return known.name == profile.name || known.name == previousName; });
    profiles << profile;
    write(profiles);
}

void ProfileStore::remove(const QString &name)
{
    QList<ConnectionProfile> profiles = saved();
    profiles.removeIf([&](const ConnectionProfile &known) { return known.name == name; });
    write(profiles);
}

void ProfileStore::write(const QList<ConnectionProfile> &profiles)
{
    m_settings.remove(u"connections"_s);
    m_settings.beginWriteArray(u"connections"_s, static_cast<int>(profiles.size()));
    for (qsizetype i = 0; i < profiles.size(); ++i) {
        const ConnectionProfile &profile = profiles[i];
        m_settings.setArrayIndex(static_cast<int>(i));
        m_settings.setValue(u"name"_s, profile.name);
        m_settings.setValue(u"database"_s, models::splitSecret(profile.databaseUrl).url);
        m_settings.setValue(u"redis"_s, models::splitSecret(profile.redisUrl).url);
        m_settings.setValue(u"table"_s, profile.table);
        m_settings.setValue(u"prefix"_s, profile.queuePrefix);
        m_settings.setValue(u"readOnly"_s, profile.readOnly);
        m_settings.setValue(u"production"_s, profile.production);
    }
    m_settings.endArray();
    m_settings.sync();
}

} // namespace app
