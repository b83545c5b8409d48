// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectionkey.h"

#include <QCryptographicHash>
#include <QUrl>
#include <QUrlQuery>

using namespace Qt::StringLiterals;

namespace engine::history {

namespace {

// Scheme, host, port and path; of the parameters only those that lead elsewhere.
QString placeOf(const QString &text)
{
    const QUrl url(text);
    if (!url.isValid())
        return text.section(u'@', -1);
    const QUrlQuery query(url);
    QString place = u"%1:%2:%3"_s.arg(url.host(), QString::number(url.port()), url.path());
    for (const QString &name : {u"host"_s, u"port"_s, u"schema"_s, u"db"_s})
        place += u'?' + query.queryItemValue(name, QUrl::FullyDecoded);
    return place;
}

} // namespace

QByteArray connectionKey(const config::ConnectionProfile &profile)
{
    // The sandbox's sockets lie in a folder of their own each time.
    const QString place = profile.sandbox ? u"sandbox"_s
                                          : placeOf(profile.databaseUrl) + u'\n' + placeOf(profile.redisUrl) + u'\n'
            + profile.table + u'\n' + profile.queuePrefix;
    return QCryptographicHash::hash(place.toUtf8(), QCryptographicHash::Sha256).toHex();
}

} // namespace engine::history
