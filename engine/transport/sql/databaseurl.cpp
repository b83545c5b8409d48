// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "databaseurl.h"

#include <QCoreApplication>
#include <QUrl>
#include <QUrlQuery>

#include <libpq-fe.h>

#include <memory>

namespace engine::sql {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::sql::DatabaseUrl)
};

bool isLibpqKeyword(const QString &name)
{
    const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> known(PQconndefaults(), &PQconninfoFree);
    for (const PQconninfoOption *option = known.get(); option && option->keyword; ++option) {
        if (name == QLatin1StringView(option->keyword))
            return true;
    }
    return false;
}

} // namespace

Result<DatabaseUrl> DatabaseUrl::parse(const QString &text)
{
    const QString example = Text::tr("Write it as postgresql://user@host:5432/database.");
    if (text.trimmed().isEmpty())
        return fail(ErrorCode::BadInput, Text::tr("The database URL is empty."), example);
    const QUrl url(text.trimmed(), QUrl::StrictMode);
    if (url.scheme() != u"postgres" && url.scheme() != u"postgresql")
        return fail(ErrorCode::BadInput, Text::tr("The database URL does not begin with postgresql://."), example);
    if (!url.isValid())
        return fail(
            ErrorCode::BadInput, Text::tr("The database URL cannot be read."),
            Text::tr("Special characters in user name or password are written as %XX, for instance %40 for @."));

    DatabaseUrl result;
    QUrl accepted = url;
    QUrlQuery kept;
    const QUrlQuery query(url);
    for (const auto &[name, value] : query.queryItems(QUrl::FullyEncoded)) {
        if (name == u"schema")
            result.schema = QUrl::fromPercentEncoding(value.toUtf8());
        else if (isLibpqKeyword(name))
            kept.addQueryItem(name, value);
    }
    accepted.setQuery(kept);
    result.conninfo = accepted.toEncoded();

    // libpq is the judge of the rest: ports, hosts, escapes.
    char *reason = nullptr;
    PQconninfoOption *options = PQconninfoParse(result.conninfo.constData(), &reason);
    if (!options) {
        PQfreemem(reason); // quotes the URL, and with it perhaps the password: not shown
        return fail(ErrorCode::BadInput, Text::tr("The database URL cannot be read."), example);
    }
    QString host = url.host();
    QString database = url.path().mid(1);
    for (const PQconninfoOption *option = options; option->keyword; ++option) {
        if (!option->val)
            continue;
        if (qstrcmp(option->keyword, "host") == 0)
            host = QString::fromUtf8(option->val);
        else if (qstrcmp(option->keyword, "dbname") == 0)
            database = QString::fromUtf8(option->val);
    }
    PQconninfoFree(options);

    QString user = url.userName();
    if (!user.isEmpty())
        user += u'@';
    const QString port = url.port() > 0 ? QStringLiteral(":%1").arg(url.port()) : QString();
    result.display = user + host + (host.startsWith(u'/') ? QStringLiteral(" · ") : port + u'/') + database;
    return result;
}

} // namespace engine::sql
