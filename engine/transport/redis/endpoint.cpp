// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "endpoint.h"

#include <QCoreApplication>
#include <QUrl>
#include <QUrlQuery>

namespace engine::redis {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::redis::Endpoint)
};

} // namespace

Result<Endpoint> Endpoint::parse(const QString &text)
{
    const QString example = Text::tr("Write it as redis://user:password@host:6379/0, rediss:// for TLS, or "
                                     "redis+unix:///path/to/socket.");
    const QUrl url(text.trimmed(), QUrl::StrictMode);
    if (text.trimmed().isEmpty())
        return fail(ErrorCode::BadInput, Text::tr("The Redis URL is empty."), example);
    if (!url.isValid())
        return fail(ErrorCode::BadInput, Text::tr("The Redis URL cannot be read."), example);

    Endpoint endpoint;
    QString databaseText;
    if (url.scheme() == u"redis" || url.scheme() == u"rediss") {
        endpoint.transport = url.scheme() == u"rediss" ? Transport::Tls : Transport::Tcp;
        endpoint.host = url.host(QUrl::FullyDecoded);
        if (endpoint.host.isEmpty())
            return fail(ErrorCode::BadInput, Text::tr("The Redis URL names no host."), example);
        endpoint.port = static_cast<quint16>(url.port(6379));
        databaseText = url.path().mid(1);
        const bool isIpv6 = endpoint.host.contains(u':');
        endpoint.display =
            QString(isIpv6 ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2")).arg(endpoint.host).arg(endpoint.port);
    } else if (url.scheme() == u"redis+unix" || url.scheme() == u"unix") {
        endpoint.transport = Transport::UnixSocket;
        endpoint.host = url.path(QUrl::FullyDecoded);
        if (endpoint.host.isEmpty())
            return fail(ErrorCode::BadInput, Text::tr("The Redis URL names no socket path."), example);
        databaseText = QUrlQuery(url).queryItemValue(QStringLiteral("db"));
        endpoint.display = endpoint.host;
    } else {
        return fail(ErrorCode::BadInput, Text::tr("The Redis URL does not begin with redis:// or rediss://."), example);
    }
    if (!databaseText.isEmpty()) {
        bool isNumber = false;
        endpoint.database = databaseText.toInt(&isNumber);
        if (!isNumber || endpoint.database < 0)
            return fail(ErrorCode::BadInput,
                        Text::tr("The Redis URL names the database \"%1\", which is no number.").arg(databaseText),
                        example);
        if (endpoint.database > 0)
            endpoint.display += QStringLiteral("/%1").arg(endpoint.database);
    }
    endpoint.user = url.userName(QUrl::FullyDecoded);
    endpoint.password = url.password(QUrl::FullyDecoded);
    return endpoint;
}

} // namespace engine::redis
