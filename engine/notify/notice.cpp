// SPDX-FileCopyrightText: 2026 The Outbox Console developers
// SPDX-License-Identifier: GPL-3.0-or-later
#include "notice.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonDocument>
#include <QJsonObject>

using namespace Qt::StringLiterals;

namespace engine::notify {

namespace {

// Context of this file's translated texts.
struct Text
{
    Q_DECLARE_TR_FUNCTIONS(engine::notify::Notice)
};

QString iso(qint64 ms)
{
    return QDateTime::fromMSecsSinceEpoch(ms, Qt::UTC).toString(Qt::ISODateWithMs);
}

QString stateWord(Notice::Kind kind)
{
    switch (kind) {
    case Notice::Kind::Fired:
        return u"firing"_s;
    case Notice::Kind::Worsened:
        return u"worse"_s;
    case Notice::Kind::Resolved:
        return u"resolved"_s;
    case Notice::Kind::Summary:
        return u"summary"_s;
    case Notice::Kind::Test:
        break;
    }
    return u"test"_s;
}

} // namespace

QString Notice::title() const
{
    const QString headline = kind == Kind::Resolved ? Text::tr("Over: %1").arg(alert.headline) : alert.headline;
    return connection.isEmpty() ? headline : Text::tr("%1 – %2", "headline, connection").arg(headline, connection);
}

QString Notice::text() const
{
    QStringList parts;
    if (!alert.detail.isEmpty())
        parts << alert.detail;
    if ((kind == Kind::Fired || kind == Kind::Worsened) && !alert.advice.isEmpty())
        parts << alert.advice;
    return parts.join(u'\n');
}

Notice noticeOf(const watch::AlertChange &change, const QString &connection, qint64 atMs)
{
    using From = watch::AlertChange::Kind;
    Notice notice;
    notice.kind = change.kind == From::Fired ? Notice::Kind::Fired
        : change.kind == From::Worsened      ? Notice::Kind::Worsened
        : change.kind == From::Resolved      ? Notice::Kind::Resolved
                                             : Notice::Kind::Summary;
    notice.alert = change.alert;
    notice.connection = connection;
    notice.atMs = atMs;
    return notice;
}

Notice testNotice(const QString &connection, qint64 atMs)
{
    Notice notice;
    notice.kind = Notice::Kind::Test;
    notice.alert.id = u"test"_s;
    notice.alert.rule = u"test"_s;
    notice.alert.sinceMs = atMs;
    notice.alert.headline = Text::tr("Test of the notifications");
    notice.alert.detail = Text::tr("Somebody pressed “Send a test” in Outbox Console. Nothing is wrong.");
    notice.connection = connection;
    notice.atMs = atMs;
    return notice;
}

QByteArray webhookBody(const Notice &notice)
{
    const QString text = notice.text();
    return QJsonDocument(QJsonObject{{u"state"_s, stateWord(notice.kind)},
                                     {u"alert"_s, notice.alert.id},
                                     {u"rule"_s, notice.alert.rule},
                                     {u"subject"_s, notice.alert.subject},
                                     {u"level"_s,
                                      notice.alert.level == watch::AlertLevel::Critical ? u"critical"_s : u"warning"_s},
                                     {u"title"_s, notice.title()},
                                     {u"text"_s, text.isEmpty() ? notice.title() : notice.title() + u'\n' + text},
                                     {u"value"_s, notice.alert.value},
                                     {u"since"_s, iso(notice.alert.sinceMs)},
                                     {u"at"_s, iso(notice.atMs)},
                                     {u"connection"_s, notice.connection}})
        .toJson(QJsonDocument::Compact);
}

} // namespace engine::notify
