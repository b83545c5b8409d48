// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "sentry.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>

using namespace Qt::StringLiterals;

namespace engine::notify {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::notify::Sentry)
};

QString levelOf(const Notice &notice)
{
    switch (notice.kind) {
    case Notice::Kind::Resolved:
    case Notice::Kind::Summary:
    case Notice::Kind::Test:
        return u"info"_s;
    case Notice::Kind::Fired:
    case Notice::Kind::Worsened:
        break;
    }
    return notice.alert.level == watch::AlertLevel::Critical ? u"error"_s : u"warning"_s;
}

QByteArray line(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

} // namespace

Result<SentryDsn> SentryDsn::parse(const QString &text)
{
    const QUrl url(text.trimmed(), QUrl::StrictMode);
    const qsizetype slash = url.path().lastIndexOf(u'/');
    const QString project = slash < 0 ? QString() : url.path().mid(slash + 1);
    if (!url.isValid() || (url.scheme() != u"https" && url.scheme() != u"http") || url.host().isEmpty()
        || url.userName().isEmpty() || project.isEmpty())
        return fail(ErrorCode::BadInput, Text::tr("This is no Sentry DSN."),
                    Text::tr("It looks like https://KEY@HOST/PROJECT; copy it from the project's settings."));
    SentryDsn dsn;
    dsn.publicKey = url.userName().toUtf8();
    dsn.endpoint = url.adjusted(QUrl::RemoveUserInfo | QUrl::RemoveQuery | QUrl::RemoveFragment);
    dsn.endpoint.setPath(url.path().left(slash) + u"/api/"_s + project + u"/envelope/"_s);
    return dsn;
}

QNetworkRequest SentryDsn::request() const
{
    QNetworkRequest request(endpoint);
    request.setHeader(QNetworkRequest::ContentTypeHeader, QByteArrayLiteral("application/x-sentry-envelope"));
    request.setRawHeader("X-Sentry-Auth",
                         "Sentry sentry_version=7, sentry_client=outbox-console/1.0, sentry_key=" + publicKey);
    return request;
}

QByteArray sentryEnvelope(const Notice &notice, const QString &release)
{
    const QString id = QUuid::createUuid().toString(QUuid::Id128);
    const QString at = QDateTime::fromMSecsSinceEpoch(notice.atMs, Qt::UTC).toString(Qt::ISODateWithMs);
    const QString text = notice.text();
    const QByteArray event = line(
        {{u"event_id"_s, id},
         {u"timestamp"_s, at},
         {u"platform"_s, u"other"_s},
         {u"level"_s, levelOf(notice)},
         {u"logger"_s, u"outbox-console.alerts"_s},
         {u"release"_s, release},
         {u"message"_s, QJsonObject{{u"formatted"_s, text.isEmpty() ? notice.title() : notice.title() + u'\n' + text}}},
         {u"fingerprint"_s, QJsonArray{u"outbox-console"_s, notice.connection, notice.alert.id}},
         {u"tags"_s,
          QJsonObject{{u"connection"_s, notice.connection},
                      {u"rule"_s, notice.alert.rule},
                      {u"subject"_s, notice.alert.subject}}},
         {u"extra"_s, QJsonObject{{u"value"_s, notice.alert.value}}}});
    return line({{u"event_id"_s, id}, {u"sent_at"_s, at}}) + '\n'
        + line({{u"type"_s, u"event"_s}, {u"content_type"_s, u"application/json"_s}, {u"length"_s, event.size()}})
        + '\n' + event + '\n';
}

} // namespace engine::notify
