// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "urlsecret.h"

#include <QUrl>

using namespace Qt::StringLiterals;

namespace models {

namespace {

struct UserInfo
{
    qsizetype begin = 0;
    qsizetype end = 0; // the @; equal to begin: there is none
};

// By hand, because QUrl would normalise what it does not know, for instance redis+unix:///path.
UserInfo userInfo(const QString &url)
{
    const qsizetype scheme = url.indexOf(u"://"_s);
    if (scheme < 0)
        return {};
    const qsizetype begin = scheme + 3;
    qsizetype end = begin;
    while (end < url.size() && !u"/?#"_s.contains(url[end]))
        ++end;
    const qsizetype at = url.first(end).lastIndexOf(u'@');
    return at >= begin ? UserInfo{begin, at} : UserInfo{begin, begin};
}

} // namespace

SecretUrl splitSecret(const QString &url)
{
    const UserInfo info = userInfo(url);
    const qsizetype colon = url.indexOf(u':', info.begin);
    if (info.end == info.begin || colon < 0 || colon >= info.end)
        return {url, {}};
    const QString user = url.sliced(info.begin, colon - info.begin);
    const QString password = QUrl::fromPercentEncoding(url.sliced(colon + 1, info.end - colon - 1).toUtf8());
    const QString rest = user.isEmpty() ? url.sliced(info.end + 1) : user + url.sliced(info.end);
    return {url.first(info.begin) + rest, password};
}

QString joinSecret(const QString &url, const QString &password)
{
    if (password.isEmpty())
        return url;
    const QString bare = splitSecret(url).url;
    const UserInfo info = userInfo(bare);
    if (info.begin == 0)
        return bare;
    const QString secret = u':' + QString::fromLatin1(QUrl::toPercentEncoding(password));
    if (info.end == info.begin)
        return bare.first(info.begin) + secret + u'@' + bare.sliced(info.begin);
    return bare.first(info.end) + secret + bare.sliced(info.end);
}

} // namespace models
